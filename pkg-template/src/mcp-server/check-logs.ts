import type { CheckOptions, CheckSummary, CompiledTools, Gate, GateOptions, UnreadDocument } from 'toolgauge';
import { checkChunk } from '../batch/check-chunk.js';
import { readVerdicts } from '../batch/read-verdicts.js';
import { Tally } from '../batch/tally.js';
import { Failure } from '../cli/failure.js';
import type { Input } from '../cli/inputs.js';
import { readAll } from '../cli/reading.js';
import { forTrajectories } from '../cli/remedies.js';
import { type FoundIssue, WorstIssues } from './found-issues.js';
import type { LogInputs } from './log-inputs.js';
import { firstTexts, shortened } from './texts.js';

/** How many unreadable documents, and how many warnings, are listed. */
const MOST_LISTED = 10;

/** How logs are checked. */
export interface LogCheckOptions {
  readonly tools: CompiledTools | undefined;
  readonly gate: GateOptions;
  readonly check: CheckOptions;
  /** How many issues are kept. */
  readonly maxIssues: number;
  readonly signal: AbortSignal;
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
export async function checkLogs(
  { inputs, areFiles, refused }: LogInputs,
  options: LogCheckOptions,
): Promise<CheckedLogs> {
  const checkOptions = { ...options.check, ...options.gate };
  const worst = new WorstIssues(options.maxIssues);
  const tally = new Tally(false);
  const unread: UnreadDocument[] = [];
  const warnings: string[] = [];
  for await (const { input, shape, chunk, failed } of readAll(inputs, checkOptions)) {
    options.signal.throwIfAborted();
    const source = areFiles ? input.name : undefined;
    const error = failed === undefined ? undefined : ({ code: 'invalid_input', message: failed } as const);
    const request = { shape, source, reports: [{ format: 'jsonl' }], failed: error } as const;
    for (const part of checkChunk(chunk, request, options.tools, checkOptions)) {
      tally.add(part.summary);
      if (unread.length < MOST_LISTED) unread.push(...part.unread);
      for (const verdict of readVerdicts(part)) {
        worst.add(verdict);
        if ('warnings' in verdict && warnings.length < MOST_LISTED) warnings.push(...warningTexts(verdict));
      }
    }
  }
  const { summary, gate } = tally.total(options.gate);
  refuseUnread(inputs, summary, unread);
  return {
    summary,
    gate,
    issues: worst.list(),
    unread: [...refused, ...firstTexts(unread.map(unreadText), MOST_LISTED, summary.unread)],
    warnings: firstTexts(warnings, MOST_LISTED, summary.warnings),
  };
}

function refuseUnread(
  inputs: readonly Input[],
  { trajectories }: CheckSummary,
  unread: readonly UnreadDocument[],
): void {
  const [[input], [first]] = [inputs, unread];
  if (trajectories > 0 || inputs.length > 1 || input === undefined || first === undefined) return;
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
