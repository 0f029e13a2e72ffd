/** The kind of a value, for a message: its `typeof`, or `null`. */
export function kindOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}
