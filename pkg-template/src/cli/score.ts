import type { Command } from 'commander';
import {
  type AccuracyResult,
  type Gate,
  importTrajectories,
  type Report,
  reportCallLists,
  type ScoreGateOptions,
  type Trajectory,
} from 'toolgauge';
import { Failure, reading } from './failure.js';
import { readSources, type Source } from './files.js';
import { type CommonOptions, endLine, formatOption, minScoreOption, type Outcome, toJson } from './options.js';
import { type Layout, layout } from './terminal.js';

interface ScoreCommandOptions extends CommonOptions {
  readonly expected?: string;
  readonly actual: string;
}

interface TrajectoryScore {
  /** Position in the file, from 0. */
  readonly index: number;
  readonly id: string | undefined;
  readonly report: Report<AccuracyResult>;
}

const EXAMPLES = `
Examples:
  $ toolgauge score --expected expected.json --actual messages.json
  $ toolgauge score --expected expected.json --actual - --min-score 0.8
  $ toolgauge score --actual rollouts.json        # rollouts that carry their expected calls
`;

/** Adds `toolgauge score`. */
export function addScore(program: Command, finish: (outcome: Outcome) => void): void {
  program
    .command('score')
    .summary('say how close the tool calls are to the expected ones')
    .description('Compares the tool calls that were made with those that were expected and scores how close they are.')
    .option('--expected <file>', 'the expected calls; may be left out when the actual file carries them')
    .requiredOption('--actual <file>', 'the calls that were made, or trajectories with them; - for standard input')
    .addOption(formatOption())
    .addOption(minScoreOption())
    .addHelpText('after', EXAMPLES)
    .action(async (options: ScoreCommandOptions) => finish(await score(options)));
}

async function score(options: ScoreCommandOptions): Promise<Outcome> {
  const paths = options.expected === undefined ? [options.actual] : [options.actual, options.expected];
  const [actual, expected] = (await readSources(paths)) as [Source, Source?];
  return expected === undefined ? scoreCarried(actual, options) : scoreFiles(expected, actual, options);
}

function scoreFiles(expected: Source, actual: Source, options: ScoreCommandOptions): Outcome {
  const report = reading(`${expected.name} and ${actual.name}`, () =>
    reportCallLists(expected.bytes, actual.bytes, reportOptions(options)),
  );
  return toOutcome(report, options);
}

function toOutcome({ text, gate, result }: Report<AccuracyResult>, { format }: CommonOptions): Outcome {
  return { output: format === 'json' ? toJson(result) : endLine(text), verdict: gate.passed ? 'passed' : 'failed' };
}

function scoreCarried(source: Source, options: ScoreCommandOptions): Outcome {
  return reading(source.name, () => {
    const trajectories = importTrajectories(source.bytes).value;
    const [only] = trajectories;
    if (only === undefined) throw new Failure(`${source.name} holds no trajectory`);
    if (trajectories.length === 1) return toOutcome(scoreTrajectory(only, source, reportOptions(options)), options);
    // Among several it is their mean that has to reach the least score.
    const scores = trajectories.map((trajectory, index) => ({
      index,
      id: trajectory.trajectory_id,
      report: scoreTrajectory(trajectory, source, layout()),
    }));
    return toSummary(scores, options);
  });
}

function scoreTrajectory(
  trajectory: Trajectory,
  source: Source,
  options: ScoreGateOptions & Layout,
): Report<AccuracyResult> {
  const { expected_calls: expected, trajectory_id: id } = trajectory;
  if (expected === undefined) {
    const which = id === undefined ? 'a trajectory' : `trajectory ${id}`;
    throw new Failure(`${which} of ${source.name} carries no expected calls`, 'give them with --expected <file>');
  }
  return reportCallLists(expected, trajectory, options);
}

function toSummary(scores: readonly TrajectoryScore[], { format, minScore = 0 }: ScoreCommandOptions): Outcome {
  const mean = scores.reduce((sum, { report }) => sum + report.result.score, 0) / scores.length;
  const failures = mean < minScore ? [`the mean score ${mean.toFixed(3)} is under ${minScore}`] : [];
  const gate: Gate = { passed: failures.length === 0, failures };
  const output = format === 'json' ? summaryJson(scores, mean, gate) : summaryText(scores, mean, gate);
  return { output, verdict: gate.passed ? 'passed' : 'failed' };
}

function summaryJson(scores: readonly TrajectoryScore[], score: number, gate: Gate): string {
  const trajectories = scores.map(({ index, id, report }) => ({ index, id, ...report.result }));
  return toJson({ score, trajectories, gate });
}

function summaryText(scores: readonly TrajectoryScore[], score: number, gate: Gate): string {
  const reports = scores.map(({ index, id, report }) => `Trajectory ${id ?? index}\n${endLine(report.text)}`);
  const total = `Mean score of ${scores.length} trajectories: ${score.toFixed(3)}`;
  return `${reports.join('\n')}\n${[total, ...gate.failures].join('\n')}\n`;
}

function reportOptions({ minScore }: ScoreCommandOptions): ScoreGateOptions & Layout {
  return { ...layout(), ...(minScore === undefined ? {} : { minScore }) };
}
