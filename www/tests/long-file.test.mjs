import assert from 'node:assert/strict';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { after, test } from 'node:test';
import { openExample, openPage, recordTasks } from './support/page.mjs';

const folder = mkdtempSync(join(tmpdir(), 'toolgauge-long-file-'));
after(() => rmSync(folder, { recursive: true }));

const example = name => JSON.parse(readFileSync(new URL(`../../examples/${name}`, import.meta.url), 'utf8'));
const TOOLS = new URL('../../examples/shop.tools.json', import.meta.url);

/** Every third trajectory goes wrong. */
const KINDS = [example('refund.json'), example('clean.json'), example('clean.json')];

test('a file of 100 MB is checked while the page stays responsive', { timeout: 300_000 }, async t => {
  const { path, lines } = await longFile('long.jsonl', 100_000_000);
  const { page, problems } = await openPage(t);
  const checked = await recordTasks(page);
  await openPaths(page, [path]);
  await page.locator('progress').waitFor();
  await page.locator('.summary').waitFor();
  // The first trajectory is shown, and others can be found and opened, while the rest is still read.
  await page.getByLabel('Find by id or line').fill('run-30');
  await page.locator('.grid-row', { hasText: 'run-30' }).first().click();
  await page.getByRole('button', { name: 'Sort by Score' }).click();
  assert.equal(await page.locator('progress').count(), 1, 'the file is still read');
  await page.getByLabel('Find by id or line').fill('');
  await page.locator('.file-progress.done').waitFor({ timeout: 240_000 });
  assert.match(
    await page.locator('.file-progress').textContent(),
    new RegExp(`${lines.toLocaleString('en')} trajectories`),
  );
  const longest = (await checked()).sort((a, b) => b - a);
  t.diagnostic(`longest tasks while it was read, in ms: ${longest.slice(0, 8).map(Math.round).join(', ')}`);
  const sorted = await recordTasks(page);
  await page.evaluate(() => {
    const numbers = Float64Array.from({ length: 130_000 }, (_, index) => (index * 2654435761) % 4294967296);
    for (let round = 0; round < 10; round += 1) Float64Array.from(numbers).sort((a, b) => a - b);
  });
  const yardstick = Math.max(...(await sorted()));
  t.diagnostic(`sorting as many numbers ten times: ${Math.round(yardstick)} ms`);
  assert.ok(longest[0] < yardstick, `${longest[0]} ms against ${yardstick} ms`);
  assert.ok((await page.locator('.grid-row').count()) < 60, 'only rows in view are drawn');
  assert.deepEqual(problems, []);
});

test('expected calls count in the list of a long file: those that its lines carry, or else those that are given', async t => {
  const lines = readFileSync(new URL('../../examples/trials.jsonl', import.meta.url), 'utf8').trim();
  const path = join(folder, 'expected.jsonl');
  writeFileSync(path, `${lines}\n`.repeat(300));
  const { page, problems } = await openPage(t);
  await openPaths(page, [path]);
  await page.locator('.file-progress.done', { hasText: '2,400 of 3,600 call what is expected' }).waitFor();
  await page.getByLabel('Only failing').check();
  await page.locator('.list .tally', { hasText: '1,200 of 3,600 rows' }).waitFor();
  await page.getByRole('button', { name: 'Sort by Accuracy' }).waitFor();
  const expected = join(folder, 'expected.json');
  writeFileSync(expected, JSON.stringify([{ tool: 'get_order', args: { order: 'W-7' } }]));
  await openPaths(page, [expected]);
  await page.locator('.file-progress.done', { hasText: '0 of 3,600 call what is expected' }).waitFor();
  assert.deepEqual(problems, []);
});

test('a check is cancelled, and the rows found so far stay', { timeout: 120_000 }, async t => {
  const { path } = await longFile('cancelled.jsonl', 60_000_000);
  const { page } = await openPage(t);
  await openPaths(page, [path]);
  // The fifth row is opened below, and a slow machine shows the summary before it is there.
  await page.locator('.grid-row').nth(4).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.locator('.file-progress.stopped', { hasText: /Stopped at \d+ %/ }).waitFor();
  const tally = await page.locator('.list .tally').textContent();
  assert.match(tally, /^[\d,]+ rows$/);
  await page.waitForTimeout(700);
  assert.equal(await page.locator('.list .tally').textContent(), tally);
  await page.locator('.grid-row').nth(4).click();
  await page.locator('.grid-row[aria-selected=true]', { hasText: 'run-4' }).waitFor();
  await page.locator('.cm-content', { hasText: '"run-4"' }).waitFor();
});

test('the list is sorted, filtered and walked with the keyboard alone', async t => {
  const { path, lines } = await longFile('middle.jsonl', 1_500_000);
  const { page, problems } = await openPage(t);
  await openPaths(page, [path, TOOLS.pathname]);
  await page.locator('.file-progress.done').waitFor();
  await page.getByRole('button', { name: 'Sort by Score' }).focus();
  await page.keyboard.press('Enter');
  const scores = () => page.locator('.grid-row .score').allTextContents();
  const numbers = (await scores()).map(text => Number(text.replace('score ', '')));
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
  );
  assert.ok(numbers[0] < 0.5);
  await page.keyboard.press('Enter');
  assert.ok(Number((await scores())[0].replace('score ', '')) > 0.9);
  const find = page.getByLabel('Find by id or line');
  await find.focus();
  await page.keyboard.type('run-12');
  await page.locator('.list .tally', { hasText: /^\d+ of/ }).waitFor();
  for (const text of await page.locator('.grid-row .id').allTextContents()) assert.match(text, /run-12/);
  await find.fill('');
  await page.getByLabel('Only failing').focus();
  await page.keyboard.press('Space');
  await page.locator('.list .tally', { hasText: `${Math.ceil(lines / 3).toLocaleString('en')} of` }).waitFor();
  await page.getByLabel('Type of issue').selectOption('deprecated_tool');
  await page.getByRole('listbox', { name: 'Trajectories' }).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  const chosen = page.locator('.grid-row[aria-selected=true]');
  await chosen.waitFor();
  const described = await page.evaluate(() => document.activeElement.getAttribute('aria-activedescendant'));
  assert.equal(await chosen.getAttribute('id'), described);
  const id = (await chosen.locator('.id').textContent()).replace(/^[✓✕] /, '');
  await page.locator('.cm-content', { hasText: `"${id}"` }).waitFor();
  await page.locator('.issue', { hasText: 'deprecated_tool' }).waitFor();
  assert.deepEqual(problems, []);
});

test('a long file of traces is checked line by line', { timeout: 120_000 }, async t => {
  const trace = JSON.parse(
    readFileSync(new URL('../../tests/fixtures/formats/langsmith/runs.json', import.meta.url), 'utf8'),
  );
  const { path, lines } = await longFile('traces.jsonl', 1_500_000, () => JSON.stringify(trace));
  const { page, problems } = await openPage(t);
  await openPaths(page, [path]);
  await page.locator('.file-progress.done', { hasText: `${lines} trajectories` }).waitFor();
  await page.locator('.summary').waitFor();
  assert.deepEqual(problems, []);
});

test('lines that cannot be read are rows with a reason, and options apply to the whole file', async t => {
  const { path } = await longFile('faulty.jsonl', 1_200_000, index => (index === 2 ? '{"turns": [<b>' : undefined));
  const { page, problems } = await openPage(t);
  await openPaths(page, [path, TOOLS.pathname]);
  await page.locator('.file-progress.done', { hasText: "1 line can't be read" }).waitFor();
  assert.match(await page.locator('.grid-row .unread').textContent(), /not valid JSON/);
  await page.locator('.file-progress .gate.failed').first().waitFor();
  await page.locator('.options > summary').click();
  await page.getByLabel('Fail on').selectOption('never');
  // A line that cannot be read fails the file whatever the issues of the others are.
  await page.locator('.file-progress.done p.gate', { hasNotText: 'high or worse' }).waitFor();
  assert.match(await page.locator('.file-progress p.gate').textContent(), /could not be read/);
  await openExample(page, 'All as it should be');
  await page.locator('.list').waitFor({ state: 'detached' });
  await page.locator('.gate.passed').waitFor();
  assert.match(await page.locator('.turn.user .reply').first().textContent(), /\S/);
  await page.waitForTimeout(300);
  assert.equal(await page.locator('.cm-content', { hasText: '"run-0"' }).count(), 0, 'no row comes after it');
  assert.deepEqual(problems, []);
});

/** Writes a file of about `bytes` bytes. `instead` can return another line for the one at an index. */
async function longFile(name, bytes, instead = () => undefined) {
  const path = join(folder, name);
  const file = createWriteStream(path);
  let lines = 0;
  for (let written = 0; written < bytes; lines += 1) {
    const line = `${instead(lines) ?? JSON.stringify({ ...KINDS[lines % KINDS.length], trajectory_id: `run-${lines}` })}\n`;
    written += line.length;
    if (!file.write(line)) await new Promise(resolve => file.once('drain', resolve));
  }
  file.end();
  await finished(file);
  return { path, lines };
}

/** Opens files by path, because they are too long to be sent to the browser. */
async function openPaths(page, paths) {
  for (const path of paths) await page.locator('input[type=file]').setInputFiles(path);
}
