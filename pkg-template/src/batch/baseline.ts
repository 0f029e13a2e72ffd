import * as core from '#glue';
import { guarded, withDocuments } from '../boundary/call.js';
import type { Instance } from '../boundary/instance.js';
import { toPayload } from '../boundary/json.js';
import { ToolgaugeError } from '../errors.js';
import { MOST_BYTES } from './in-parts.js';

interface Read {
  readonly owner: Instance;
  readonly baseline: core.Baseline;
}

/** What an earlier check found, which outlives the instance of the core that read it. */
export class Baseline {
  /** The mean score of the earlier check. */
  readonly score: number | undefined;
  readonly #report: Uint8Array;
  #read: Read | undefined;

  /** Reads the report of an earlier check, as JSON or as the lines of its results. */
  constructor(report: Uint8Array) {
    if (isCut(report)) throw incomplete();
    this.#report = report;
    this.score = guarded(target => this.borrow(target).score);
  }

  /** The baseline for a call to `target`, read again when that is a new instance. */
  borrow(target: Instance): core.Baseline {
    if (this.#read?.owner !== target) {
      const payload = toPayload(this.#report, 'the baseline');
      const baseline = withDocuments(target, [payload], MOST_BYTES, report => core.readBaseline(report));
      this.#read = { owner: target, baseline };
    }
    return this.#read.baseline;
  }
}

const NEWLINE = 0x0a;

/** Whether a report of a verdict a line lacks its end: each line of a whole one ends, the last one, too. */
function isCut(report: Uint8Array): boolean {
  if (report.at(-1) === NEWLINE) return false;
  const end = report.indexOf(NEWLINE);
  const first = new TextDecoder().decode(end < 0 ? report : report.subarray(0, end));
  try {
    const verdict: unknown = JSON.parse(first);
    return typeof verdict === 'object' && verdict !== null && ('index' in verdict || 'error' in verdict);
  } catch {
    return false;
  }
}

function incomplete(): ToolgaugeError {
  const expected = 'a line end after the last verdict';
  return new ToolgaugeError('invalid_input', 'the report is incomplete: its last line has no end', { expected });
}

let nothing: Read | undefined;

/** Nothing that was found before. */
export function noBaseline(target: Instance): core.Baseline {
  if (nothing?.owner !== target) nothing = { owner: target, baseline: core.readBaseline() };
  return nothing.baseline;
}
