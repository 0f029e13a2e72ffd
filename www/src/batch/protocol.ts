import type { CheckSummary, Gate, Trials } from 'toolgauge';
import type { Options, Problem } from '../checker/protocol.ts';
import type { Row } from './rows.ts';

/** Asks for a check of each line of a file. */
export interface FileQuestion {
  readonly kind: 'file';
  readonly file: File;
  readonly tools: string;
  /** The calls that are expected of each trajectory; empty for those that the lines carry. */
  readonly expected: string;
  readonly options: Options;
}

/** What was found since the message before. */
export interface Found {
  readonly rows: readonly Row[];
  /** The ends of the lines found since then, as offsets in bytes. */
  readonly lineEnds: readonly number[];
  /** How many bytes have been read so far. */
  readonly read: number;
  readonly summary: CheckSummary;
  readonly gate: Gate;
  /** What several trials of one task show so far. */
  readonly trials: Trials | undefined;
}

export type FileAnswer =
  | (Found & { readonly kind: 'found'; readonly isLast: boolean })
  | { readonly kind: 'failed'; readonly problem: Problem };
