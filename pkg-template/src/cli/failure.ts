import { type ErrorCode, ToolgaugeError } from 'toolgauge';

/** A reason to stop with exit code 2, told in one line, and what to do about it in another. */
export class Failure extends Error {
  readonly remedy: string | undefined;

  constructor(message: string, remedy?: string) {
    super(message);
    this.remedy = remedy;
  }
}

const REMEDIES: Partial<Record<ErrorCode, string>> = {
  invalid_json: 'the file must hold one JSON document in UTF-8',
  unknown_format:
    'known are OpenAI chat messages, tau-bench rollouts and the shape of toolgauge itself; see the README',
  invalid_schema: 'correct the tool definition at that place',
};

/** Runs `body`, which reads `source`, and says in its errors that it was this source. */
export function reading<Result>(source: string, body: () => Result): Result {
  try {
    return body();
  } catch (error) {
    if (!(error instanceof ToolgaugeError)) throw error;
    throw new Failure(`${source}: ${error.message}`, REMEDIES[error.code]);
  }
}

/** What standard error shows for `error`. */
export function describe(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const remedy = error instanceof Failure && error.remedy !== undefined ? `\n  ${error.remedy}` : '';
  return `toolgauge: ${message}${remedy}\n`;
}
