import type { Command } from 'commander';
import {
  type CallListsReport,
  importTrajectories,
  reportCallLists,
  type ScoreOptions,
  type Trajectory,
} from 'toolgauge';
import { Failure, reading } from './failure.js';
import { readSources, type Source } from './files.js';
import { type CommonOptions, endLine, formatOption, minScoreOption, type Outcome, toJson } from './options.js';
import { layout } from './terminal.js';

interface ScoreCommandOptions extends CommonOptions {
  readonly expected?: string;
  readonly actual: string;
}

interface TrajectoryScore {
  readonly title: string;
  readonly report: CallListsReport;
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

function toOutcome({ text, gate, score }: CallListsReport, { format }: CommonOptions): Outcome {
  return { output: format === 'json' ? toJson(score) : endLine(text), verdict: gate.passed ? 'passed' : 'failed' };
}

function scoreCarried(source: Source, options: ScoreCommandOptions): Outcome {
  const scores = reading(source.name, () =>
    importTrajectories(source.bytes).value.map((trajectory, index) => scoreTrajectory(trajectory, index, options)),
  );
  const [only] = scores;
  if (only === undefined) throw new Failure(`${source.name} holds no trajectory`);
  return scores.length === 1 ? toOutcome(only.report, options) : toSummary(scores, options);
}

function scoreTrajectory(trajectory: Trajectory, index: number, options: ScoreCommandOptions): TrajectoryScore {
  const title = `trajectory ${trajectory.trajectory_id ?? index}`;
  if (trajectory.expected_calls === undefined) {
    throw new Failure(`${title} of ${options.actual} carries no expected calls`, 'give them with --expected <file>');
  }
  return { title, report: reportCallLists(trajectory.expected_calls, trajectory, reportOptions(options)) };
}

function toSummary(scores: readonly TrajectoryScore[], { format, minScore = 0 }: ScoreCommandOptions): Outcome {
  const mean = scores.reduce((sum, { report }) => sum + report.score.score, 0) / scores.length;
  const verdict = mean < minScore ? 'failed' : 'passed';
  if (format === 'json') return { output: toJson(scores.map(({ report }) => report.score)), verdict };
  const reports = scores.map(({ title, report }) => `${title}\n${endLine(report.text)}`);
  return { output: `${reports.join('\n')}\nMean score of ${scores.length}: ${mean.toFixed(3)}\n`, verdict };
}

function reportOptions({ minScore }: ScoreCommandOptions): ScoreOptions & ReturnType<typeof layout> {
  return { ...layout(), ...(minScore === undefined ? {} : { minScore }) };
}
