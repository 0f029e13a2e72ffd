import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { openExample, openFiles, openPage } from './support/page.mjs';

const example = name => readFile(new URL(`../../examples/${name}`, import.meta.url), 'utf8');

/** Waits until the session in the tab contains a text. */
const kept = (page, text) =>
  page.waitForFunction(wanted => sessionStorage.getItem('toolgauge')?.includes(wanted), text);

const selectedRow = (page, id) => page.locator('.grid-row[aria-selected=true]', { hasText: id }).waitFor();

test('back and forward lead from trajectory to trajectory, and to what was open before', async t => {
  const { page, problems } = await openPage(t);
  await openExample(page, 'A refund gone wrong');
  await openExample(page, 'Trials of a task');
  await page.locator('.grid-row').first().waitFor();
  const rows = page.locator('.grid-row .id');
  const [first, second, third] = (await rows.allTextContents()).map(text => text.slice(2));
  await page.getByRole('listbox').focus();
  for (const id of [second, third]) {
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await selectedRow(page, id);
  }
  await page.goBack();
  await selectedRow(page, second);
  await page.goBack();
  await selectedRow(page, first);
  await page.goForward();
  await selectedRow(page, second);
  await page.goBack();
  await page.goBack();
  await page.locator('.gate', { hasText: '5 issues are high or worse' }).waitFor();
  await page.goBack();
  await page.locator('.welcome').waitFor();
  await page.goForward();
  await page.locator('.comparison').waitFor();
  assert.deepEqual(problems, []);
});

test('back leads to the row of a long file, which is not checked again', async t => {
  const { page } = await openPage(t);
  const lines = (await example('trials.jsonl')).trim();
  const long = Array.from({ length: 400 }, (_, round) =>
    lines.replaceAll('"trajectory_id": "', `"trajectory_id": "${round}-`),
  ).join('\n');
  await openFiles(page, { 'long.jsonl': long });
  await page.locator('.file-progress.done').waitFor();
  await page.locator('.grid-row').nth(3).click();
  await page.locator('.grid-row').nth(3).and(page.locator('[aria-selected=true]')).waitFor();
  await page.goBack();
  await page.locator('.grid-row').first().and(page.locator('[aria-selected=true]')).waitFor();
  assert.equal(await page.locator('.file-progress.done').count(), 1);
});

test('a reload keeps how the result is looked at', async t => {
  const { page, problems } = await openPage(t);
  await openExample(page, 'A refund gone wrong');
  await page.keyboard.press('t');
  await page.keyboard.press('r');
  await page.locator('.chip.medium').click();
  await page.getByLabel('Find in the conversation').fill('refund_order');
  await kept(page, '"text":"refund_order"');
  await page.reload();
  await page.locator('.tool-totals').waitFor();
  assert.ok(await page.getByLabel('Raw text').isChecked());
  assert.equal(await page.locator('.chip.medium').getAttribute('aria-pressed'), 'true');
  await page.locator('.found', { hasText: '2 turns and 2 calls contain the text.' }).waitFor();
  assert.equal(await page.locator('.turn:not(.hidden-turns)').count(), 2);
  assert.deepEqual(problems, []);
});

test('what became of a link is there again after a reload', async t => {
  const { page } = await openPage(t);
  await page.evaluate(() => {
    navigator.clipboard.writeText = async text => {
      globalThis.copied = text;
    };
  });
  await openExample(page, 'Trials of a task');
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.waitForFunction(() => globalThis.copied !== undefined);
  const hash = await page.evaluate(() => new URL(globalThis.copied).hash);
  const { page: other } = await openPage(t, { path: `/${hash}` });
  await other.locator('.grid-row').nth(4).click();
  await kept(other, '"selected":4');
  await other.reload();
  await other.locator('.grid-row').nth(4).and(other.locator('[aria-selected=true]')).waitFor();
});

test('a text that is too long to be kept is not kept in parts', async t => {
  const { page, problems } = await openPage(t);
  await openExample(page, 'A refund gone wrong');
  await kept(page, 'A-1017');
  const turns = [{ turn_id: 1, role: 'user', content: 'x'.repeat(2_500_000) }];
  await openFiles(page, { 'long.json': { trajectory_id: 'long', turns } });
  await page.waitForFunction(() => sessionStorage.getItem('toolgauge') === null);
  await page.reload();
  await page.locator('.welcome').waitFor();
  assert.deepEqual(problems, []);
});
