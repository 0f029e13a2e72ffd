import type { Command } from 'commander';
import {
  type AccuracyResult,
  type Report,
  reportCallLists,
  reportTrajectoryScores,
  type ScoreOptions,
  type ScoreReport,
} from 'toolgauge';
import { comparing, reading } from './failure.js';
import { readSources, type Source } from './files.js';
import { type CommonOptions, formatOption, minScoreOption, type Outcome, outcome, toJson } from './options.js';
import { forCalls, forCarriedCalls } from './remedies.js';
import { type Layout, layout } from './terminal.js';

interface ScoreCommandOptions extends CommonOptions {
  readonly expected?: string;
  readonly actual: string;
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
  const report = expected === undefined ? scoreCarried(actual, options) : scoreFiles(expected, actual, options);
  return outcome(options.format === 'json' ? toJson(report.result) : report.text, report.gate);
}

function scoreFiles(expected: Source, actual: Source, options: ScoreCommandOptions): Report<AccuracyResult> {
  return comparing(expected, actual, forCalls, () =>
    reportCallLists(expected.bytes, actual.bytes, reportOptions(options)),
  );
}

function scoreCarried(actual: Source, options: ScoreCommandOptions): Report<ScoreReport> {
  return reading(actual, forCarriedCalls, () => reportTrajectoryScores(actual.bytes, reportOptions(options)));
}

function reportOptions({ minScore }: ScoreCommandOptions): ScoreOptions & Layout {
  return { ...layout(), ...(minScore === undefined ? {} : { minScore }) };
}
