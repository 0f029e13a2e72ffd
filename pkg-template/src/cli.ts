import { readFileSync } from 'node:fs';
import { Command, CommanderError, Help, type Option } from 'commander';
import { visible } from 'toolgauge';
import { addCheck } from './cli/check.js';
import { addConfig } from './cli/config.js';
import { addConvert } from './cli/convert.js';
import { addCorrectness } from './cli/correctness.js';
import { addDemo } from './cli/demo.js';
import { addDiff } from './cli/diff.js';
import { addExplain } from './cli/explain.js';
import { describe } from './cli/failure.js';
import { notes } from './cli/help.js';
import { addInit } from './cli/init.js';
import { addInspect } from './cli/inspect.js';
import { addLintTools } from './cli/lint-tools.js';
import { addMcp } from './cli/mcp.js';
import { addMerge } from './cli/merge.js';
import type { Outcome, Verdict } from './cli/options.js';
import { ClosedPipe, standardOutput } from './cli/output.js';
import { addReflect } from './cli/reflect.js';
import { addScore } from './cli/score.js';
import { startText } from './cli/start.js';
import { columnsOf } from './cli/terminal.js';
import { asksToWatch, watchRuns } from './cli/watch/watch.js';
import { excerpt } from './excerpt.js';

const EXIT_BAD_USAGE = 2;

/** 128 and the number of the signal that ends other programs then: what was not written can't have passed. */
const EXIT_CLOSED_PIPE = 141;

const EXIT_CODES: Record<Verdict, number> = { passed: 0, failed: 1, unread: EXIT_BAD_USAGE };

const AFTER_HELP = `
Exit codes:
  0  everything asked for was met
  1  the gate failed: --min-score, --fail-on, --threshold, --fail-on-worse, no tools were called,
     nothing was scored or compared
  2  bad usage, unreadable input, or output that can't be written
  130 and 143 when it was interrupted, 141 when the reader of its output closed it

Examples:
  $ toolgauge init
  $ toolgauge check rollouts.json --tools tools.json
  $ toolgauge check logs --tools tools.json --jobs 4 --summary summary.json
  $ toolgauge score --expected expected.json --actual messages.json --min-score 0.8
  $ toolgauge convert logs --to openai-chat --output converted/
  $ toolgauge inspect rollouts.jsonl --tools tools.json
`;

/** Sets the exit code and lets Node end by itself, so that output into a pipe is not cut off. */
async function finish({ output, verdict }: Outcome): Promise<void> {
  process.exitCode = EXIT_CODES[verdict];
  if (output !== '') await standardOutput(process.stdout).write(output);
}

/** Most values of an option that help lists. */
const MOST_CHOICES = 12;

/** What help says of an option: without its values if they would fill the screen. */
function optionDescription(option: Option): string {
  const { description, argChoices = [] } = option;
  if (argChoices.length <= MOST_CHOICES) return new Help().optionDescription(option);
  const some = argChoices.slice(0, 3).map(choice => JSON.stringify(choice));
  return `${description} (choices: ${some.join(', ')} and ${argChoices.length - some.length} more: see docs/formats.md)`;
}

/** The program, with all its commands; `print` takes help, and the version. */
export function createProgram(print: (text: string) => void): Command {
  const program = new Command('toolgauge')
    .description('Checks and scores how an AI agent used its tools.')
    .version(version())
    .showHelpAfterError('  add --help for usage')
    .configureOutput({
      outputError: printUsageError,
      writeOut: print,
      getOutHelpWidth: () => columnsOf(process.stdout),
      getErrHelpWidth: () => columnsOf(process.stderr),
    })
    .configureHelp({ optionDescription })
    .exitOverride()
    .addHelpText('after', notes(AFTER_HELP));
  addInit(program, finish);
  addCheck(program, finish);
  addScore(program, finish);
  addCorrectness(program, finish);
  addReflect(program, finish);
  addMerge(program, finish);
  addDiff(program, finish);
  addConvert(program, finish);
  addLintTools(program, finish);
  addInspect(program, finish);
  addExplain(program, finish);
  addMcp(program, finish);
  addDemo(program, finish);
  addConfig(program);
  return program;
}

/** The version as the manifest of the package has it: the core need not be loaded for that. */
function version(): string {
  // Relative to the built file, dist/cli.js.
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}

/** What commander quotes: a flag, or the value of one, which may hold quotes itself. */
const QUOTED = /'(.{200,})'/gs;

/** Commander breaks its lines itself, and quotes what the user gave in them. */
function printUsageError(text: string, write: (text: string) => void): void {
  write(
    text
      .replace(QUOTED, (_, value: string) => `'${excerpt(value)}'`)
      .replace(/^error:/, 'toolgauge:')
      .split('\n')
      .map(visible)
      .join('\n'),
  );
}

/** Ends the process: standard input may still be open. */
function fail(error: unknown): void {
  // A reader that stops early, such as `head`, has what it wants.
  if (error instanceof ClosedPipe) process.exit(EXIT_CLOSED_PIPE);
  process.stderr.write(describe(error), () => process.exit(EXIT_BAD_USAGE));
}

/** Runs the command that the arguments name. Returns false if they name none, or help. */
async function run(): Promise<boolean> {
  let printed = '';
  const program = createProgram(text => {
    printed += text;
  });
  try {
    await program.parseAsync();
    return true;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has printed what is wrong. Help and version were asked for and are no failure.
    if (error.exitCode !== 0) process.exitCode = EXIT_BAD_USAGE;
    else await standardOutput(process.stdout).write(printed);
    return false;
  }
}

/** Like {@link run}, but a command that fails may run again: the failure is only reported. */
async function runWatched(): Promise<boolean> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ClosedPipe) throw error;
    process.stderr.write(describe(error));
    return true;
  }
}

async function runArguments(args: readonly string[]): Promise<void> {
  if (args.length === 0) {
    process.exitCode = EXIT_BAD_USAGE;
    await standardOutput(process.stderr).write(startText());
  } else if (asksToWatch(args)) {
    await watchRuns(args, runWatched);
  } else {
    await run();
  }
}

/** Runs the command that the arguments of this process name; its outcome is the exit code. */
export async function runCommand(): Promise<void> {
  // Each write to standard output learns of its own error. An error of standard error has no place to be reported.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  await runArguments(process.argv.slice(2)).catch(fail);
}
