import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { openExample, openPage, site } from './support/page.mjs';

const BUDGET = JSON.parse(await readFile(new URL('../size-budget.json', import.meta.url), 'utf8'));

/** As hosts do that compress well, with the largest window that browsers take, and as the others do. */
const ENCODINGS = {
  br: body =>
    brotliCompressSync(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
    }),
  gzip: body => gzipSync(body, { level: 6 }),
};

for (const [name, compress] of Object.entries(ENCODINGS)) {
  test(`a first visit keeps to its budget up to the first verdict, with ${name}`, async t => {
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
    // Nothing is put off until after the verdict.
    await page.waitForLoadState('networkidle');
    const sum = chosen => chosen.reduce((total, { bytes }) => total + bytes, 0);
    const isModule = ({ path }) => path.includes('wasm');
    const code = sum(sent.filter(file => !isModule(file)));
    const firstLoad = sum(sent);
    for (const { path, bytes } of sent) t.diagnostic(`${path}: ${bytes} bytes`);
    t.diagnostic(`code and styles ${code} bytes, all ${firstLoad}; budget ${JSON.stringify(BUDGET[name])}`);
    assert.ok(sent.some(isModule), 'the module is loaded');
    assert.deepEqual(sent.map(({ path }) => path).sort(), requested().sort(), 'every file is counted');
    assert.ok(code <= BUDGET[name].code, `code and styles: ${code} bytes`);
    assert.ok(firstLoad <= BUDGET[name].firstLoad, `all: ${firstLoad} bytes`);
    assert.deepEqual(problems, []);
  });
}
