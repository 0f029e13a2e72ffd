import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { openExample, openPage, site } from './support/page.mjs';

const BUDGET = JSON.parse(await readFile(new URL('../size-budget.json', import.meta.url), 'utf8'));

/** Brotli with the largest window that browsers accept, as the best hosts use it; and gzip, as the others use it. */
const ENCODINGS = {
  br: body =>
    brotliCompressSync(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
    }),
  gzip: body => gzipSync(body, { level: 6 }),
};

for (const [name, compress] of Object.entries(ENCODINGS)) {
  test(`the shell and the whole page keep to their budgets with ${name}`, async t => {
    const sent = [];
    const before = site.requests.length;
    const requested = () => site.requests.slice(before).map(path => new URL(path, site.address).pathname);
    site.encode = (body, path) => {
      const encoded = compress(body);
      sent.push({ path, bytes: encoded.length });
      return { name, body: encoded };
    };
    t.after(() => {
      site.encode = undefined;
    });
    const { page, problems } = await openPage(t);
    await openExample(page, 'A refund gone wrong');
    await page.locator('.timeline .turn').first().waitFor();
    await page.locator('.comparison').waitFor();
    // Nothing is postponed until after the result.
    await page.waitForLoadState('networkidle');
    const ofShell = await shellFiles(page);
    const sum = files => files.reduce((total, { bytes }) => total + bytes, 0);
    const shell = sum(sent.filter(({ path }) => ofShell.has(path)));
    const all = sum(sent);
    for (const { path, bytes } of sent) t.diagnostic(`${path}: ${bytes} bytes`);
    t.diagnostic(`shell ${shell} bytes, all ${all}; budget ${JSON.stringify(BUDGET[name])}`);
    assert.ok(ofShell.has('/'));
    assert.ok(
      sent.some(({ path }) => path.endsWith('.wasm') && !ofShell.has(path)),
      'the module follows the shell',
    );
    assert.deepEqual(sent.map(({ path }) => path).sort(), requested().sort(), 'every file is counted');
    assert.ok(shell <= BUDGET[name].shell, `shell: ${shell} bytes`);
    assert.ok(all <= BUDGET[name].all, `all: ${all} bytes`);
    assert.deepEqual(problems, []);
  });
}

/** The paths of the page and of what it requested before its `load` event: after that it is painted and takes input. */
async function shellFiles(page) {
  const paths = await page.evaluate(() => {
    const [{ name, loadEventStart }] = performance.getEntriesByType('navigation');
    const earlier = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < loadEventStart);
    return [name, ...earlier.map(resource => resource.name)].map(address => new URL(address).pathname);
  });
  return new Set(paths);
}
