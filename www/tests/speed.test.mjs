import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { openFiles, openPage } from './support/page.mjs';
import { countScripts } from './support/script-work.mjs';

const example = async name => JSON.parse(await readFile(new URL(`../../examples/${name}`, import.meta.url), 'utf8'));

const LETTERS = 40;

/** How many turns the conversations have. */
const FEW = 10;
const MANY = 200;

/** The limit of the ratio between the work of typing in the long and in the short conversation. It is about 1, but no two rounds are equal. */
const MOST = 3;

test('typing is as much work in 200 turns as in a few, and drawing grows only with the number of turns', async t => {
  const refund = await example('refund.json');
  const tools = await example('shop.tools.json');
  const { page, problems } = await openPage(t);
  await page.clock.install();
  const scriptsRun = await countScripts(page);
  const measure = async count => {
    const turns = Array.from({ length: count }, (_, index) => ({
      ...refund.turns[index % refund.turns.length],
      turn_id: index + 1,
    }));
    const name = `of-${count}`;
    await openFiles(page, { 'tools.json': tools, [`${name}.json`]: { trajectory_id: name, turns } });
    await page
      .locator('.timeline .turn')
      .nth(count - 1)
      .waitFor({ state: 'attached' });
    await page.locator('.cm-content', { hasText: name }).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.locator('.summary').waitFor();
    // The pause before a check does not end during typing, even on a slow machine.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 5_000));
    await scriptsRun();
    for (const letter of ' '.repeat(LETTERS)) await page.keyboard.type(letter);
    const typed = await scriptsRun();
    await page.clock.runFor(5_000);
    await page.clock.resume();
    // Meanwhile the worker checks the text. On a slow machine, a part of the drawing comes too late to be counted.
    await page.waitForTimeout(1_500);
    const drawn = await scriptsRun();
    t.diagnostic(`${count} turns: ${typed} blocks run while ${LETTERS} letters were typed, ${drawn} after that`);
    return { typed, drawn };
  };
  const few = await measure(FEW);
  const many = await measure(MANY);
  assert.ok(many.typed < few.typed * MOST, `${many.typed} blocks against ${few.typed}`);
  assert.ok(many.drawn < few.drawn * (MANY / FEW), `${many.drawn} blocks against ${few.drawn}`);
  assert.deepEqual(problems, []);
});
