import * as core from '#glue';
import { guarded, withDocuments } from '../boundary/call.js';
import type { Instance } from '../boundary/instance.js';
import { optionsToPayload, toPayload } from '../boundary/json.js';
import type { ReportFormat } from '../types.js';
import { MOST_BYTES } from './in-parts.js';

/** New parts are made one with those before when they have this many characters, or as many bytes as those. */
const LEAST_GATHERED = 1_000_000;

/**
 * The parts of a report that puts the worst first, and so is written at the end. They are kept outside the core, which
 * may be started anew at any time, and are read by it only when they have doubled. It writes no more of a chunk than
 * may still fit the report, so that after the first ones parts are short.
 */
export class GatheredParts {
  readonly #format: ReportFormat;
  /** The merged parts before the fresh ones. */
  #settled: Uint8Array | undefined;
  #fresh: string[] = [];
  #freshLength = 0;
  #leastRank: number | undefined;

  constructor(format: ReportFormat) {
    this.#format = format;
  }

  /** The least rank of an entry of a later part that still fits the report. */
  get leastRank(): number | undefined {
    return this.#leastRank;
  }

  /** Adds the part of the next chunk. */
  add(part: string): void {
    this.#fresh.push(part);
    this.#freshLength += part.length;
    if (this.#freshLength >= Math.max(LEAST_GATHERED, this.#settled?.length ?? 0)) this.#settle();
  }

  /** All parts, inside a call to `target`; to be freed, or given to the core. */
  read(target: Instance): core.GatheredReport {
    const report = withDocuments(target, [optionsToPayload({ format: this.#format })], MOST_BYTES, ours => {
      return new core.GatheredReport(ours);
    });
    const parts = this.#settled === undefined ? this.#fresh : [this.#settled, ...this.#fresh];
    for (const part of parts) {
      withDocuments(target, [toPayload(part, 'the report')], MOST_BYTES, document => report.add(document));
    }
    return report;
  }

  #settle(): void {
    guarded(target => {
      const report = this.read(target);
      this.#settled = report.part();
      this.#leastRank = report.leastRank;
      report.free();
    });
    this.#fresh = [];
    this.#freshLength = 0;
  }
}
