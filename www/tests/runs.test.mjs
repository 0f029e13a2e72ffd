import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { openExample, openFiles, openPage } from './support/page.mjs';

const TRIALS = 'Trials of a task';
const RUNS = 'Two runs side by side';

const example = name => readFile(new URL(`../../examples/${name}`, import.meta.url), 'utf8');

/** The text of an element, with each run of white space as one space. */
const textOf = async locator => (await locator.textContent()).replace(/\s+/g, ' ').trim();

/** The cells of each row of a table. */
const cellsOf = table =>
  table.locator('tr').evaluateAll(rows => rows.map(row => [...row.children].map(({ textContent }) => textContent)));

test('trials of a task show how often it passes, and lead to the worst of them', async t => {
  const { page, problems } = await openPage(t);
  await openExample(page, TRIALS);
  const panel = page.getByRole('region', { name: 'Trials', exact: true });
  assert.match(await textOf(panel), /12 trials of 3 tasks · 8 passed \(0\.667\) · 1 always, 2 flaky, 0 never/);
  assert.deepEqual(await cellsOf(panel.locator('table')), [
    ['k', '1', '2', '3', '4'],
    ['pass@k', '0.667', '0.833', '0.917', '1.000'],
    ['pass^k', '0.667', '0.500', '0.417', '0.333'],
  ]);
  await panel.locator('summary', { hasText: 'pass@k, pass^k and 2 tasks with failures' }).focus();
  await page.keyboard.press('Enter');
  await panel.getByRole('button', { name: 'exchange-3' }).click();
  await page.locator('.grid-row[aria-selected=true]', { hasText: 'exchange-3' }).waitFor();
  assert.deepEqual(problems, []);
});

test('a trajectory that does not make the expected calls fails in the list', async t => {
  const { page } = await openPage(t);
  await openExample(page, TRIALS);
  assert.match(await textOf(page.locator('.totals')), /8 of 12 call what is expected/);
  await page.getByLabel('Only failing').check();
  assert.equal(await page.locator('.list .tally').textContent(), '4 of 12 rows');
  await page.getByRole('button', { name: 'Sort by Accuracy' }).click();
  const first = page.locator('.grid-row').first();
  assert.match(await textOf(first), /fails|exchange-3/);
  assert.match(await textOf(first), /accuracy 0\.000/);
  await openFiles(page, { 'expected.json': [{ tool: 'get_order', args: { order: 'W-7' } }] });
  await page.locator('.totals', { hasText: '0 of 12 call what is expected' }).waitFor();
});

test('trajectories without expected calls have no accuracy', async t => {
  const { page } = await openPage(t);
  await openExample(page, RUNS);
  assert.equal(await page.getByRole('button', { name: 'Sort by Accuracy' }).count(), 0);
});

test('the field of the task tells which trajectories are trials', async t => {
  const { page } = await openPage(t);
  await openExample(page, TRIALS);
  await page.locator('.options > summary').click();
  await page.getByLabel('Task key').fill('trajectory_id');
  await page.getByLabel('Task key').press('Enter');
  await page.getByRole('region', { name: 'Trials', exact: true }).waitFor({ state: 'detached' });
});

test('two runs are compared task by task', async t => {
  const { page, problems } = await openPage(t);
  await openExample(page, RUNS);
  const panel = page.getByRole('region', { name: RUNS });
  await panel.locator('table').waitFor();
  const [, rate, score] = await cellsOf(panel.locator('table'));
  assert.deepEqual(rate, ['Pass rate', '0.905', '0.952', '+0.048', '−0.087 to +0.171', '1.0', 'unclear']);
  assert.deepEqual(score, ['Score', '0.933', '0.967', '+0.033', '−0.061 to +0.120', '1.0', 'unclear']);
  assert.match(await textOf(panel), /better order-total 1\/3 → 2\/3 passed, score 0\.533 → 0\.767/);
  await panel.getByRole('button', { name: 'order-total' }).click();
  const selected = page.locator('.grid-row[aria-selected=true]', { hasText: 'order-total' });
  await selected.locator('.mark.failed').waitFor();
  assert.deepEqual(problems, []);
});

test('a file opened while the tab Before is open is the earlier run', async t => {
  const { page } = await openPage(t);
  await openFiles(page, { 'after.jsonl': await example('runs/before.jsonl') });
  await page.locator('.summary').waitFor();
  await page.getByRole('tab', { name: 'Before' }).click();
  await openFiles(page, { 'before.jsonl': await example('runs/after.jsonl') });
  const panel = page.getByRole('region', { name: RUNS });
  await panel.locator('.badge', { hasText: 'worse' }).waitFor();
  const issues = panel.getByRole('list', { name: 'New issues' });
  assert.match(await textOf(panel), /worse order-total 2\/3 → 1\/3 passed/);
  assert.equal(await issues.count(), 0);
});

test('an earlier run that cannot be read says so, and the rest is shown', async t => {
  const { page } = await openPage(t);
  await openFiles(page, { 'after.jsonl': await example('runs/after.jsonl') });
  await page.locator('.summary').waitFor();
  await page.getByRole('tab', { name: 'Before' }).click();
  await openFiles(page, { 'before.json': '{"turns": [' });
  const alert = page.getByRole('region', { name: RUNS }).getByRole('alert');
  assert.match(await textOf(alert), /The runs can't be compared\. before.*not valid JSON/);
  assert.equal((await page.locator('.grid-row').count()) > 0, true);
});

test('a long file is compared, too', async t => {
  const { page } = await openPage(t);
  const lines = (await example('runs/after.jsonl')).trim().split('\n');
  const long = Array.from({ length: 200 }, (_, round) =>
    lines.map(line => line.replace('"trajectory_id": "', `"trajectory_id": "${round}-`)).join('\n'),
  ).join('\n');
  await openFiles(page, { 'after.jsonl': `${long}\n` });
  await page.locator('.file-progress.done').waitFor();
  const trials = page.getByRole('region', { name: 'Trials', exact: true });
  assert.match(await textOf(trials), /4,200 trials of/);
  await page.getByRole('tab', { name: 'Before' }).click();
  await openFiles(page, { 'before.jsonl': `${long}\n` });
  const panel = page.getByRole('region', { name: RUNS });
  await panel.getByText('1,400 tasks in both runs, 1,400 tasks the same').waitFor();
});

test('a link holds the earlier run', async t => {
  const { page } = await openPage(t);
  await openExample(page, RUNS);
  await page.getByRole('region', { name: RUNS }).locator('table').waitFor();
  const hash = await page.evaluate(async () => {
    let copied = '';
    navigator.clipboard.writeText = async text => {
      copied = text;
    };
    const button = [...document.querySelectorAll('button')].find(
      ({ textContent }) => textContent.trim() === 'Copy link',
    );
    button.click();
    while (copied === '') await new Promise(resolve => setTimeout(resolve, 20));
    return new URL(copied).hash;
  });
  const { page: other } = await openPage(t, { path: `/${hash}` });
  await other.getByRole('region', { name: RUNS }).getByText('7 tasks in both runs').waitFor();
});
