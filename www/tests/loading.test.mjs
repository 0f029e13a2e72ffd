import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { openExample, openFiles, openShell, site } from './support/page.mjs';

const example = name => readFile(new URL(`../../examples/${name}`, import.meta.url), 'utf8');

test('the page paints and takes text before the module has arrived, and then checks by itself', async t => {
  const release = holdModule(t);
  const { page, problems } = await openShell(t);
  await page.locator('.welcome').waitFor();
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length === 1);
  await page.locator('.cm-content').click();
  await page.keyboard.type('{');
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(await example('refund.json'));
  // The editor draws only some of the lines, and either end of the text may be in view: the text says this at both.
  await page.locator('.cm-content', { hasText: '"turn_id"' }).waitFor();
  await page.locator('.loading').waitFor();
  assert.equal(await page.locator('.summary').count(), 0);
  assert.equal(page.workers().length, 0);
  release();
  await page.locator('.timeline .turn').first().waitFor();
  assert.equal(await page.locator('.loading').count(), 0);
  assert.deepEqual(problems, []);
});

test('files that are opened before the module has arrived go where they belong', async t => {
  const release = holdModule(t);
  const { page, problems } = await openShell(t);
  await openFiles(page, { 'run.json': await example('refund.json'), 'tools.json': await example('shop.tools.json') });
  assert.equal(await page.locator('.file-name').count(), 0);
  release();
  await page.locator('.issue', { hasText: 'type_mismatch' }).waitFor();
  assert.equal(await page.getByRole('tab', { selected: true }).textContent(), 'Tools');
  assert.deepEqual(problems, []);
});

test('without a module the page says so, and tries again with the next input', async t => {
  site.hold = path => (path.endsWith('.wasm') ? Promise.reject(new Error('gone')) : undefined);
  t.after(() => {
    site.hold = undefined;
  });
  const { page } = await openShell(t);
  await page.getByLabel('Examples').selectOption({ label: 'A refund gone wrong' });
  await page.locator('.unreadable', { hasText: 'The checker could not be loaded. Are you offline?' }).waitFor();
  site.hold = undefined;
  await openExample(page, 'All as it should be');
});

/** Holds the response with the module back until the returned function is called. */
function holdModule(t) {
  let release = () => {};
  const released = new Promise(resolve => {
    release = resolve;
  });
  site.hold = path => (path.endsWith('.wasm') ? released : undefined);
  t.after(() => {
    site.hold = undefined;
    release();
  });
  return release;
}
