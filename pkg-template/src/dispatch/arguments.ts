import { kindOf } from '../boundary/kind-of.js';
import { ToolCallFailure } from './toolkit.js';

/** The arguments of a call, by name: what a model wrote. */
export type Arguments = Readonly<Record<string, unknown>>;

/** How long a text may be, in UTF-16 units, where nothing else is said. */
export const LONGEST_TEXT = 10_000;

/** More names than this are not listed in a message. */
const MOST_LISTED = 20;

/** Longer texts are cut in a message. */
const LONGEST_QUOTED = 100;

/** The text of a required argument. Throws a `ToolCallFailure` if it is missing, blank, too long or no text. */
export function textOf(args: Arguments, name: string, longest: number = LONGEST_TEXT): string {
  const text = argument(args, name);
  if (typeof text !== 'string') throw expected(name, 'a text', text);
  return checkedText(text, name, longest);
}

/** The text of an argument that may be missing or null. Throws as {@link textOf} does. */
export function optionalText(args: Arguments, name: string, longest?: number): string | undefined {
  return argument(args, name) == null ? undefined : textOf(args, name, longest);
}

/** The different texts of an argument that lists them. Throws as {@link textOf} does, and if there are too few or many. */
export function textsOf(args: Arguments, name: string, least: number, most: number): readonly string[] {
  const list = argument(args, name);
  if (!Array.isArray(list)) throw expected(name, 'a list of texts', list);
  if (list.length < least || list.length > most) {
    throw new ToolCallFailure(`${name}: expected ${least} to ${most} texts, got ${list.length}.`);
  }
  const texts = Array.from(list, (text: unknown, index) => {
    const place = `${name}[${index}]`;
    if (typeof text !== 'string') throw expected(place, 'a text', text);
    return checkedText(text, place, LONGEST_TEXT);
  });
  if (new Set(texts).size < texts.length) throw new ToolCallFailure(`${name}: two of the texts are equal; remove one.`);
  return texts;
}

/** The value of an argument; `undefined` if the call does not have it. */
export function argument(args: Arguments, name: string): unknown {
  return typeof args === 'object' && args !== null && Object.hasOwn(args, name) ? args[name] : undefined;
}

/** The failure of a call whose argument has the wrong type. */
export function expected(name: string, what: string, got: unknown): ToolCallFailure {
  const kind = Array.isArray(got) ? 'a list' : kindOf(got);
  return new ToolCallFailure(`${name}: expected ${what}, got ${got === undefined ? 'nothing' : kind}.`);
}

/** A text from a model, for a message: in quotes, on one line, and cut if it is long. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > LONGEST_QUOTED ? `${text.slice(0, LONGEST_QUOTED)}…` : text);
}

/** Names, for a message: the first 20 and how many more there are, or `none`. */
export function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length > MOST_LISTED ? ` and ${names.length - MOST_LISTED} more` : '';
  return names.slice(0, MOST_LISTED).join(', ') + more;
}

function checkedText(text: string, name: string, longest: number): string {
  if (text.trim() === '') throw new ToolCallFailure(`${name}: the text is empty.`);
  if (text.length <= longest) return text;
  throw new ToolCallFailure(`${name}: the text has ${text.length} characters; at most ${longest} are allowed.`);
}
