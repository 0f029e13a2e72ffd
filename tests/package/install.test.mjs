import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build as esbuild } from 'esbuild';
import { build as vite } from 'vite';
import webpack from 'webpack';
import { consumer, folderIn, install, run, runTool } from './support/consumer.mjs';

/** Uses the package in the first statement after the import, as nothing has to be awaited. */
const USE = `
const schema = createToolSchema('send', { properties: { to: { type: 'string' } }, required: ['to'] });
const verdict = validateToolCall({ name: 'send', arguments: {}, result: {} }, schema);
console.log(JSON.stringify(verdict.issues.map(issue => issue.type)));
`;
const ESM = `import { createToolSchema, validateToolCall } from 'toolgauge';${USE}`;
const CJS = `const { createToolSchema, validateToolCall } = require('toolgauge');${USE}`;

const VERDICT = '["missing_required_param"]\n';

function assertPrintsVerdict({ code, stdout, stderr }) {
  assert.equal(stderr, '');
  assert.equal(stdout, VERDICT);
  assert.equal(code, 0);
}

test('alone in a project, without any companion, the package works from ESM', async t => {
  const folder = folderIn(install(), t, { 'main.mjs': ESM });
  assertPrintsVerdict(await run('node', ['main.mjs'], { cwd: folder }));
});

test('alone in a project, without any companion, the package works from CommonJS', async t => {
  const folder = folderIn(install(), t, { 'main.cjs': CJS });
  assertPrintsVerdict(await run('node', ['main.cjs'], { cwd: folder }));
});

test('toolgauge/inline works from ESM and from CommonJS', async t => {
  const [esm, cjs] = [ESM, CJS].map(code => code.replace("'toolgauge'", "'toolgauge/inline'"));
  const folder = folderIn(consumer, t, { 'main.mjs': esm, 'main.cjs': cjs });
  assertPrintsVerdict(await run('node', ['main.mjs'], { cwd: folder }));
  assertPrintsVerdict(await run('node', ['main.cjs'], { cwd: folder }));
});

test('without the AI SDK, toolgauge/ai-sdk says that the package "ai" is missing', async t => {
  const folder = folderIn(install(), t, { 'main.mjs': "import 'toolgauge/ai-sdk';" });
  const { code, stderr } = await run('node', ['main.mjs'], { cwd: folder });
  assert.equal(code, 1);
  assert.match(stderr, /Cannot find package 'ai'/);
});

test('a module that does not start says why, and speaks of a policy only when one forbids it', async t => {
  const reasons = ['expected magic word', 'blocked by CSP', 'violates the Content Security Policy directive "x"'];
  const folder = folderIn(consumer, t, { 'main.mjs': UNSTARTABLE.replace('REASONS', JSON.stringify(reasons)) });
  const { stdout, stderr } = await run('node', ['main.mjs'], { cwd: folder });
  assert.equal(stderr, '');
  const lines = stdout.split('\n').filter(Boolean);
  for (const [at, reason] of reasons.entries()) {
    assert.ok(lines[at].startsWith('internal: ') && lines[at].includes(reason), lines[at]);
  }
  assert.deepEqual(
    lines.map(line => line.includes("script-src needs 'wasm-unsafe-eval'")),
    [false, true, true],
  );
});

/** Prints what the package says when the engine refuses its module for each reason. */
const UNSTARTABLE = `
import { version } from 'toolgauge';
for (const reason of REASONS) {
  WebAssembly.Module = function () {
    throw new WebAssembly.CompileError(reason);
  };
  try {
    version();
  } catch (error) {
    console.log(error.code + ': ' + error.message);
  }
}
`;

test('ESM and CommonJS in one process both work', async t => {
  const both = `import { createRequire } from 'node:module';
    import * as esm from 'toolgauge';
    const cjs = createRequire(import.meta.url)('toolgauge');
    const call = { name: 'f', arguments: {}, result: 1 };
    console.log(esm.validateToolCall(call).score, cjs.validateToolCall(call).score, esm.version() === cjs.version());`;
  const folder = folderIn(consumer, t, { 'main.mjs': both });
  const { stdout, stderr } = await run('node', ['main.mjs'], { cwd: folder });
  assert.equal(stderr, '');
  assert.equal(stdout, '1 1 true\n');
});

test('tools that were compiled in one module system serve in the other', async t => {
  const both = `import { createRequire } from 'node:module';
    import { validateToolCall } from 'toolgauge';
    const { compileTools } = createRequire(import.meta.url)('toolgauge');
    const tools = compileTools({ f: { name: 'f', parameters: { required: ['a'] } } });
    console.log(validateToolCall({ name: 'f', arguments: {}, result: 1 }, tools).issues[0].type);`;
  const folder = folderIn(consumer, t, { 'main.mjs': both });
  const { stdout, stderr } = await run('node', ['main.mjs'], { cwd: folder });
  assert.equal(stderr, '');
  assert.equal(stdout, 'missing_required_param\n');
});

test('both module systems export the same names', async t => {
  const names = 'console.log(Object.keys(toolgauge).filter(name => name !== "default").sort().join())';
  const folder = folderIn(consumer, t, {
    'main.mjs': `import * as toolgauge from 'toolgauge'; ${names}`,
    'main.cjs': `const toolgauge = require('toolgauge'); ${names}`,
  });
  const [esm, cjs] = await Promise.all(['main.mjs', 'main.cjs'].map(file => run('node', [file], { cwd: folder })));
  assert.match(esm.stdout, /validateTrajectory/);
  assert.equal(cjs.stdout, esm.stdout);
});

test('version() is the version of the installed package', async t => {
  const folder = folderIn(consumer, t, { 'main.mjs': "import { version } from 'toolgauge'; console.log(version());" });
  const { stdout } = await run('node', ['main.mjs'], { cwd: folder });
  const manifest = JSON.parse(readFileSync(join(consumer, 'node_modules/toolgauge/package.json'), 'utf8'));
  assert.equal(stdout.trim(), manifest.version);
});

test('the .wasm file can be imported by its own path', async t => {
  const code = `import { createRequire } from 'node:module';
    import { readFileSync } from 'node:fs';
    const bytes = readFileSync(createRequire(import.meta.url).resolve('toolgauge/toolgauge.wasm'));
    console.log(WebAssembly.validate(bytes));`;
  const folder = folderIn(consumer, t, { 'main.mjs': code });
  const { stdout } = await run('node', ['main.mjs'], { cwd: folder });
  assert.equal(stdout, 'true\n');
});

const TYPED = `import { createToolSchema, validateToolCall, type ToolCall, type ValidationResult } from 'toolgauge';
import { toolCallAccuracyScoreTool } from 'toolgauge/ai-sdk';
import { version } from 'toolgauge/inline';
export const text: string = version();
const schema = createToolSchema('send', { properties: { to: { type: 'string' } }, required: ['to'] });
const call: ToolCall = { name: 'send', arguments: {}, result: {} };
const verdict: ValidationResult = validateToolCall(call, schema);
export const score: Promise<number> = toolCallAccuracyScoreTool
  .execute({ expected: [], actual: [] })
  .then(result => result.score + verdict.score);
`;

const COMPILERS = [
  { title: 'module node16 in an ES module', file: 'main.mts', flags: ['--module', 'node16'] },
  { title: 'module node16 in a CommonJS module', file: 'main.cts', flags: ['--module', 'node16'] },
  {
    title: 'moduleResolution bundler',
    file: 'main.ts',
    flags: ['--module', 'esnext', '--moduleResolution', 'bundler'],
  },
];

for (const { title, file, flags } of COMPILERS) {
  test(`the types compile strictly, checked throughout, with ${title}`, async t => {
    const folder = folderIn(consumer, t, { [file]: TYPED });
    const strict = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2023,dom', '--types', 'node'];
    const { code, stdout } = await runTool('tsc', [...strict, '--skipLibCheck', ...flags, file], { cwd: folder });
    assert.equal(stdout, '');
    assert.equal(code, 0);
  });
}

test('the declarations themselves need no skipLibCheck and no types of Node.js', async t => {
  const folder = folderIn(consumer, t, { 'main.mts': "export * from 'toolgauge';" });
  const flags = ['--noEmit', '--strict', '--module', 'node16', '--target', 'es2022', '--lib', 'es2022', '--types', ''];
  const { stdout } = await runTool('tsc', [...flags, 'main.mts'], { cwd: folder });
  assert.equal(stdout, '');
});

test('bundled by esbuild for the browser, one file runs without any file beside it', async t => {
  const folder = folderIn(consumer, t, { 'main.mjs': ESM });
  const bundled = await esbuildIn(folder, { platform: 'browser', format: 'iife' });
  const alone = folderIn(install(), t, { 'bundle.cjs': bundled });
  assertPrintsVerdict(await run('node', ['bundle.cjs'], { cwd: alone }));
});

test('bundled by esbuild for Node.js, one ESM file runs without any file beside it', async t => {
  const folder = folderIn(consumer, t, { 'main.mjs': ESM });
  const bundled = await esbuildIn(folder, { platform: 'node', format: 'esm' });
  const alone = folderIn(install(), t, { 'bundle.mjs': bundled });
  assertPrintsVerdict(await run('node', ['bundle.mjs'], { cwd: alone }));
});

test('bundled by esbuild for Node.js from a CommonJS source, one file runs without any file beside it', async t => {
  const folder = folderIn(consumer, t, { 'main.mjs': CJS });
  const bundled = await esbuildIn(folder, { platform: 'node', format: 'cjs' });
  const alone = folderIn(install(), t, { 'bundle.cjs': bundled });
  assertPrintsVerdict(await run('node', ['bundle.cjs'], { cwd: alone }));
});

test('a bundle that uses nothing of the package does not carry it', async t => {
  const folder = folderIn(consumer, t, { 'main.mjs': "import { version } from 'toolgauge'; console.log('unused');" });
  const bundled = await esbuildIn(folder, { platform: 'browser', format: 'esm' });
  assert.ok(bundled.length < 1000, `${bundled.length} bytes are left`);
});

async function esbuildIn(folder, options) {
  const result = await esbuild({
    entryPoints: ['main.mjs'],
    absWorkingDir: folder,
    bundle: true,
    write: false,
    logLevel: 'silent',
    ...options,
  });
  assert.deepEqual(result.warnings, []);
  return result.outputFiles[0].text;
}

test('built by Vite as a library for the browser, the bundle runs', async t => {
  const folder = folderIn(consumer, t, { 'main.mjs': ESM });
  const lib = { entry: join(folder, 'main.mjs'), formats: ['es'], fileName: 'bundle' };
  await vite({ root: folder, logLevel: 'silent', build: { lib, outDir: 'out', minify: false } });
  assertPrintsVerdict(await run('node', ['out/bundle.mjs'], { cwd: folder }));
});

test('bundled by webpack for Node.js, one file runs without any file beside it', async t => {
  const folder = folderIn(consumer, t, { 'main.mjs': ESM });
  const output = { path: join(folder, 'out'), filename: 'bundle.cjs' };
  const performance = { hints: false };
  await webpackBuilds({
    mode: 'production',
    context: folder,
    entry: './main.mjs',
    target: 'node',
    output,
    performance,
  });
  const alone = folderIn(install(), t, { 'bundle.cjs': readFileSync(join(folder, 'out/bundle.cjs')) });
  assertPrintsVerdict(await run('node', ['bundle.cjs'], { cwd: alone }));
});

function webpackBuilds(options) {
  return new Promise((settle, fail) => {
    webpack(options, (error, stats) => {
      const { errors, warnings } = stats?.toJson({ all: false, errors: true, warnings: true }) ?? {};
      const problem = error ?? errors[0] ?? warnings[0];
      if (problem) return fail(new Error(problem.message));
      settle();
    });
  });
}
