import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { openExample, openFiles, openPage, shownText } from './support/page.mjs';

const REFUND = 'A refund gone wrong';

/** The text of one of the repository's examples. */
const example = name => readFile(new URL(`../../examples/${name}`, import.meta.url), 'utf8');

test('an example shows its score, its issues and the worst severity of each call', async t => {
  const { page, problems } = await openPage(t);
  await openExample(page, REFUND);
  assert.equal(await formatShown(page), 'harness (detected)');
  assert.match(await page.locator('.gate').textContent(), /Fails: 5 issues are high or worse/);
  assert.equal(await page.locator('.dial', { hasText: 'Score' }).locator('.dial-value').textContent(), '0.225');
  assert.equal(await page.locator('.dial', { hasText: 'Accuracy' }).locator('.dial-value').textContent(), '0.286');
  const types = await page.locator('.issue .type').allTextContents();
  for (const type of ['hallucinated_result', 'type_mismatch', 'deprecated_tool', 'missing_result']) {
    assert.ok(types.includes(type), type);
  }
  const verdicts = page.locator('.call .verdict');
  const labels = await verdicts.evaluateAll(all => all.map(one => one.getAttribute('aria-label')));
  assert.deepEqual(labels, ['no issue', 'medium', 'high', 'high', 'medium']);
  assert.deepEqual(problems, []);
});

test('each built-in example is read and checked', async t => {
  const { page, problems } = await openPage(t);
  const names = await page.getByLabel('Examples').locator('option:not([disabled])').allTextContents();
  assert.ok(names.length >= 6);
  for (const name of names) {
    await openExample(page, name);
    await page.locator('.timeline .turn').first().waitFor();
    assert.equal(await page.locator('.problem-line').count(), 0, name);
  }
  assert.deepEqual(problems, []);
});

test('filters narrow the issues by severity and by type, and are undone', async t => {
  const { page } = await openPage(t);
  await openExample(page, REFUND);
  const issues = page.locator('.issue');
  const all = await issues.count();
  await page.locator('.chip.medium').click();
  const medium = await issues.count();
  assert.ok(medium > 0 && medium < all);
  assert.deepEqual([...new Set(await page.locator('.issue .badge').allTextContents())], ['medium']);
  await page.locator('.bar', { hasText: 'deprecated_tool' }).click();
  assert.equal(await issues.count(), 1);
  assert.match(await page.locator('.shown').textContent(), new RegExp(`^1 of ${all} issues`));
  await page.locator('.shown').getByRole('button', { name: 'Show all' }).click();
  assert.equal(await issues.count(), all);
});

test('an issue leads to its call in the timeline and to its place in the text', async t => {
  const { page } = await openPage(t);
  await openExample(page, REFUND);
  const issue = page.locator('.issue', { hasText: 'type_mismatch' });
  await issue.getByRole('button', { name: 'Turn 4, refund_order' }).click();
  const call = page.locator('.call[open]');
  await call.locator('.call-body').waitFor();
  assert.equal(await call.locator('summary .tool').textContent(), 'refund_order');
  assert.ok(await call.locator('summary').evaluate(summary => summary === document.activeElement));
  assert.deepEqual(await call.locator('.line.marked .key').allTextContents(), [
    '"amount": ',
    '"reason": ',
    '"email": ',
  ]);
  await issue.getByRole('button', { name: 'in the text' }).click();
  assert.equal(await shownText(page), '"59.80"');
});

test('a place is found in the text of other formats too', async t => {
  const { page } = await openPage(t);
  await openExample(page, 'OpenAI chat messages');
  assert.equal(await formatShown(page), 'openai-chat (detected)');
  await page.locator('.issue').first().getByRole('button', { name: 'in the text' }).click();
  assert.match(await shownText(page), /search_products|limit/);
});

test('an unsupported fact is marked in the reply, and its evidence appears on hover and focus', async t => {
  const { page } = await openPage(t);
  await openExample(page, REFUND);
  const fact = page.locator('.reply .fact');
  assert.equal(await fact.locator('button').textContent(), '95.80 euros');
  const evidence = fact.getByRole('tooltip', { includeHidden: true });
  assert.ok(await evidence.isHidden());
  await fact.hover();
  assert.ok(await evidence.isVisible());
  await page.mouse.move(0, 0);
  await evidence.waitFor({ state: 'hidden' });
  await fact.locator('button').focus();
  assert.ok(await evidence.isVisible());
  assert.match(await evidence.textContent(), /Closest: 59\.8 in get_order, at total/);
  await page.keyboard.press('Enter');
  await page.locator('.call[open] .call-body').waitFor();
  assert.equal(await page.locator('.call[open] summary .tool').textContent(), 'get_order');
});

test('expected calls are beside the actual ones, with each difference', async t => {
  const { page } = await openPage(t);
  await openExample(page, REFUND);
  const pair = page.locator('.pair.incorrect');
  assert.deepEqual(await pair.locator('.side h4').allTextContents(), ['Expected', 'Actual']);
  assert.match(await pair.locator('.differences').textContent(), /args\.notify unexpected: expected nothing, got/);
  assert.ok((await pair.locator('.line.marked').count()) > 0);
  assert.equal(await page.locator('.pair.extra').count(), 3);
});

test('options take effect at once', async t => {
  const { page } = await openPage(t);
  await openExample(page, REFUND);
  await page.locator('.options > summary').click();
  await page.getByLabel('Fail on').selectOption('never');
  await page.locator('.gate.passed').waitFor();
  await page.getByLabel('Fail on').selectOption('high');
  await page.locator('.gate.failed').waitFor();
  await page.getByLabel(/^Strict/).check();
  await page.locator('.dial-value', { hasText: '0.15' }).waitFor();
  const unknown = page.locator('.issue .type', { hasText: /^unknown_tool$/ });
  await unknown.waitFor();
  await page.getByLabel('Allow unknown tools').check();
  await unknown.waitFor({ state: 'detached' });
});

test('a rule is switched off from an issue, and back on among the options', async t => {
  const { page, problems } = await openPage(t);
  await openExample(page, REFUND);
  const issues = page.locator('.issue');
  const deprecated = issues.filter({ hasText: 'deprecated_tool' });
  const all = await issues.count();
  await deprecated.getByRole('button', { name: 'Switch off the rule deprecated_tool' }).click();
  await page.waitForFunction(number => document.querySelectorAll('.issue').length === number, all - 1);
  assert.equal(await deprecated.count(), 0);
  await page.locator('.options summary').click();
  const severity = page.getByRole('combobox', { name: 'deprecated_tool' });
  await severity.selectOption('critical');
  await deprecated.locator('.badge.critical').waitFor();
  await severity.selectOption('default');
  await deprecated.locator('.badge.medium').waitFor();
  assert.equal(await page.locator('.options .tally').count(), 0);
  assert.deepEqual(problems, []);
});

test('an error in the JSON is marked where it is, and the page says why', async t => {
  const { page } = await openPage(t);
  await openFiles(page, { 'broken.json': '{\n  "turns": [\n    {"turn_id": 1,}\n  ]\n}' });
  const alert = page.getByRole('alert');
  await alert.waitFor();
  assert.match(await alert.textContent(), /^Line 3: not valid JSON: trailing comma/);
  await page.locator('.cm-problem').waitFor();
  await page.locator('.cm-problem-sign').waitFor();
});

test('a value of the wrong shape is marked where it is', async t => {
  const { page } = await openPage(t);
  await openFiles(page, {
    'wrong.json': '{\n  "turns": [\n    {"turn_id": 1,\n     "role": "robot", "content": ""}\n  ]\n}',
  });
  const alert = page.getByRole('alert');
  await alert.waitFor();
  assert.match(await alert.textContent(), /^Line 4: turns\[0\]\.role: expected/);
  assert.equal(await page.locator('.cm-problem').textContent(), '"robot"');
});

test('typed text is checked, and files go where they belong', async t => {
  const { page } = await openPage(t);
  await page.locator('.cm-content').click();
  await page.keyboard.insertText(await example('refund.json'));
  await page.locator('.summary').waitFor();
  assert.equal(await page.locator('.issue', { hasText: 'type_mismatch' }).count(), 0);
  await openFiles(page, { 'shop.json': await example('shop.tools.json') });
  await page.locator('.issue', { hasText: 'type_mismatch' }).waitFor();
  assert.equal(await page.getByRole('tab', { selected: true }).textContent(), 'Tools');
  assert.equal(await page.locator('.comparison').count(), 0);
  await openFiles(page, { 'expected.json': await example('expected.json') });
  await page.locator('.comparison').waitFor();
  assert.equal(await page.getByRole('tab', { selected: true }).textContent(), 'Expected calls');
});

test('a file that is dropped is opened', async t => {
  const { page } = await openPage(t);
  const transfer = await page.evaluateHandle(
    text => {
      const data = new DataTransfer();
      data.items.add(new File([text], 'refund.json', { type: 'application/json' }));
      return data;
    },
    await example('refund.json'),
  );
  await page.dispatchEvent('.page', 'drop', { dataTransfer: transfer });
  await page.locator('.summary').waitFor();
  assert.equal(await page.locator('.file-name').textContent(), 'refund.json');
});

test('each of several trajectories can be chosen', async t => {
  const { page } = await openPage(t);
  const one = JSON.stringify(JSON.parse(await example('refund.json')));
  const two = JSON.stringify(JSON.parse(await example('clean.json')));
  await openFiles(page, { 'runs.jsonl': `${one}\n${two}\n` });
  const rows = page.getByRole('listbox', { name: 'Trajectories' }).getByRole('option');
  await rows.nth(1).waitFor();
  assert.equal(await rows.count(), 2);
  await rows.nth(1).click();
  await page.locator('.issues .calm').waitFor();
});

test('with the keyboard alone an example is opened, filtered and followed to its call', async t => {
  const { page } = await openPage(t);
  await tabTo(page, element => element.matches('.example-cards button'));
  await page.keyboard.press('Enter');
  await page.locator('.summary').waitFor();
  await page.locator('[role=tab][aria-selected=true]').focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-tools');
  assert.equal(await page.getByRole('tab', { selected: true }).textContent(), 'Tools');
  await tabTo(page, element => element.matches('.chip.high'));
  await page.keyboard.press('Space');
  assert.deepEqual([...new Set(await page.locator('.issue .badge').allTextContents())], ['high']);
  await tabTo(page, element => element.matches('.issue-links .link'));
  await page.keyboard.press('Enter');
  await page.locator('.call[open] .call-body').waitFor();
  await page.waitForFunction(() => document.activeElement.matches('.call > summary'));
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.equal(outline, 'solid');
});

test('no page is wider than its window', async t => {
  for (const width of [360, 1024, 1600]) {
    const { page } = await openPage(t, { width });
    await openExample(page, REFUND);
    for (const summary of await page.locator('.call > summary').all()) await summary.click();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${wide} px too wide at ${width} px`);
  }
});

test('the format can be overridden, also with the keyboard, and is detected again', async t => {
  const { page } = await openPage(t);
  await openExample(page, 'OpenAI chat messages');
  const format = page.getByLabel('Format');
  await format.focus();
  await page.keyboard.type('tooltalk');
  await page.keyboard.press('Enter');
  assert.equal(await format.inputValue(), 'tooltalk');
  await page.getByRole('alert').waitFor();
  await format.selectOption('openai-chat');
  await page.locator('.summary').waitFor();
  assert.equal(await formatShown(page), 'openai-chat');
  await format.selectOption('auto');
  await page.locator('.summary').waitFor();
  assert.equal(await formatShown(page), 'openai-chat (detected)');
});

test('a file on one line is shown on many', async t => {
  const { page } = await openPage(t);
  await openFiles(page, {
    'small.json': '{"turns":[{"turn_id":1.0e0,"role":"user","content":"a, b: {}","x":{},"y":[]}]}',
  });
  await page.locator('.summary').waitFor();
  const text = await page.locator('.cm-line').allTextContents();
  assert.deepEqual(text, [
    '{',
    '  "turns": [',
    '    {',
    '      "turn_id": 1.0e0,',
    '      "role": "user",',
    '      "content": "a, b: {}",',
    '      "x": {},',
    '      "y": []',
    '    }',
    '  ]',
    '}',
  ]);
});

/** The format that the page shows. */
function formatShown(page) {
  return page.getByLabel('Format').evaluate(select => select.selectedOptions[0].textContent);
}

/** Presses Tab until the focused element matches `wanted`. */
async function tabTo(page, wanted) {
  for (let pressed = 0; pressed < 60; pressed += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluateHandle(() => document.activeElement);
    if (await focused.evaluate(wanted)) return;
  }
  assert.fail('Tab does not lead there');
}
