/** The most inputs that are tried to make one smaller. */
const MOST_TRIES = 3_000;

/**
 * The smallest input found that still fails as `value` does. `fails` says whether an input does. Parts are taken out,
 * replaced by their own parts, and shortened, as long as one of these changes leaves an input that fails.
 */
export async function shrink(value, fails) {
  const search = { smallest: value, tries: MOST_TRIES, fails };
  // A change may make others possible that were tried before it.
  while (await passOver(search));
  return search.smallest;
}

/** Tries every change once and makes those that leave an input that fails. Whether there was one. */
async function passOver(search) {
  let place = 0;
  let changed = false;
  for (;;) {
    const found = await nextFailing(search, place);
    if (found === undefined) return changed;
    search.smallest = found.value;
    place = found.place;
    changed = true;
  }
}

/** The first of the smaller inputs from a place on that fails. */
async function nextFailing(search, from) {
  let place = -1;
  for (const value of smallerValues(search.smallest)) {
    place += 1;
    if (place < from) continue;
    if (search.tries === 0) return undefined;
    search.tries -= 1;
    if (await search.fails(value)) return { value, place };
  }
  return undefined;
}

/** The values that have one part less than `value`, those that lack the most first. */
function* smallerValues(value) {
  if (typeof value === 'string') yield* smallerTexts(value);
  else if (typeof value === 'number') yield* value === 0 ? [] : [0, Math.trunc(value / 2)].filter(n => n !== value);
  else if (Array.isArray(value)) yield* smallerLists(value);
  else if (typeof value === 'object' && value !== null) yield* smallerObjects(value);
}

/** Texts are cut between characters, so that no halves of surrogate pairs come up. */
function* smallerTexts(text) {
  for (const characters of shorterLists([...text])) yield characters.join('');
}

function* shorterLists(list) {
  for (let size = Math.ceil(list.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < list.length; at += size) yield list.toSpliced(at, size);
  }
}

function* smallerLists(list) {
  yield* shorterLists(list);
  for (const [at, item] of list.entries()) {
    for (const smaller of smallerValues(item)) yield list.with(at, smaller);
  }
}

function* smallerObjects(object) {
  const members = Object.entries(object);
  for (const [key] of members) yield Object.fromEntries(members.filter(([name]) => name !== key));
  for (const [key, member] of members) {
    for (const smaller of [...partsOf(member), ...smallerValues(member)]) {
      yield Object.fromEntries(members.map(([name, value]) => [name, name === key ? smaller : value]));
    }
  }
}

function partsOf(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.values(value) : [];
}
