import { OTHERS } from '../../package/support/mutations.mjs';
import { anyJson, anyNumber, anyText } from './values.mjs';

/** A copy of a JSON value in which up to `most` random places are changed. `donor` lends values of its own. */
export function mutate(random, value, most = 3, donor = value) {
  let changed = structuredClone(value);
  for (let times = random.between(1, most); times > 0; times -= 1) {
    const place = anyPlace(random, changed);
    if (place.holder === undefined) changed = otherValue(random, changed, donor);
    else random.pick(CHANGES)(random, place, donor);
  }
  return changed;
}

/** A random place: the object or list that holds it and the key there; no holder for the value as a whole. */
function anyPlace(random, value) {
  let place = { holder: undefined, key: undefined, value };
  while (isHolder(place.value)) {
    const keys = Object.keys(place.value);
    if (keys.length === 0 || (place.holder !== undefined && random.chance(0.2))) break;
    const key = random.pick(keys);
    place = { holder: place.value, key, value: place.value[key] };
  }
  return place;
}

const CHANGES = [replace, replace, replace, remove, duplicate, rename, swap, wrap, damage];

function replace(random, { holder, key, value }, donor) {
  put(holder, key, otherValue(random, value, donor));
}

function remove(_random, { holder, key }) {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

function duplicate(random, { holder, key, value }) {
  const copy = structuredClone(value);
  if (Array.isArray(holder)) holder.splice(random.below(holder.length + 1), 0, copy);
  else put(holder, `${key}${random.pick(['', '2', '_', 's'])}`, copy);
}

function rename(random, { holder, key, value }) {
  if (Array.isArray(holder)) return;
  delete holder[key];
  put(holder, random.pick([key.toUpperCase(), snake(key), camel(key), anyText(random)]), value);
}

function swap(random, { holder, key, value }) {
  const other = random.pick(Object.keys(holder));
  put(holder, key, holder[other]);
  put(holder, other, value);
}

function wrap(random, { holder, key, value }) {
  const wrapped = random.pick([[value], { [anyText(random)]: value }, JSON.stringify(value), String(value)]);
  put(holder, key, wrapped);
}

/** Cuts, repeats or splices a text; what is no text is replaced. */
function damage(random, place, donor) {
  const { holder, key, value } = place;
  if (typeof value !== 'string') return replace(random, place, donor);
  const at = random.below(value.length + 1);
  const [before, after] = [value.slice(0, at), value.slice(at)];
  put(holder, key, random.pick([before, after, after + before, before + anyText(random) + after]));
}

function otherValue(random, value, donor) {
  const kind = random.below(6);
  if (kind === 0) return structuredClone(random.pick(OTHERS));
  if (kind === 1) return structuredClone(anyPlace(random, donor).value);
  if (kind === 2) return anyJson(random);
  if (typeof value === 'string') return anyText(random);
  if (typeof value === 'number') return anyNumber(random);
  return random.pick([null, '', 0, [], {}]);
}

/** Sets a member; `__proto__` is one like others. */
function put(holder, key, value) {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}

function isHolder(value) {
  return typeof value === 'object' && value !== null;
}

function snake(key) {
  return key.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}

function camel(key) {
  return key.replaceAll(/_([a-z])/g, (_, letter) => letter.toUpperCase());
}
