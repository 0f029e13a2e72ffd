import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import { openExample, openPage, site } from './support/page.mjs';

const BUDGET = JSON.parse(await readFile(new URL('../size-budget.json', import.meta.url), 'utf8'));

test('what is loaded before the first verdict keeps to its budget over the wire', async t => {
  const { page } = await openPage(t);
  await openExample(page, 'A refund gone wrong');
  await page.waitForLoadState('networkidle');
  const sizes = await Promise.all([...new Set(site.requests)].map(async path => [path, await compressed(path)]));
  const sum = chosen => chosen.reduce((total, [, size]) => total + size, 0);
  const code = sum(sizes.filter(([path]) => !path.includes('wasm')));
  const firstLoad = sum(sizes);
  for (const [path, size] of sizes) t.diagnostic(`${path}: ${size} bytes`);
  t.diagnostic(`code and styles ${code} of ${BUDGET.code} bytes, all ${firstLoad} of ${BUDGET.firstLoad}`);
  assert.ok(
    sizes.some(([path]) => path.includes('wasm')),
    'the module is loaded',
  );
  assert.ok(code <= BUDGET.code, `code and styles: ${code} bytes`);
  assert.ok(firstLoad <= BUDGET.firstLoad, `all: ${firstLoad} bytes`);
});

/** The size of a file as hosts send it, with the largest window that browsers take. */
async function compressed(path) {
  const { pathname } = new URL(path, 'http://page');
  const file = await readFile(new URL(`../dist${pathname === '/' ? '/index.html' : pathname}`, import.meta.url));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
  return brotliCompressSync(file, { params }).length;
}
