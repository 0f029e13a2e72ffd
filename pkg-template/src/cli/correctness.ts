import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CorrectnessOptions, ToolCallParam } from 'toolgauge';
import { correctnessMeasurement, correctnessOfLists, type Measurement } from '../batch/measurement.js';
import { SHOWN } from '../values.js';
import { comparing, Failure } from './failure.js';
import { readSources, type Source } from './files.js';
import { notes } from './help.js';
import { findInputs } from './inputs.js';
import {
  allowEmptyOption,
  allowErrorsOption,
  linesOption,
  minScoreOption,
  type Outcome,
  parseScore,
  reportOption,
} from './options.js';
import { forCalls, forTestCases } from './remedies.js';
import {
  measureAll,
  outputOption,
  type ResultFlags,
  resultFormatOption,
  resultReports,
  writeResult,
} from './results.js';

interface CorrectnessCommandOptions extends ResultFlags {
  readonly expected?: string;
  readonly actual?: string;
  readonly lines?: true;
  readonly exact?: true;
  readonly ordering?: true;
  readonly strict?: true;
  readonly normalizeNames: boolean;
  readonly params?: readonly ToolCallParam[];
  readonly threshold?: number;
}

const PARAMS: readonly ToolCallParam[] = ['input_parameters', 'output'];

const EXAMPLES = `
A test case is {input, toolsCalled, expectedTools}, with tools as {name, inputParameters, output}; agentTrajectory and
expectedAgentTrajectory may stand for the two lists, and every name may be in snake_case. A file holds one, a list, or one a
line. Trajectories that carry the calls that were expected are test cases, too.
The command passes when every test case reaches --threshold, and the mean of their scores --min-score.

Examples:
  $ toolgauge correctness cases.json --params input_parameters --threshold 0.8
  $ toolgauge correctness 'runs/*.jsonl' --ordering --format jsonl
  $ toolgauge correctness --expected expected.json --actual messages.json --exact
`;

/** Adds `toolgauge correctness`. */
export function addCorrectness(program: Command, finish: (outcome: Outcome) => Promise<void>): void {
  program
    .command('correctness')
    .summary('score how many of the expected tools were called')
    .description("Measures DeepEval's tool correctness, without judges: how much of what was expected was called.")
    .argument('[inputs...]', 'test cases: files, folders, globs; - for standard input')
    .option('--expected <file>', 'instead of test cases: the expected calls, or a trajectory with them')
    .option('--actual <file>', 'the actual calls, or a trajectory; - for standard input')
    .addOption(linesOption())
    .option('--exact', 'the calls must be the same at the same places')
    .option('--ordering', 'the order of the calls counts')
    .option('--strict', 'any score below 1 is 0')
    .option('--no-normalize-names', 'compare names with their random endings, as in ask_x1y2')
    .addOption(
      new Option('--params <names>', `what to compare besides names: ${PARAMS.join(', ')}, or both with a comma`)
        .argParser(parseParams)
        .default([], 'nothing'),
    )
    .addOption(
      new Option('--threshold <score>', 'a test case passes with at least this score, 0 to 1')
        .argParser(parseScore)
        .default(0.5),
    )
    .addOption(minScoreOption())
    .addOption(resultFormatOption())
    .addOption(outputOption())
    .addOption(reportOption())
    .addOption(new Option('--show <which>', 'which test cases the pretty report shows').choices(SHOWN).default('all'))
    .addOption(allowErrorsOption())
    .addOption(allowEmptyOption())
    .addHelpText('after', notes(EXAMPLES))
    .action(async (paths: string[], options: CorrectnessCommandOptions) => finish(await correctness(paths, options)));
}

async function correctness(paths: readonly string[], options: CorrectnessCommandOptions): Promise<Outcome> {
  const { expected, actual } = options;
  if (expected === undefined && actual === undefined) {
    if (paths.length === 0) {
      throw new Failure('no test cases', 'name files with them, or give --expected and --actual');
    }
    const found = await findInputs(paths);
    const inputs = options.lines ? found.map(input => ({ ...input, isLines: true })) : found;
    const sources = inputs.map(({ name }) => name);
    const how = correctnessOptions(options);
    const reports = resultReports(sources, options, setting => correctnessMeasurement(how, setting));
    return { output: '', verdict: await measureAll(inputs, reports, options, forTestCases) };
  }
  if (expected === undefined || actual === undefined) {
    throw new Failure(`--${expected === undefined ? 'expected' : 'actual'} is missing`, 'the two go together');
  }
  if (paths.length > 0) throw new Failure('test cases and --expected were given', 'give one of them');
  return compareFiles(expected, actual, options);
}

/** Measures two files as one test case. */
async function compareFiles(expected: string, actual: string, options: CorrectnessCommandOptions): Promise<Outcome> {
  const [made, wanted] = (await readSources([actual, expected])) as [Source, Source];
  const how = correctnessOptions(options);
  const reports = resultReports([made.name], options, setting => correctnessOfLists(wanted.bytes, how, setting));
  const measure = (measurement: Measurement) =>
    comparing(wanted, made, forCalls, () => measurement.measureWhole(made.bytes, made.name)).text;
  return { output: '', verdict: await writeResult(reports, options, measure) };
}

function correctnessOptions(options: CorrectnessCommandOptions): CorrectnessOptions {
  const { exact, ordering, strict, normalizeNames, params, threshold } = options;
  return {
    shouldExactMatch: exact === true,
    shouldConsiderOrdering: ordering === true,
    strictMode: strict === true,
    normalizeNames,
    ...(params === undefined ? {} : { evaluationParams: params }),
    ...(threshold === undefined ? {} : { threshold }),
  };
}

function parseParams(text: string): ToolCallParam[] {
  return text.split(',').map(name => {
    const known = PARAMS.find(param => param === name.trim());
    if (known === undefined) throw new InvalidArgumentError(`Known are ${PARAMS.join(' and ')}.`);
    return known;
  });
}
