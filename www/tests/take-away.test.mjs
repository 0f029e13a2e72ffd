import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { openExample, openFiles, openPage } from './support/page.mjs';

const REFUND = 'A refund gone wrong';

test('a link opens what was shown, with its options', async t => {
  const { page } = await openPage(t);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openExample(page, REFUND);
  await page.locator('.options > summary').click();
  await page.getByLabel('Fails on').selectOption('never');
  await page.locator('.gate.passed').waitFor();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.locator('.said', { hasText: 'Link copied' }).waitFor();
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
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.locator('.said', { hasText: 'some programs cut such links' }).waitFor();
});

test('what is no link of this page is refused, and its markup is nothing', async t => {
  const packed = value => `#state=${Buffer.from(value).toString('base64url')}`;
  for (const hash of [
    '#state=',
    '#state=%3Cimg%20src=x%20onerror=hit=1%3E',
    packed('{"documents":'),
    packed('<script>'),
  ]) {
    const { page } = await openPage(t, { path: `/${hash}` });
    await page.getByRole('alert').waitFor();
    assert.match(await page.getByRole('alert').textContent(), /link is damaged/, hash);
    assert.equal(await page.evaluate(() => globalThis.hit), undefined);
    await openExample(page, REFUND);
  }
});

test('the reports hold the issues', async t => {
  const { page } = await openPage(t);
  await openExample(page, REFUND);
  const issues = await page.locator('.issue').count();
  const json = JSON.parse(await downloaded(page, 'JSON report'));
  assert.equal(json.inspected.issues.length, issues);
  assert.equal(json.report.trajectories[0].score, 0.225);
  assert.equal(json.inspected.unsupportedFacts[0].text, '95.80 euros');
  const markdown = await downloaded(page, 'Markdown report');
  assert.match(markdown, /^# refund-of-order-A-1017$/m);
  assert.equal(markdown.match(/^\| (critical|high|medium|low) \|/gm).length, issues);
});

test('markup stays text in the Markdown report', async t => {
  const { page } = await openPage(t);
  const call = { name: '<img src=x>|`a`', arguments: {} };
  const turns = [{ turn_id: 1, role: 'agent', content: '', tool_calls: [call] }];
  await openFiles(page, { 'x.json': { trajectory_id: '<script>', turns } });
  await page.locator('.summary').waitFor();
  const markdown = await downloaded(page, 'Markdown report');
  assert.ok(markdown.includes('\\<img src=x\\>\\|\\`a\\`'), markdown);
  assert.match(markdown, /^# \\<script\\>$/m);
});

test('a copied test is one that states the case', async t => {
  const { page } = await openPage(t);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openExample(page, REFUND);
  await page.getByRole('button', { name: 'Copy as Vitest test' }).click();
  await page.locator('.said', { hasText: 'Test copied' }).waitFor();
  const source = await page.evaluate(() => navigator.clipboard.readText());
  const failures = await runTest(source);
  assert.equal(failures.length, 4);
  assert.ok(failures.some(failure => failure.startsWith('turn 4: amount: expected number')));
});

/** Runs the copied test with the built package, and returns what it expected to be nothing. */
async function runTest(source) {
  const { validateTrajectory } = await import(new URL('../../pkg/dist/esm/node.js', import.meta.url));
  const found = [];
  const body = source.replaceAll(/^import .*$/gm, '');
  const expect = actual => ({ toEqual: () => found.push(...actual) });
  new Function('validateTrajectory', 'expect', 'test', body)(validateTrajectory, expect, (_, run) => run());
  return found;
}

async function downloaded(page, name) {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name }).click();
  return readFile(await (await download).path(), 'utf8');
}
