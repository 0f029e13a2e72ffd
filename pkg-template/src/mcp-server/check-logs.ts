import type { CheckOptions, CheckSummary, CompiledTools, Gate, GateOptions, UnreadDocument } from 'toolgauge';
import { type CheckedChunk, checkChunk } from '../batch/check-chunk.js';
import { readVerdicts } from '../batch/read-verdicts.js';
import { Tally } from '../batch/tally.js';
import { Failure } from '../cli/failure.js';
import type { Input } from '../cli/inputs.js';
import { readAll } from '../cli/reading.js';
import { forTrajectories } from '../cli/remedies.js';
import { shortened } from '../texts.js';
import { type FoundIssue, WorstIssues } from './found-issues.js';
import type { LogInputs } from './log-inputs.js';
import type { ToolContext } from './service.js';
import { firstTexts } from './texts.js';

/** How many unreadable documents, and how many warnings, are listed. */
const MOST_LISTED = 10;

/** How logs are checked. */
export interface LogCheckOptions {
  readonly tools: CompiledTools | undefined;
  readonly gate: GateOptions;
  readonly check: CheckOptions;
  /** How many issues are kept. */
  readonly maxIssues: number;
  readonly context: Pick<ToolContext, 'signal' | 'report'>;
}

/** What was found in all logs of a call. */
export interface CheckedLogs {
  readonly summary: CheckSummary;
  readonly gate: Gate;
  /** The worst issues. */
  readonly issues: readonly FoundIssue[];
  /** What could not be read, with the reasons. */
  readonly unread: readonly string[];
  /** What was read, but not as it is written. */
  readonly warnings: readonly string[];
}

/**
 * Checks logs piece by piece, as the command line does, so that their size does not matter. Throws a `Failure` if there
 * is a single log and nothing of it can be read.
 */
export async function checkLogs(logs: LogInputs, options: LogCheckOptions): Promise<CheckedLogs> {
  const { tools, gate, context } = options;
  const checkOptions = { ...options.check, ...gate };
  const findings = new Findings(options.maxIssues);
  const size = sizeOf(logs.inputs);
  let done = 0;
  for await (const { input, shape, chunk, failed } of readAll(logs.inputs, checkOptions)) {
    context.signal.throwIfAborted();
    const source = logs.areFiles ? input.name : undefined;
    const request = { shape, source, reports: [{ format: 'jsonl' }], failed } as const;
    for (const part of checkChunk(chunk, request, tools, checkOptions)) findings.add(part);
    done += chunk.bytes.length;
    if (chunk.bytes.length > 0) context.report(done, size);
  }
  return findings.total(logs, gate);
}

/** What was found so far. Its size does not depend on that of the logs. */
class Findings {
  readonly #worst: WorstIssues;
  readonly #tally = new Tally(false);
  readonly #unread: UnreadDocument[] = [];
  readonly #warnings: string[] = [];

  constructor(maxIssues: number) {
    this.#worst = new WorstIssues(maxIssues);
  }

  add(part: CheckedChunk): void {
    this.#tally.add(part.summary);
    if (this.#unread.length < MOST_LISTED) this.#unread.push(...part.unread);
    for (const verdict of readVerdicts(part)) {
      this.#worst.add(verdict);
      if ('warnings' in verdict && this.#warnings.length < MOST_LISTED) this.#warnings.push(...warningTexts(verdict));
    }
  }

  total({ inputs, refused }: LogInputs, gateOptions: GateOptions): CheckedLogs {
    const { summary, gate } = this.#tally.total(gateOptions);
    if (summary.trajectories === 0 && inputs.length === 1) refuseUnread(inputs, this.#unread);
    return {
      summary,
      gate,
      issues: this.#worst.list(),
      unread: [...refused, ...firstTexts(this.#unread.map(unreadText), MOST_LISTED, summary.unread)],
      warnings: firstTexts(this.#warnings, MOST_LISTED, summary.warnings),
    };
  }
}

/** How many bytes there are; undefined if some are compressed. */
function sizeOf(inputs: readonly Input[]): number | undefined {
  return inputs.reduce<number | undefined>(
    (sum, { size }) => (sum === undefined || size === undefined ? undefined : sum + size),
    0,
  );
}

/** Throws the error of the first document that could not be read, if there is one. */
function refuseUnread([input]: readonly Input[], [first]: readonly UnreadDocument[]): void {
  if (input === undefined || first === undefined) return;
  const place = first.line === undefined ? input.name : `${input.name}: line ${first.line}`;
  throw new Failure(`${place}: ${first.error.message}`, forTrajectories(first.error));
}

function unreadText({ source, line, error }: UnreadDocument): string {
  return [...placeOf(source, line), shortened(error.message, 300)].join(': ');
}

function warningTexts({
  source,
  line,
  warnings = [],
}: Exclude<ReturnType<typeof readVerdicts>[number], UnreadDocument>) {
  return warnings.map(({ path, message }) => {
    const place = path === '' ? [] : [path];
    return [...placeOf(source, line), ...place, shortened(message, 300)].join(': ');
  });
}

function placeOf(source: string | undefined, line: number | undefined): string[] {
  return [source, line === undefined ? undefined : `line ${line}`].filter(part => part !== undefined);
}
