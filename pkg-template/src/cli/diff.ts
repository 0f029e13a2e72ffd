import { type Command, Option } from 'commander';
import {
  type DiffFormat,
  type FailOn,
  type IgnoredFinding,
  type RuleLevel,
  type RunDiff,
  reportRunDiff,
  ToolgaugeError,
  type TrajectoryFormat,
} from 'toolgauge';
import { expectedIds } from '../batch/measurement.js';
import { diffParts, type RunOptions, RunParts } from '../batch/run-parts.js';
import { DIFF_FORMATS } from '../values.js';
import { Failure, reading } from './failure.js';
import { readSources, refuseTwiceStdin, type Source } from './files.js';
import { notes } from './help.js';
import { findInputs, type Input, STDIN } from './inputs.js';
import { onInterrupt } from './interrupt.js';
import {
  allowEmptyOption,
  allowErrorsOption,
  failOnOption,
  ignoreOption,
  inputFormatOption,
  jobsOption,
  linesOption,
  type Outcome,
  parseScore,
  ruleOption,
  toJson,
} from './options.js';
import { openOutput } from './output.js';
import { inOrder, runPool } from './pool.js';
import { Problems } from './problems.js';
import { openProgress } from './progress.js';
import { type Piece, readAll } from './reading.js';
import { forCalls, forTrajectories } from './remedies.js';
import { outputOption } from './results.js';
import { fileLayout, layout } from './terminal.js';
import { compileSound, hasFatalErrors } from './tools-file.js';

interface DiffFlags {
  readonly tools?: string;
  readonly expected?: string;
  readonly passScore?: number;
  readonly taskKey?: string;
  readonly inputFormat?: TrajectoryFormat;
  readonly lines?: true;
  readonly format: DiffFormat;
  readonly output?: string;
  readonly rule?: Readonly<Record<string, RuleLevel>>;
  readonly ignore?: readonly IgnoredFinding[];
  readonly failOn: FailOn;
  readonly failOnWorse?: true;
  readonly allowEmpty?: true;
  readonly allowErrors?: true;
  readonly jobs: number;
}

const EXAMPLES = `
A run is a file or a folder: trajectories, which are checked or, with --expected, scored; or the verdicts that toolgauge
check or score wrote with --format jsonl or json. Trajectories of one task are its trials. Tasks are paired by --task-key,
task_id or id, or else by their place.

Examples:
  $ toolgauge diff before.jsonl after.jsonl --tools tools.json
  $ toolgauge diff main/ branch/ --expected expected.json --fail-on-worse
  $ toolgauge diff main.verdicts.jsonl branch.verdicts.jsonl --format markdown --output comment.md
`;

/** Adds `toolgauge diff`. */
export function addDiff(program: Command, finish: (outcome: Outcome) => Promise<void>): void {
  program
    .command('diff')
    .summary('compare two runs of the same tasks')
    .description('Reports which tasks got better or worse, which issues are new or gone, and how sure that is.')
    .argument('<before>', 'the first run: a file, a folder or a glob; - for standard input')
    .argument('<after>', 'the second run')
    .option('--tools <file>', 'tool definitions in any known format; - for standard input')
    .option('--expected <file>', 'the expected calls: trajectories are then scored instead of checked')
    .addOption(
      new Option('--pass-score <score>', 'a scored trajectory passes with at least this score, 0 to 1')
        .argParser(parseScore)
        .default(1),
    )
    .option('--task-key <path>', 'the field that names the task, such as metadata.task_id; default: task_id, or the id')
    .addOption(inputFormatOption())
    .addOption(linesOption())
    .addOption(new Option('--format <format>', 'what to print').choices(DIFF_FORMATS).default('pretty'))
    .addOption(outputOption())
    .addOption(ruleOption())
    .addOption(ignoreOption())
    .addOption(failOnOption())
    .option('--fail-on-worse', 'fail if the pass rate or the mean score is significantly lower (p < 0.05)')
    .addOption(allowEmptyOption())
    .addOption(allowErrorsOption())
    .addOption(jobsOption())
    .addHelpText('after', notes(EXAMPLES))
    .action(async (before: string, after: string, flags: DiffFlags) => finish(await diff([before, after], flags)));
}

type Both<Item> = readonly [before: Item, after: Item];

async function diff(paths: Both<string>, flags: DiffFlags): Promise<Outcome> {
  refuseTwiceStdin([...paths, ...[flags.tools, flags.expected].filter(side => side !== undefined)]);
  const { tools: toolsFile, options } = await runSetup(flags);
  // What is wrong with the tools is reported once, before any input is read.
  const tools = toolsFile && compileSound(toolsFile);
  const sides = { '--tools': flags.tools, '--expected': flags.expected };
  const find = async (path: string) => {
    const found = await findInputs([path], sides);
    return flags.lines ? found.map(input => ({ ...input, isLines: true })) : found;
  };
  const inputs = [await find(paths[0]), await find(paths[1])] as const;
  const output = await openOutput(flags.output);
  const problems = new Problems(inputs.flat(), flags, forTrajectories);
  const pool = runPool(flags.jobs, { tools: toolsFile?.bytes, options });
  const [first, second] = await readRuns(inputs, { options, problems, pool });
  const change = compare([first, second], paths, flags);
  await output.write(render(change, paths, flags));
  await output.close();
  const isFatal = problems.areFatal({
    documents: first.totals.documents + second.totals.documents,
    unread: first.totals.unread + second.totals.unread,
  });
  if (isFatal || hasFatalErrors(tools, flags)) return { output: '', verdict: 'unread' };
  return { output: '', verdict: change.gate.passed ? 'passed' : 'failed' };
}

/** How runs are read. */
interface Reading {
  readonly options: Omit<RunOptions, 'tools'>;
  readonly problems: Problems;
  readonly pool: ReturnType<typeof runPool>;
}

/** Reads both runs, one after the other, and closes the pool. Reports what can't be read. */
async function readRuns(inputs: Both<readonly Input[]>, { options, problems, pool }: Reading): Promise<Both<RunParts>> {
  const progress = openProgress(inputs.flat(), 'comparing');
  let trialsRead = 0;
  onInterrupt(() => {
    progress.end();
    return `${trialsRead} trajectories were read, and nothing was written\n`;
  });
  const read = async ({ input, shape, chunk, failed }: Piece) => {
    const request = { shape, source: input.name, failed };
    return { input, chunk, done: await pool.run({ chunk, request }) };
  };
  const readRun = async (run: readonly Input[]) => {
    const parts = new RunParts();
    for await (const { input, chunk, done } of inOrder(readAll(run, options), read, pool.size * 2 - 1)) {
      for (const part of done) {
        parts.add(part);
        if (part.documents > 0) problems.fill(input);
        trialsRead += part.trials;
        progress.clear();
        problems.report(part.unread);
        progress.advance(0, part.trials);
      }
      progress.advance(chunk.bytes.length, 0);
    }
    return parts;
  };
  try {
    const runs = [await readRun(inputs[0]), await readRun(inputs[1])] as const;
    progress.end();
    return runs;
  } finally {
    await pool.close();
  }
}

/** How runs are read, and the file with the tools. */
async function runSetup(
  flags: DiffFlags,
): Promise<{ readonly tools: Source | undefined; readonly options: Omit<RunOptions, 'tools'> }> {
  const tools = await readSide(flags.tools);
  const expected = await readSide(flags.expected);
  // What is wrong with the expected calls is reported once, before any input is read.
  if (expected !== undefined) reading(expected, forCalls, () => expectedIds(expected.bytes));
  const { failOn, inputFormat, rule, ignore, taskKey, passScore } = flags;
  const options = {
    failOn,
    ...(expected && { expected: expected.bytes }),
    ...(inputFormat && { format: inputFormat }),
    ...(rule && { rules: rule }),
    ...(ignore && { ignore: [...ignore] }),
    ...(taskKey !== undefined && { taskKey }),
    ...(passScore !== undefined && { passScore }),
  };
  return { tools, options };
}

async function readSide(file: string | undefined): Promise<Source | undefined> {
  return file === undefined ? undefined : (await readSources([file]))[0];
}

function compare([before, after]: Both<RunParts>, paths: Both<string>, flags: DiffFlags): RunDiff {
  const { failOnWorse, allowEmpty, tools, expected, taskKey } = flags;
  const setting = {
    failOnWorse: failOnWorse === true,
    allowEmpty: allowEmpty === true,
    hasSides: tools !== undefined || expected !== undefined,
    taskKey,
  };
  try {
    return diffParts(before, after, setting);
  } catch (error) {
    if (!(error instanceof ToolgaugeError)) throw error;
    throw new Failure(`${paths.join(' and ')}: ${error.message}`);
  }
}

function render(found: RunDiff, paths: Both<string>, { format, output }: DiffFlags): string {
  if (format === 'json') return `${toJson(found)}\n`;
  const [before, after] = paths.map(path => (path === STDIN ? 'standard input' : path)) as unknown as Both<string>;
  return reportRunDiff(found, {
    as: format,
    names: [before, after],
    ...(output === undefined ? layout() : fileLayout()),
  });
}
