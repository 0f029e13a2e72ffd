import { checkLines, compileTools, ToolgaugeError } from 'toolgauge';
import type { FileAnswer, FileQuestion } from '../batch/protocol.ts';
import { type Row, rowOf } from '../batch/rows.ts';
import { checkOptions } from './options.ts';

/** How often the worker reports new rows to the page, in milliseconds. */
const INTERVAL = 400;

const NEWLINE = 0x0a;

/** Checks a file of any length line by line, and reports rows while it reads. */
export async function checkFile({ file, tools, options }: FileQuestion, send: (answer: FileAnswer) => void) {
  let rows: Row[] = [];
  let lineEnds: number[] = [];
  let read = 0;
  let sentAt = performance.now();

  async function* pieces() {
    const reader = file.stream().getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const piece = next.value;
      for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, at + 1)) lineEnds.push(read + at);
      read += piece.length;
      yield piece;
    }
    lineEnds.push(read);
  }

  try {
    const compiled = tools.trim() === '' ? undefined : compileTools(tools);
    const check = checkLines(pieces(), compiled, checkOptions(options));
    const sendFound = (isLast: boolean) => {
      const { summary, gate, trials } = check;
      send({ kind: 'found', rows, lineEnds, read, summary, gate, trials, isLast });
      rows = [];
      lineEnds = [];
      sentAt = performance.now();
    };
    for await (const verdict of check) {
      rows.push(rowOf(verdict));
      if (performance.now() - sentAt > INTERVAL) sendFound(false);
    }
    sendFound(true);
  } catch (thrown) {
    const { code = 'internal', path } = thrown instanceof ToolgaugeError ? thrown : {};
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    const document = code === 'invalid_schema' || code === 'unknown_format' ? 'tools' : 'trajectory';
    send({ kind: 'failed', problem: { document, code, message, ...(path !== undefined && { path }) } });
  }
}
