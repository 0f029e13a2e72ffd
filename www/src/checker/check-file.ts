import {
  checkLines,
  compileTools,
  importTrajectories,
  type LineVerdict,
  scoreToolCalls,
  ToolgaugeError,
} from 'toolgauge';
import type { FileAnswer, FileQuestion } from '../batch/protocol.ts';
import { type Row, rowOf, withAccuracy } from '../batch/rows.ts';
import { LineTexts } from './line-texts.ts';
import { checkOptions, readingOf } from './options.ts';
import type { Options } from './protocol.ts';

/** How often the worker reports new rows to the page, in milliseconds. */
const INTERVAL = 400;

const NEWLINE = 0x0a;

/** Checks a file of any length line by line, and reports rows while it reads. */
export async function checkFile({ file, tools, expected, options }: FileQuestion, send: (answer: FileAnswer) => void) {
  let rows: Row[] = [];
  let lineEnds: number[] = [];
  let read = 0;
  let sentAt = performance.now();
  const lines = (await isScored(file, expected)) ? new LineTexts() : undefined;

  const scored = (verdict: LineVerdict): Row => {
    const row = rowOf(verdict);
    if (lines === undefined || row.error !== undefined) return row;
    return withAccuracy(row, accuracyOf(lines.of(row.line), row.index, expected, options));
  };

  async function* pieces() {
    const reader = file.stream().getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const piece = next.value;
      for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, at + 1)) lineEnds.push(read + at);
      read += piece.length;
      lines?.add(piece);
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
      rows.push(scored(verdict));
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

/** How much of a file tells whether its lines carry expected calls, in bytes. */
const HEAD = 1_000_000;

/** Whether calls are expected: given, or carried by the first line. Reading each line for that again takes time. */
async function isScored(file: File, expected: string): Promise<boolean> {
  if (expected.trim() !== '') return true;
  const [line = ''] = (await file.slice(0, HEAD).text()).split('\n', 1);
  try {
    return importTrajectories(line).value.some(({ expected_calls }) => expected_calls !== undefined);
  } catch {
    return false;
  }
}

/** How close the calls are to the expected ones; undefined if none are expected or they cannot be compared. */
function accuracyOf(line: string, index: number, expected: string, options: Options) {
  try {
    const actual = importTrajectories(line, readingOf(options)).value[index];
    if (actual === undefined) return undefined;
    if (expected.trim() !== '') return scoreToolCalls({ expected, actual });
    return actual.expected_calls === undefined ? undefined : scoreToolCalls({ actual });
  } catch {
    return undefined;
  }
}
