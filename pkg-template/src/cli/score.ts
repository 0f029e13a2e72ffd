import { type Command, Option } from 'commander';
import {
  type AccuracyResult,
  type Judge,
  type Opinion,
  openQuestions,
  type Report,
  reportCallLists,
  reportTrajectoryScores,
  type ScoreOptions,
  type ScoreReport,
  type TrajectoryFormat,
  visible,
} from 'toolgauge';
import {
  type ExpectedIds,
  expectedIds,
  type Measurement,
  openQuestionsOfChunk,
  type ScoreManyOptions,
  scoreMeasurement,
} from '../batch/measurement.js';
import { openQuestionsOfTrajectories } from '../judged-score.js';
import { askValues, type Opinions } from '../judges/opinions.js';
import { SHOWN } from '../values.js';
import { comparing, Failure, reading } from './failure.js';
import { readSources, refuseTwiceStdin, type Source } from './files.js';
import { notes } from './help.js';
import { findInputs, type Input, STDIN } from './inputs.js';
import { type JudgeFlags, judgeOption, judgesOf, judgeUrlOption, reportUnanswered } from './judges.js';
import {
  allowEmptyOption,
  allowErrorsOption,
  inputFormatOption,
  linesOption,
  minPassHatOption,
  minPassRateOption,
  minScoreOption,
  type Outcome,
  outcome,
  passOptions,
  reportOption,
  taskKeyOption,
  toJson,
  watchOption,
} from './options.js';
import { openOutput } from './output.js';
import type { Piece } from './reading.js';
import { forCalls, forCarriedCalls, forTrajectories } from './remedies.js';
import {
  collectVerdict,
  measureAll,
  outputOption,
  type ResultFlags,
  resultFormatOption,
  resultReports,
} from './results.js';
import { summaryOption } from './summary.js';
import { fileLayout, type Layout, layout } from './terminal.js';

interface ScoreCommandOptions extends ResultFlags, JudgeFlags {
  readonly expected?: string;
  readonly actual?: string;
  readonly tools?: string;
  readonly inputFormat?: TrajectoryFormat;
  readonly lines?: true;
}

const EXAMPLES = `
--actual compares one file with what is expected: two lists of calls, or trajectories. Inputs are many trajectories, which
are read as toolgauge check reads them. Each is compared with the expected calls that it contains or, with --expected,
with those in that file: the same for all of them, or by their ids, as a record {"id": [calls]} or a list of
{id, calls}, {id, expected} or trajectories.

--judge names a model behind an OpenAI-compatible endpoint, which is asked the questions of matchers {"judge": "…"}. The
endpoint is --judge-url or OPENAI_BASE_URL, or else OpenAI's; the key is read from OPENAI_API_KEY.

Examples:
  $ toolgauge score --expected expected.json --actual messages.json
  $ toolgauge score rollouts.jsonl --min-score 0.8              # rollouts that carry their expected calls
  $ toolgauge score 'logs/**/*.jsonl' --expected expected.jsonl --format jsonl
  $ toolgauge score trials.jsonl --task-key task_id --min-pass-rate 0.9 --min-pass-hat 4=0.5
  $ toolgauge score logs --expected expected.json --judge qwen3:8b --judge-url http://localhost:11434/v1
`;

/** Adds `toolgauge score`. */
export function addScore(program: Command, finish: (outcome: Outcome) => Promise<void>): void {
  program
    .command('score')
    .summary('score how close the tool calls are to the expected calls')
    .description('Compares the actual tool calls with the expected ones and scores how close they are.')
    .argument('[inputs...]', 'trajectories in any known format: files, folders, globs; - for standard input')
    .option('--expected <file>', 'the expected calls; default: those in the trajectories')
    .option('--actual <file>', 'instead of inputs: the actual calls, or a trajectory; - for standard input')
    .option(
      '--tools <file>',
      'the tool definitions, for schemaDefaults and readOnly; default: those in the trajectories',
    )
    .addOption(inputFormatOption())
    .addOption(linesOption())
    .addOption(resultFormatOption())
    .addOption(outputOption())
    .addOption(reportOption())
    .addOption(
      new Option('--show <which>', 'which trajectories the pretty report of inputs shows')
        .choices(SHOWN)
        .default('all'),
    )
    .addOption(summaryOption('write the totals of inputs as JSON, for toolgauge merge'))
    .addOption(minScoreOption())
    .addOption(minPassRateOption())
    .addOption(minPassHatOption())
    .addOption(taskKeyOption())
    .addOption(judgeOption('the questions of matchers'))
    .addOption(judgeUrlOption())
    .addOption(allowErrorsOption())
    .addOption(allowEmptyOption())
    .addOption(watchOption())
    .addHelpText('after', notes(EXAMPLES))
    .action(async (paths: string[], options: ScoreCommandOptions) => finish(await score(paths, options)));
}

async function score(paths: readonly string[], options: ScoreCommandOptions): Promise<Outcome> {
  const { actual, expected } = options;
  if (actual === undefined) {
    if (paths.length > 0) return scoreMany(paths, options);
    throw new Failure('nothing to score', 'name files with trajectories, or give --actual');
  }
  if (paths.length > 0) throw new Failure('inputs and --actual were given', 'give one of them');
  if (asksForTotals(options)) return scoreMany([actual], options);
  if (await isMany(actual)) return scoreMany([actual], options);
  const files = expected === undefined ? [actual] : [actual, expected];
  const [made, wanted] = (await readSources(files)) as [Source, Source?];
  const tools = await readTools(options.tools);
  const scoring = await withOpinions(wanted, made, options, { ...reportOptions(options), ...tools });
  const report = wanted === undefined ? scoreCarried(made, scoring) : scoreFiles(wanted, made, scoring);
  const printed = outcome(options.format === 'json' ? toJson(report.result) : report.text, report.gate);
  const output = await openOutput(options.output);
  await output.write(printed.output);
  await output.close();
  await collectVerdict(made, options, setting => scoreMeasurement(wanted?.bytes, tools, setting));
  return { ...printed, output: '' };
}

/** Whether something is asked for that only totals have. */
function asksForTotals(options: ScoreCommandOptions): boolean {
  const { inputFormat, lines, format, summary, taskKey, report = [] } = options;
  const needs = [report[0], inputFormat, lines, summary, taskKey, ...Object.values(passOptions(options))];
  return needs.some(needed => needed !== undefined) || (format !== 'pretty' && format !== 'json');
}

/** Whether a folder or a glob is named. */
async function isMany(path: string): Promise<boolean> {
  if (path === STDIN) return false;
  const [first, ...others] = await findInputs([path]);
  return others.length > 0 || first?.name !== path;
}

type Scoring = ScoreOptions & Layout & { readonly tools?: string };

/** The options with what judges say, if some are named. */
async function withOpinions(
  expected: Source | undefined,
  actual: Source,
  options: ScoreCommandOptions,
  scoring: Scoring,
): Promise<Scoring> {
  const judges = judgesOf(options);
  if (judges.length === 0) return scoring;
  const { width: _, color: __, ...others } = scoring;
  const open = (opinions: Opinions) => {
    const known = { ...others, opinions };
    if (expected === undefined) {
      return reading(actual, forCarriedCalls, () => openQuestionsOfTrajectories(actual.bytes, known));
    }
    const lists = { expected: expected.bytes, actual: actual.bytes };
    return comparing(expected, actual, forCalls, () => openQuestions({ ...lists, ...known }));
  };
  const { opinions, failures } = await askValues(open, undefined, { judges });
  const [failure] = failures;
  if (failure !== undefined) throw new Failure(failure.message);
  return { ...scoring, opinions };
}

function scoreFiles(expected: Source, actual: Source, scoring: Scoring): Report<AccuracyResult> {
  return comparing(expected, actual, forCalls, () => reportCallLists(expected.bytes, actual.bytes, scoring));
}

function scoreCarried(actual: Source, scoring: Scoring): Report<ScoreReport> {
  return reading(actual, forCarriedCalls, () => reportTrajectoryScores(actual.bytes, scoring));
}

/** The option with the text of the tool definitions. */
async function readTools(path: string | undefined): Promise<{ readonly tools?: string }> {
  if (path === undefined) return {};
  const [source] = await readSources([path]);
  return source === undefined ? {} : { tools: new TextDecoder().decode(source.bytes) };
}

function reportOptions({ minScore, output }: ScoreCommandOptions): ScoreOptions & Layout {
  return { ...(output === undefined ? layout() : fileLayout()), ...(minScore === undefined ? {} : { minScore }) };
}

/** Scores the trajectories of many inputs. */
async function scoreMany(paths: readonly string[], options: ScoreCommandOptions): Promise<Outcome> {
  const expected = await readExpected(paths, options.expected);
  const stated = expected && reading(expected, forCalls, () => expectedIds(expected.bytes));
  const tools = await readTools(options.tools);
  const found = await findInputs(paths, { '--expected': options.expected, '--tools': options.tools });
  const inputs: Input[] = options.lines ? found.map(input => ({ ...input, isLines: true })) : found;
  const scoring = { format: options.inputFormat, ...tools };
  const sources = inputs.map(({ name }) => name);
  const reports = resultReports(sources, options, setting => scoreMeasurement(expected?.bytes, scoring, setting));
  const panel = new Panel(options, expected?.bytes, scoring);
  const isMet = () => {
    const isRead = stated === undefined || reportUnread(stated, options);
    const isAnswered = !reportUnanswered(panel.failures, options);
    return (
      (stated?.ids === undefined || reportUnmet(stated.ids, reports.main.measurement, options)) && isRead && isAnswered
    );
  };
  const hooks = { isMet, askJudges: (piece: Piece) => panel.ask(piece) };
  return { output: '', verdict: await measureAll(inputs, reports, options, forTrajectories, hooks) };
}

/** The judges of many inputs. */
class Panel {
  /** Why questions have no answer. */
  readonly failures: { readonly message: string }[] = [];
  readonly #judges: readonly Judge[];
  readonly #expected: Uint8Array | undefined;
  readonly #scoring: ScoreManyOptions;
  /** What they said, so that each question is asked once. */
  readonly #memory = new Map<string, Opinion>();

  constructor(flags: JudgeFlags, expected: Uint8Array | undefined, scoring: ScoreManyOptions) {
    this.#judges = judgesOf(flags);
    this.#expected = expected;
    this.#scoring = scoring;
  }

  /** What the judges say about the values of a chunk; undefined if there are no judges. */
  async ask({ chunk, shape, input }: Piece): Promise<Opinions | undefined> {
    if (this.#judges.length === 0) return undefined;
    const request = { shape, source: input.name };
    const open = (opinions: Opinions) => openQuestionsOfChunk(chunk, request, this.#expected, this.#scoring, opinions);
    const { opinions, failures } = await askValues(open, undefined, { judges: this.#judges }, this.#memory);
    this.failures.push(...failures);
    return opinions;
  }
}

async function readExpected(paths: readonly string[], expected: string | undefined): Promise<Source | undefined> {
  if (expected === undefined) return undefined;
  refuseTwiceStdin([...new Set(paths), expected]);
  const [source] = await readSources([expected]);
  return source;
}

/** Most ids that are named. */
const MOST_IDS = 10;

/** Reports the answers that could not be read. True if that passes. */
function reportUnread({ unread }: ExpectedIds, { allowErrors }: ScoreCommandOptions): boolean {
  for (const { index, id, message } of unread.slice(0, MOST_IDS)) {
    process.stderr.write(
      `toolgauge: the expected calls of ${visible(id)} (answer ${index + 1}) are not read: ${visible(message)}\n`,
    );
  }
  if (unread.length > MOST_IDS) process.stderr.write(`toolgauge: ${unread.length - MOST_IDS} more are not read\n`);
  return unread.length === 0 || allowErrors === true;
}

/** Reports the ids with expected calls that no trajectory has. True if that passes. */
function reportUnmet(ids: readonly string[], { met }: Measurement, { allowErrors }: ScoreCommandOptions): boolean {
  const unmet = ids.filter((_, place) => !met.has(place));
  if (unmet.length === 0) return true;
  const named = unmet.slice(0, MOST_IDS).map(visible).join(', ');
  const more = unmet.length > MOST_IDS ? ', …' : '';
  const hint = allowErrors ? '' : '; --allow-errors lets that pass';
  process.stderr.write(
    `toolgauge: calls are expected for ${unmet.length} ${unmet.length === 1 ? 'id' : 'ids'} that no trajectory has: ${named}${more}${hint}\n`,
  );
  return allowErrors === true;
}
