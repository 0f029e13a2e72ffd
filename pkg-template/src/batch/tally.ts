import type { CheckSummary, GateOptions } from '../types.js';
import { type Total, total } from './check-chunk.js';

/** Summaries that are merged before they are too many, and so that each is merged only a few times. */
const MOST_AT_ONCE = 32;

/** Adds up the summaries of many chunks. */
export class Tally {
  #summaries: CheckSummary[] = [];

  add(summary: CheckSummary): void {
    this.#summaries.push(summary);
    if (this.#summaries.length > MOST_AT_ONCE) this.#summaries = [total(this.#summaries, {}).summary];
  }

  /** The sum so far, held against a gate. */
  total(options: GateOptions): Total {
    return total(this.#summaries, options);
  }
}
