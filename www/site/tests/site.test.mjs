import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { DIST, ROOT } from '../stage/places.mjs';
import { openPage, site } from './support/browser.mjs';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const toolgauge = await import(join(ROOT, 'pkg/dist/esm/node.js'));

/** A page of each kind. */
const PAGES = ['/', '/getting-started.html', '/issues/', '/issues/hallucinated_result.html', '/reference/rust.html'];

for (const theme of ['light', 'dark']) {
  for (const width of [360, 1280]) {
    test(`axe finds nothing in the ${theme} theme at ${width} px, and no page is wider than the screen`, async t => {
      for (const path of PAGES) {
        const { page } = await openPage(t, path, { theme, width });
        assert.deepEqual(await violations(page), [], path);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, path);
      }
    });
  }
}

test('pages follow the theme of the system', async t => {
  const backgrounds = await Promise.all(
    ['light', 'dark'].map(async theme => {
      const { page } = await openPage(t, '/cli.html', { theme });
      return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    }),
  );
  assert.notEqual(backgrounds[0], backgrounds[1]);
});

test('the search finds a type of issue, and its hit opens the page', async t => {
  const { page, problems, elsewhere } = await openPage(t, '/');
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox').fill('hallucinated_result');
  const hit = page.getByRole('option').first();
  await hit.getByText('hallucinated_result').first().waitFor();
  await hit.click();
  await page.waitForURL(/\/issues\/hallucinated_result\.html/);
  await page.getByRole('heading', { level: 1, name: 'hallucinated_result' }).waitFor();
  assert.deepEqual(problems, []);
  assert.deepEqual(elsewhere, []);
});

test('the search finds a function of the reference by its name', async t => {
  const { page } = await openPage(t, '/cli.html');
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox').fill('checkTrajectories');
  await page.getByRole('option').filter({ hasText: 'checkTrajectories()' }).first().click();
  await page.waitForURL(/\/reference\/typescript\/toolgauge\/functions\/checkTrajectories\.html/);
});

test('every type of issue has a page with what the core explains', async t => {
  const { page } = await openPage(t, '/issues/');
  const listed = await page.locator('.issue-table tbody th').allTextContents();
  const explained = toolgauge.explainIssues();
  assert.deepEqual(listed.map(text => text.trim()).sort(), explained.map(({ type }) => type).sort());
  for (const { type, severity, meaning, example, remedy } of explained) {
    const html = await readFile(join(DIST, `issues/${type}.html`), 'utf8');
    await page.setContent(html.replaceAll(/<script.*?<\/script>/gs, ''));
    const text = (await page.locator('main').textContent()).replaceAll(/\s+/g, ' ');
    for (const part of [type, severity, meaning, example, remedy, `--rule ${type}=off`]) {
      assert.ok(text.includes(part.trim().replaceAll(/\s+/g, ' ')), `${type}: ${part}`);
    }
  }
});

test('the overview of issues shows the chosen severity and origin only', async t => {
  const { page } = await openPage(t, '/issues/');
  const rows = page.locator('.issue-table tbody tr');
  const all = await rows.count();
  await page.getByLabel('Severity').selectOption('critical');
  const types = toolgauge.explainIssues().filter(({ severity }) => severity === 'critical');
  assert.equal(await rows.count(), types.length);
  await page.getByLabel('Comes from').selectOption('Results and replies');
  await page.getByText('No type is of this severity').waitFor();
  await page.getByLabel('Severity').selectOption('all');
  const ofReplies = await rows.count();
  assert.ok(ofReplies > 5 && ofReplies < all);
  assert.ok((await rows.allTextContents()).every(text => text.includes('Results and replies')));
});

test('an issue opens in the inspector with the log that has it', async t => {
  const { page, problems, elsewhere } = await openPage(t, '/issues/type_mismatch.html');
  await page.getByRole('link', { name: 'Open it in the inspector' }).click();
  await page.waitForURL(/\/inspector\//);
  await page.getByText('limit: expected integer, got "5"').first().waitFor();
  assert.deepEqual(problems, []);
  assert.deepEqual(elsewhere, []);
});

test('the home page leads every kind of user on', async t => {
  const { page } = await openPage(t, '/');
  const doors = page.locator('.door');
  assert.equal(await doors.count(), 5);
  for (const door of await doors.all()) {
    assert.ok((await door.locator('pre').count()) > 0);
    assert.ok((await door.getByRole('link').count()) > 0);
  }
  await page.getByRole('link', { name: 'Open the inspector' }).first().click();
  await page.waitForURL(/\/inspector\//);
  await page.getByRole('region', { name: 'Input' }).waitFor();
});

test('the menu of a narrow screen leads to the pages', async t => {
  const { page } = await openPage(t, '/cli.html', { width: 360 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Formats' }).click();
  await page.getByRole('heading', { level: 1, name: /format/i }).waitFor();
});

test('the references of TypeScript and Rust are there', async t => {
  const { page, problems } = await openPage(t, '/reference/typescript/');
  await page.getByRole('main').getByRole('link', { name: 'toolgauge/dispatch/node' }).click();
  await page.getByRole('main').getByRole('link', { name: 'shellTools', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: 'shellTools()' }).waitFor();
  assert.deepEqual(problems, []);
  await page.goto(`${site.address}/reference/rust.html`);
  await page.getByRole('link', { name: 'toolgauge-grounding' }).click();
  await page.getByRole('heading', { name: 'Crate toolgauge_grounding' }).waitFor();
});

test('pages load nothing from elsewhere, and their policy forbids it', async t => {
  for (const path of PAGES) {
    const { page, problems, elsewhere } = await openPage(t, path);
    assert.deepEqual(problems, [], path);
    assert.deepEqual(elsewhere, [], path);
    const outcome = await page.evaluate(() =>
      fetch('http://elsewhere.example/').then(
        () => 'fetched',
        () => 'refused',
      ),
    );
    assert.equal(outcome, 'refused');
    assert.ok(
      problems.some(problem => problem.includes('Content Security Policy')),
      path,
    );
  }
  assert.deepEqual(site.missing, []);
});

/** The rules that axe finds violated, with the elements. */
async function violations(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations.map(({ id, nodes }) => ({
    id,
    nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`),
  }));
}
