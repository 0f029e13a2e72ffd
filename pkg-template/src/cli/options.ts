import { InvalidArgumentError, Option } from 'commander';
import type { Gate } from 'toolgauge';

/** What the commands have in common. */
export interface CommonOptions {
  readonly format: 'pretty' | 'json';
  readonly minScore?: number;
}

/** What a command decided: what to print, and whether the gate passed. */
export interface Outcome {
  readonly output: string;
  readonly verdict: 'passed' | 'failed';
}

/** `--format` */
export function formatOption(): Option {
  return new Option('--format <format>', 'what to print').choices(['pretty', 'json']).default('pretty');
}

/** `--min-score` */
export function minScoreOption(): Option {
  return new Option('--min-score <score>', 'fail when the score is under this, 0 to 1').argParser(parseScore);
}

/** Prints `output`, with a line end, and lets the gate decide. */
export function outcome(output: string, gate: Gate): Outcome {
  return { output: output.endsWith('\n') ? output : `${output}\n`, verdict: gate.passed ? 'passed' : 'failed' };
}

/** A result as JSON that people can read, too. */
export function toJson(result: unknown): string {
  return JSON.stringify(result, null, 2);
}

function parseScore(text: string): number {
  const score = Number(text);
  if (text.trim() === '' || !(score >= 0 && score <= 1)) throw new InvalidArgumentError('It must be 0 to 1.');
  return score;
}
