import type { CheckSummary, GateOptions } from '../types.js';
import { type Total, total } from './check-chunk.js';

/** Summaries that are merged before they are too many, and so that each is merged only a few times. */
const MOST_AT_ONCE = 32;

/** More summaries are always merged, however many tasks the first one has. */
const MOST_EVER = 128;

/** A summary, as far as its size is concerned. */
interface Sized {
  readonly tasks?: { readonly byTask: object };
}

/**
 * Whether summaries are to be merged: if they are many, and have as many tasks as the first one, which is a sum. Then
 * each task is merged only a few times.
 */
export function isWorthMerging(summaries: readonly Sized[]): boolean {
  const { length } = summaries;
  // The tasks are counted only now and then: that takes time, too.
  if (length > MOST_EVER || length % MOST_AT_ONCE !== 1 || length === 1) return length > MOST_EVER;
  const [first = 0, ...others] = summaries.map(({ tasks }) => Object.keys(tasks?.byTask ?? {}).length);
  return others.reduce((sum, count) => sum + count, 0) >= first;
}

/** The options that ask for tasks. */
interface TaskOptions {
  readonly taskKey?: string | undefined;
  readonly minPassHat?: GateOptions['minPassHat'] | undefined;
}

/** Whether the totals keep the counts by task. */
export function wantsTasks({ taskKey, minPassHat }: TaskOptions): boolean {
  return taskKey !== undefined || Object.keys(minPassHat ?? {}).length > 0;
}

/** Adds up the summaries of many chunks. */
export class Tally {
  readonly #wantsTasks: boolean;
  #summaries: CheckSummary[] = [];

  constructor(wantsTasks: boolean) {
    this.#wantsTasks = wantsTasks;
  }

  add(summary: CheckSummary): void {
    this.#summaries.push(summary);
    if (!isWorthMerging(this.#summaries)) return;
    this.#summaries = [total(this.#summaries, { fewTasks: !this.#wantsTasks }).summary];
  }

  /** The sum so far, held against a gate. */
  total(options: GateOptions): Total {
    return total(this.#summaries, { ...options, leaveOutTasks: !this.#wantsTasks });
  }
}
