import type { ReportFormat } from 'toolgauge';
import { frameReport, type PartRequest, type ReportOpening, type Total } from '../batch/check-chunk.js';
import { GatheredParts } from '../batch/gathered-parts.js';
import { FramedOutput } from './framed-output.js';
import type { Output } from './output.js';
import { fileLayout, type Layout, layout } from './terminal.js';

/** A report that was asked for: its format, and the file that it goes into, or else standard output. */
export interface ReportTarget {
  readonly format: ReportFormat;
  readonly file: string | undefined;
}

/** A report that is written while a batch runs: its head, its parts, its tail. */
export class ReportWriter {
  readonly format: ReportFormat;
  readonly layout: Layout;
  readonly #output: FramedOutput;
  readonly #opening: ReportOpening;
  /** The parts of a report that gathers them. */
  readonly #gathered: GatheredParts | undefined;

  constructor({ format, file }: ReportTarget, output: Output, opening: ReportOpening) {
    this.format = format;
    this.layout = file === undefined ? layout() : fileLayout();
    this.#opening = opening;
    const frame = frameReport(format, opening, this.layout);
    this.#gathered = frame.gathers ? new GatheredParts(format) : undefined;
    this.#output = new FramedOutput(output, frame);
  }

  /** What is asked of the core for each part. */
  request(style: Pick<PartRequest, 'show' | 'detail'>, isFirst: boolean, isAlone: boolean): PartRequest {
    const { format, layout } = this;
    const { show } = style;
    const namesSource = this.#opening.sources.length > 1 && (isFirst || show !== 'all');
    return { ...style, format, layout, namesSource, alone: isAlone, leastRank: this.#gathered?.leastRank };
  }

  /** Writes the part of a chunk, which may be empty. */
  async add(part: string): Promise<void> {
    if (part === '') return;
    if (this.#gathered !== undefined) this.#gathered.add(part);
    else await this.#output.add(part);
  }

  /** Writes the tail. A report for people is left out if no file could be read: standard error says so. */
  async close(total: Total): Promise<void> {
    const { documents, unread } = total.summary;
    if (this.format !== 'pretty' || this.#output.hasParts || documents > unread) {
      const { tail } = frameReport(this.format, this.#opening, this.layout, total, this.#gathered);
      await this.#output.end(tail ?? '');
    }
    await this.#output.close();
  }
}
