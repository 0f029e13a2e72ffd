import { visible } from 'toolgauge';
import type { MatcherContext } from './runner.js';

/** Longest JSON text of a call's arguments that is shown in full. */
const LONGEST = 160;

/** How the parts of a message are coloured; not at all where the runner does not colour. */
export interface Paint {
  readonly wrong: (text: string) => string;
  readonly right: (text: string) => string;
  readonly quiet: (text: string) => string;
}

/** The colours of the runner. */
export function paintOf({ utils }: MatcherContext): Paint {
  // Bun's functions need their object.
  return {
    wrong: text => utils?.RECEIVED_COLOR?.(text) ?? text,
    right: text => utils?.EXPECTED_COLOR?.(text) ?? text,
    quiet: text => utils?.DIM_COLOR?.(text) ?? text,
  };
}

/** A whole message: how the matcher was called, a sentence, the details, and what the author of the test may want. */
export function message(
  context: MatcherContext,
  { matcher, expected }: { readonly matcher: string; readonly expected: string },
  sentence: string,
  details: readonly string[],
  hint?: string,
): string {
  const { isNot = false, promise = '' } = context;
  const hinted = context.utils?.matcherHint?.(matcher, 'received', visible(expected), { isNot, promise });
  const head = hinted ?? `expect(received)${isNot ? '.not' : ''}.${matcher}(${visible(expected)})`;
  const last = hint === undefined ? '' : `Hint: ${hint}`;
  return [head, visible(sentence), details.join('\n'), last].filter(part => part !== '').join('\n\n');
}

/** A value as one line of JSON, cut off when it is long. */
export function shown(value: unknown): string {
  const text = spaced(value);
  return visible(text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);
}

/** JSON with a space after commas and colons, as reports have it. Line breaks in texts are escapes: others are layout. */
function spaced(value: unknown): string {
  const laidOut = JSON.stringify(value, undefined, 1) ?? 'undefined';
  return laidOut.replace(/,\n */g, ', ').replace(/\n */g, '');
}

/** Names as a sentence has them, each once: `get_order (2 times) and search`. */
export function listed(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const parts = [...counts].map(([name, count]) => (count === 1 ? name : `${name} (${count} times)`));
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
