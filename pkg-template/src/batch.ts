import { checkChunk, longestInput, total } from './batch/check-chunk.js';
import { type Chunk, LineCutter } from './batch/chunks.js';
import { readVerdicts } from './batch/read-verdicts.js';
import { Tally, wantsTasks } from './batch/tally.js';
import { isBytes } from './boundary/json.js';
import { ToolgaugeError } from './errors.js';
import { CompiledTools, compileTools, type ToolsInput } from './tools.js';
import type { CheckOptions, CheckSummary, Gate, TrajectoryVerdict, Trials, UnreadDocument } from './types.js';

/**
 * Where lines come from: the bytes of a file in pieces that are cut anywhere, as streams give them, or strings of which
 * each is one line or several whole ones, as `readline` gives them.
 */
export type LineSource = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array> | LineStream;

/** A web stream, such as the body of a response. The type lists only what is used: not every project has the DOM types. */
export interface LineStream {
  /** Returns a reader of the pieces of the stream. */
  getReader(): {
    /** Resolves to the next piece, or to `done: true` at the end. */
    read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
    /** Says that nobody reads on. */
    cancel(): Promise<void>;
  };
}

/** What was found in one trajectory, or why a line could not be read: then it has an `error`. */
export type LineVerdict = TrajectoryVerdict | UnreadDocument;

/** A running check of lines: see {@link checkLines}. */
export interface LineCheck extends AsyncIterable<LineVerdict> {
  /** The totals of what was checked so far. */
  readonly summary: CheckSummary;
  /** Whether these pass. */
  readonly gate: Gate;
  /** What several trials of one task show so far; undefined if each task has only one. */
  readonly trials: Trials | undefined;
}

/**
 * Checks JSON Lines of any length, each line a document in any known format, and gives a verdict for each trajectory in
 * the order of the lines. Memory stays flat: nothing is kept but the totals. A line that can't be read is a verdict
 * with its number and an `error`, and the rest is checked.
 *
 * May be iterated once. Throws `invalid_option`, `invalid_schema` or `unknown_format` when the options or the tools are
 * wrong, and what the source throws.
 *
 * @example
 * const check = checkLines(createReadStream('rollouts.jsonl'), tools);
 * for await (const verdict of check) {
 *   if ('error' in verdict) console.error(verdict.line, verdict.error.message);
 *   else if (!verdict.passed) console.log(verdict.line, verdict.id, verdict.score);
 * }
 * check.summary.score; // 0.914
 * check.gate.passed; // false
 */
export function checkLines(lines: LineSource, tools?: ToolsInput, options: CheckOptions = {}): LineCheck {
  const tally = new Tally(wantsTasks(options));
  const compiled = tools === undefined || tools instanceof CompiledTools ? tools : compileTools(tools);
  const cutter = new LineCutter(longestInput(options));
  const verdicts = verdictsOf(lines, cutter, chunk => checked(chunk, compiled, options, tally));
  const { minScore, baselineScore, failOn, allowEmpty, allowErrors, minPassRate, minPassHat } = options;
  const given = { minScore, baselineScore, failOn, allowEmpty, allowErrors, minPassRate, minPassHat };
  const gate = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return {
    [Symbol.asyncIterator]: () => verdicts,
    get summary() {
      return tally.total(gate).summary;
    },
    get gate() {
      return tally.total(gate).gate;
    },
    get trials() {
      return tally.total(gate).trials;
    },
  };
}

/**
 * Adds summaries up: those of the parts of an input, in any order, make the summary of the whole, exactly. Takes
 * summaries and whatever holds one as its `summary`, such as the object of `checkTrajectories` or of
 * `toolgauge check --format json`. Throws `invalid_input` naming what is no summary.
 *
 * @example
 * mergeSummaries(checkTrajectories(monday, tools), checkTrajectories(tuesday, tools)).trajectories; // 60
 */
export function mergeSummaries(
  ...summaries: readonly (CheckSummary | { readonly summary: CheckSummary })[]
): CheckSummary {
  return total(summaries, {}).summary;
}

async function* verdictsOf(
  lines: LineSource,
  cutter: LineCutter,
  check: (chunk: Chunk) => Iterable<LineVerdict>,
): AsyncGenerator<LineVerdict> {
  for await (const piece of piecesOf(lines)) {
    for (const chunk of cutter.take(piece)) yield* check(chunk);
  }
  for (const chunk of cutter.end()) yield* check(chunk);
}

function* checked(
  chunk: Chunk,
  tools: ToolsInput | undefined,
  options: CheckOptions,
  tally: Tally,
): Generator<LineVerdict> {
  const request = { shape: 'lines', reports: [{ format: 'jsonl' }] } as const;
  for (const part of checkChunk(chunk, request, tools, options)) {
    tally.add(part.summary);
    yield* readVerdicts(part);
  }
}

const encoder = new TextEncoder();

async function* piecesOf(lines: LineSource): AsyncGenerator<Uint8Array> {
  for await (const piece of iterate(lines)) {
    if (isBytes(piece)) yield piece;
    else if (typeof piece === 'string') yield encoder.encode(piece.endsWith('\n') ? piece : `${piece}\n`);
    else throw notLines(piece);
  }
}

/** Not every browser can iterate over a stream. */
function iterate(lines: LineSource): Iterable<unknown> | AsyncIterable<unknown> {
  if (typeof lines === 'string' || isBytes(lines)) return [lines];
  if (Symbol.asyncIterator in lines || Symbol.iterator in lines) return lines;
  if ('getReader' in lines) return readAll(lines);
  throw notLines(lines);
}

async function* readAll(stream: LineStream): AsyncGenerator<unknown> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}

function notLines(given: unknown): ToolgaugeError {
  const expected = 'lines as text, or bytes as Uint8Array';
  return new ToolgaugeError('invalid_input', `expected ${expected}, got ${typeof given}`, { expected });
}
