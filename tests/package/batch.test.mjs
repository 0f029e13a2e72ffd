import assert from 'node:assert/strict';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { suite, test } from 'node:test';
import { consumer, folderIn, fromConsumer, TESTS } from './support/consumer.mjs';

const { checkLines, checkTrajectories, compileTools, mergeSummaries, ToolgaugeError } = await fromConsumer('toolgauge');

const [TOOLS, FAULTY, CLEAN] = ['tools', 'faulty', 'clean'].map(name =>
  readFileSync(join(TESTS, `fixtures/${name}.json`)),
);

/** Lines of trajectories, good and bad ones in turn. */
const LINES = [JSON.parse(FAULTY), JSON.parse(CLEAN)].map(value => JSON.stringify(value));

const collect = async check => {
  const verdicts = [];
  for await (const verdict of check) verdicts.push(verdict);
  return verdicts;
};

/** `text` as bytes in pieces of `size`. */
function* inPieces(text, size) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield new Uint8Array(bytes.subarray(at, at + size));
}

suite('checkLines', () => {
  test('gives the verdicts of checkTrajectories on each line, with its number', async () => {
    const verdicts = await collect(checkLines(LINES, TOOLS));
    const wanted = LINES.flatMap((text, at) => {
      const { format, trajectories } = checkTrajectories(text, TOOLS);
      return trajectories.map(report => ({ line: at + 1, format, ...report }));
    });
    assert.deepEqual(verdicts, wanted);
    assert.equal(verdicts.length, 3);
  });

  test('adds up what was checked so far, and holds it against the gate', async () => {
    const check = checkLines(LINES, TOOLS, { minScore: 0.9 });
    assert.equal(check.summary.documents, 0);
    const seen = [];
    for await (const _ of check) seen.push(check.summary.trajectories);
    assert.deepEqual(seen, [2, 2, 3]);
    const parts = LINES.map(text => checkTrajectories(text, TOOLS));
    assert.deepEqual(check.summary, mergeSummaries(...parts));
    assert.equal(check.gate.passed, false);
    assert.match(check.gate.failures.join(), /below 0\.9/);
  });

  test('takes bytes cut anywhere, in any kind of source', async t => {
    const text = `\ufeff${LINES[0]}\r\n\n{"turns": [{"turn_id": 1, "role": "user", "content": "größer 🌿"}]}\r\n${LINES[1]}`;
    const wanted = await collect(checkLines(text.split('\n'), TOOLS));
    assert.deepEqual(
      wanted.map(({ line }) => line),
      [1, 1, 3, 4],
    );
    for (const size of [1, 2, 3, 7, 64, 100_000]) {
      assert.deepEqual(await collect(checkLines(inPieces(text, size), TOOLS)), wanted, `${size} bytes`);
    }
    const file = join(folderIn(consumer, t, { 'lines.jsonl': text }), 'lines.jsonl');
    assert.deepEqual(await collect(checkLines(createReadStream(file), TOOLS)), wanted);
    assert.deepEqual(await collect(checkLines(createInterface({ input: createReadStream(file) }), TOOLS)), wanted);
    assert.deepEqual(await collect(checkLines(new Blob([text]).stream(), TOOLS)), wanted);
    assert.deepEqual(await collect(checkLines(text, TOOLS)), wanted);
    assert.deepEqual(await collect(checkLines(Buffer.from(text), compileTools(TOOLS))), wanted);
  });

  test('reads a stream that can only be asked for its reader', async () => {
    const stream = new Blob([LINES.join('\n')]).stream();
    const only = { getReader: () => stream.getReader() };
    assert.equal((await collect(checkLines(only, TOOLS))).length, 3);
  });

  test('does not keep memory that the source uses again', async () => {
    const text = LINES.join('\n');
    const wanted = await collect(checkLines(text, TOOLS));
    async function* reusing() {
      const buffer = new Uint8Array(50);
      for (const piece of inPieces(text, 50)) {
        buffer.set(piece);
        yield buffer.subarray(0, piece.length);
      }
    }
    assert.deepEqual(await collect(checkLines(reusing(), TOOLS)), wanted);
  });

  test('reports a bad line by its number, and checks the rest', async () => {
    const lines = [LINES[1], '{"turns": [', '{"odd": 1}', Buffer.from([0x22, 0xff, 0x22, 0x0a]), LINES[1]];
    const check = checkLines(lines, TOOLS);
    const verdicts = await collect(check);
    assert.deepEqual(
      verdicts.map(({ line, error }) => [line, error?.code]),
      [
        [1, undefined],
        [2, 'invalid_json'],
        [3, 'unknown_format'],
        [4, 'invalid_json'],
        [5, undefined],
      ],
    );
    assert.match(verdicts[1].error.message, /at line 2, column 11/);
    assert.equal(check.summary.unread, 3);
    assert.equal(check.summary.documents, 5);
  });

  test('holds no more of a line than the limit, and says how long it was', async () => {
    const long = JSON.stringify({ turns: [], more: 'x'.repeat(5000) });
    const lines = `${LINES[1]}\n${long}\n${LINES[1]}\n${long}`;
    for (const size of [100, 1000, 100_000]) {
      const check = checkLines(inPieces(lines, size), TOOLS, { limits: { maxInputBytes: 2000 } });
      const verdicts = await collect(check);
      assert.deepEqual(
        verdicts.map(({ line, error }) => [line, error?.code, error?.message.match(/needs (\d+)/)?.[1]]),
        [
          [1, undefined, undefined],
          [2, 'limit_exceeded', String(long.length)],
          [3, undefined, undefined],
          [4, 'limit_exceeded', String(long.length)],
        ],
        `${size} bytes`,
      );
    }
  });

  test('reports a line on which the core fails, and checks the rest', async () => {
    const again = { type: 'object', properties: { x: { $ref: '#' } } };
    const parameters = { anyOf: [again, { ...again, required: ['y'] }] };
    const nested = depth => (depth === 0 ? 1 : { x: nested(depth - 1) });
    const call = (name, depth) => ({ name, arguments: nested(depth), result: {} });
    const line = (...calls) =>
      JSON.stringify({ turns: [{ turn_id: 1, role: 'agent', content: '', tool_calls: calls }] });
    const lines = [
      line(call('f', 1)),
      line(call('f', 40)),
      line(call('f', 1)),
      line(call('f', 40)),
      line(call('f', 1)),
    ];
    const tools = { f: { name: 'f', parameters } };
    const verdicts = await collect(checkLines(`${lines.join('\n')}\n`, tools));
    assert.deepEqual(
      verdicts.map(({ line, error }) => [line, error?.code]),
      [
        [1, undefined],
        [2, 'limit_exceeded'],
        [3, undefined],
        [4, 'limit_exceeded'],
        [5, undefined],
      ],
    );
  });

  test('of nothing gives nothing', async () => {
    for (const source of ['', '\n\n', [], [new Uint8Array()]]) {
      const check = checkLines(source, TOOLS);
      assert.deepEqual(await collect(check), []);
      assert.equal(check.summary.documents, 0);
      assert.equal(check.gate.passed, false);
    }
  });

  test('refuses wrong tools at once, and what is no line when it comes', async () => {
    const broken = { f: { name: 'f', parameters: { type: 'strin' } } };
    assert.throws(() => checkLines(LINES, broken), { code: 'invalid_schema' });
    assert.throws(() => checkLines(LINES, TOOLS, { limits: { maxDepth: 0 } }), { code: 'invalid_option' });
    await assert.rejects(collect(checkLines([{}], TOOLS)), error => {
      assert.ok(error instanceof ToolgaugeError);
      return error.code === 'invalid_input' && /lines as text, or bytes/.test(error.message);
    });
    await assert.rejects(collect(checkLines(LINES, TOOLS, { strikt: true })), { code: 'invalid_option' });
  });

  test('closes the source when it is left early', async () => {
    let isClosed = false;
    async function* source() {
      try {
        for (;;) yield LINES[0];
      } finally {
        isClosed = true;
      }
    }
    for await (const _ of checkLines(source(), TOOLS)) break;
    assert.equal(isClosed, true);
  });
});

suite('mergeSummaries', () => {
  test('adds parts up to the whole, in any order and in any split', async () => {
    const lines = Array.from({ length: 40 }, (_, at) => LINES[at % 2]);
    const summaryOf = async part => {
      const check = checkLines(part, TOOLS);
      await collect(check);
      return check.summary;
    };
    const whole = await summaryOf(lines);
    for (const size of [1, 7, 39]) {
      const parts = [];
      for (let at = 0; at < lines.length; at += size) parts.push(await summaryOf(lines.slice(at, at + size)));
      assert.deepEqual(mergeSummaries(...parts.reverse()), whole);
    }
  });

  test('of none is that of nothing', () => {
    const { documents, score, issuesBySeverity } = mergeSummaries();
    assert.deepEqual([documents, score, issuesBySeverity.high], [0, null, 0]);
  });

  test('refuses what is no summary', () => {
    assert.throws(() => mergeSummaries({ trajectories: 5 }), { code: 'invalid_input', path: '[0]' });
    assert.throws(() => mergeSummaries(mergeSummaries(), { ...mergeSummaries(), version: 7 }), { path: '[1].version' });
  });
});
