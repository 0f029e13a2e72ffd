import type { Command } from 'commander';
import { calledAs } from './called-as.js';
import { type CheckFlags, runCheck } from './check-run.js';
import { examplePath } from './examples.js';
import { wrapped } from './help.js';
import type { Outcome } from './options.js';
import { columnsOf } from './terminal.js';

/** What to do after the example. */
function next(): string {
  const program = calledAs();
  const text = `
That was a log in which the agent goes wrong: in CI, the check of such a log exits with 1. Now yours:

  $ ${program} check your-log.json --tools your-tools.json
  $ ${program} inspect your-log.json --tools your-tools.json
  $ ${program} explain hallucinated_result
  $ ${program} init

Logs of OpenAI, Anthropic, Gemini, the AI SDK, LangChain, OpenTelemetry and many others are read as they are.
Without --tools, the definitions in the log are used. The last command writes a configuration file and a first test.
docs/getting-started.md in the package goes on from here.
`;
  return wrapped(text, columnsOf(process.stdout));
}

/** Adds `toolgauge demo`. */
export function addDemo(program: Command, finish: (outcome: Outcome) => Promise<void>): void {
  program
    .command('demo')
    .summary('check an example, to see what a report looks like')
    .description('Checks a log that comes with the package, and says how to check your own.')
    .action(async () => finish(await demo()));
}

async function demo(): Promise<Outcome> {
  const flags: CheckFlags = {
    format: 'pretty',
    report: [],
    show: 'all',
    jobs: 1,
    failOn: 'high',
    tools: examplePath('shop.tools.json'),
  };
  await runCheck([examplePath('refund.json')], flags, { command: 'check', options: {} });
  return { output: next(), verdict: 'passed' };
}
