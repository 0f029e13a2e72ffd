import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  BUNDLED,
  BUNDLERS,
  buildWithEsbuild,
  buildWithVite,
  builtFiles,
  bundleWithEsbuild,
  CLASSIC_SCRIPT,
  MODULE_SCRIPT,
} from './matrix/bundlers.mjs';
import { testRow } from './matrix/test-row.mjs';
import { consumer, folderIn } from './support/consumer.mjs';
import { launchBrowser, OWN_FILES, open, SCRIPTS_ONLY, serve } from './support/site.mjs';

const DIST = join(consumer, 'node_modules/toolgauge/dist');
const MODULE = readFileSync(join(DIST, 'toolgauge_bg.wasm'));

/** Scores one expected call of two, in the first statement after the import. */
const scoring = from => `
import { scoreToolCalls } from '${from}';
const call = day => ({ name: 'find', arguments: { day } });
let text;
try {
  text = scoreToolCalls({ expected: [call(1), call(2)], actual: [call(1)] }).score;
} catch (error) {
  text = error.name + ' ' + error.code + ': ' + error.message;
}
document.querySelector('output').textContent = text;
`;
const SCORE = '0.667';

/** Uses the core by way of three entries of the package. */
const THREE_ENTRIES = `
import { scoreToolCalls } from 'toolgauge';
import { createDispatcher } from 'toolgauge/dispatch';
import { matchers } from 'toolgauge/matchers';
const call = { name: 'find', arguments: { day: 1 } };
const { score } = scoreToolCalls({ expected: [call], actual: [call] });
const { pass } = matchers.toHaveCalledTool.call({}, { tool_calls: [{ id: 'a', ...call }], role: 'assistant' }, 'find');
const handlers = { find: ({ day }) => day };
const [{ output }] = await createDispatcher({ handlers }).evalToolCalls([{ id: 'a', ...call }]);
document.querySelector('output').textContent = [score, pass, output].join();
`;
const THREE_RESULTS = '1,true,1';

/** How large the scripts may be that score tool calls and do nothing else, by bundler. */
const LIMITS = {
  vite: { maxBytes: 29_000, maxGzip: 11_000 },
  webpack: { maxBytes: 28_500, maxGzip: 10_800 },
  rollup: { maxBytes: 33_000, maxGzip: 11_500 },
  esbuild: { maxBytes: 41_000, maxGzip: 14_500 },
};

for (const row of BUNDLED) testRow(row);

let browser;

before(async () => {
  browser = await launchBrowser();
});

after(() => browser.close());

for (const [id, { maxBytes, maxGzip }] of Object.entries(LIMITS)) {
  const { name, build, page } = BUNDLERS[id];
  test(`${name}: the module is a file of its own, and the scripts are small`, async t => {
    const folder = folderIn(consumer, t, { 'main.mjs': scoring('toolgauge') });
    await build(folder);
    const files = builtFiles(folder);
    const [modules, scripts] = ['.wasm', '.js'].map(end => Object.keys(files).filter(path => path.endsWith(end)));
    assert.equal(modules.length, 1);
    assert.ok(files[modules[0]].equals(MODULE));
    const all = Buffer.concat(scripts.map(path => files[path]));
    assert.ok(all.length <= maxBytes, `the scripts have ${all.length} bytes`);
    assert.ok(gzipSync(all).length <= maxGzip, `the scripts have ${gzipSync(all).length} bytes gzipped`);

    const visit = await open(t, browser, await serve(t, { page, policy: OWN_FILES, files }));
    assert.equal(visit.output, SCORE);
    assert.deepEqual(visit.problems, []);
    assert.deepEqual(visit.requests, ['/', '/main.js', ...modules]);
  });
}

for (const format of ['iife', 'esm']) {
  for (const from of ['toolgauge', 'toolgauge/inline']) {
    test(`esbuild: an ${format} bundle that imports ${from} is one script, which fetches nothing`, async t => {
      const folder = folderIn(consumer, t, { 'main.mjs': scoring(from) });
      await bundleWithEsbuild(folder, { format });
      const files = builtFiles(folder);
      const page = format === 'iife' ? CLASSIC_SCRIPT : MODULE_SCRIPT;
      const visit = await open(t, browser, await serve(t, { page, policy: SCRIPTS_ONLY, files }));
      assert.equal(visit.output, SCORE);
      assert.deepEqual(visit.requests, ['/', '/main.js']);
    });
  }
}

for (const bundler of ['vite', 'webpack']) {
  test(`${BUNDLERS[bundler].name}: a bundle that imports toolgauge/inline is one script, which fetches nothing`, async t => {
    const { build, page } = BUNDLERS[bundler];
    const folder = folderIn(consumer, t, { 'main.mjs': scoring('toolgauge/inline') });
    await build(folder);
    const files = builtFiles(folder);
    assert.deepEqual(Object.keys(files), ['/main.js']);
    const visit = await open(t, browser, await serve(t, { page, policy: SCRIPTS_ONLY, files }));
    assert.equal(visit.output, SCORE);
  });
}

test('with an alias for toolgauge, all entries share the instance of toolgauge/inline', async t => {
  const folder = folderIn(consumer, t, { 'main.mjs': THREE_ENTRIES });
  await buildWithVite(folder, { alias: [{ find: /^toolgauge$/, replacement: 'toolgauge/inline' }] });
  const files = builtFiles(folder);
  const site = await serve(t, { page: MODULE_SCRIPT, policy: SCRIPTS_ONLY, files });
  const visit = await open(t, browser, site);
  assert.equal(visit.output, THREE_RESULTS);
  assert.equal(visit.instances, 1);
});

const UNAVAILABLE = [
  { title: 'the file is missing', policy: OWN_FILES, file: {}, reason: 'the server answered 404' },
  {
    title: 'the server sends a page instead of the file',
    policy: OWN_FILES,
    file: { '/toolgauge_bg.wasm': '<!doctype html>' },
    type: 'text/html',
    reason: 'the server sent HTML',
  },
  {
    title: 'a policy forbids to fetch it',
    policy: SCRIPTS_ONLY,
    file: { '/toolgauge_bg.wasm': MODULE },
    reason: 'Failed to fetch. Under a Content-Security-Policy, connect-src must allow it',
  },
];

for (const { title, policy, file, type, reason } of UNAVAILABLE) {
  test(`the import succeeds and the first call fails if ${title}`, async t => {
    const folder = folderIn(consumer, t, { 'main.mjs': scoring('toolgauge') });
    await bundleWithEsbuild(folder, { format: 'esm', conditions: ['module', 'production'] });
    const files = { ...builtFiles(folder), ...file };
    const types = type === undefined ? {} : { '/toolgauge_bg.wasm': type };
    const site = await serve(t, { page: MODULE_SCRIPT, policy, files, types });
    const { output } = await open(t, browser, site);
    assert.equal(
      output,
      'ToolgaugeError internal: toolgauge could not start its WebAssembly module: ' +
        `cannot load ${site}/toolgauge_bg.wasm: ${reason}. ` +
        'Either put toolgauge_bg.wasm there, or import "toolgauge/inline", which contains it',
    );
  });
}

test('a server that does not know the type of the file does no harm', async t => {
  const folder = folderIn(consumer, t, { 'main.mjs': scoring('toolgauge') });
  await buildWithEsbuild(folder);
  const types = { '/toolgauge_bg.wasm': 'application/octet-stream' };
  const site = await serve(t, { page: MODULE_SCRIPT, policy: OWN_FILES, files: builtFiles(folder), types });
  assert.equal((await open(t, browser, site)).output, SCORE);
});

/** The conditions that each tool sets when it resolves `toolgauge`, and the script that it should get. */
const RESOLUTIONS = [
  { tool: 'Vite, for the browser', conditions: ['module', 'browser', 'production'], script: 'web.js' },
  // Before version 8, it moves dependencies away from their files, and before version 7 it refuses top-level await.
  { tool: 'Vite, while developing', conditions: ['module', 'browser', 'development'], script: 'esm/inline.js' },
  { tool: 'webpack', conditions: ['webpack', 'module', 'browser', 'development'], script: 'web.js' },
  { tool: 'webpack, for Node.js', conditions: ['webpack', 'module', 'node', 'production'], script: 'esm/inline.js' },
  { tool: 'a bundler for a server', conditions: ['module', 'node', 'production'], script: 'esm/inline.js' },
  // Angular bundles with esbuild, which does not emit the file.
  { tool: 'Angular', conditions: ['es2020', 'module', 'browser', 'production'], script: 'esm/inline.js' },
  { tool: 'esbuild', conditions: ['module', 'browser'], script: 'esm/inline.js' },
  { tool: 'Rollup without the option browser', conditions: ['module', 'production'], script: 'esm/inline.js' },
  { tool: 'Cloudflare', conditions: ['workerd', 'module', 'browser', 'production'], script: 'esm/edge.js' },
  { tool: 'Vercel', conditions: ['edge-light', 'module', 'browser', 'production'], script: 'esm/edge.js' },
  { tool: 'Node.js', conditions: ['node'], script: 'esm/node.js' },
];

for (const { tool, conditions, script } of RESOLUTIONS) {
  test(`${tool} resolves toolgauge to ${script}`, async t => {
    const imported = await resolvedBy(t, "import 'toolgauge';", conditions);
    assert.equal(imported, script);
  });
}

test('a bundler resolves require("toolgauge") to a script that awaits nothing', async t => {
  const conditions = ['module', 'browser', 'production'];
  assert.equal(await resolvedBy(t, "require('toolgauge').version();", conditions), 'esm/inline.js');
});

/** The script of the package that `code` makes a bundler read under `conditions`, relative to `dist`. */
async function resolvedBy(t, code, conditions) {
  const folder = folderIn(consumer, t, { 'main.mjs': `${code}\n` });
  // On the neutral platform esbuild adds no conditions of its own.
  const options = {
    platform: 'neutral',
    format: 'esm',
    write: false,
    conditions,
    external: ['node:*', '*.wasm?module'],
  };
  const { metafile } = await bundleWithEsbuild(folder, { ...options, ignoreAnnotations: true });
  const [script, ...others] = Object.keys(metafile.inputs).filter(path => path.includes('/toolgauge/dist/'));
  assert.deepEqual(others, []);
  return script.split('/toolgauge/dist/')[1];
}
