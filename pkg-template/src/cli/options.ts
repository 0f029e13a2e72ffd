import { InvalidArgumentError, Option } from 'commander';

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

/** The JSON form of a result. */
export function toJson(result: unknown): string {
  return `${JSON.stringify(result, null, 2)}\n`;
}

/** `text` with exactly one line end. */
export function endLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

function parseScore(text: string): number {
  const score = Number(text);
  if (text.trim() === '' || !(score >= 0 && score <= 1)) throw new InvalidArgumentError('It must be 0 to 1.');
  return score;
}
