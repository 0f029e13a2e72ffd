import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { openExample, openFiles, openPage, shownText } from './support/page.mjs';

const REFUND = 'A refund gone wrong';

const example = name => readFile(new URL(`../../examples/${name}`, import.meta.url), 'utf8');

/** A run whose log says when things happened, how long calls took, and what the model used. */
const TIMED = {
  trajectory_id: 'timed',
  turns: [
    { turn_id: 1, role: 'user', content: 'Where is order A-1?', timestamp: '2025-03-01T10:00:00Z' },
    {
      turn_id: 2,
      role: 'agent',
      content: 'I look it up.',
      timestamp: '2025-03-01T10:00:02Z',
      usage: { input_tokens: 1200, output_tokens: 34, cost_usd: 0.0041 },
      tool_calls: [
        { id: 'a', name: 'get_order', arguments: { id: 'A-1' }, result: { state: 'sent' }, duration_ms: 350 },
        { id: 'b', name: 'get_order', arguments: { id: 'A-2' }, result: { state: 'lost' }, duration_ms: 1400 },
        { id: 'c', name: 'get_time', arguments: {}, error: 'no clock', duration_ms: 50 },
      ],
    },
    {
      turn_id: 3,
      role: 'agent',
      content: 'It was sent.',
      timestamp: '2025-03-01T10:00:08Z',
      usage: { input_tokens: 1300, output_tokens: 16, cost_usd: 0.0045 },
    },
  ],
};

/** The text of each cell of each row of a table, with each run of white space as one space. */
const cellsOf = table =>
  table
    .locator('tr')
    .evaluateAll(rows =>
      rows.map(row => [...row.children].map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim())),
    );

const panel = (page, name) => page.locator('.folded-panel', { has: page.getByRole('heading', { name, exact: true }) });

test('the waterfall shows durations, tokens and cost of turns and calls, and their totals', async t => {
  const { page, problems } = await openPage(t);
  await openFiles(page, { 'timed.json': TIMED });
  const waterfall = panel(page, 'Waterfall');
  assert.equal(
    await waterfall.locator('.brief').textContent(),
    '8.0 s · 2,550 tokens · 2,500 read, 50 written · cost 0.0086',
  );
  await waterfall.locator('summary').click();
  assert.deepEqual(await cellsOf(waterfall.locator('table')), [
    ['Turn or call', 'Over 8.0 s', 'Duration', 'Tokens', 'Cost'],
    ['1 userWhere is order A-1?', 'begins at 0 s', '≤ 2.0 s', '', ''],
    ['2 agentI look it up.', 'begins at 2.0 s', '≤ 6.0 s', '1,234', '0.0041'],
    ['get_order', 'begins at 2.0 s', '350 ms', '', ''],
    ['get_order', 'begins at 2.0 s', '1.4 s', '', ''],
    ['get_time✕', 'begins at 2.0 s', '50 ms', '', ''],
    ['3 agentIt was sent.', 'begins at 8.0 s', '', '1,316', '0.0045'],
  ]);
  const bars = await waterfall
    .locator('rect')
    .evaluateAll(all => all.map(bar => [bar.getAttribute('x'), bar.getAttribute('width')].map(Number).map(Math.round)));
  assert.deepEqual(bars.slice(0, 3), [
    [0, 250],
    [250, 750],
    [250, 44],
  ]);
  assert.deepEqual(await page.locator('.turn-figures').allTextContents(), [
    '1,234 tokenscost 0.0041',
    '1,316 tokenscost 0.0045',
  ]);
  assert.deepEqual(await page.locator('.call summary .tally:not(.found)').allTextContents(), [
    '350 ms',
    '1.4 s',
    '50 ms',
    '1 issue',
  ]);
  assert.deepEqual(problems, []);
});

test('a log without times, tokens and costs has no waterfall', async t => {
  const { page } = await openPage(t);
  await openExample(page, REFUND);
  await page.locator('.folded-panel').first().waitFor();
  assert.equal(await panel(page, 'Waterfall').count(), 0);
  assert.equal(await page.locator('.turn-figures').count(), 0);
});

test('tokens alone are shown without bars', async t => {
  const turns = TIMED.turns.map(({ timestamp: _, tool_calls: _calls, ...turn }) => turn);
  const { page } = await openPage(t);
  await openFiles(page, { 'tokens.json': { ...TIMED, turns } });
  await panel(page, 'Waterfall').locator('summary').click();
  const [head] = await cellsOf(page.locator('.waterfall table'));
  assert.deepEqual(head, ['Turn or call', 'Tokens', 'Cost']);
});

test('a log of Inspect says how long its messages and calls took', async t => {
  const message = {
    id: 'm2',
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 't1', function: 'bash', arguments: { cmd: 'ls' } }],
  };
  const events = [
    {
      event: 'model',
      timestamp: '2025-03-01T10:00:00+00:00',
      completed: '2025-03-01T10:00:03+00:00',
      output: { choices: [{ message }], usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 } },
    },
    {
      event: 'tool',
      id: 't1',
      timestamp: '2025-03-01T10:00:03+00:00',
      completed: '2025-03-01T10:00:04+00:00',
      function: 'bash',
    },
  ];
  const messages = [
    { id: 'm1', role: 'user', content: 'List the files' },
    message,
    { id: 'm3', role: 'tool', tool_call_id: 't1', function: 'bash', content: 'a.txt' },
  ];
  const sample = { id: 's', epoch: 1, input: 'List the files', target: '', messages, events, scores: {} };
  const { page } = await openPage(t);
  await openFiles(page, { 'log.json': { version: 2, status: 'success', eval: { task: 'x' }, samples: [sample] } });
  const waterfall = panel(page, 'Waterfall');
  assert.equal(await waterfall.locator('.brief').textContent(), '4.0 s · 15 tokens · 10 read, 5 written');
  await waterfall.locator('summary').click();
  assert.deepEqual((await cellsOf(waterfall.locator('table'))).slice(2), [
    ['2 agent', 'begins at 0 s', '3.0 s', '15'],
    ['bash', 'begins at 3.0 s', '1.0 s', ''],
  ]);
});

test('a trace says how long its requests to models and its tools took', async t => {
  const observation = (type, start, end, more) => ({
    id: `${type}${start}`,
    traceId: 'a',
    type,
    startTime: `2026-01-01T00:00:0${start}Z`,
    endTime: `2026-01-01T00:00:0${end}Z`,
    ...more,
  });
  const asked = { id: 'c1', type: 'function', function: { name: 'rain', arguments: '{}' } };
  const used = { usageDetails: { input: 10, output: 5, total: 15 }, totalCost: 0.25 };
  const question = [{ role: 'user', content: 'Rain?' }];
  const call = { role: 'assistant', content: '', tool_calls: [asked] };
  const observations = [
    observation('GENERATION', 1, 3, { ...used, input: question, output: call }),
    observation('TOOL', 3, 4, { name: 'rain', input: {}, output: { rain: false } }),
  ];
  const { page } = await openPage(t);
  await openFiles(page, { 'trace.json': observations });
  const waterfall = panel(page, 'Waterfall');
  assert.equal(await waterfall.locator('.brief').textContent(), '3.0 s · 15 tokens · 10 read, 5 written · cost 0.25');
  await waterfall.locator('summary').click();
  assert.deepEqual((await cellsOf(waterfall.locator('table'))).slice(2), [
    ['2 agent', 'begins at 0 s', '2.0 s', '15', '0.25'],
    ['rain', 'begins at 2.0 s', '1.0 s', '', ''],
  ]);
});

test('a call whose result has a time lasts at most until then', async t => {
  const [user, agent, last] = TIMED.turns;
  const [{ duration_ms: _, ...call }] = agent.tool_calls;
  const calls = [{ ...call, timestamp: '2025-03-01T10:00:05Z' }];
  const { page } = await openPage(t);
  await openFiles(page, { 'timed.json': { ...TIMED, turns: [user, { ...agent, tool_calls: calls }, last] } });
  await panel(page, 'Waterfall').locator('summary').click();
  const rows = await cellsOf(page.locator('.waterfall table'));
  assert.deepEqual(rows[3], ['get_order', 'begins at 2.0 s', '≤ 3.0 s', '', '']);
  await page.getByText('the bar of a call until its result came').waitFor();
  await page.keyboard.press('t');
  assert.ok(!(await cellsOf(page.locator('.tool-totals')))[0].includes('Median time'));
});

test('the keyboard alone opens the waterfall and leads from a row to its turn or call', async t => {
  const { page } = await openPage(t);
  await openFiles(page, { 'timed.json': TIMED });
  await page.locator('.summary').waitFor();
  await page.keyboard.press('w');
  const rows = page.locator('.waterfall tbody .link');
  await rows.nth(3).focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.matches('.call[open] > summary'));
  assert.match(await page.evaluate(() => document.activeElement.textContent), /A-2/);
  await rows.nth(5).focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.matches('.turn'));
  assert.match(await page.evaluate(() => document.activeElement.textContent), /It was sent/);
  await page.keyboard.press('w');
  await page.locator('.waterfall').waitFor({ state: 'detached' });
});

test('each tool has its totals, and narrows the timeline to its turns', async t => {
  const { page } = await openPage(t);
  await openFiles(page, { 'timed.json': TIMED });
  const tools = panel(page, 'Tools');
  assert.equal(await tools.locator('.brief').textContent(), '2 tools called · 1 error');
  await page.keyboard.press('t');
  assert.deepEqual(await cellsOf(tools.locator('table')), [
    ['Tool', 'Calls', 'Errors', 'Issues', 'Median time', 'Longest', 'Median result', 'Largest'],
    ['get_order', '2', '0', '0', '875 ms', '1.4 s', '16', '16'],
    ['get_time', '1', '1', '1 high', '50 ms', '50 ms', '0', '0'],
  ]);
  const button = tools.getByRole('button', { name: 'get_time' });
  await button.focus();
  await page.keyboard.press('Enter');
  const turns = page.locator('.turn:not(.hidden-turns) .number');
  assert.deepEqual(
    (await turns.allTextContents()).filter(text => text.startsWith('turn')),
    ['turn 2'],
  );
  assert.equal(await button.getAttribute('aria-pressed'), 'true');
  await page.getByRole('button', { name: 'Only turns that call get_time' }).click();
  assert.equal(await page.locator('.turn:not(.hidden-turns)').count(), 3);
});

test('the totals are those of the selected trajectory', async t => {
  const { page } = await openPage(t);
  await openFiles(page, { 'two.json': [TIMED, { ...TIMED, trajectory_id: 'other', turns: TIMED.turns.slice(0, 1) }] });
  await page.locator('.grid-row').nth(1).waitFor();
  await page.keyboard.press('t');
  await page.locator('.tool-totals tr', { hasText: 'get_time' }).locator('td.some').waitFor();
  await page.locator('.grid-row').nth(1).click();
  await panel(page, 'Tools').waitFor({ state: 'detached' });
});

test('the lint of the tools leads to its place in their text', async t => {
  const { page, problems } = await openPage(t);
  await openExample(page, REFUND);
  await page.keyboard.press('t');
  const lint = page.getByRole('region', { name: 'Lint of the definitions' });
  const issue = lint.getByRole('listitem').filter({ hasText: 'search_products' }).first();
  assert.match(
    await issue.textContent(),
    /^low missing_parameter_description .*limit: the parameter has no description/,
  );
  await issue.getByRole('button').focus();
  await page.keyboard.press('Enter');
  assert.equal(await page.getByRole('tab', { selected: true }).textContent(), 'Tools');
  assert.match(await shownText(page), /"type": "integer"/);
  assert.deepEqual(problems, []);
});

test('tools are linted without a trajectory, too', async t => {
  const { page } = await openPage(t);
  const broken = [{ name: 'find', description: 'Finds customers by their name.', input_schema: { type: 'strin' } }];
  await openFiles(page, { 'tools.json': broken });
  const lint = page.getByRole('region', { name: 'Lint of the definitions' });
  await lint.getByText('JSON Schema has no type "strin"').waitFor();
  await lint.getByRole('button', { name: 'Show [0].input_schema.type in the text' }).click();
  assert.equal(await shownText(page), '"strin"');
});

test('tools that the trajectory carries are linted in their place there', async t => {
  const { page } = await openPage(t);
  const tools = [{ type: 'function', function: { name: 'find', parameters: { type: 'object', properties: {} } } }];
  const messages = [
    { role: 'user', content: 'Find Kim' },
    { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'find', arguments: '{}' } }] },
  ];
  await openFiles(page, { 'chat.json': { messages, tools } });
  await page.locator('.summary').waitFor();
  await page.keyboard.press('t');
  const lint = page.getByRole('region', { name: 'Lint of the definitions' });
  assert.match(await lint.textContent(), /1 definition in the trajectory/);
  await lint.getByRole('button').first().click();
  assert.match(await shownText(page), /"find"/);
});

test('tools that the lines of a file carry are linted in the place of each', async t => {
  const { page } = await openPage(t);
  const tool = name => ({ type: 'function', function: { name, parameters: { type: 'object', properties: {} } } });
  const line = name => JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }], tools: [tool(name)] });
  await openFiles(page, { 'chats.jsonl': `${line('first')}\n${line('second')}\n` });
  await page.locator('.grid-row').nth(1).waitFor();
  await page.keyboard.press('t');
  const issue = page.getByRole('list', { name: 'Issues of the definitions' }).getByRole('listitem');
  await issue.filter({ hasText: '"second"' }).first().getByRole('button').click();
  assert.match(await shownText(page), /^\{.*"second"/);
});

test('what is as expected is folded, and comes back', async t => {
  const { page } = await openPage(t);
  const expected = JSON.parse(await example('expected.json'));
  await openExample(page, REFUND);
  await openFiles(page, { 'expected.json': expected });
  const comparison = page.getByRole('region', { name: 'Expected against actual' });
  await comparison.waitFor();
  assert.equal(await comparison.locator('.pair.correct').count(), 0);
  assert.match(await comparison.locator('.pair.incorrect .side').first().textContent(), /⋯ \d+ lines? the same/);
  await comparison.getByRole('button', { name: 'Show 1 call as expected' }).click();
  assert.equal(await comparison.locator('.pair.correct').count(), 1);
  assert.doesNotMatch(await comparison.textContent(), /⋯/);
  await comparison.getByLabel('Only differences').focus();
  await page.keyboard.press('Space');
  assert.equal(await comparison.locator('.pair.correct').count(), 0);
});

test('the calls of the same task before and after are compared, differences only', async t => {
  const before = JSON.parse(await example('refund.json'));
  const after = structuredClone(before);
  after.turns[1].tool_calls[0].arguments.order_id = 'A-9';
  after.turns[4].tool_calls = [];
  const { page, problems } = await openPage(t);
  await openFiles(page, { 'after.json': after });
  await page.locator('.summary').waitFor();
  await page.getByRole('tab', { name: 'Before' }).click();
  await openFiles(page, { 'before.json': before });
  const comparison = page.getByRole('region', { name: 'Calls before and after' });
  await comparison.waitFor();
  assert.deepEqual(await comparison.locator('h3').allTextContents(), ['changedget_order', 'gonerefund_order']);
  assert.deepEqual(await comparison.locator('.pair').first().locator('h4').allTextContents(), ['Before', 'After']);
  assert.match(
    await comparison.locator('.differences').textContent(),
    /args\.order_id .*: before "A-1017", after "A-9"/,
  );
  await comparison.getByRole('button', { name: 'Show 3 calls the same as before' }).click();
  assert.equal(await comparison.locator('.pair.correct').count(), 3);
  assert.deepEqual(problems, []);
});

test('tasks that are the same in both runs are folded', async t => {
  const { page } = await openPage(t);
  await openExample(page, 'Two runs side by side');
  const runs = page.getByRole('region', { name: 'Two runs side by side' });
  const same = runs.locator('details.same');
  await same.waitFor();
  assert.equal(await same.locator('.tasks').isVisible(), false);
  await same.locator('summary').focus();
  await page.keyboard.press('Enter');
  assert.equal(await same.locator('.tasks').isVisible(), true);
  const count = Number(/^\d+/.exec(await same.locator('summary').textContent())[0]);
  assert.equal(await same.locator('li').count(), count);
});

test('calls that are not as expected are told beside the gate', async t => {
  const { page } = await openPage(t);
  await openFiles(page, {
    'clean.json': await example('clean.json'),
    'expected.json': [{ tool: 'nothing', args: {} }],
  });
  await page.locator('.unexpected', { hasText: 'The calls are not as expected' }).waitFor();
  await page.locator('.gate.passed').waitFor();
});
