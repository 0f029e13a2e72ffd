import * as core from '#glue';
import { readingCaller } from './boundary/caller.js';
import { optionsToPayload, toPayload } from './boundary/json.js';
import { answer, answerByTools, optionalPayload } from './bridge.js';
import type { JsonInput, JsonObject } from './input.js';
import type { ReportLayout } from './report.js';
import type { ExpectedCalls } from './score.js';
import type { ToolsInput } from './tools.js';
import type { CheckOptions, DiffFormat, RunDiff } from './types.js';

/** How two runs are compared. */
export interface DiffRunsOptions extends Omit<CheckOptions, 'minScore' | 'baselineScore'> {
  /** The definitions of the tools, for trajectories that are checked. Default: those that each carries. */
  readonly tools?: ToolsInput;
  /** The calls that should have been made: for all trajectories, or by id. With them, trajectories are scored and not checked. */
  readonly expected?: ExpectedCalls | JsonInput<JsonObject>;
  /**
   * The field of a trajectory that names its task, such as `metadata.task_id`. Trajectories of one task are its trials.
   * Default: `task_id`, or else the id.
   */
  readonly taskKey?: string;
  /** The least score with which a trajectory passes that is scored, 0 to 1. Default 1. */
  readonly passScore?: number;
  /** Whether the gate fails if the second run is significantly worse. Default false. */
  readonly failOnWorse?: boolean;
}

/** A run: trajectories in any known format, or the verdicts of a check or a score; JSON, or lines of JSON as text or bytes. */
export type RunInput = JsonInput<JsonObject>;

/**
 * Compares two runs of the same tasks: which tasks got better or worse, which issues are new or gone, and the difference
 * of pass rates and mean scores, each with a 95% confidence interval and a p-value. See docs/cli.md.
 *
 * Throws as `checkTrajectories` does; the path of an error starts with `before` or `after`.
 *
 * @example
 * const diff = diffRuns(readFileSync('before.jsonl'), readFileSync('after.jsonl'), { tools });
 * diff.passRate?.conclusion; // 'worse'
 * diff.tasks.filter(({ direction }) => direction === 'worse').map(({ task }) => task); // ['refund-7']
 */
export function diffRuns(before: RunInput, after: RunInput, options?: DiffRunsOptions): RunDiff {
  const { tools, expected, ...settings } = readingCaller('the options', () => ({ ...options }));
  const payloads = [
    toPayload(before, 'the first run'),
    toPayload(after, 'the second run'),
    optionalPayload({ value: expected, name: 'the expected calls' }),
    optionsToPayload(settings),
  ] as const;
  return answerByTools(
    (compiled, earlier, later, wanted, ours) => core.diffRuns(earlier, later, compiled, wanted, ours),
    tools,
    payloads,
    settings,
  );
}

/** How the difference of two runs is written. */
export interface DiffReportOptions extends ReportLayout {
  /** The format. Default `pretty`: text for people, in `color` and `width`. */
  readonly as?: DiffFormat;
  /** What the runs are called. Default `before` and `after`. */
  readonly names?: readonly [before: string, after: string];
}

/**
 * Writes what {@link diffRuns} returns as text for people, what `toolgauge diff` prints, or as Markdown for a comment on a
 * pull request.
 *
 * @example
 * writeFileSync('comment.md', reportRunDiff(diffRuns(before, after), { as: 'markdown', names: ['main', 'this branch'] }));
 */
export function reportRunDiff(diff: RunDiff, options?: DiffReportOptions): string {
  const payloads = [toPayload(diff, 'the difference'), optionsToPayload(options)] as const;
  return answer((found, ours) => core.reportRunDiff(found, ours), payloads, undefined);
}
