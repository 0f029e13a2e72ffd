// The matchers, in the runners themselves.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { JEST, outcomes, RUNNERS, VITEST } from './matrix/runners.mjs';
import { testRow } from './matrix/test-row.mjs';
import { projectWith } from './matrix/tools.mjs';
import { folderIn, install, run, runTool } from './support/consumer.mjs';
import { DATA, PASSING, testsOf } from './support/matcher-cases.mjs';

for (const row of RUNNERS) testRow(row);

test('the matchers alone extend any expect', async t => {
  const header = "expect.extend(require('toolgauge/matchers').matchers);";
  const found = await outcomes(t, { ...JEST, header }, testsOf({ called: PASSING['a tool by its name'] }));
  assert.deepEqual(found, { called: undefined });
});

test('errors and failures are traced to the line of the test', async t => {
  const source = `${DATA}
    test('unknown', () => {
      expect({ hello: 1 }).toHaveCalledTool('x');
    });`;
  const folder = folderIn(VITEST.project(), t, { 'lines.test.mjs': `${VITEST.header}${source}` });
  const { stderr } = await run(join(VITEST.project(), 'node_modules/.bin/vitest'), ['run', '--root', '.'], {
    cwd: folder,
  });
  assert.match(stripVTControlCharacters(stderr), /ToolgaugeError: .*\n ❯ lines\.test\.mjs:\d+:\d+\n/);
});

test('what generateText returns is taken as it is', async t => {
  const source = `
    import { generateText, isStepCount, stepCountIs, tool } from 'ai';
    import { MockLanguageModelV4 } from 'ai/test';
    import { z } from 'zod';
    const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
    const step = (content, reason) => ({ content, usage, warnings: [], finishReason: { unified: reason, raw: reason } });
    const call = (id, toolName, input) => ({ type: 'tool-call', toolCallId: id, toolName, input: JSON.stringify(input) });
    const answers = [
      step([call('1', 'getPrice', { item: 'lamp' }), call('2', 'fail', {})], 'tool-calls'),
      step([{ type: 'text', text: 'Order B-2044: the lamp costs $59.' }], 'stop'),
    ];
    const tools = {
      getPrice: tool({ inputSchema: z.object({ item: z.string() }), execute: async () => ({ price: 49 }) }),
      fail: tool({ inputSchema: z.object({}), execute: async () => { throw new Error('out of stock since 1999-01-02'); } }),
    };
    const prompt = 'What costs the lamp of order B-2044?';
    const generate = options => {
      let at = 0;
      const model = new MockLanguageModelV4({ doGenerate: async () => answers[at++] });
      return generateText({ model, tools, prompt, stopWhen: (isStepCount ?? stepCountIs)(3), ...options });
    };
    test('calls', async () => {
      const result = await generate();
      expect(result).toHaveCalledTool('getPrice', { item: expect.any(String) });
      expect(result).toHaveCalledTools(['getPrice', 'fail']);
      expect(result).toHaveValidToolCalls(tools);
    });
    test('grounded', async () => {
      expect(await generate()).toHaveGroundedReplies({ prompt });
    });
    test('kept messages', async () => {
      expect(await generate({ include: { requestMessages: true } })).toHaveGroundedReplies();
    });
    test('stream', async () => {
      const { steps } = await generate();
      expect(steps).toHaveCalledTool('fail');
      expect({ steps }).toHaveCalledTool('fail');
    });
    test('failed', async () => {
      const { steps: [first] } = await generate();
      expect({ steps: [first], more: 1 }).not.toHaveToolScore(1, []);
      expect(await generate()).toHaveCalledTools([]);
    });`;
  const found = await outcomes(t, VITEST, source);
  const grounded = `expect(received).toHaveGroundedReplies()

The replies state 1 fact that no result, argument or message shows.

  turn 2  $59 (money). Closest: 49 (getPrice.price)
          Order B-2044: the lamp costs $59.`;
  assert.deepEqual(found, {
    calls: undefined,
    // The numbers of turns depend on what stands before.
    grounded,
    'kept messages': grounded.replace('turn 2', 'turn 3'),
    stream: undefined,
    failed: `expect(received).toHaveCalledTools(expected)

0 of 0 calls as expected; 2 are extra.

  + extra     getPrice {"item": "lamp"}
  + extra     fail {}`,
  });
});

suite('the types', () => {
  const USES = `
    expect([]).toHaveCalledTool('f');
    expect([]).toHaveCalledTool('f', { a: expect.any(String) }, { matchers: { a: 'date' }, times: { min: 1 } });
    expect([]).not.toHaveCalledTools(['f', { tool: 'g', args: {} }], { order: 'strict', comparators: { same: () => true } });
    expect([]).toHaveToolScore(0.5, { calls: [], forbidden: ['f'] });
    expect([]).toHaveValidToolCalls([{ name: 'f', parameters: {} }], { failOn: 'medium', allowNoCalls: true });
    expect([]).toHaveGroundedReplies({ prompt: 'x', threshold: 0.5 });
    expect([]).toHaveHonestReplies({ prompt: 'x', failOn: 'medium', tools: [{ name: 'f', parameters: {} }] });
    expect([]).not.toHaveNoLoops({ limits: { maxDepth: 5 } });
    expect([]).toPassTrials((run, at: number) => expect(run.turns).toHaveLength(at), { minPassRate: 1, minPassHat: { 2: 1 } });
    expect([]).toPassTrials((run: string) => { run.trim(); });
    // @ts-expect-error a tool has a name
    expect([]).toHaveCalledTool();
    // @ts-expect-error a matcher of another name
    expect([]).toHaveCalledTool('f', {}, { matchers: 'equal' });
    // @ts-expect-error the option is called times
    expect([]).toHaveCalledTool('f', {}, { time: 2 });
    // @ts-expect-error an order of another name
    expect([]).toHaveCalledTools([], { order: 'sorted' });
    // @ts-expect-error a score is a number
    expect([]).toHaveToolScore('0.5', []);
    // @ts-expect-error a severity of another name
    expect([]).toHaveValidToolCalls([], { failOn: 'bad' });
    // @ts-expect-error a severity of another name
    expect([]).toHaveHonestReplies({ failOn: 'bad' });
    // @ts-expect-error a trial is a function
    expect([]).toPassTrials(3);
    // @ts-expect-error the option is called minPassRate
    expect([]).toPassTrials(() => {}, { rate: 1 });
    // @ts-expect-error the option is called prompt
    expect([]).toHaveGroundedReplies({ question: '' });
    export const later: Promise<void> = expect(Promise.resolve([])).resolves.toHaveCalledTool('f');
  `;
  const compile = async (t, project, files, types = [], modules = ['--module', 'node20']) => {
    const folder = folderIn(project, t, files);
    const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', '--target', 'es2022'];
    const given = ['--lib', 'es2023,dom,esnext.disposable', '--types', types.join(), ...modules];
    const { stdout } = await runTool('tsc', [...strict, ...given, ...Object.keys(files)], { cwd: folder });
    assert.equal(stdout, '');
  };

  test('of Vitest', async t => {
    const header = "import { expect } from 'vitest';\nimport 'toolgauge/vitest';\n";
    const inside = "expect({}).toEqual({ run: expect.toHaveCalledTool('f') });\n";
    await compile(t, VITEST.project(), { 'main.mts': header + USES + inside });
  });

  test('of Bun', async t => {
    const header = "import { expect } from 'bun:test';\nimport 'toolgauge/bun';\n";
    const inside = "expect({}).toEqual({ run: expect.toHaveCalledTool('f') });\n";
    // Bun declares that `resolves` returns nothing.
    const uses = USES.replace(/export const later.*/, '');
    await compile(t, projectWith('@types/bun'), { 'main.mts': header + uses + inside }, ['bun']);
  });

  test('of Vitest and Bun, named in tsconfig.json', async t => {
    const modules = ['--module', 'esnext', '--moduleResolution', 'bundler'];
    const uses = "expect([]).toHaveCalledTool('f');\n";
    const vitest = `import { expect } from 'vitest';\n${uses}`;
    await compile(t, VITEST.project(), { 'main.ts': vitest }, ['toolgauge/vitest'], modules);
    const bun = `import { expect } from 'bun:test';\n${uses}`;
    await compile(t, projectWith('@types/bun'), { 'main.ts': bun }, ['bun', 'toolgauge/bun'], modules);
  });

  test('of Jest, imported', async t => {
    const header = "import { expect } from '@jest/globals';\nimport 'toolgauge/jest';\n";
    const inside = "expect({}).toEqual({ run: expect.toHaveCalledTool('f') });\n";
    await compile(t, JEST.project(), { 'main.mts': header + USES + inside, 'main.cts': header + USES });
  });

  test('of Jest, global', async t => {
    const inside = "expect({}).toEqual({ run: expect.toHaveCalledTool('f'), no: expect.not.toHaveNoLoops() });\n";
    await compile(t, JEST.project(), { 'main.mts': `import 'toolgauge/jest';\n${USES}${inside}` }, ['jest']);
  });

  test('of the matchers, for an expect that is extended by hand', async t => {
    const extend =
      "import { matchers, type TrajectoryMatchers } from 'toolgauge/matchers';\nexpect.extend(matchers);\n";
    const used = 'export type Mine = TrajectoryMatchers<void>;\n';
    await compile(t, VITEST.project(), { 'main.mts': `import { expect } from 'vitest';\n${extend}${used}` });
    await compile(t, JEST.project(), { 'main.mts': `import { expect } from '@jest/globals';\n${extend}${used}` });
  });
});

test('without Vitest and Jest, their entries say what is missing, and the matchers can be imported', async t => {
  const alone = install();
  const folder = folderIn(alone, t, {
    'vitest.mjs': "import 'toolgauge/vitest';",
    'jest.mjs': "import 'toolgauge/jest';",
    'matchers.mjs': "import { matchers } from 'toolgauge/matchers'; console.log(Object.keys(matchers).length);",
  });
  const [vitest, jest, matchers] = await Promise.all(
    ['vitest.mjs', 'jest.mjs', 'matchers.mjs'].map(file => run('node', [file], { cwd: folder })),
  );
  assert.match(vitest.stderr, /Cannot find package 'vitest'/);
  assert.match(jest.stderr, /Cannot find package '@jest\/globals'/);
  assert.deepEqual([matchers.stderr, matchers.stdout], ['', '8\n']);
});
