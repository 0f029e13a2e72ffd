/** An object of JSON from outside. Its keys may be anything, `__proto__` included. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for an object that is not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
