import type { Problem } from '../checker/protocol.ts';
import { type Place, placeOfPath, placeOfSyntaxError } from './places.ts';

/** The place of a problem, or the start of the text if the place is unknown. */
export function placeOfProblem(text: string, problem: Problem): Place {
  if (text.length > LONGEST) return (problem.code === 'invalid_json' && placeOfLine(text, problem.message)) || START;
  if (problem.code === 'invalid_json') return placeOfLine(text, problem.message) ?? placeOfSyntaxError(text) ?? START;
  return (problem.path === undefined ? undefined : placeOfPath(text, problem.path)) ?? START;
}

/** The line of a place, from 1. */
export function lineOf(text: string, place: Place): number {
  return text.slice(0, place.from).split('\n').length;
}

/** A longer text is not read as a tree, in UTF-16 units, because that would take the page long. */
const LONGEST = 1_000_000;

const START: Place = { from: 0, to: 1 };

/** Messages about invalid JSON contain line and column, both from 1. */
function placeOfLine(text: string, message: string): Place | undefined {
  const [, line, column] = /at line (\d+), column (\d+)/.exec(message) ?? [];
  if (line === undefined || column === undefined) return undefined;
  let start = 0;
  for (let passed = 1; passed < Number(line); passed += 1) {
    const end = text.indexOf('\n', start);
    if (end < 0) return undefined;
    start = end + 1;
  }
  const from = Math.max(0, Math.min(start + Number(column) - 1, text.length - 1));
  return { from, to: from + 1 };
}
