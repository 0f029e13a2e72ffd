import type { ReportFormat } from 'toolgauge';
import { frameReport, gatherParts, type PartRequest, type ReportOpening, type Total } from '../batch/check-chunk.js';
import { FramedOutput } from './framed-output.js';
import { fileOutput, type Output, standardOutput } from './output.js';
import { fileLayout, type Layout, layout } from './terminal.js';

/** A report that was asked for: its format, and the file that it goes into, or else standard output. */
export interface ReportTarget {
  readonly format: ReportFormat;
  readonly file: string | undefined;
}

/** Gathered parts are made one when they have this many characters, or as many as what they were made of before. */
const LEAST_GATHERED = 1_000_000;

/** A report that is written while a batch runs: its head, its parts, its tail. */
export class ReportWriter {
  readonly format: ReportFormat;
  readonly layout: Layout;
  readonly #output: FramedOutput;
  readonly #opening: ReportOpening;
  readonly #gathers: boolean;
  /** The parts of a report that gathers them, of which the first is made of those before. */
  #gathered: string[] = [];
  /** How many characters have come since then. */
  #fresh = 0;

  static async open({ format, file }: ReportTarget, opening: ReportOpening): Promise<ReportWriter> {
    return file === undefined
      ? new ReportWriter(format, standardOutput(process.stdout), opening, layout())
      : new ReportWriter(format, await fileOutput(file), opening, fileLayout());
  }

  private constructor(format: ReportFormat, output: Output, opening: ReportOpening, layout: Layout) {
    this.format = format;
    this.layout = layout;
    this.#opening = opening;
    const frame = frameReport(format, opening, layout);
    this.#gathers = frame.gathers;
    this.#output = new FramedOutput(output, frame);
  }

  /** What is asked of the core for each part. */
  request(show: NonNullable<PartRequest['show']>, isFirst: boolean, isAlone: boolean): PartRequest {
    const { format, layout } = this;
    const namesSource = this.#opening.sources.length > 1 && (isFirst || show !== 'all');
    return { format, layout, show, namesSource, alone: isAlone };
  }

  /** Writes the part of a chunk, of which there may be nothing to tell. */
  async add(part: string): Promise<void> {
    if (part === '') return;
    if (this.#gathers) this.#gather(part);
    else await this.#output.add(part);
  }

  /** Writes the tail. A report for people of nothing but files that can't be read, which were told of, is left out. */
  async close(total: Total): Promise<void> {
    const { documents, unread } = total.summary;
    if (this.format !== 'pretty' || this.#output.hasParts || documents > unread) {
      const gathered = this.#gathers ? this.#gathered : undefined;
      const { tail } = frameReport(this.format, this.#opening, this.layout, total, gathered);
      await this.#output.end(tail ?? '');
    }
    await this.#output.close();
  }

  /** Makes the parts one, but not each time anew: so each is read only a few times, and what is kept stays small. */
  #gather(part: string): void {
    this.#gathered.push(part);
    this.#fresh += part.length;
    if (this.#fresh < Math.max(LEAST_GATHERED, this.#gathered[0]?.length ?? 0)) return;
    this.#gathered = [gatherParts(this.format, this.#gathered)];
    this.#fresh = 0;
  }
}
