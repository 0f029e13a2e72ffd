import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { consumer, folderIn } from './support/consumer.mjs';

const TOOLGAUGE = join(consumer, 'node_modules/toolgauge');
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];

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

const IMPORT_MAP = '{"imports":{"toolgauge":"/toolgauge/esm/inline.js"}}';
const IMPORT_MAP_HASH = `'sha256-${createHash('sha256').update(IMPORT_MAP).digest('base64')}'`;

let browser;

before(async () => {
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS });
});

after(() => browser.close());

test('a plain module script with an import map judges a trajectory under a strict policy', async t => {
  const site = await serve(t, {
    page: `<script type="importmap">${IMPORT_MAP}</script><script type="module" src="/main.js"></script>`,
    policy: `default-src 'none'; script-src 'self' 'wasm-unsafe-eval' ${IMPORT_MAP_HASH}`,
    files: {
      '/main.js': PAGE_SCRIPT,
      '/toolgauge/esm/inline.js': await readFile(join(TOOLGAUGE, 'dist/esm/inline.js')),
    },
  });
  const visit = await open(t, site);
  assert.equal(visit.output, VERDICT);
  assert.deepEqual(visit.problems, []);
  assert.deepEqual(visit.requests, ['/', '/main.js', '/toolgauge/esm/inline.js']);
});

test('a bundle judges a trajectory under a strict policy, and no request leaves the page', async t => {
  const site = await serve(t, {
    page: '<script type="module" src="/bundle.js"></script>',
    policy: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
    files: { '/bundle.js': await bundle(t) },
  });
  const visit = await open(t, site);
  assert.equal(visit.output, VERDICT);
  assert.deepEqual(visit.problems, []);
  assert.deepEqual(visit.requests, ['/', '/bundle.js']);
});

test('in a module worker it works as in the page', async t => {
  const main = `new Worker('/worker.js', { type: 'module' }).onmessage = ({ data }) => show(data); ${SHOW}`;
  const site = await serve(t, {
    page: '<script type="module" src="/main.js"></script>',
    policy: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'",
    files: { '/main.js': main, '/worker.js': await bundle(t, judging('postMessage')) },
  });
  const visit = await open(t, site);
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
    policy: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
    files: {
      '/bundle.js': await bundle(t, script),
      '/v1/chat/completions': JSON.stringify({ choices: [{ message: { content } }] }),
    },
  });
  const visit = await open(t, site);
  assert.equal(visit.output, '1 None was needed.');
  assert.deepEqual(visit.requests, ['/', '/bundle.js', '/v1/chat/completions']);
});

test('a policy that forbids WebAssembly gives an error that says what it lacks', async t => {
  const site = await serve(t, {
    page: '<script type="module" src="/bundle.js"></script>',
    policy: "default-src 'none'; script-src 'self'",
    files: { '/bundle.js': await bundle(t) },
  });
  const { output } = await open(t, site);
  assert.match(output, /^ToolgaugeError internal: .*'wasm-unsafe-eval'/);
});

async function bundle(t, script = PAGE_SCRIPT) {
  const folder = folderIn(consumer, t, { 'main.mjs': script });
  const options = { absWorkingDir: folder, bundle: true, write: false, format: 'esm', platform: 'browser' };
  const { outputFiles } = await build({ entryPoints: ['main.mjs'], ...options });
  return outputFiles[0].contents;
}

/** Serves `page` and `files` on the loopback address, with `policy`, and returns the address. */
async function serve(t, { page, policy, files }) {
  const pages = { '/': `<!doctype html><output></output>${page}`, ...files };
  const server = createServer((request, response) => {
    const body = pages[request.url];
    const type = request.url === '/' ? 'text/html' : 'text/javascript';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type, 'content-security-policy': policy });
    response.end(body);
  });
  await new Promise(ready => server.listen(0, '127.0.0.1', ready));
  t.after(() => server.close());
  return `http://127.0.0.1:${server.address().port}`;
}

/** Opens the page, waits until it shows an output, and says what happened. */
async function open(t, site) {
  const page = await browser.newPage();
  t.after(() => page.close());
  page.setDefaultTimeout(120_000);
  const requests = [];
  const problems = [];
  page.on('request', request => requests.push(request.url().replace(site, '')));
  page.on('console', message => ['warning', 'error'].includes(message.type()) && problems.push(message.text()));
  page.on('pageerror', error => problems.push(error.message));
  await page.goto(site);
  await page.waitForFunction(() => document.querySelector('output').textContent !== '');
  return { output: await page.textContent('output'), requests, problems };
}
