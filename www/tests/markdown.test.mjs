import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFiles, openPage, site } from './support/page.mjs';

/** The last turn is the user's where the text is to have no marks: only replies have facts. */
const conversation = (content, { result = { total: 59.8 }, role = 'agent' } = {}) => ({
  trajectory_id: 'm',
  turns: [
    { turn_id: 1, role: 'user', content: 'What does order A-1 cost?' },
    { turn_id: 2, role: 'agent', content: '', tool_calls: [{ name: 'get_order', arguments: { id: 'A-1' }, result }] },
    { turn_id: 3, role, content },
  ],
});

const reply = page => page.locator('.turn').nth(2).locator('.reply');

const REPLY = `# The order

Here is **what** it _costs_, ~~not~~ \`A-1\`:

| Item | Price |
|---|---|
| Lamp | 59.80 |

1. one
   - inner
2. two

> quoted

\`\`\`js
lamp(59.8);
\`\`\`
- [x] done &amp; \\*dusted\\*
`;

test('replies are shown as Markdown, or as they are written', async t => {
  const { page, problems } = await openPage(t);
  await openFiles(page, { 'm.json': conversation(REPLY, { role: 'user' }) });
  const shown = reply(page).locator('.markdown');
  await shown.waitFor();
  const isFolded = await page.getByRole('button', { name: 'Show all' }).isVisible();
  if (isFolded) await page.getByRole('button', { name: 'Show all' }).click();
  const text = async selector => (await shown.locator(selector).allTextContents()).map(part => part.trim());
  assert.deepEqual(await text('h4'), ['The order']);
  assert.deepEqual(await text('strong'), ['what']);
  assert.deepEqual(await text('em'), ['costs']);
  assert.deepEqual(await text('s'), ['not']);
  assert.deepEqual(await text('code'), ['A-1']);
  assert.deepEqual(await text('th, td'), ['Item', 'Price', 'Lamp', '59.80']);
  assert.deepEqual(await text('ol > li > p'), ['one', 'two']);
  assert.deepEqual(await text('ol ul li'), ['inner']);
  assert.deepEqual(await text('blockquote'), ['quoted']);
  assert.deepEqual(await text('pre'), ['lamp(59.8);']);
  assert.deepEqual(await text(':scope > ul li'), ['☑ done & *dusted*']);
  await page.keyboard.press('r');
  assert.equal(await reply(page).textContent(), REPLY);
  assert.ok(await page.getByLabel('Raw text').isChecked());
  await page.getByLabel('Raw text').focus();
  await page.keyboard.press('Space');
  await shown.waitFor();
  assert.deepEqual(problems, []);
});

test('nothing in a reply becomes HTML, loads an image or leads elsewhere', async t => {
  const { page, problems } = await openPage(t);
  const before = site.elsewhere.length;
  const hostile = [
    '<img src=x onerror="globalThis.hurt = 1"> <script>globalThis.hurt = 1</script>',
    '![pixel](https://images.invalid/p.png?d=secret)',
    '[click](javascript:globalThis.hurt=1) [site](https://site.invalid/x "title") <https://auto.invalid> https://bare.invalid',
    '[ref][1]',
    '[1]: https://ref.invalid',
    '<iframe src="https://frame.invalid"></iframe>',
  ].join('\n\n');
  await openFiles(page, { 'm.json': conversation(hostile, { role: 'user' }) });
  const shown = reply(page).locator('.markdown');
  await shown.waitFor();
  const isFolded = await page.getByRole('button', { name: 'Show all' }).isVisible();
  if (isFolded) await page.getByRole('button', { name: 'Show all' }).click();
  assert.equal(await shown.locator('a, img, script, iframe, [href], [src]').count(), 0);
  const text = await shown.textContent();
  for (const part of [
    '<script>globalThis.hurt = 1</script>',
    'image pixel (https://images.invalid/p.png?d=secret)',
    'click (javascript:globalThis.hurt=1)',
    'site (https://site.invalid/x)',
    'https://auto.invalid',
    '[ref][1]',
    '[1]: https://ref.invalid',
  ]) {
    assert.ok(text.includes(part), `${part} in ${text}`);
  }
  assert.equal(await page.evaluate(() => globalThis.hurt), undefined);
  assert.deepEqual(site.elsewhere.slice(before), []);
  assert.deepEqual(problems, []);
});

test('unsupported facts are marked inside Markdown', async t => {
  const { page } = await openPage(t);
  const content = 'It costs **exactly 95.80 euros** in all:\n\n| Total |\n|---|\n| **77.10 euros** |\n';
  await openFiles(page, { 'm.json': conversation(content) });
  const facts = reply(page).locator('.fact > button');
  await facts.first().waitFor();
  assert.deepEqual(await facts.allTextContents(), ['95.80 euros', '77.10 euros']);
  assert.equal(await reply(page).locator('strong .fact').count(), 2);
  await facts.first().focus();
  await page.getByRole('tooltip').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.call[open]').waitFor();
  await page.keyboard.press('r');
  assert.deepEqual(await reply(page).locator('.plain .fact > button').allTextContents(), [
    '95.80 euros',
    '77.10 euros',
  ]);
});

test('texts that are no Markdown keep each character, and deeply nested ones do no harm', async t => {
  const { page, problems } = await openPage(t);
  const plain = 'a * b = c_d_e, see [x] and {y}\n\tindented\nsecond line\n===\nx > y & z < w';
  await openFiles(page, { 'm.json': conversation(plain, { role: 'user' }) });
  await page.waitForFunction(() => document.querySelectorAll('.turn')[2]?.querySelector('.markdown'));
  const text = (await reply(page).textContent()).replace(/\s+/g, ' ');
  assert.equal(text, plain.replace(/\s+/g, ' '));
  for (const deep of ['> '.repeat(5_000), '- '.repeat(5_000), '*'.repeat(10_000), '['.repeat(10_000)]) {
    await openFiles(page, { 'm.json': conversation(`${deep}x`, { role: 'user' }) });
    await page.getByRole('button', { name: 'Show all' }).click();
  }
  assert.deepEqual(problems, []);
});

test('a text of several lines inside a result is shown as lines', async t => {
  const { page } = await openPage(t);
  await openFiles(page, { 'm.json': conversation('Done.', { result: { output: 'first\nsecond\nthird', code: 0 } }) });
  await page.locator('.call > summary').click();
  const lines = page.locator('.call .value').nth(1).locator('.line');
  assert.deepEqual(
    (await lines.allTextContents()).map(line => line.trim()),
    ['{', '"output": "first', 'second', 'third",', '"code": 0', '}'],
  );
});
