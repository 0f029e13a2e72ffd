import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { openExample, openFiles, openPage, site } from './support/page.mjs';

/** Vitest, as the tests of the package have it. */
const VITEST = fileURLToPath(new URL('../../tests/package/node_modules/vitest', import.meta.url));

const REFUND = 'A refund gone wrong';

/** The options that the page starts with, as the package takes them. */
const DEFAULT_OPTIONS = { strict: false, allowUnknownTools: false, failOn: 'high' };

/** The text of one of the repository's examples. */
const example = name => readFile(new URL(`../../examples/${name}`, import.meta.url), 'utf8');

/** Traces, named after their formats. No two in a row have the same format. */
const TRACES = [
  'langsmith.runs.json',
  'langfuse.trace.json',
  'openinference.spans.json',
  'otel-genai.spans.json',
  'mastra.messages.json',
  'otel-genai.ai-sdk.json',
  'mastra.trajectory.json',
];

/** What one of the documents of the core's tests holds. */
const fixture = name =>
  readFile(new URL(`../../tests/fixtures/formats/${name.replace('.', '/')}`, import.meta.url), 'utf8');

test('a link opens what was shown, with its options', async t => {
  const { page } = await openPage(t);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openExample(page, REFUND);
  await page.locator('.options > summary').click();
  await page.getByLabel('Fail on').selectOption('never');
  await page.locator('.gate.passed').waitFor();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.locator('.outcome', { hasText: 'Link copied' }).waitFor();
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  const other = await openPage(t, { path: `/${link.hash}` });
  await other.page.locator('.gate.passed').waitFor();
  assert.equal(await other.page.locator('.issue').count(), await page.locator('.issue').count());
  assert.equal(await other.page.locator('.comparison').count(), 1);
  assert.deepEqual(other.problems, []);
});

test('a long link comes with a warning', async t => {
  const { page } = await openPage(t);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const content = Array.from({ length: 4000 }, (_, index) => (index * 2654435761).toString(36)).join(' ');
  await openFiles(page, { 'long.json': { turns: [{ turn_id: 1, role: 'user', content }] } });
  await page.locator('.summary').waitFor();
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.locator('.outcome', { hasText: /The link has [\d,]+ characters/ }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), '', 'nothing is copied before the warning');
  await page.getByRole('button', { name: 'Copy it anyway' }).click();
  await page.locator('.outcome', { hasText: 'Link copied' }).waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /#state=/);
});

test('a damaged link is refused, and markup in it has no effect', async t => {
  const encoded = value => `#state=${value.toString('base64url')}`;
  const bomb = deflateRawSync(Buffer.alloc(200 * 1024 * 1024, ' '));
  const hashes = {
    empty: '#state=',
    markup: '#state=%3Cimg%20src=x%20onerror=hit=1%3E',
    'not packed': encoded(Buffer.from('{"documents":')),
    'packed markup': encoded(deflateRawSync('<script>hit = 1</script>')),
    'cut short': encoded(deflateRawSync(JSON.stringify({ documents: { trajectory: '{}' } })).subarray(0, 20)),
    'unfolds to 200 MB': encoded(bomb),
  };
  for (const [name, hash] of Object.entries(hashes)) {
    const { page } = await openPage(t, { path: `/${hash}` });
    await page.getByRole('alert').waitFor();
    assert.match(await page.getByRole('alert').textContent(), /link is damaged/, name);
    assert.equal(await page.evaluate(() => globalThis.hit), undefined);
    await openExample(page, REFUND);
    assert.equal(await page.getByRole('alert').count(), 0, name);
  }
});

test('the page takes from a link only values that a user could choose', async t => {
  const state = {
    documents: { trajectory: await example('refund.json'), tools: 5, expected: { toString: 1 }, other: 'x' },
    options: { failOn: 'constructor', minScore: 1e9, strict: 'yes', format: '<img>', __proto__: { strict: true } },
    selected: -4,
  };
  const hash = `#state=${deflateRawSync(JSON.stringify(state)).toString('base64url')}`;
  const { page, problems } = await openPage(t, { path: `/${hash}` });
  await page.locator('.gate.failed').waitFor();
  assert.equal(await page.locator('.options .tally').count(), 0, 'all options have their defaults');
  assert.deepEqual(problems, []);
});

test('the reports hold the issues', async t => {
  const { page } = await openPage(t);
  await openExample(page, REFUND);
  const issues = await page.locator('.issue').count();
  const json = JSON.parse(await downloaded(page, 'JSON report'));
  assert.equal(json.inspected.issues.length, issues);
  assert.equal(json.trajectories[0].score, 0.225);
  assert.equal(json.gate.passed, false);
  assert.equal(json.inspected.unsupportedFacts[0].text, '95.80 euros');
  const markdown = await downloaded(page, 'Markdown report');
  const html = await downloaded(page, 'HTML report');
  for (const { type } of json.inspected.issues) {
    assert.ok(markdown.includes(type), `${type} in Markdown`);
    assert.ok(html.includes(type), `${type} in HTML`);
  }
  assert.match(html, /^<!doctype html>/i);
});

test('the page gives the same report as the package', async t => {
  const { checkTrajectories } = await import('../../pkg/dist/esm/node.js');
  const tools = await example('shop.tools.json');
  const results = await readdir(new URL('../../examples/results/', import.meta.url));
  const names = [
    'chat',
    'clean',
    'refund',
    'rollouts',
    'issues/schema_violation',
    ...results.map(name => `results/${name.replace('.json', '')}`),
  ];
  for (const name of names) {
    // On a page of its own, so that no report is of the example before.
    const { page } = await openPage(t);
    const text = await example(`${name}.json`);
    await openFiles(page, { 'tools.json': tools, [`${name.replace('/', '-')}.json`]: text });
    await page.locator('.summary').waitFor();
    const { inspected, ...report } = JSON.parse(await downloaded(page, 'JSON report'));
    assert.deepEqual(report, checkTrajectories(text, tools, DEFAULT_OPTIONS), name);
    assert.ok(inspected.trajectory >= 0, name);
  }
});

test('the page reads traces as the package does', async t => {
  const { checkTrajectories } = await import('../../pkg/dist/esm/node.js');
  const tools = await example('shop.tools.json');
  const { page, problems } = await openPage(t);
  await openFiles(page, { 'tools.json': tools });
  for (const name of TRACES) {
    const text = await fixture(name);
    await openFiles(page, { [name]: text });
    await page.locator('.file-name', { hasText: name }).waitFor();
    await formatShown(page, name);
    const { inspected, ...report } = JSON.parse(await downloaded(page, 'JSON report'));
    assert.deepEqual(report, checkTrajectories(text, tools, DEFAULT_OPTIONS), name);
    assert.ok(inspected.trajectory >= 0, name);
    await page.getByLabel('Format').selectOption(name.split('.')[0]);
    await formatShown(page, name, false);
  }
  const lines = [JSON.parse(await fixture('langfuse.trace.json')), JSON.parse(await fixture('langfuse.trace.json'))];
  await openFiles(page, { 'lines.jsonl': lines.map(line => JSON.stringify(line)).join('\n') });
  const rows = page.getByRole('listbox', { name: 'Trajectories' }).getByRole('option');
  await rows.nth(1).waitFor();
  assert.equal(await rows.count(), 2);
  assert.match(await downloaded(page, 'Markdown report'), /langfuse/);
  assert.deepEqual(problems, []);
});

test('once it is loaded the page does everything without a connection', async t => {
  const { page, problems } = await openPage(t);
  await page.waitForLoadState('networkidle');
  const before = site.requests.length;
  await page.context().setOffline(true);
  await openExample(page, REFUND);
  for (const [name, start] of Object.entries({
    'JSON report': '{',
    'Markdown report': '#',
    'HTML report': '<!doctype html>',
  })) {
    assert.ok((await downloaded(page, name)).startsWith(start), name);
  }
  await openFiles(page, { 'trace.json': await fixture('langsmith.runs.json') });
  await formatShown(page, 'langsmith.json');
  const line = JSON.stringify(JSON.parse(await fixture('langsmith.runs.json')));
  await openFiles(page, { 'long.jsonl': `${line}\n`.repeat(Math.ceil(1_100_000 / line.length)) });
  await page.locator('.file-progress.done').waitFor();
  assert.equal(site.requests.length, before);
  assert.deepEqual(problems, []);
});

test('a trace can be the expected calls', async t => {
  const { scoreToolCalls } = await import('../../pkg/dist/esm/node.js');
  const trajectory = await example('chat.json');
  for (const name of TRACES) {
    const expected = await fixture(name);
    const state = { documents: { trajectory, tools: '', expected }, options: {}, selected: 0 };
    const hash = `#state=${deflateRawSync(JSON.stringify(state)).toString('base64url')}`;
    const { page, problems } = await openPage(t, { path: `/${hash}` });
    await page.locator('.comparison').waitFor();
    const { inspected } = JSON.parse(await downloaded(page, 'JSON report'));
    assert.deepEqual(inspected.accuracy, scoreToolCalls({ expected, actual: trajectory }), name);
    assert.deepEqual(problems, []);
  }
});

test('markup stays text in the HTML report', async t => {
  const { page } = await openPage(t);
  const markup = '<img src=x onerror="window.hit = 1">';
  const call = { name: markup, arguments: { [markup]: markup }, result: markup };
  const turns = [{ turn_id: 1, role: 'agent', content: markup, tool_calls: [call] }];
  await openFiles(page, { [`${markup}.json`]: { trajectory_id: markup, turns }, 'tools.json': [{ name: 'other' }] });
  await page.locator('.summary').waitFor();
  const html = await downloaded(page, 'HTML report');
  const opened = await page.context().newPage();
  await opened.setContent(html);
  assert.ok((await opened.textContent('body')).includes(markup));
  assert.equal(await opened.locator('img').count(), 0);
  assert.equal(await opened.evaluate(() => globalThis.hit), undefined);
});

test('a copied test runs, fails for the issues found, and passes once they are fixed', async t => {
  const { page } = await openPage(t);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openExample(page, REFUND);
  const failing = await runTest(t, await copiedTest(page));
  assert.deepEqual(
    failing.map(({ status, title }) => [title.replace('refund-of-order-A-1017: ', ''), status]),
    [
      ['the calls are valid', 'failed'],
      ['the replies state what is known', 'failed'],
      ['the expected calls are made', 'failed'],
    ],
  );
  assert.match(failing[0].failureMessages[0], /amount: expected number/);
  assert.match(failing[1].failureMessages[0], /95\.80 euros/);
  await openExample(page, 'All as it should be');
  await page.locator('.gate.passed').waitFor();
  const passing = await runTest(t, await copiedTest(page));
  assert.deepEqual(
    passing.flatMap(({ failureMessages }) => failureMessages),
    [],
  );
  assert.ok(passing.length >= 2);
});

test('a copied test states its options, and keeps names that are not plain members', async t => {
  const { page } = await openPage(t);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const turns =
    '[{"turn_id": 1, "role": "agent", "content": "", "tool_calls": [{"name": "a", "arguments": {"__proto__": 1}, "result": 1}]}]';
  await openFiles(page, { 'x.json': `{"trajectory_id": "\`\${1}\\u2028\\"'</script>", "turns": ${turns}}` });
  await page.locator('.options > summary').click();
  await page.getByLabel('Fail on').selectOption('low');
  await page.locator('.gate', { hasText: /low/ }).waitFor();
  const source = await copiedTest(page);
  assert.match(source, /toHaveValidToolCalls\(undefined, \{ failOn: 'low' \}\)/);
  const [{ title }] = await runTest(t, source);
  assert.ok(title.startsWith('`\x24{1}\u2028"\'</script>'), title);
});

/** What the button copies. */
async function copiedTest(page) {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.getByRole('button', { name: 'Copy as Vitest test' }).click();
  await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== '');
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Runs a test file with Vitest and the built package; gives its tests with their outcome. */
async function runTest(t, source) {
  const folder = mkdtempSync(join(tmpdir(), 'toolgauge-copied-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  cpSync(fileURLToPath(new URL('../../pkg', import.meta.url)), join(folder, 'node_modules/toolgauge'), {
    recursive: true,
  });
  symlinkSync(VITEST, join(folder, 'node_modules/vitest'));
  await writeFile(join(folder, 'copied.test.ts'), source);
  const args = [join(VITEST, 'vitest.mjs'), 'run', '--reporter=json', '--outputFile=outcome.json'];
  const { NODE_TEST_CONTEXT, ...env } = process.env;
  await new Promise(resolve => {
    spawn(process.execPath, args, { cwd: folder, env, stdio: 'ignore' }).on('close', resolve);
  });
  const { testResults } = JSON.parse(await readFile(join(folder, 'outcome.json'), 'utf8'));
  return testResults.flatMap(({ assertionResults }) => assertionResults);
}

/** Waits until the document is shown as read in the format that `name` begins with. */
async function formatShown(page, name, isDetected = true) {
  const label = `${name.split('.')[0]}${isDetected ? ' (detected)' : ''}`;
  await page.waitForFunction(
    label => document.querySelector('.results-bar select').selectedOptions[0].textContent === label,
    label,
  );
  await page.locator('.results[aria-busy=false] .summary').waitFor();
}

async function downloaded(page, name) {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name }).click();
  return readFile(await (await download).path(), 'utf8');
}
