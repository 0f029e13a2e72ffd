import { type Command, Option } from 'commander';
import type { FailOn, IgnoredFinding, RuleLevel } from 'toolgauge';
import { toolgaugeService } from '../mcp-server/toolgauge-service.js';
import { Failure } from './failure.js';
import { failOnOption, ignoreOption, minScoreOption, type Outcome, ruleOption } from './options.js';
import { statOf } from './walk.js';

interface McpCommandOptions {
  readonly root?: string;
  readonly tools?: string;
  readonly failOn: FailOn;
  readonly minScore?: number;
  readonly rule?: Readonly<Record<string, RuleLevel>>;
  readonly ignore?: readonly IgnoredFinding[];
}

const AFTER_HELP = `
A client of the Model Context Protocol starts this command and sends it messages over standard input. Add it to one:

  $ claude mcp add toolgauge -- npx -y toolgauge mcp

The tools only read, and only files in --root, or else in the folders that the client names as its roots, or else in the
working folder. The other options are defaults for calls that do not set them. docs/mcp.md in the package says more.
`;

/** What the server prints if a person starts it in a terminal. */
const FOR_PEOPLE = `toolgauge: waiting for messages of an MCP client; clients start this command themselves, and Ctrl+C ends it
  toolgauge mcp --help shows how to add it to a client
`;

/** Adds `toolgauge mcp`. */
export function addMcp(program: Command, finish: (outcome: Outcome) => Promise<void>): void {
  program
    .command('mcp')
    .summary('serve these checks to coding agents, as an MCP server')
    .description('Serves checks of trajectories, calls and tool definitions over stdio, by the Model Context Protocol.')
    .addOption(new Option('--root <folder>', 'the folder whose files may be read'))
    .option('--tools <file>', 'tool definitions for calls that give none')
    .addOption(failOnOption())
    .addOption(minScoreOption())
    .addOption(ruleOption())
    .addOption(ignoreOption())
    .addHelpText('after', AFTER_HELP)
    .action(async (options: McpCommandOptions) => {
      await runServer(options, program.version() ?? '');
      await finish({ output: '', verdict: 'passed' });
    });
}

/** Serves until the client closes standard input. */
async function runServer({ rule, ...settings }: McpCommandOptions, version: string): Promise<void> {
  await refuseNoFolder(settings.root);
  // Its own script, which contains the protocol: other commands do not load it. Relative to the built file, dist/cli.js.
  const script = new URL('./mcp-server.js', import.meta.url);
  const { serve }: typeof import('../mcp-server/protocol.js') = await import(script.href);
  if (process.stdin.isTTY) process.stderr.write(FOR_PEOPLE);
  const streams = { input: process.stdin, output: process.stdout, log: process.stderr };
  await serve(toolgaugeService(version, { ...settings, rules: rule }), streams);
}

async function refuseNoFolder(root: string | undefined): Promise<void> {
  if (root === undefined) return;
  const stats = await statOf(root);
  if (stats?.isDirectory()) return;
  const reason = stats === undefined ? 'there is no such folder' : 'it is no folder';
  throw new Failure(`can't serve files of ${root}: ${reason}`, 'check --root, which is relative to the working folder');
}
