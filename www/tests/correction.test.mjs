import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openExample, openFiles, openPage } from './support/page.mjs';

const REFUND = 'A refund gone wrong';

const TOOLS = [
  {
    name: 'search_products',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string' },
        limit: { type: 'integer' },
        colour: { type: 'string' },
        sizes: { type: 'array', items: { type: 'integer' } },
        currency: { type: 'string', default: 'EUR' },
      },
      required: ['query', 'currency'],
      additionalProperties: false,
    },
  },
];

const VALID = { name: 'search_products', arguments: { query: 'lamp', currency: 'EUR' }, result: [] };

test('an invalid call of an example shows its correction below its issues, other calls show none', async t => {
  const { page, problems } = await openPage(t);
  await openExample(page, REFUND);
  await openCalls(page);
  const correction = page.locator('.correction');
  assert.equal(await correction.count(), 1);
  await correction.getByRole('heading', { name: 'Suggested correction' }).waitFor();
  const call = page.locator('.call', { has: correction });
  assert.equal(await call.locator('summary .tool').textContent(), 'search_product');
  assert.equal(await call.locator('.call-issues + .correction + h4').textContent(), 'Arguments');
  assert.deepEqual(await changesOf(correction), [
    ['the tool "search_product" became "search_products"', 'name "search_product" → "search_products"'],
  ]);
  assert.deepEqual(problems, []);
});

/** The changes to a call with one error of each kind. */
const CHANGES = [
  [
    'the tool "functions.search_products" became "search_products"',
    'name "functions.search_products" → "search_products"',
  ],
  ['currency was missing and became "EUR", its default', 'currency nothing → "EUR"'],
  ['color was renamed to colour', 'color → colour'],
  ['page was left out, because the tool has no such argument', 'page 2 → nothing'],
  ['limit: "5" became 5', 'limit "5" → 5'],
  ['sizes[0]: "38" became 38', 'sizes[0] "38" → 38'],
  ['sizes[1]: "39" became 39', 'sizes[1] "39" → 39'],
];

test('each change is described in words, and as a path with the values before and after', async t => {
  const { page } = await openPage(t);
  const sizes = ['38', '39'];
  const made = { query: 'lamp', limit: '5', color: 'red', sizes, page: 2 };
  await openFiles(page, filesWith([{ name: 'functions.search_products', arguments: made, result: [] }]));
  await openCalls(page);
  const correction = page.locator('.correction');
  assert.deepEqual(await changesOf(correction), CHANGES);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await correction.getByRole('button', { name: 'Copy corrected call of search_products' }).click();
  await correction.getByRole('status').filter({ hasText: 'Corrected call copied.' }).waitFor();
  const corrected = {
    name: 'search_products',
    arguments: { query: 'lamp', limit: 5, colour: 'red', sizes: [38, 39], currency: 'EUR' },
  };
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.deepEqual(JSON.parse(copied), corrected);
  assert.match(copied, /^\{\n {2}"name": "search_products",\n {2}"arguments": \{\n {4}"/);
});

test('arguments that are not JSON are corrected if their meaning is clear', async t => {
  const { page } = await openPage(t);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const text = '{"query": "lamp", "currency": "EUR",}';
  const tool_calls = [{ id: 'a', type: 'function', function: { name: 'search_products', arguments: text } }];
  const messages = [
    { role: 'user', content: 'A lamp.' },
    { role: 'assistant', content: null, tool_calls },
    { role: 'tool', tool_call_id: 'a', content: '[]' },
  ];
  const tools = TOOLS.map(({ name, inputSchema: parameters }) => ({
    type: 'function',
    function: { name, parameters },
  }));
  // The trajectory contains the definitions.
  await openFiles(page, { 'chat.json': { messages, tools } });
  await page.locator('.summary').waitFor();
  await openCalls(page);
  const correction = page.locator('.correction');
  assert.deepEqual(await changesOf(correction), [
    ['the arguments were read from text', `arguments ${JSON.stringify(text)} → {"query":"lamp","currency":"EUR"}`],
  ]);
  await correction.getByRole('button', { name: 'Copy corrected call of search_products' }).click();
  await correction.locator('.outcome', { hasText: 'Corrected call copied.' }).waitFor();
  const { name, arguments: corrected } = VALID;
  assert.deepEqual(JSON.parse(await page.evaluate(() => navigator.clipboard.readText())), {
    name,
    arguments: corrected,
  });
});

test('a call without a clear correction shows none', async t => {
  const calls = {
    valid: VALID,
    'what is missing is not known': { ...VALID, arguments: { currency: 'EUR' } },
    'no such tool': { ...VALID, name: 'book_flight' },
    'no name': { arguments: { query: 'lamp' } },
    incomplete: { ...VALID, arguments: { query: 'lamp', limit: '5' }, incomplete: true },
    'the call is valid, its result is missing': { ...VALID, result: undefined },
  };
  const { page } = await openPage(t);
  await openFiles(page, filesWith(Object.values(calls)));
  await openCalls(page);
  assert.equal(await page.locator('.call-body').count(), Object.keys(calls).length);
  assert.ok((await page.locator('.call-issues').count()) >= 3);
  assert.equal(await page.locator('.correction').count(), 0);
  const { 'run.json': run } = filesWith([{ ...VALID, arguments: { query: 5, limit: '5' } }]);
  const other = await openPage(t);
  await openFiles(other.page, { 'run.json': run });
  await other.page.locator('.summary').waitFor();
  await openCalls(other.page);
  assert.equal(await other.page.locator('.correction').count(), 0, 'without tools');
  await openFiles(other.page, { 'tools.json': TOOLS });
  await other.page.locator('.correction').waitFor();
});

test('with the keyboard alone a correction is copied, and where that is not allowed it can be selected', async t => {
  const { page, problems } = await openPage(t);
  await page.evaluate(() => {
    globalThis.texts = [];
    navigator.clipboard.writeText = async text => {
      globalThis.texts.push(text);
      if (globalThis.texts.length === 1) throw new DOMException('not allowed', 'NotAllowedError');
    };
  });
  await openExample(page, REFUND);
  await page.locator('.call', { hasText: 'search_product' }).locator('summary').focus();
  await page.keyboard.press('Enter');
  const correction = page.locator('.correction');
  await correction.waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Copy corrected call');
  await page.keyboard.press('Enter');
  const status = correction.getByRole('status');
  await status.filter({ hasText: 'The browser does not let this page copy: select the call below.' }).waitFor();
  const corrected = { name: 'search_products', arguments: { query: 'lamp' } };
  assert.deepEqual(JSON.parse(await correction.locator('.value').textContent()), corrected);
  await page.keyboard.press('Enter');
  await status.filter({ hasText: 'Corrected call copied.' }).waitFor();
  assert.equal(await correction.locator('.value').count(), 0);
  assert.deepEqual(
    (await page.evaluate(() => globalThis.texts)).map(text => JSON.parse(text)),
    [corrected, corrected],
  );
  assert.deepEqual(problems, []);
});

test('the page reports a copy only beside the correction that was copied', async t => {
  const { page } = await openPage(t);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const wrong = limit => ({ ...VALID, arguments: { ...VALID.arguments, limit } });
  await openFiles(page, filesWith([wrong('5')]));
  await openCalls(page);
  const correction = page.locator('.correction');
  await correction.getByRole('button').click();
  await correction.locator('.outcome', { hasText: 'Corrected call copied.' }).waitFor();
  await openFiles(page, filesWith([wrong('6')]));
  await correction.locator('ins', { hasText: '6' }).waitFor();
  assert.equal(await correction.locator('.outcome').textContent(), '');
});

test('the first 200 wrong calls are corrected, and the first 12 changes of each are shown', async t => {
  const { page } = await openPage(t);
  const sizes = Array.from({ length: 40 }, (_, index) => String(index));
  const wrong = change => ({ ...VALID, arguments: { ...VALID.arguments, ...change } });
  await openFiles(page, filesWith([wrong({ sizes }), ...Array.from({ length: 209 }, () => wrong({ limit: '5' }))]));
  await openCalls(page);
  assert.equal(await page.locator('.correction').count(), 200);
  assert.equal(await page.locator('.call').nth(199).locator('.correction').count(), 1);
  const correction = page.locator('.correction').first();
  assert.equal(await correction.locator('.changes li').count(), 12);
  await correction.getByRole('button', { name: 'Show all 40 changes' }).click();
  assert.equal(await correction.locator('.changes li').count(), 40);
});

test('a call with very many values is not corrected, which would take too long', async t => {
  const { page } = await openPage(t);
  const sizes = Array.from({ length: 50_000 }, (_, index) => String(index));
  const inText = { ...VALID.arguments, sizes: JSON.stringify(sizes) };
  const calls = [{ ...VALID.arguments, sizes }, inText].map(made => ({ ...VALID, arguments: made }));
  await openFiles(page, filesWith(calls));
  await openCalls(page);
  assert.ok((await page.locator('.call-issues li').count()) > 100);
  assert.equal(await page.locator('.correction').count(), 0);
});

test('long values are cut and break, also on narrow screens', async t => {
  const { page } = await openPage(t, { width: 360 });
  const color = 'x'.repeat(4000);
  await openFiles(page, filesWith([{ ...VALID, arguments: { ...VALID.arguments, color, [color]: color } }]));
  await openCalls(page);
  await page.locator('.correction').waitFor();
  const longest = Math.max(...(await page.locator('.difference ins').allTextContents()).map(text => text.length));
  assert.ok(longest < 200, `${longest} characters`);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
});

/** A trajectory with these calls, and the tools. */
function filesWith(tool_calls) {
  const turns = [
    { turn_id: 1, role: 'user', content: 'A lamp, please.' },
    { turn_id: 2, role: 'agent', content: '', tool_calls },
  ];
  return { 'tools.json': TOOLS, 'run.json': { trajectory_id: 'run', turns } };
}

/** Opens the calls once they are checked. */
async function openCalls(page) {
  await page.locator('.call > summary').first().waitFor();
  await page.locator('.results[aria-busy=false]').waitFor();
  await page.locator('.call:not([open]) > summary').evaluateAll(all => {
    for (const summary of all) summary.click();
  });
  await page.locator('.call-body').last().waitFor();
}

/** The changes of a correction: the words and the difference. */
function changesOf(correction) {
  return correction
    .locator('.changes li')
    .evaluateAll(all => all.map(item => [item.firstChild.textContent, item.querySelector('.difference').textContent]));
}
