/** What steers a terminal, ends a line for some viewers, hides or reorders text, some of it not yet assigned. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u2065\u{e0000}-\u{e007f}]/gu;

const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** `text` with all of that written as escapes, as the core does in reports: what is printed may be anyone's. */
export function visible(text: string): string {
  return text.replace(UNSAFE, character => SHORT[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
