/** A value for a message about it, which quotes at most 200 characters. */
export function excerpt(value: unknown): string {
  const text = String(value);
  const start = /^.{0,200}/su.exec(text)?.[0] ?? '';
  return start.length < text.length ? `${start}…` : text;
}
