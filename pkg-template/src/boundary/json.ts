import { reasonOf, ToolgaugeError } from '../errors.js';
import { excerpt } from '../excerpt.js';
import { isExhaustion, readingCaller } from './caller.js';
import { errorsAsText, mayHaveLostErrors, toPlainSpans } from './library-values.js';
import { asOne, isUnsettled, refuseUnsettled } from './not-yet.js';

/** What crosses into WebAssembly: JSON as text or bytes, or a plain value with numbers that JSON can't carry. */
export type Payload =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'value'; readonly value: unknown };

/**
 * Takes JSON text and bytes as they are and turns anything else into JSON.
 * `subject` names the input in errors, such as `the trajectory`.
 */
export function toPayload(input: unknown, subject: string): Payload {
  return readingCaller(subject, () => {
    if (typeof input === 'string') return { kind: 'text', text: input };
    if (isBytes(input)) return { kind: 'bytes', bytes: input };
    if (isBinary(input)) throw notUint8Array(subject);
    refuseUnsettled(input, subject, 'a value, JSON text or a Uint8Array');
    const payload = valueToPayload(toPlainSpans(input), subject);
    if (payload.kind === 'text' && mayHoldUnsettled(payload.text)) refuseUnsettledItems(input, [], subject);
    return payload;
  });
}

/** Longer inputs are not searched for promises: that would take as long as writing them. */
const LONGEST_SEARCHED = 1_000_000;

/** Whether there is an empty object in a list, which is how JSON.stringify writes a promise. */
function mayHoldUnsettled(text: string): boolean {
  return text.length <= LONGEST_SEARCHED && (text.includes('[{}') || text.includes(',{}'));
}

/** Rejects lists with promises in them, such as `messages.map(async …)`. `keys` lead to `value`. */
function refuseUnsettledItems(value: unknown, keys: (string | number)[], subject: string): void {
  const seen = asJsonSees(value, keys.at(-1) ?? '');
  if (typeof seen !== 'object' || seen === null) return;
  if (!Array.isArray(seen)) {
    for (const [name, member] of Object.entries(seen)) refuseUnsettledIn(member, name, keys, subject);
    return;
  }
  seen.forEach((item, index) => {
    if (isUnsettled(item)) {
      const path = [...keys, index].reduce<string>(joinKey, '');
      refuseUnsettled(item, `${excerpt(path)} in ${subject}`, 'a value that is there already', path);
    }
    refuseUnsettledIn(item, index, keys, subject);
  });
}

function refuseUnsettledIn(member: unknown, key: string | number, keys: (string | number)[], subject: string): void {
  if (typeof member !== 'object' || member === null) return;
  keys.push(key);
  refuseUnsettledItems(member, keys, subject);
  keys.pop();
}

function joinKey(path: string, key: string | number): string {
  return joinPath(path, String(key), typeof key === 'number');
}

/** A value that JSON.stringify wrote as null: inside a string, a comma or a colon seldom precedes the word. */
const WRITTEN_NULL = /(?:^|[:,[])null/;

/** Turns a value into JSON, a string too. */
export function valueToPayload(value: unknown, subject: string): Payload {
  return readingCaller(subject, () => {
    const text = stringify(value, subject);
    // JSON writes NaN and the infinities as null, so without one there was none.
    if (!WRITTEN_NULL.test(text) || !hasNonFinite(value, '')) return { kind: 'text', text };
    return { kind: 'value', value: plainClone(value, '') };
  });
}

/** Turns options into JSON. What JSON can't hold is an error: it would be ignored without a word. */
export function optionsToPayload(options: object | undefined): Payload | undefined {
  if (options === undefined) return undefined;
  readingCaller('the options', () => refuseUnwritable(options));
  const payload = valueToPayload(options, 'the options');
  if (payload.kind === 'text') return payload;
  const expected = 'finite numbers';
  throw new ToolgaugeError('invalid_option', `an option is NaN or infinite; expected ${expected}`, { expected });
}

/** Refuses the options that JSON.stringify leaves out. */
function refuseUnwritable(options: object): void {
  if (typeof options !== 'object' || options === null) return;
  for (const [name, value] of Object.entries(options)) {
    const isWritable = name === 'toJSON' || (typeof value !== 'function' && typeof value !== 'symbol');
    if (isWritable) continue;
    const [path, expected] = [`options.${name}`, 'a value that JSON has'];
    throw new ToolgaugeError('invalid_option', `${excerpt(path)}: expected ${expected}, got a ${typeof value}`, {
      path,
      expected,
    });
  }
}

/** True for a Uint8Array of any realm: under Jest, a Buffer belongs to another realm. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]';
}

/** True for binary data of any kind. */
export function isBinary(value: unknown): boolean {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

function stringify(value: unknown, subject: string): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
    if (text !== undefined && mayHaveLostErrors(text)) text = JSON.stringify(value, errorsAsText);
  } catch (cause) {
    if (isExhaustion(cause)) throw cause;
    throw unsupported(value, subject, cause);
  }
  if (text === undefined) throw notJson(value, subject);
  return text;
}

function hasNonFinite(value: unknown, key: string | number): boolean {
  const seen = asJsonSees(value, key);
  if (typeof seen === 'number') return !Number.isFinite(seen);
  if (typeof seen !== 'object' || seen === null) return false;
  return Array.isArray(seen) ? seen.some(hasNonFinite) : hasNonFiniteMember(seen as Record<string, unknown>);
}

function hasNonFiniteMember(parent: Record<string, unknown>): boolean {
  for (const name in parent) {
    if (Object.hasOwn(parent, name) && hasNonFinite(parent[name], name)) return true;
  }
  return false;
}

/** The value as JSON.stringify would write it, but with its numbers left alone. */
function plainClone(value: unknown, key: string | number): unknown {
  const seen = asJsonSees(value, key);
  if (typeof seen !== 'object' || seen === null) return seen;
  if (Array.isArray(seen)) return Array.from(seen, (item, index) => plainClone(item, index) ?? null);
  const members = Object.entries(seen)
    .map(([name, member]) => [name, plainClone(member, name)] as const)
    .filter(([, member]) => member !== undefined);
  // fromEntries defines a member named __proto__, where an assignment would set the prototype.
  return Object.fromEntries(members);
}

/** Applies what JSON.stringify applies before it looks at a value: toJSON, wrapper objects, values it leaves out. */
function asJsonSees(value: unknown, key: string | number): unknown {
  if (typeof value === 'string') return value;
  let seen = value;
  if (hasToJson(seen)) seen = seen.toJSON(String(key));
  if (seen instanceof Number || seen instanceof String || seen instanceof Boolean) seen = seen.valueOf();
  return typeof seen === 'function' || typeof seen === 'symbol' ? undefined : seen;
}

function hasToJson(value: unknown): value is { toJSON(key: string): unknown } {
  if ((typeof value !== 'object' && typeof value !== 'bigint') || value === null) return false;
  return typeof (value as { toJSON?: unknown }).toJSON === 'function';
}

type Finding = { readonly path: string; readonly problem: string; readonly expected: string };

/** Finds the value that made JSON.stringify throw, the first in its order. */
function findUnsupported(
  read: () => unknown,
  key: string,
  path: string,
  ancestors: readonly object[],
): Finding | undefined {
  try {
    const seen = asJsonSees(read(), key);
    if (typeof seen === 'bigint') return { path, problem: 'JSON has no BigInt', expected: 'a number, or a string' };
    if (typeof seen !== 'object' || seen === null) return undefined;
    if (ancestors.includes(seen)) return { path, problem: 'it contains itself', expected: 'a value without cycles' };
    return findInMembers(seen as Record<string, unknown>, path, [...ancestors, seen]);
  } catch (error) {
    if (isExhaustion(error)) throw error;
    return { path, problem: `reading it throws (${reasonOf(error)})`, expected: 'a value that can be read' };
  }
}

function findInMembers(
  parent: Record<string, unknown>,
  path: string,
  ancestors: readonly object[],
): Finding | undefined {
  for (const name of Object.keys(parent)) {
    const memberPath = joinPath(path, name, Array.isArray(parent));
    const finding = findUnsupported(() => parent[name], name, memberPath, ancestors);
    if (finding !== undefined) return finding;
  }
  return undefined;
}

/** Keys that a path can hold as they are. The core writes paths by the same rule. */
const PLAIN_KEY = /^[^.[\]"'\s\p{Cc}]+$/u;

function joinPath(path: string, name: string, isIndex: boolean): string {
  if (isIndex) return `${path}[${name}]`;
  if (!PLAIN_KEY.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

function unsupported(value: unknown, subject: string, cause: unknown): ToolgaugeError {
  const finding = findUnsupported(() => value, '', '', []);
  if (finding === undefined) {
    return new ToolgaugeError('unsupported_value', `${subject} can't be turned into JSON: ${reasonOf(cause)}`, {
      cause,
    });
  }
  const { path, problem, expected } = finding;
  const place = path === '' ? subject : `${excerpt(path)} in ${subject}`;
  return new ToolgaugeError('unsupported_value', `${place}: ${problem}; expected ${expected}`, {
    path: path === '' ? undefined : path,
    expected,
    cause,
  });
}

function notJson(value: unknown, subject: string): ToolgaugeError {
  const expected = 'an object, JSON text or a Uint8Array';
  return new ToolgaugeError('invalid_input', `${asOne(subject)} is ${typeof value}; expected ${expected}`, {
    expected,
  });
}

function notUint8Array(subject: string): ToolgaugeError {
  const expected = 'a Uint8Array';
  const message = `${asOne(subject)} is another kind of binary data; wrap it: new Uint8Array(buffer)`;
  return new ToolgaugeError('invalid_input', message, { expected });
}
