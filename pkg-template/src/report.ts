import type { Gate } from './types.js';

/** How a report is drawn. */
export interface ReportLayout {
  /** Colours and emphasis as ANSI escapes. Default false. */
  readonly color?: boolean;
  /** Columns of the text, at least 40. Default 100. */
  readonly width?: number;
}

/** A result as text for people. */
export interface Report<Result> {
  /** The report, ready to be printed. */
  readonly text: string;
  /** Whether the result passes, and if not, why. */
  readonly gate: Gate;
  /** The result that the text reports. */
  readonly result: Result;
}
