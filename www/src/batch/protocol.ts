import type { CheckSummary, Gate } from 'toolgauge';
import type { Options, Problem } from '../judge/protocol.ts';
import type { Row } from './rows.ts';

/** Asks for a verdict on each line of a file. */
export interface FileQuestion {
  readonly kind: 'file';
  readonly file: File;
  readonly tools: string;
  readonly options: Options;
}

/** What was found since the last message. */
export interface Found {
  readonly rows: readonly Row[];
  /** Where the lines end that were found since, as offsets in bytes. */
  readonly lineEnds: readonly number[];
  /** How many bytes were read so far. */
  readonly read: number;
  readonly summary: CheckSummary;
  readonly gate: Gate;
}

export type FileAnswer =
  | (Found & { readonly kind: 'found'; readonly isLast: boolean })
  | { readonly kind: 'failed'; readonly problem: Problem };
