// An MCP server that misbehaves: node hostile.mjs <mode>. It speaks JSON-RPC by hand, as no SDK would let it do this.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [mode = 'calls'] = process.argv.slice(2);
const OBJECT = { type: 'object' };

const send = message => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (value, rest = {}) => ({ content: [{ type: 'text', text: value }], ...rest });
const tool = (name, inputSchema = OBJECT, rest = {}) => ({ name, inputSchema, ...rest });

const cancelled = [];
let lists = 0;
let grown = false;

/** What the tools of the mode `calls` do; undefined is no answer at all. */
const CALLS = {
  pid: () => text(String(process.pid)),
  echo: args => text(JSON.stringify(args)),
  fail: () => text('the disk is full', { isError: true }),
  failSilently: () => ({ content: [], isError: true }),
  refuse: () => {
    throw new Error('not today');
  },
  hang: () => undefined,
  nothing: () => ({ content: [] }),
  nonsense: () => ({ content: 5 }),
  flood: ({ bytes }) => text('x'.repeat(bytes)),
  crash: () => {
    process.stderr.write('the \u001b[31mreactor\u001b[0m melts\n');
    process.exit(7);
  },
  abort: () => process.kill(process.pid, 'SIGKILL'),
  cancelled: () => text(JSON.stringify(cancelled)),
  lists: () => text(String(lists)),
  environment: () => text(JSON.stringify(process.env)),
  grow: () => {
    grown = true;
    send({ method: 'notifications/tools/list_changed' });
    return text('grown');
  },
  breed: () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
    return text(String(child.pid));
  },
};

/** The answer to `tools/list` in each mode. */
const LISTS = {
  calls: () => ({ tools: [...Object.keys(CALLS), ...(grown ? ['grown'] : [])].map(name => tool(name)) }),
  'invalid-schema': () => ({
    tools: [
      tool('broken', { type: 'object', properties: { city: { type: 'town' } } }),
      tool('number', 5),
      tool('output', OBJECT, { outputSchema: { type: 'town' } }),
      { name: 'schemaless' },
      { name: 5, inputSchema: OBJECT },
      { inputSchema: OBJECT },
      null,
      tool('echo', { type: 'object', properties: { city: { type: 'string' } } }, { description: 5 }),
    ],
  }),
  'endless-pages': ({ cursor = '0' }) => ({ tools: [], nextCursor: String(Number(cursor) + 1) }),
  'same-page': () => ({ tools: [tool('echo')], nextCursor: 'again' }),
  'no-list': () => ({ tools: 'none' }),
};

const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'hostile', version: '1.0.0' },
    instructions: `Handle with care. ${'x'.repeat(10_000)}`,
  }),
  'tools/list': params => {
    lists += 1;
    return (LISTS[mode] ?? LISTS.calls)(params);
  },
  'tools/call': ({ name, arguments: args }) => (CALLS[name] ?? CALLS.echo)(args),
};

function answer({ id, method, params = {} }) {
  if (method === 'notifications/cancelled') cancelled.push(params.requestId);
  if (id === undefined) return;
  try {
    const result = METHODS[method](params);
    if (result !== undefined) send({ id, result });
  } catch ({ message }) {
    send({ id, error: { code: -32_000, message } });
  }
}

if (mode === 'dies-at-start') {
  process.stderr.write(`${'x'.repeat(100_000)} no configuration found\n`);
  process.exit(3);
}
if (mode === 'stubborn') {
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1000);
}
if (mode === 'garbage')
  process.stdout.write('Server ready!\n{"jsonrpc": "2.0"\n\u0000\u00ff\n[]\n{"jsonrpc":"2.0","id":99,"result":{}}\n');
if (mode !== 'silent') createInterface({ input: process.stdin }).on('line', line => answer(JSON.parse(line)));
else process.stdin.resume();
