import { Command, CommanderError } from 'commander';
import { version } from 'toolgauge';
import { addCheck } from './cli/check.js';
import { addConfig } from './cli/config.js';
import { addConvert } from './cli/convert.js';
import { addCorrectness } from './cli/correctness.js';
import { addExplain } from './cli/explain.js';
import { describe } from './cli/failure.js';
import { addInspect } from './cli/inspect.js';
import { addLintTools } from './cli/lint-tools.js';
import { addMerge } from './cli/merge.js';
import type { Outcome, Verdict } from './cli/options.js';
import { ClosedPipe, isClosedPipe } from './cli/output.js';
import { addReflect } from './cli/reflect.js';
import { addScore } from './cli/score.js';
import { visible } from './cli/visible.js';

const EXIT_BAD_USAGE = 2;

/** 128 and the number of the signal that ends other programs then: what was not written can't have passed. */
const EXIT_CLOSED_PIPE = 141;

const EXIT_CODES: Record<Verdict, number> = { passed: 0, failed: 1, unread: EXIT_BAD_USAGE };

const AFTER_HELP = `
Exit codes:
  0  everything asked for was met
  1  the gate failed: --min-score, --fail-on, --threshold, no tool was called, nothing was scored
  2  bad usage or unreadable input
  130 and 141 when it was interrupted, or the reader of its output closed it

Examples:
  $ toolgauge check rollouts.json --tools tools.json
  $ toolgauge check logs --tools tools.json --jobs 4 --summary summary.json
  $ toolgauge score --expected expected.json --actual messages.json --min-score 0.8
  $ toolgauge convert logs --to openai-chat --output converted/
  $ toolgauge inspect rollouts.jsonl --tools tools.json
`;

/** Sets the exit code and lets Node end by itself, so that output into a pipe is not cut off. */
function finish({ output, verdict }: Outcome): void {
  process.exitCode = EXIT_CODES[verdict];
  process.stdout.write(output, error => {
    if (error != null && isClosedPipe(error)) process.exitCode = EXIT_CLOSED_PIPE;
  });
}

/** The program, with all its commands. */
export function createProgram(): Command {
  const program = new Command('toolgauge')
    .description('Checks and scores how an AI agent used its tools.')
    .version(version())
    .showHelpAfterError('  add --help for usage')
    .configureOutput({ outputError: printUsageError })
    .exitOverride()
    .addHelpText('after', AFTER_HELP);
  addCheck(program, finish);
  addScore(program, finish);
  addCorrectness(program, finish);
  addReflect(program, finish);
  addMerge(program, finish);
  addConvert(program, finish);
  addLintTools(program, finish);
  addInspect(program, finish);
  addExplain(program, finish);
  addConfig(program);
  return program;
}

/** Commander breaks its lines itself, and quotes what the user gave in them. */
function printUsageError(text: string, write: (text: string) => void): void {
  write(
    text
      .replace(/^error:/, 'toolgauge:')
      .split('\n')
      .map(visible)
      .join('\n'),
  );
}

function fail(error: unknown): void {
  if (error instanceof CommanderError) {
    // Commander has printed it. Help and version were asked for and are no failure.
    if (error.exitCode !== 0) process.exitCode = EXIT_BAD_USAGE;
    return;
  }
  // Standard input may still be open, and nobody is left to tell anything.
  if (error instanceof ClosedPipe) process.exit(EXIT_CLOSED_PIPE);
  process.stderr.write(describe(error));
  process.exitCode = EXIT_BAD_USAGE;
}

/** A reader that stops early, such as `head`, has what it wants. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** Runs the command that the arguments of this process name; its outcome is the exit code. */
export async function runCommand(): Promise<void> {
  process.stdout.on('error', ignoreClosedPipe);
  process.stderr.on('error', ignoreClosedPipe);
  await Promise.resolve()
    .then(() => createProgram().parseAsync())
    .catch(fail);
}
