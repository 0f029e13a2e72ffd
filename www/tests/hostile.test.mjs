import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { openFiles, openPage, site } from './support/page.mjs';

/** Markup and script in the spellings that have fooled browsers. */
const HOSTILE = [
  '<script>window.hit = 1</script>',
  '<img src=x onerror="window.hit = 1">',
  '<svg onload="window.hit = 1">',
  '<svg><script>window.hit = 1</script></svg>',
  '<iframe srcdoc="<script>parent.hit = 1</script>"></iframe>',
  '<iframe src="javascript:parent.hit = 1"></iframe>',
  '<a href="javascript:window.hit = 1">x</a>',
  '<body onload="window.hit = 1">',
  '<details open ontoggle="window.hit = 1">x</details>',
  '<input autofocus onfocus="window.hit = 1">',
  '<video><source onerror="window.hit = 1"></video>',
  '<math><mtext><style><img src=x onerror="window.hit = 1"></style></mtext></math>',
  '<style>* { display: none !important }</style>',
  '<link rel="stylesheet" href="http://elsewhere.example/a.css">',
  '<meta http-equiv="refresh" content="0;url=http://elsewhere.example/">',
  '<base href="http://elsewhere.example/">',
  '<form action="http://elsewhere.example/"><button>x</button></form>',
  '<object data="http://elsewhere.example/"></object>',
  '<embed src="http://elsewhere.example/">',
  '<template shadowrootmode="open"><script>window.hit = 1</script></template>',
  '</textarea></title></script><script>window.hit = 1</script>',
  '"><img src=x onerror=window.hit=1>',
  "'-window.hit = 1-'",
  '<!--<img src="--><img src=x onerror=window.hit=1>">',
  '&lt;script&gt;window.hit = 1&lt;/script&gt;',
  '{{constructor.constructor("window.hit = 1")()}}',
  '\x24{window.hit = 1}',
  '\u202e<b>turned round</b>\u0000',
  '__proto__',
];

test('markup in every field is shown as text', async t => {
  const { page, problems } = await openPage(t);
  for (const [place, markup] of HOSTILE.entries()) {
    await openFiles(page, documentsWith(markup));
    await page.locator('.comparison').waitFor();
    const call = page.locator('.call').first();
    await page.waitForFunction(
      ([text]) => document.querySelector('.call .tool')?.textContent === text,
      [markup.trim()],
    );
    await openCalls(page);
    await call.locator('.call-body').waitFor();
    const json = JSON.stringify(markup);
    const values = await call.locator('.value').allTextContents();
    assert.ok(values[0].includes(`${json}: `), `argument name ${place}: ${values[0]}`);
    assert.ok(values[0].includes(`: ${json}`), `argument ${place}`);
    assert.ok(values.at(-1).includes(json), `result ${place}`);
    await page.getByLabel('Raw text').uncheck();
    await page.locator('.turn.user .markdown').waitFor();
    assert.equal(await strangers(page), 0, `elements from ${markup} as Markdown`);
    await page.getByLabel('Raw text').check();
    assert.ok((await page.locator('.turn.user .reply').textContent()).includes(markup), `user ${place}`);
    assert.ok((await page.locator('.turn.agent .reply').first().textContent()).includes(markup), `reply ${place}`);
    assert.equal(await page.locator('.file-name').textContent(), fileName(markup, 'expected'), `file name ${place}`);
    assert.ok((await page.locator('.pair.missed').textContent()).includes(json), `expected call ${place}`);
    assert.equal(await page.evaluate(() => globalThis.hit), undefined, markup);
    assert.equal(await strangers(page), 0, `elements from ${markup}`);
  }
  assert.deepEqual(problems, []);
  assert.deepEqual(site.elsewhere, []);
});

test('markup in a correction is shown as text, and copied as it is', async t => {
  const { page, problems } = await openPage(t);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  for (const markup of HOSTILE) {
    const call = {
      name: markup,
      arguments: Object.fromEntries([
        [markup, markup],
        ['object', JSON.stringify({ text: markup })],
      ]),
      result: markup,
    };
    const properties = { object: { type: 'object' }, constant: { const: markup } };
    const inputSchema = { type: 'object', properties, required: ['constant'], additionalProperties: false };
    await openFiles(page, {
      'tools.json': [{ name: markup, inputSchema }],
      'run.json': { turns: [{ turn_id: 1, role: 'agent', content: '', tool_calls: [call] }] },
    });
    await page.waitForFunction(
      ([text]) => document.querySelector('.call .tool')?.textContent === text,
      [markup.trim()],
    );
    await openCalls(page);
    const json = JSON.stringify(markup);
    const correction = page.locator('.correction', { has: page.locator('ins', { hasText: json }) });
    await correction.waitFor();
    const shown = await correction.locator('.difference').allTextContents();
    assert.ok(shown.includes(`constant nothing → ${json}`), `${markup}: ${shown}`);
    assert.ok(
      shown.some(text => text.endsWith(` ${json} → nothing`)),
      `${markup}: ${shown}`,
    );
    await correction.getByRole('button', { name: 'Copy corrected call' }).click();
    await correction.locator('.outcome', { hasText: 'Corrected call copied.' }).waitFor();
    const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    const corrected = { object: { text: markup }, constant: markup };
    assert.deepEqual(copied, { name: markup, arguments: corrected });
    assert.equal(await page.evaluate(() => globalThis.hit), undefined, markup);
    assert.equal(await strangers(page), 0, markup);
  }
  assert.deepEqual(problems, []);
  assert.deepEqual(site.elsewhere, []);
});

test('markup in a text that cannot be read is shown as text', async t => {
  const { page } = await openPage(t);
  for (const markup of HOSTILE) {
    await openFiles(page, { 'x.json': JSON.stringify({ turns: [{ turn_id: 1, role: markup, content: '' }] }) });
    await page.waitForFunction(
      text => document.querySelector('[role=alert]')?.textContent.includes(text),
      JSON.stringify(markup).slice(1, 12),
    );
    assert.equal(await page.evaluate(() => globalThis.hit), undefined, markup);
    assert.equal(await strangers(page), 0, markup);
  }
});

test('markup in the rows of a long file is shown as text', async t => {
  const { page, problems } = await openPage(t);
  const rows = HOSTILE.flatMap(markup => {
    const turns = [
      { turn_id: 1, role: 'agent', content: markup, tool_calls: [{ name: markup, arguments: { [markup]: markup } }] },
    ];
    return [JSON.stringify({ trajectory_id: markup, turns }), `{"turns": ${JSON.stringify(markup)}}`];
  });
  const filler = `${JSON.stringify({ turns: [{ turn_id: 1, role: 'user', content: 'x'.repeat(900) }] })}\n`.repeat(
    1100,
  );
  await openFiles(page, { 'rows.jsonl': `${rows.join('\n')}\n${filler}` });
  await page.locator('.file-progress.done').waitFor();
  await page.getByLabel('Raw text').check();
  for (const [index, markup] of HOSTILE.entries()) {
    await page.getByLabel('Find by id or line').fill(String(index * 2 + 1));
    const row = page.locator('.grid-row', {
      has: page.locator('.place', { hasText: new RegExp(`^${index * 2 + 1}$`) }),
    });
    await row.click();
    await page.waitForFunction(
      ([text]) => document.querySelector('.turn.agent .reply')?.textContent === text,
      [markup],
    );
    assert.ok((await row.locator('.id').textContent()).includes(markup.trim()), `id ${markup}`);
    assert.equal(await page.evaluate(() => globalThis.hit), undefined, markup);
    assert.equal(await strangers(page), 0, markup);
  }
  assert.deepEqual(problems, []);
  assert.deepEqual(site.elsewhere, []);
});

test('markup in a link is shown as text, or refused', async t => {
  for (const markup of HOSTILE) {
    const documents = Object.fromEntries(
      Object.entries(documentsWith(markup)).map(([name, value]) => [
        /(\w+)\.json$/.exec(name)[1],
        JSON.stringify(value),
      ]),
    );
    const state = { documents, options: { format: markup, failOn: markup, strict: markup }, selected: markup };
    const packed = deflateRawSync(JSON.stringify(state)).toString('base64url');
    const { page } = await openPage(t, { path: `/#state=${packed}` });
    await page.locator('.turn.user .markdown').waitFor();
    assert.equal(await strangers(page), 0, markup);
    await page.getByLabel('Raw text').check();
    assert.equal(await page.locator('.turn.user .reply').textContent(), markup);
    assert.equal(await page.evaluate(() => globalThis.hit), undefined, markup);
    assert.equal(await strangers(page), 0, markup);
    await page.evaluate(text => {
      location.hash = `#state=${text}`;
    }, markup);
    await page.waitForTimeout(30);
    assert.equal(await page.evaluate(() => globalThis.hit), undefined, markup);
    assert.equal(await strangers(page), 0, markup);
    await page.context().close();
  }
  assert.deepEqual(site.elsewhere, []);
});

/** A trajectory, tools and expected calls with the markup in every text. */
function documentsWith(markup) {
  const call = {
    id: markup,
    name: markup,
    arguments: Object.fromEntries([
      ['a', 1],
      [markup, markup],
    ]),
    result: { [`${markup}.`]: [markup], text: markup },
  };
  const turns = [
    { turn_id: 1, role: 'user', content: markup, timestamp: markup },
    { turn_id: 2, role: 'agent', content: `${markup} costs $77.70`, tool_calls: [call] },
    { turn_id: 3, role: 'agent', content: '', tool_calls: [{ ...call, id: 'b', error: markup, result: undefined }] },
    { turn_id: 4, role: 'agent', content: `${markup} was "${markup}" on 2031-01-02.` },
  ];
  const parameters = { type: 'object', properties: { a: { enum: [markup], description: markup } } };
  return {
    [fileName(markup, 'trajectory')]: { trajectory_id: markup, turns },
    [fileName(markup, 'tools')]: [{ name: markup, description: markup, inputSchema: parameters }],
    [fileName(markup, 'expected')]: [{ tool: `${markup}!`, args: { [`${markup}!`]: markup } }],
  };
}

/** The markup as the name of a file, without the characters that a file name cannot have. */
function fileName(markup, name) {
  return `${markup.replaceAll(/[/\\:]/g, '_').replaceAll('\0', '_')} ${name}.json`;
}

/** Opens all calls. */
function openCalls(page) {
  return page.locator('.call:not([open]) > summary').evaluateAll(all => {
    for (const summary of all) summary.click();
  });
}

/** The number of elements that the page itself never makes. */
function strangers(page) {
  return page.evaluate(
    () =>
      document.querySelectorAll(
        '#inspector :is(script, iframe, style, link, meta, base, form, object, embed, template, video, source, math, b > b, [onerror], [onload], [onfocus], [ontoggle], [href^=javascript])',
      ).length,
  );
}
