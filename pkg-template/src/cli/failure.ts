import { type ErrorReport, ToolgaugeError, visible } from 'toolgauge';
import type { Source } from './files.js';

/** A reason to stop with exit code 2, printed on one line, and what to do about it on the next. */
export class Failure extends Error {
  readonly remedy: string | undefined;

  constructor(message: string, remedy?: string) {
    super(message);
    this.remedy = remedy;
  }
}

/** What to do about an error, depending on what the source should contain. */
export type Remedy = (error: Pick<ErrorReport, 'code' | 'path'>) => string | undefined;

/** Runs `body`, which reads `source`, and says in its errors that it was this source. */
export function reading<Result>(source: Pick<Source, 'name'>, remedy: Remedy, body: () => Result): Result {
  return blaming(() => [source], remedy, body);
}

/** Runs `body`, which compares two sources, and says in its errors which of them it was. */
export function comparing<Result>(expected: Source, actual: Source, remedy: Remedy, body: () => Result): Result {
  const culprits = ({ path = '' }: ToolgaugeError) => {
    if (/^expected\b/.test(path)) return [expected];
    return /^actual\b/.test(path) ? [actual] : [expected, actual];
  };
  return blaming(culprits, remedy, body);
}

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its links lead in a circle',
  EROFS: 'the disk is read-only',
  ENOTDIR: 'what should be a folder above it is a file',
};

/** Why the system could not do something with a file. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? error.message;
}

/** What standard error shows for `error`. */
export function describe(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const remedy = error instanceof Failure && error.remedy !== undefined ? `\n  ${error.remedy}` : '';
  return `toolgauge: ${shown(message)}${remedy}\n`;
}

/** `message` fit to be printed, also when the error is that the core can't run. */
function shown(message: string): string {
  try {
    return visible(message);
  } catch {
    return message.replace(/[^ -~]/g, '?');
  }
}

function blaming<Result>(
  culprits: (error: ToolgaugeError) => readonly Pick<Source, 'name'>[],
  remedy: Remedy,
  body: () => Result,
): Result {
  try {
    return body();
  } catch (error) {
    if (!(error instanceof ToolgaugeError)) throw error;
    const sources = culprits(error);
    const names = sources.map(({ name }) => name).join(' and ');
    throw new Failure(`${names}: ${error.message}`, remedyFor(error, remedy));
  }
}

/** What to do about an error of a source. */
export function remedyFor(error: Pick<ErrorReport, 'code' | 'path'>, remedy: Remedy): string | undefined {
  const { code } = error;
  const special = remedy(error);
  if (special !== undefined) return special;
  if (code === 'invalid_schema') return 'correct the tool definition at that place';
  return code === 'invalid_json' ? 'the file must hold one JSON document in UTF-8, or one on each line' : undefined;
}
