import type { ReportFormat } from 'toolgauge';
import {
  frameReport,
  gatherParts,
  type PartRequest,
  type ReportFrame,
  type ReportOpening,
  type Total,
} from '../batch/check-chunk.js';
import { fileOutput, type Output, standardOutput } from './output.js';
import { fileLayout, type Layout, layout } from './terminal.js';

/** A report that was asked for: its format, and the file that it goes into, or else standard output. */
export interface ReportTarget {
  readonly format: ReportFormat;
  readonly file: string | undefined;
}

/** Gathered parts are made one before they are too many, and so that each is read only a few times. */
const MOST_AT_ONCE = 32;

/** A report that is written while a batch runs: its head, its parts, its tail. */
export class ReportWriter {
  readonly format: ReportFormat;
  readonly layout: Layout;
  readonly #output: Output;
  readonly #opening: ReportOpening;
  readonly #frame: ReportFrame;
  /** The last characters that were written. */
  #end = '';
  #hasHead = false;
  #hasParts = false;
  /** The parts of a report that gathers them. */
  #gathered: string[] = [];

  static async open({ format, file }: ReportTarget, opening: ReportOpening): Promise<ReportWriter> {
    return file === undefined
      ? new ReportWriter(format, standardOutput(process.stdout), opening, layout())
      : new ReportWriter(format, await fileOutput(file), opening, fileLayout());
  }

  private constructor(format: ReportFormat, output: Output, opening: ReportOpening, layout: Layout) {
    this.format = format;
    this.layout = layout;
    this.#output = output;
    this.#opening = opening;
    this.#frame = frameReport(format, opening, layout);
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
    if (this.#frame.gathers) {
      this.#gather(part);
      return;
    }
    await this.#writeHead();
    if (this.#hasParts) await this.#write(this.#frame.separator);
    this.#hasParts = true;
    await this.#write(part);
  }

  /** Writes the tail. A report for people of nothing but files that can't be read, which were told of, is left out. */
  async close(total: Total): Promise<void> {
    const { documents, unread } = total.summary;
    if (this.format !== 'pretty' || this.#hasParts || documents > unread) {
      await this.#writeHead();
      const gathered = this.#frame.gathers ? this.#gathered : undefined;
      await this.#write(frameReport(this.format, this.#opening, this.layout, total, gathered).tail ?? '');
    }
    await this.#output.close();
  }

  #gather(part: string): void {
    this.#gathered.push(part);
    if (this.#gathered.length > MOST_AT_ONCE) this.#gathered = [gatherParts(this.format, this.#gathered)];
  }

  async #writeHead(): Promise<void> {
    if (this.#hasHead) return;
    this.#hasHead = true;
    await this.#write(this.#frame.head);
  }

  async #write(text: string): Promise<void> {
    const toWrite = this.#frame.collapses && this.#end.endsWith('\n\n') ? text.replace(/^\n+/, '') : text;
    if (toWrite === '') return;
    this.#end = (this.#end + toWrite).slice(-2);
    await this.#output.write(toWrite);
  }
}
