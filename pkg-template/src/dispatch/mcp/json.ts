/** An object of JSON from outside. Its keys may be anything, `__proto__` included. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for an object that is not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first `most` characters of a text. If it is longer, an ellipsis follows. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  // Half of a surrogate pair is no character.
  return `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
