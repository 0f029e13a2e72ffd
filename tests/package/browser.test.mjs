import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { build } from 'esbuild';
import { consumer, folderIn } from './support/consumer.mjs';
import { launchBrowser, OWN_FILES, open, SCRIPTS_ONLY, serve } from './support/site.mjs';

const TOOLGAUGE = join(consumer, 'node_modules/toolgauge');

/** Judges a trajectory with one wrong call and gives the verdict as text to `show`, the name of a function. */
const judging = show => `
import { validateTrajectory } from 'toolgauge';
const tools = { send: { name: 'send', parameters: { properties: { to: { type: 'string' } }, required: ['to'] } } };
const call = { name: 'send', arguments: { to: 5 }, result: { ok: true } };
const turns = [{ turn_id: 1, role: 'agent', content: '', tool_calls: [call] }];
try {
  const [verdict] = validateTrajectory({ turns }, tools);
  ${show}(verdict.score + ' ' + verdict.issues[0].description);
} catch (error) {
  ${show}(error.name + ' ' + error.code + ': ' + error.message);
}
`;
const SHOW = 'function show(text) { document.querySelector("output").textContent = text; }';
const PAGE_SCRIPT = judging('show') + SHOW;
const VERDICT = '0.3 to: expected string, got 5 (number)';

/** An import map for `file`, and the source of scripts that allows it in a policy. */
function importing(file) {
  const map = JSON.stringify({ imports: { toolgauge: file } });
  const hash = createHash('sha256').update(map).digest('base64');
  return { script: `<script type="importmap">${map}</script>`, source: `'sha256-${hash}'` };
}

let browser;

before(async () => {
  browser = await launchBrowser();
});

after(() => browser.close());

test('without a bundler, a page imports one script that contains the module', async t => {
  const { script, source } = importing('/toolgauge/inline.js');
  const site = await serve(t, {
    page: `${script}<script type="module" src="/main.js"></script>`,
    policy: `${SCRIPTS_ONLY} ${source}`,
    files: { '/main.js': PAGE_SCRIPT, '/toolgauge/inline.js': await readFile(join(TOOLGAUGE, 'dist/esm/inline.js')) },
  });
  const visit = await open(t, browser, site);
  assert.equal(visit.output, VERDICT);
  assert.deepEqual(visit.problems, []);
  assert.deepEqual(visit.requests, ['/', '/main.js', '/toolgauge/inline.js']);
});

test('without a bundler, a page imports a script that loads the module from beside it', async t => {
  const { script, source } = importing('/toolgauge/web.js');
  const site = await serve(t, {
    page: `${script}<script type="module" src="/main.js"></script>`,
    policy: `${SCRIPTS_ONLY} ${source}; connect-src 'self'`,
    files: {
      '/main.js': PAGE_SCRIPT,
      '/toolgauge/web.js': await readFile(join(TOOLGAUGE, 'dist/web.js')),
      '/toolgauge/toolgauge_bg.wasm': await readFile(join(TOOLGAUGE, 'dist/toolgauge_bg.wasm')),
    },
  });
  const visit = await open(t, browser, site);
  assert.equal(visit.output, VERDICT);
  assert.deepEqual(visit.problems, []);
  assert.deepEqual(visit.requests, ['/', '/main.js', '/toolgauge/web.js', '/toolgauge/toolgauge_bg.wasm']);
});

test('a bundle judges a trajectory under a strict policy, and no request leaves the page', async t => {
  const site = await serve(t, {
    page: '<script type="module" src="/bundle.js"></script>',
    policy: SCRIPTS_ONLY,
    files: { '/bundle.js': await bundle(t) },
  });
  const visit = await open(t, browser, site);
  assert.equal(visit.output, VERDICT);
  assert.deepEqual(visit.problems, []);
  assert.deepEqual(visit.requests, ['/', '/bundle.js']);
});

test('in a module worker it works as in the page', async t => {
  const main = `new Worker('/worker.js', { type: 'module' }).onmessage = ({ data }) => show(data); ${SHOW}`;
  const site = await serve(t, {
    page: '<script type="module" src="/main.js"></script>',
    policy: `${SCRIPTS_ONLY}; worker-src 'self'`,
    files: { '/main.js': main, '/worker.js': await bundle(t, judging('postMessage')) },
  });
  const visit = await open(t, browser, site);
  assert.equal(visit.output, VERDICT);
});

test('a judge is asked from a page, and no other server hears of it', async t => {
  const script = `
    import { openAiJudge, runJudges, toolChoiceRequest } from 'toolgauge';
    const judge = openAiJudge({ model: 'm', baseUrl: location.origin + '/v1' });
    const request = toolChoiceRequest({ input: 'Hello', toolsCalled: [] }, []);
    const { score, results } = await runJudges(request, { judges: [judge] });
    show(score + ' ' + results[0].answer.reason);
    ${SHOW}`;
  const content = JSON.stringify({ reason: 'None was needed.', score: 1 });
  const site = await serve(t, {
    page: '<script type="module" src="/bundle.js"></script>',
    policy: OWN_FILES,
    files: {
      '/bundle.js': await bundle(t, script),
      '/v1/chat/completions': JSON.stringify({ choices: [{ message: { content } }] }),
    },
  });
  const visit = await open(t, browser, site);
  assert.equal(visit.output, '1 None was needed.');
  assert.deepEqual(visit.requests, ['/', '/bundle.js', '/v1/chat/completions']);
});

test('a policy that forbids WebAssembly gives an error that says what it lacks', async t => {
  const site = await serve(t, {
    page: '<script type="module" src="/bundle.js"></script>',
    policy: "default-src 'none'; script-src 'self'",
    files: { '/bundle.js': await bundle(t) },
  });
  const { output } = await open(t, browser, site);
  assert.match(output, /^ToolgaugeError internal: .*'wasm-unsafe-eval'/);
});

async function bundle(t, script = PAGE_SCRIPT) {
  const folder = folderIn(consumer, t, { 'main.mjs': script });
  const options = { absWorkingDir: folder, bundle: true, write: false, format: 'esm', platform: 'browser' };
  const { outputFiles } = await build({ entryPoints: ['main.mjs'], ...options });
  return outputFiles[0].contents;
}
