import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { openExample, openFiles, openPage } from './support/page.mjs';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

for (const theme of ['light', 'dark']) {
  for (const width of [360, 1280]) {
    test(`axe finds nothing serious in the ${theme} theme at ${width} px`, async t => {
      const { page } = await openPage(t, { theme, width });
      assert.deepEqual(await violations(page), [], 'empty');
      await openExample(page, 'A refund gone wrong');
      for (const summary of await page.locator('.call > summary, .options > summary').all()) await summary.click();
      await page.locator('.chip.high').click();
      assert.deepEqual(await violations(page), [], 'with a result');
      await openFiles(page, { 'broken.json': '{"turns": [' });
      await page.getByRole('alert').waitFor();
      assert.deepEqual(await violations(page), [], 'with an error');
    });
  }
}

/** What axe calls serious or critical: the rule and the elements. */
async function violations(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`) }));
}
