import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { openExample, openFiles, openPage, shownText } from './support/page.mjs';

const REFUND = 'A refund gone wrong';

const example = name => readFile(new URL(`../../examples/${name}`, import.meta.url), 'utf8');

/** Pastes a text while nothing on the page has the focus. */
const paste = (page, text) =>
  page.evaluate(pasted => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', pasted);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);

test('the timeline begins on the first screen, at every width', async t => {
  for (const [width, height] of [
    [360, 800],
    [1024, 768],
    [1366, 768],
    [1600, 900],
  ]) {
    const { page } = await openPage(t, { width, height });
    await openExample(page, REFUND);
    const top = await page.locator('.conversation').evaluate(element => element.getBoundingClientRect().top);
    assert.ok(top < height * 0.65, `${top} px at ${width} × ${height}`);
  }
});

test('what is pasted anywhere on the page is opened where it belongs', async t => {
  const { page } = await openPage(t);
  await paste(page, await example('refund.json'));
  await page.locator('.summary').waitFor();
  await paste(page, await example('shop.tools.json'));
  await page.locator('.issue', { hasText: 'type_mismatch' }).waitFor();
  assert.equal(await page.getByRole('tab', { selected: true }).textContent(), 'Tools');
});

test('keys lead from issue to issue, and the text follows', async t => {
  const { page } = await openPage(t);
  await openExample(page, REFUND);
  const steps = text => page.locator('.steps .place', { hasText: text }).waitFor();
  await steps(/^9 issues$/);
  await page.keyboard.press('n');
  await steps(/^1 of 9$/);
  await page.locator('.call[open] summary .tool', { hasText: 'lookup_customer' }).waitFor();
  await becomes(() => shownText(page), /lookup_customer/);
  await becomes(() => page.evaluate(() => String(document.activeElement.matches('.call > summary'))), /^true$/);
  await page.keyboard.press('p');
  await steps(/^9 of 9$/);
  await becomes(() => shownText(page), /^95.80 euros$/);
  await page.locator('.chip.medium').click();
  await page.keyboard.press('n');
  await steps(/^1 of 4$/);
  await page.locator('.issue.current .badge.medium').waitFor();
});

test('a key has no effect while the user types', async t => {
  const { page } = await openPage(t);
  await openExample(page, REFUND);
  await page.keyboard.press('/');
  await page.keyboard.type('snip');
  assert.equal(await page.getByLabel('Find in the conversation').inputValue(), 'snip');
  assert.equal(await page.locator('.tabs').isVisible(), true);
  assert.equal(await page.locator('.steps .place').textContent(), '9 issues');
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('s');
  assert.equal(await page.locator('.tabs').isVisible(), true);
});

test('the conversation is narrowed to a search or to its issues, and hidden turns are shown on demand', async t => {
  const { page } = await openPage(t);
  await openExample(page, REFUND);
  const turns = page.locator('.turn:not(.hidden-turns)');
  assert.equal(await turns.count(), 6);
  await page.getByLabel('Find in the conversation').fill('LAMP-3');
  assert.deepEqual(await turns.locator('.number').allTextContents(), ['turn 2']);
  await page.getByRole('button', { name: 'Show 4 hidden turns' }).click();
  assert.equal(await turns.count(), 5);
  await page.getByLabel('Find in the conversation').fill('');
  await page.getByLabel('Only turns with issues').check();
  assert.deepEqual(await turns.locator('.number').allTextContents(), ['turn 3', 'turn 4', 'turn 5', 'turn 6']);
  await page.getByRole('button', { name: 'Show 2 hidden turns' }).click();
  assert.equal(await turns.count(), 6);
});

test('what is searched is highlighted, also in a call that is opened', async t => {
  const { page, problems } = await openPage(t);
  await openExample(page, REFUND);
  const found = () => page.evaluate(() => [...(CSS.highlights.get('found') ?? [])].map(String));
  await page.keyboard.press('/');
  await page.keyboard.type('lamp-3');
  // Fewer letters match more calls, for a moment.
  await page.waitForFunction(() => document.querySelectorAll('.call.match').length === 1);
  assert.deepEqual(await found(), ['LAMP-3']);
  await page.locator('.call.match > summary').click();
  await page.waitForFunction(() =>
    [...CSS.highlights.get('found')].some(place => place.startContainer.parentElement.closest('.call-body')),
  );
  await page.getByLabel('Find in the conversation').fill('');
  await page.waitForFunction(() => !CSS.highlights.has('found'));
  assert.deepEqual(problems, []);
});

test('an issue in a hidden turn shows the turn', async t => {
  const { page } = await openPage(t);
  await openExample(page, REFUND);
  await page.getByLabel('Find in the conversation').fill('LAMP-3');
  await page.getByRole('button', { name: 'Turn 6, reply' }).click();
  await page.locator('.turn .number', { hasText: 'turn 6' }).waitFor();
});

test('each call shows on one line what it returned', async t => {
  const { page } = await openPage(t);
  await openExample(page, REFUND);
  const outcomes = await page.locator('.outcome-of-call').allTextContents();
  assert.equal(outcomes.length, 4);
  assert.match(outcomes[0], /returned .*order_id: "A-1017", total: 59\.8/);
  await page.locator('.call > summary').first().click();
  await page.locator('.call').first().locator('.outcome-of-call').waitFor({ state: 'detached' });
});

test('the text is folded and comes back when a place in it is wanted', async t => {
  const { page } = await openPage(t);
  await openExample(page, REFUND);
  await page.getByRole('button', { name: 'Fold' }).click();
  assert.equal(await page.locator('.document').isVisible(), false);
  const width = await page.locator('.results').evaluate(element => element.clientWidth);
  assert.ok(width > 1100, `${width} px`);
  await page.locator('.issue', { hasText: 'type_mismatch' }).getByRole('button', { name: 'in the text' }).click();
  assert.equal(await page.locator('.document').isVisible(), true);
  assert.equal(await shownText(page), '"59.80"');
  await page.locator('.results').click({ position: { x: 5, y: 5 } });
  await page.locator('.call > summary').first().focus();
  await page.keyboard.press('s');
  await page.getByRole('button', { name: 'Show the text' }).waitFor();
});

test('what was entered is there again after a reload, and a link says itself what to show', async t => {
  const { page, problems } = await openPage(t);
  await openExample(page, REFUND);
  await page.locator('.options > summary').click();
  await page.getByLabel('Fail on').selectOption('critical');
  await page.locator('.gate.passed').waitFor();
  await page.waitForFunction(() => sessionStorage.getItem('toolgauge')?.includes('"failOn":"critical"'));
  await page.reload();
  await page.locator('.gate.passed').waitFor();
  assert.equal(await page.locator('.issue').count(), 9);
  await page.goto(`${page.url()}#state=damaged`);
  await page.reload();
  await page.getByRole('alert').waitFor();
  assert.deepEqual(problems, []);
});

test('a session that someone else wrote is taken like a link', async t => {
  const { page, problems } = await openPage(t);
  await page.evaluate(() => {
    const documents = { trajectory: '{"turns":[{"turn_id":1,"role":"user","content":"x"}]}', tools: 7, before: ['x'] };
    const kept = { documents, options: { failOn: 'constructor', rules: 5 }, active: 'x', fileName: {}, selected: -1 };
    sessionStorage.setItem('toolgauge', JSON.stringify(kept));
  });
  await page.reload();
  await page.locator('.summary').waitFor();
  assert.equal(await page.locator('.options .tally').count(), 0);
  await page.evaluate(() => sessionStorage.setItem('toolgauge', '{'));
  await page.reload();
  await page.locator('.welcome').waitFor();
  assert.deepEqual(problems, []);
});

test('tools that were opened as a trajectory are moved', async t => {
  const { page } = await openPage(t);
  await page.locator('.cm-content').click();
  await page.keyboard.insertText(await example('shop.tools.json'));
  await page.getByText('These are tool definitions.').waitFor();
  await page.getByRole('button', { name: 'Move them to Tools' }).click();
  await page.locator('.welcome').waitFor();
  assert.equal(await page.getByRole('tab', { selected: true }).textContent(), 'Tools');
});

test('the text follows the chosen trajectory', async t => {
  const { page } = await openPage(t);
  await openExample(page, 'Trials of a task');
  await page.locator('.grid-row', { hasText: 'cancel-2' }).click();
  await page.waitForFunction(() => {
    const root = document.querySelector('.editor').shadowRoot;
    return root.querySelector('.cm-shown')?.textContent.includes('"cancel-2"');
  });
});

test('the copied test says whether it fails now', async t => {
  const { page } = await openPage(t);
  await page.context().grantPermissions(['clipboard-write']);
  await openExample(page, 'All as it should be');
  await page.getByRole('button', { name: 'Copy as Vitest test' }).click();
  await page.getByText('It passes as long as the agent does this right.').waitFor();
  await openExample(page, REFUND);
  await page.locator('.gate.failed').waitFor();
  await page.getByRole('button', { name: 'Copy as Vitest test' }).click();
  await page.getByText('It fails until the agent is fixed.').waitFor();
});

test('files of any name can be chosen', async t => {
  const { page } = await openPage(t);
  assert.equal(await page.locator('input[type=file]').getAttribute('accept'), null);
  await openFiles(page, { 'run.traj': await example('clean.json') });
  await page.locator('.gate.passed').waitFor();
});

/** Reads until the text is as expected. The page shows what a key did a moment after it was pressed. */
async function becomes(read, expected) {
  let text = await read();
  for (let round = 0; round < 500 && !expected.test(text); round += 1) {
    await new Promise(resolve => setTimeout(resolve, 20));
    text = await read();
  }
  assert.match(text, expected);
}
