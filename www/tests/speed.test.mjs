import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { openFiles, openPage } from './support/page.mjs';

const example = async name => JSON.parse(await readFile(new URL(`../../examples/${name}`, import.meta.url), 'utf8'));

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
  await page.evaluate(() => {
    globalThis.tasks = [];
    new PerformanceObserver(list => {
      for (const { duration } of list.getEntries()) globalThis.tasks.push(duration);
    }).observe({ type: 'longtask' });
  });
  const start = Date.now();
  await openFiles(page, { 'long.json': { trajectory_id: 'long', turns } });
  await page.locator('.timeline .turn').nth(199).waitFor({ state: 'attached' });
  t.diagnostic(
    `200 turns from the file to the drawn timeline: ${Date.now() - start} ms, the pause for typing included`,
  );
  t.diagnostic((await page.locator('.summary .extent').allTextContents()).join(', '));
  const drawing = await page.evaluate(() => globalThis.tasks.splice(0));
  t.diagnostic(`long tasks while it was drawn, in ms: ${drawing.map(Math.round).join(', ') || 'none'}`);
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowDown');
  const typed = await page.evaluate(() => performance.now());
  for (const letter of ' '.repeat(40)) await page.keyboard.type(letter, { delay: 15 });
  await page.waitForTimeout(1500);
  const elapsed = await page.evaluate(from => performance.now() - from, typed);
  const tasks = await page.evaluate(() => globalThis.tasks);
  const blocked = tasks.reduce((sum, duration) => sum + duration, 0);
  t.diagnostic(`long tasks while 40 letters were typed, in ms: ${tasks.map(Math.round).join(', ') || 'none'}`);
  assert.ok(blocked < elapsed / 4, `the page was busy ${blocked} of ${elapsed} ms`);
  assert.deepEqual(problems, []);
});
