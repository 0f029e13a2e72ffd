import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { Failure, reasonOf } from './failure.js';
import { readWhole, refuseTwiceStdin } from './files.js';
import { notes } from './help.js';
import { type Input, inputOf, isPacked, pathRemedy, STDIN } from './inputs.js';
import { type Given, openInspector } from './inspector.js';
import type { Outcome } from './options.js';
import { removeAtEnd } from './temporary.js';

interface InspectCommandOptions {
  readonly tools?: string;
  readonly expected?: string;
  readonly before?: string;
  readonly page?: string;
  readonly port: number;
  readonly open: boolean;
}

const AFTER_HELP = `
The page is served on 127.0.0.1 to this machine alone, until the command is ended with Ctrl+C. It judges in the browser;
nothing is sent anywhere.

Examples:
  $ toolgauge inspect rollouts.jsonl --tools tools.json
  $ toolgauge inspect after.jsonl --before before.jsonl
  $ toolgauge inspect run.json --page https://example.com/inspector/
  $ toolgauge inspect messages.json --tools tools.json --expected expected.json --port 8080 --no-open
`;

/** Adds `toolgauge inspect`. */
export function addInspect(program: Command, finish: (outcome: Outcome) => Promise<void>): void {
  program
    .command('inspect')
    .summary('show a trajectory in the browser')
    .description('Opens the inspector: a page that shows a trajectory, what went wrong in it and where.')
    .argument('[file]', 'trajectories in any known format; - for standard input')
    .option('--tools <file>', 'tool definitions in any known format; - for standard input')
    .option('--expected <file>', 'the calls that should have been made; - for standard input')
    .option('--before <file>', 'an earlier run of the same tasks to compare with; - for standard input')
    .option('--port <port>', 'the port; 0 for any free port', parsePort, 0)
    .option('--page <url>', 'the address of an inspector that others can open, to which copied links lead', parsePage)
    .option('--no-open', 'print the address without opening a browser')
    .addHelpText('after', notes(AFTER_HELP))
    .action(async (file: string | undefined, options: InspectCommandOptions) => finish(await inspect(file, options)));
}

/** Returns once the page is served; that goes on until the process is ended. */
async function inspect(file: string | undefined, options: InspectCommandOptions): Promise<Outcome> {
  const { tools, expected, before, page } = options;
  const paths = Object.entries({ trajectory: file, tools, expected, before }).flatMap(([document, path]) =>
    path === undefined ? [] : [{ document: document as Given['document'], path }],
  );
  refuseTwiceStdin(paths.map(({ path }) => path));
  const given = await Promise.all(paths.map(async ({ document, path }) => ({ document, input: await giveFile(path) })));
  const address = await openInspector(given, options.port, page);
  if (options.open) openBrowser(pageThatLeadsTo(address));
  return { output: `The inspector is at ${address}\nCtrl+C ends it.\n`, verdict: 'passed' };
}

async function giveFile(path: string): Promise<Input> {
  const input = await inputOf(path);
  if (path === STDIN || (existsSync(path) && isPacked(path))) {
    const { name, bytes } = await readWhole(input);
    return { ...input, name, size: bytes.length, open: () => whole(bytes) };
  }
  if (input.size === undefined) {
    const reason = existsSync(path) ? 'it is not a file' : 'there is no such file';
    throw new Failure(`can't read ${path}: ${reason}`, pathRemedy(path));
  }
  return input;
}

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/**
 * A file that leads a browser to the address and that no other user may read: they see the arguments of every process,
 * and the address holds what keeps them out.
 */
function pageThatLeadsTo(address: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolgauge-'));
  removeAtEnd(folder);
  const page = join(folder, 'inspector.html');
  const lead = `<meta http-equiv="refresh" content="0; url=${address}">`;
  const text = `<!doctype html>\n<meta charset="utf-8">\n${lead}\n<title>toolgauge</title>\n`;
  writeFileSync(page, `${text}<a href="${address}">The inspector</a>\n`, { mode: 0o600, flag: 'wx' });
  return page;
}

/** Whoever has no browser here has the address. */
function openBrowser(page: string): void {
  const [command, args] =
    process.platform === 'darwin'
      ? ['open', [page]]
      : process.platform === 'win32'
        ? ['cmd', ['/c', 'start', '', page]]
        : ['xdg-open', [page]];
  const child = spawn(command as string, args as string[], { stdio: 'ignore', detached: true });
  child.on('error', error => process.stderr.write(`toolgauge: no browser could be opened: ${reasonOf(error)}\n`));
  child.unref();
}

/** The part of an address after its # belongs to the link. */
function parsePage(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.hash === '') return url.href;
  throw new InvalidArgumentError('It must be an address that begins with https:// or http://, without a #.');
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
}
