import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFiles, openPage, recordTasks } from './support/page.mjs';

const TURNS = 200;

/** The length of each result, in characters. */
const LENGTH = 50_000;

/** How long a task of the page's thread may take, in milliseconds of processor time. */
const MOST = 50;

/** 200 turns, half of which call a tool. Each result is 50 KB: rows of a table, or a text of many lines. */
function longTrace() {
  const turns = Array.from({ length: TURNS }, (_, index) => {
    const turn = { turn_id: index + 1, timestamp: new Date(1_700_000_000_000 + index * 4_000).toISOString() };
    if (index % 2 === 0) return { ...turn, role: 'user', content: `Look at **item ${index}**.` };
    const name = ['read_file', 'search', 'run_query'][index % 3];
    const call = { id: `c${index}`, name, arguments: { path: `/data/${index}.json` }, result: resultOf(index) };
    const content = `Item ${index - 1} is in stock:\n\n- \`one\`\n- two`;
    return { ...turn, role: 'agent', content, usage: { input_tokens: 1_000, output_tokens: 50 }, tool_calls: [call] };
  });
  return { trajectory_id: 'long', turns };
}

function resultOf(index) {
  if (index % 4 === 1) {
    const row = number => ({ id: `r-${index}-${number}`, name: 'a lamp of brass', price: number, state: 'in stock' });
    return { rows: Array.from({ length: LENGTH / 80 }, (_, number) => row(number)) };
  }
  const lines = Array.from(
    { length: LENGTH / 80 },
    (_, number) => `line ${number} of ${index}: ${'lorem ipsum '.repeat(5)}`,
  );
  return lines.join('\n');
}

test('200 turns with results of 50 KB scroll, fold and search without a task over 50 ms', async t => {
  const { page, problems } = await openPage(t, { width: 1366, height: 800 });
  await openFiles(page, { 'long.json': longTrace() });
  await page
    .locator('.turn')
    .nth(TURNS - 1)
    .waitFor({ state: 'attached' });
  await page.locator('.summary').waitFor();
  // What the page does after it has shown the result is not what is measured here.
  await page.waitForTimeout(2_000);
  const measure = async (name, act) => {
    const end = await recordTasks(page);
    await act();
    await page.waitForTimeout(300);
    const longest = Math.max(...(await end()));
    t.diagnostic(`${name}: the longest task takes ${longest.toFixed(1)} ms`);
    assert.ok(longest < MOST, `${name}: ${longest} ms`);
  };
  const calls = page.locator('.call > summary');
  const search = page.getByLabel('Find in the conversation');
  const showAll = page.getByRole('button', { name: 'Show all lines' });

  await measure('scrolling', async () => {
    await page.mouse.move(700, 500);
    for (let step = 0; step < 30; step += 1) {
      await page.mouse.wheel(0, 900);
      await page.waitForTimeout(20);
    }
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  });
  await measure('unfolding calls', async () => {
    for (const index of [0, 1, 60, 99]) {
      await calls.nth(index).click();
      await page.locator('.call[open]').nth(0).waitFor();
    }
    for (let index = 0; index < 2; index += 1) await showAll.first().click();
    // Playwright's search for a text would be a long task itself.
    await page.locator('.call[open] .piece:nth-child(6)').nth(1).waitFor({ state: 'attached' });
  });
  await measure('folding the text', async () => {
    await page.getByRole('button', { name: 'Fold' }).click();
    await page.waitForTimeout(200);
    await page.getByRole('button', { name: 'Show the text' }).click();
  });
  await measure('searching', async () => {
    await search.click();
    await page.keyboard.type('line 7 of 143:');
    await page.locator('.found', { hasText: '1 turn and 1 call contain the text.' }).waitFor();
    assert.equal(await page.locator('.turn:not(.hidden-turns)').count(), 1);
  });
  await measure('ending the search', async () => {
    await search.fill('');
    await page
      .locator('.turn')
      .nth(TURNS - 1)
      .waitFor({ state: 'attached' });
  });
  await measure('the waterfall', async () => {
    await page.locator('.folded-panel > summary', { hasText: 'Waterfall' }).click();
    await page
      .locator('.waterfall tr')
      .nth(TURNS + TURNS / 2)
      .waitFor({ state: 'attached' });
  });
  await measure('following issues and reading raw text', async () => {
    await page.locator('.steps').getByRole('button', { name: 'Next issue' }).click();
    await page.getByLabel('Raw text').check();
  });
  assert.deepEqual(problems, []);
});
