import type { UserAnswer, UserQuestion } from '../user-channel.js';

/** Says what an answer may be, for a person. */
export function hintFor({ kind }: UserQuestion): string {
  return HINTS[kind];
}

const HINTS: Readonly<Record<UserQuestion['kind'], string>> = {
  ask: 'Enter a number, or another answer.',
  confirm: 'Enter y or n.',
  input: '',
  checkbox: 'Enter numbers, such as 1, 3, or nothing for none.',
};

/** The answer that a line gives to a question; undefined if it gives none. */
export function readAnswer({ kind, options }: UserQuestion, line: string): UserAnswer | undefined {
  const text = line.trim();
  switch (kind) {
    case 'ask':
      return text === '' ? undefined : (optionOf(options, text) ?? text);
    case 'confirm':
      return CONFIRMATIONS.get(text.toLowerCase());
    case 'input':
      return text;
    case 'checkbox':
      return chosenFrom(options, text);
  }
}

const CONFIRMATIONS: ReadonlyMap<string, boolean> = new Map([
  ['y', true],
  ['yes', true],
  ['n', false],
  ['no', false],
]);

/** The option with this text or number. */
function optionOf(options: readonly string[], text: string): string | undefined {
  const lower = text.toLowerCase();
  return (
    options.find(option => option.trim() === text) ??
    options.find(option => option.trim().toLowerCase() === lower) ??
    numbered(options, text)
  );
}

/** The options with these numbers, in their own order; undefined if one is not the number of an option. */
function chosenFrom(options: readonly string[], text: string): readonly string[] | undefined {
  const numbers = text.split(/[\s,]+/).filter(Boolean);
  if (numbers.some(number => numbered(options, number) === undefined)) return undefined;
  const chosen = new Set(numbers.map(number => Number(number) - 1));
  return options.filter((_, index) => chosen.has(index));
}

function numbered(options: readonly string[], text: string): string | undefined {
  return /^\d+$/.test(text) ? options[Number(text) - 1] : undefined;
}
