import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { openExample, openFiles, openPage } from './support/page.mjs';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const ALL = ['minor', 'moderate', 'serious', 'critical'];

for (const theme of ['light', 'dark']) {
  for (const width of [360, 1024, 1600]) {
    test(`axe finds nothing serious in the ${theme} theme at ${width} px`, async t => {
      const { page } = await openPage(t, { theme, width });
      assert.deepEqual(await violations(page), [], 'empty');
      await openExample(page, 'A refund gone wrong');
      for (const summary of await page.locator('.call > summary, .options > summary').all()) await summary.click();
      await page.locator('.correction').getByRole('button').click();
      await page.locator('.correction .outcome', { hasText: /./ }).waitFor();
      await page.locator('.chip.high').click();
      assert.deepEqual(await violations(page), [], 'with a result');
      const row = await readFile(new URL('../../examples/clean.json', import.meta.url), 'utf8');
      const lines = `${JSON.stringify(JSON.parse(row))}\n{\n`.repeat(2500);
      await openFiles(page, { 'rows.jsonl': lines });
      await page.locator('.file-progress.done').waitFor();
      await page.getByRole('listbox').focus();
      await page.keyboard.press('ArrowDown');
      assert.deepEqual(await violations(page), [], 'with a list');
      await openFiles(page, { 'broken.json': '{"turns": [' });
      await page.getByRole('alert').waitFor();
      assert.deepEqual(await violations(page), [], 'with an error');
      await openExample(page, 'Two runs side by side');
      await page.locator('.figures-table').first().waitFor();
      assert.deepEqual(await violations(page), [], 'with two runs');
    });
  }
}

/** A conversation with times, tokens, cost, Markdown and an unsupported fact. */
const TIMED = {
  trajectory_id: 'timed',
  turns: [
    { turn_id: 1, role: 'user', content: 'What does `A-1` cost?', timestamp: '2025-03-01T10:00:00Z' },
    {
      turn_id: 2,
      role: 'agent',
      content: '# Look-up\n\n1. I look it up\n\n> as told\n\n```json\n{"id": "A-1"}\n```',
      timestamp: '2025-03-01T10:00:02Z',
      usage: { input_tokens: 1200, output_tokens: 34, cost_usd: 0.0041 },
      tool_calls: [{ name: 'get_order', arguments: { id: 'A-1' }, result: { total: 5 }, duration_ms: 350 }],
    },
    {
      turn_id: 3,
      role: 'agent',
      content:
        'It costs **exactly 77.10 euros** in all:\n\n| Item |\n|---|\n| **Lamp** |\n\nSee [the list](https://example.com).',
      timestamp: '2025-03-01T10:00:08Z',
    },
  ],
};

for (const theme of ['light', 'dark']) {
  for (const width of [360, 1366]) {
    test(`axe finds nothing in the panels in the ${theme} theme at ${width} px`, async t => {
      const { page } = await openPage(t, { theme, width });
      const tools = [{ name: 'get_order', input_schema: { type: 'object', properties: { id: {} } } }];
      await openFiles(page, { 'tools.json': tools });
      await page.locator('.lint').waitFor();
      assert.deepEqual(await violations(page, ALL), [], 'lint without a trajectory');
      await openFiles(page, { 'timed.json': TIMED });
      await page.locator('.markdown').first().waitFor();
      await page.keyboard.press('w');
      await page.keyboard.press('t');
      await page.locator('.fact > button').first().focus();
      assert.deepEqual(await violations(page, ALL), [], 'with panels');
      await page.locator('.tool-totals .link').first().click();
      assert.deepEqual(await violations(page, ALL), [], 'with the turns of a tool');
      await page.getByLabel('Find in the conversation').fill('A-1');
      await page.locator('.call.match').waitFor();
      await page.getByLabel('Raw text').check();
      assert.deepEqual(await violations(page, ALL), [], 'with a search and raw text');
      const before = structuredClone(TIMED);
      before.turns[1].tool_calls[0].arguments.id = 'A-2';
      if (width < 900) await page.getByRole('button', { name: 'Show the text' }).click();
      await page.getByRole('tab', { name: 'Before' }).click();
      await openFiles(page, { 'before.json': before });
      await page.getByRole('region', { name: 'Calls before and after' }).waitFor();
      assert.deepEqual(await violations(page, ALL), [], 'with the calls before');
    });
  }
}

test('every control has a name, and every part of the page is a region', async t => {
  const { page } = await openPage(t);
  await openExample(page, 'Several rollouts');
  await page.locator('.options > summary').click();
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll('button, select, input:not([hidden]), [role=listbox], section, summary')]
      .filter(element => {
        const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
        const by = element.getAttribute('aria-labelledby');
        return (by === null ? label : (document.getElementById(by)?.textContent ?? '')).trim() === '';
      })
      .map(element => element.outerHTML.slice(0, 120)),
  );
  assert.deepEqual(nameless, []);
  for (const landmark of ['banner', 'main']) assert.equal(await page.getByRole(landmark).count(), 1, landmark);
  for (const name of ['Input', 'Summary', 'Issues', 'Timeline', 'Take away']) {
    assert.equal(await page.getByRole('region', { name, exact: true }).count(), 1, name);
  }
  assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1);
});

test('nothing moves for users who prefer reduced motion', async t => {
  for (const [motion, expected] of [
    ['reduce', '0s'],
    ['no-preference', '0.3s'],
  ]) {
    const { page } = await openPage(t, { motion });
    await openExample(page, 'A refund gone wrong');
    const arc = page.locator('.dial .arc').first();
    assert.equal(await arc.evaluate(element => getComputedStyle(element).transitionDuration), expected, motion);
  }
});

/** The violations that axe rates so, by default serious or critical: the rule and the elements. */
async function violations(page, impacts = ['serious', 'critical']) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations
    .filter(({ impact }) => impacts.includes(impact))
    .map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`) }));
}
