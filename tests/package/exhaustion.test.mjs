import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { ATTACKS } from './support/attacks.mjs';
import { consumer, folderIn, run, TESTS } from './support/consumer.mjs';

/** How many times the work for an ordinary megabyte an attack may cost. The worst of them costs 450 times as much. */
const MOST = 600;

/** After how many milliseconds an attack is stopped. Even on a busy machine, none takes a tenth of that. */
const ENDLESS = 600_000;

suite('an input that is made to cost much', () => {
  for (const name of Object.keys(ATTACKS)) {
    test(`${name}: comes to an end, and the next call works`, async () => {
      const { outcome, factor, worksAfterwards } = await launch(name);
      assert.ok(['result', 'limit_exceeded', 'invalid_schema', 'invalid_json'].includes(outcome), outcome);
      assert.ok(factor < MOST, `cost ${factor.toFixed()} times an ordinary megabyte`);
      assert.ok(worksAfterwards);
    });
  }
});

/** The stack is as large as that of a worker. */
const FLAGS = ['--stack-size=3900'];

/** Runs the attack in a process of its own, which can be stopped where a call can't. */
async function launch(name) {
  const script = join(TESTS, 'support/attack.mjs');
  const { code, stdout, stderr } = await run('node', [...FLAGS, script, name], { timeout: ENDLESS });
  assert.equal(code, 0, stderr || `stopped after ${ENDLESS} ms`);
  return JSON.parse(stdout);
}

/** Prints what comes of calls that need more memory or stack than there is, and of the calls that follow. */
const TRAPPING = `
import { compileTools, importTrajectory, validateToolCall } from 'toolgauge';
console.error = () => {};
const tools = { f: { name: 'f', parameters: { type: 'object', required: ['a'] } } };
const call = { name: 'f', arguments: {}, result: 1 };
const handle = compileTools(tools);
const freed = compileTools(tools);
const wanted = JSON.stringify(validateToolCall(call, tools));
const codes = new Set();
for (let round = 0; round < ROUNDS; round += 1) {
  try {
    ATTACK;
    codes.add('result');
  } catch (error) {
    codes.add(error.code ?? String(error));
  }
  for (const given of [tools, handle]) {
    if (JSON.stringify(validateToolCall(call, given)) !== wanted) throw new Error('another verdict');
  }
  if (round === 0) freed.free();
}
handle.free();
const [code] = codes;
console.log(codes.size === 1 ? code : [...codes].join());
`;

suite('when WebAssembly runs out of', () => {
  const attempt = async (t, flag, attack, rounds) => {
    const code = TRAPPING.replace('ATTACK', attack).replace('ROUNDS', String(rounds));
    const folder = folderIn(consumer, t, { 'main.mjs': code });
    const { stdout, stderr } = await run('node', [flag, 'main.mjs'], { cwd: folder });
    assert.equal(stderr, '');
    return stdout.trim();
  };

  test('memory for the text, the call fails, and later calls and handles work', async t => {
    const attack = 'validateToolCall(new Uint8Array(60e6).fill(32))';
    assert.match(await attempt(t, '--wasm-max-mem-pages=500', attack, 20), /^(internal|limit_exceeded)$/);
  });

  test('memory in the middle of the work, the call fails, and later calls and handles work', async t => {
    const attack =
      'importTrajectory(\'{"turns":[\' + \'{"turn_id":1,"role":"user"},\'.repeat(3e5) + \'{"turn_id":1,"role":"user"}]}\')';
    assert.match(await attempt(t, '--wasm-max-mem-pages=500', attack, 20), /^(internal|limit_exceeded)$/);
  });

  test('stack, the call fails, and later calls and handles work', async t => {
    const attack =
      "validateToolCall({ name: 'f', arguments: JSON.parse('['.repeat(900) + ']'.repeat(900)), result: 1 }, tools, { limits: { maxDepth: 1000 } })";
    assert.match(await attempt(t, '--stack-size=120', attack, 20), /^(internal|limit_exceeded)$/);
  });
});
