import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { openFiles, openPage, recordTasks } from './support/page.mjs';

const example = async name => JSON.parse(await readFile(new URL(`../../examples/${name}`, import.meta.url), 'utf8'));

const LETTERS = 40;

/** Milliseconds between two letters, and after the last. */
const PAUSE = 15;
const REST = 1500;

test('200 turns are judged and drawn about as fast as a few, and typing does not stall', async t => {
  const refund = await example('refund.json');
  const tools = await example('shop.tools.json');
  const turns = Array.from({ length: 200 }, (_, index) => ({
    ...refund.turns[index % refund.turns.length],
    turn_id: index + 1,
  }));
  const { page, problems } = await openPage(t);
  await openFiles(page, { 'tools.json': tools, 'small.json': { ...refund, trajectory_id: 'small' } });
  await page.locator('.timeline .turn').first().waitFor();
  const drawn = await recordTasks(page);
  const start = Date.now();
  await openFiles(page, { 'long.json': { trajectory_id: 'long', turns } });
  await page.locator('.timeline .turn').nth(199).waitFor({ state: 'attached' });
  t.diagnostic(
    `200 turns from the file to the drawn timeline: ${Date.now() - start} ms, the pause for typing included`,
  );
  t.diagnostic((await page.locator('.summary .extent').allTextContents()).join(', '));
  t.diagnostic(`long tasks while it was drawn, in ms: ${listed(long(await drawn()))}`);
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowDown');
  const typed = await recordTasks(page);
  for (const letter of ' '.repeat(LETTERS)) await page.keyboard.type(letter, { delay: PAUSE });
  await page.waitForTimeout(REST);
  const tasks = long(await typed());
  const busy = tasks.reduce((sum, duration) => sum + duration, 0);
  t.diagnostic(`long tasks while ${LETTERS} letters were typed, in ms: ${listed(tasks)}`);
  const least = LETTERS * PAUSE + REST;
  assert.ok(busy < least / 4, `the page was busy ${busy} of ${least} ms`);
  assert.deepEqual(problems, []);
});

/** Those of the tasks that a person may notice. */
function long(tasks) {
  return tasks.filter(duration => duration > 50);
}

function listed(tasks) {
  return tasks.map(Math.round).join(', ') || 'none';
}
