import { shortened } from '../texts.js';

/** The first of several texts, and how many of `count` are missing. */
export function firstTexts(texts: readonly string[], most: number, count: number): string[] {
  const first = texts.slice(0, most);
  return count > first.length ? [...first, `${count - first.length} more`] : first;
}

/** A score as reports write it. */
export function scoreText(score: number | null): string {
  return score === null ? 'none' : score.toFixed(3);
}

/** JSON on one line, with at most `most` characters. */
export function jsonText(value: unknown, most: number): string {
  return shortened(JSON.stringify(value) ?? 'undefined', most);
}

/** The sections of an answer that are not empty, with an empty line between them. */
export function sections(...parts: readonly (readonly string[])[]): string {
  return parts
    .filter(lines => lines.length > 0)
    .map(lines => lines.join('\n'))
    .join('\n\n');
}
