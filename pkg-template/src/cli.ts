#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { version } from 'toolgauge';
import { addCheck } from './cli/check.js';
import { describe } from './cli/failure.js';
import type { Outcome } from './cli/options.js';
import { addScore } from './cli/score.js';
import { visible } from './cli/visible.js';

const EXIT_FAILED = 1;
const EXIT_BAD_USAGE = 2;

const AFTER_HELP = `
Exit codes:
  0  everything asked for was met
  1  the gate failed: --min-score, --fail-on
  2  bad usage or unreadable input

Examples:
  $ toolgauge check rollouts.json --tools tools.json
  $ toolgauge score --expected expected.json --actual messages.json --min-score 0.8
`;

/** Sets the exit code and lets Node end by itself, so that output into a pipe is not cut off. */
function finish({ output, verdict }: Outcome): void {
  process.stdout.write(output);
  if (verdict === 'failed') process.exitCode = EXIT_FAILED;
}

function createProgram(): Command {
  const program = new Command('toolgauge')
    .description('Checks and scores how an AI agent used its tools.')
    .version(version())
    .showHelpAfterError('  add --help for usage')
    .configureOutput({ outputError: printUsageError })
    .exitOverride()
    .addHelpText('after', AFTER_HELP);
  addCheck(program, finish);
  addScore(program, finish);
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
  process.stderr.write(describe(error));
  process.exitCode = EXIT_BAD_USAGE;
}

/** A reader that stops early, such as `head`, has what it wants. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

process.stdout.on('error', ignoreClosedPipe);
process.stderr.on('error', ignoreClosedPipe);
await Promise.resolve()
  .then(() => createProgram().parseAsync())
  .catch(fail);
