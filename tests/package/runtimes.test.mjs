import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build as esbuild } from 'esbuild';
import { Miniflare } from 'miniflare';
import { consumer, folderIn, run, runTool, TESTS } from './support/consumer.mjs';

/** Compiles tools at the top level, where nothing may be awaited, reads each kind of input, and runs a call. */
const JUDGE = `
import { checkTrajectories, compileTools, ToolgaugeError } from 'toolgauge';
import { createDispatcher } from 'toolgauge/dispatch';

const tools = compileTools([
  { name: 'find', parameters: { type: 'object', properties: { day: { type: 'string', format: 'date' } } } },
]);
const rollout = {
  messages: [
    { role: 'user', content: 'When does HAT271 leave?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"day":"tomorrow"}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: '{"flight":"HAT271","leaves":"17:05"}' },
    { role: 'assistant', content: 'HAT271 leaves at 18:05.' },
  ],
};
const text = JSON.stringify([rollout]);
const early = checkTrajectories(text, tools);

function judge() {
  const reports = [text, new TextEncoder().encode(text), [rollout]].map(input => checkTrajectories(input, tools));
  if (new Set([early, ...reports].map(report => JSON.stringify(report))).size > 1) return 'the inputs are judged apart';
  try {
    checkTrajectories('[{', tools);
  } catch (error) {
    if (!(error instanceof ToolgaugeError && error.name === 'ToolgaugeError')) return 'something else was thrown';
  }
  return Object.keys(early.summary.issuesByType).join();
}

async function judgeAndDispatch() {
  const dispatcher = createDispatcher({ handlers: { find: ({ day }) => ({ leaves: day }) } });
  const [{ output }] = await dispatcher.evalToolCalls([{ id: 'a', name: 'find', arguments: { day: 'May 1' } }]);
  return judge() + ' ' + output.leaves;
}
`;
const VERDICT = 'hallucinated_result,schema_violation May 1';
const PRINTS = `${JUDGE}console.log(await judgeAndDispatch());`;

/** The program of a runtime that npm brings as a package for this very platform. */
function program(scope, ...path) {
  const scoped = join(TESTS, 'node_modules', scope);
  return join(scoped, readdirSync(scoped)[0], ...path);
}

async function assertRuns(command, args, t) {
  const folder = folderIn(consumer, t, { 'main.mjs': PRINTS });
  const { code, stdout, stderr } = await run(command, args, { cwd: folder });
  assert.equal(stderr, '');
  assert.equal(stdout.trim(), VERDICT);
  assert.equal(code, 0);
}

test('in Node.js it judges and dispatches', t => assertRuns('node', ['main.mjs'], t));

test('in Bun it judges and dispatches', t => assertRuns(program('@oven', 'bin', 'bun'), ['main.mjs'], t));

test('in Deno it judges and dispatches, allowed to do nothing but to read', t => {
  const allowed = ['--no-prompt', '--allow-read', '--node-modules-dir=manual', '--no-remote', '--cached-only'];
  return assertRuns(program('@deno', 'deno'), ['run', '--quiet', ...allowed, 'main.mjs'], t);
});

/** As its users bundle and run it, without a word to any server. */
test('in a Cloudflare worker it judges and dispatches, in what Wrangler bundles', async t => {
  const folder = folderIn(consumer, t, {
    'main.mjs': `${JUDGE}export default { fetch: async () => new Response(await judgeAndDispatch()) };`,
    'wrangler.json': JSON.stringify({ name: 'judge', main: 'main.mjs', compatibility_date: WORKERS_OF }),
  });
  const env = { WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true', WRANGLER_LOG_PATH: join(folder, 'logs') };
  const bundled = await runTool('wrangler', ['deploy', '--dry-run', '--outdir', 'out'], { cwd: folder, env });
  assert.equal(bundled.code, 0, bundled.stderr);

  const modulesRoot = join(folder, 'out');
  const modules = modulesIn(modulesRoot);
  const worker = new Miniflare({ modules, modulesRoot, compatibilityDate: WORKERS_OF, cf: false });
  t.after(() => worker.dispose());
  const response = await worker.dispatchFetch('http://localhost/');
  assert.equal(await response.text(), VERDICT);
});

/** The behaviour of the platform that the worker asks for. */
const WORKERS_OF = '2026-01-01';

/** What Wrangler has written, the worker itself first. */
function modulesIn(folder) {
  const files = readdirSync(folder).filter(name => /\.(js|wasm)$/.test(name));
  const module = name => ({ type: name.endsWith('.js') ? 'ESModule' : 'CompiledWasm', path: join(folder, name) });
  return files.sort((a, b) => Number(b.endsWith('.js')) - Number(a.endsWith('.js'))).map(module);
}

test('for the edge runtime of Vercel, the module is what the platform compiles', async t => {
  const folder = folderIn(consumer, t, { 'main.mjs': PRINTS });
  await esbuild({
    entryPoints: [join(folder, 'main.mjs')],
    outfile: join(folder, 'bundle.mjs'),
    bundle: true,
    format: 'esm',
    conditions: ['edge-light'],
    external: ['node:*'],
    plugins: [{ name: 'compiled', setup: compileModules }],
  });
  const { stdout, stderr } = await run('node', ['bundle.mjs'], { cwd: folder });
  assert.equal(stderr, '');
  assert.equal(stdout.trim(), VERDICT);
});

/** Stands in for the platform: what is imported with `?module` is a WebAssembly.Module, of another realm as in Next. */
function compileModules({ onResolve, onLoad }) {
  onResolve({ filter: /\.wasm\?module$/ }, ({ path, resolveDir }) => ({
    path: join(resolveDir, path.replace('?module', '')),
    namespace: 'compiled',
  }));
  onLoad({ filter: /./, namespace: 'compiled' }, ({ path }) => ({
    contents: `import { readFileSync } from 'node:fs';
      import { runInNewContext } from 'node:vm';
      const compile = runInNewContext('bytes => new WebAssembly.Module(bytes)');
      export default compile(readFileSync(${JSON.stringify(path)}));`,
  }));
}
