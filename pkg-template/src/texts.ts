/** A count with its noun: `1 call`, `2 calls`. */
export function counted(count: number, noun: string, plural: string = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** A text without the colours of a terminal. */
export function withoutColors(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with a control character
  return text.replace(/\u001b\[[\d;]*m/g, '');
}

/** The first `most` characters of a text. If it is longer, an ellipsis follows. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  // Half of a surrogate pair is no character.
  return `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
