import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { consumer, folderIn, fromConsumer, run, TESTS } from './support/consumer.mjs';
import { zipOf } from './support/zip.mjs';

const { importTrajectories } = await fromConsumer('toolgauge');

const COMMAND = join(consumer, 'node_modules/.bin/toolgauge');
const ZSTANDARD = join(TESTS, '../fixtures/archives/zstandard.eval');

const toolgauge = (folder, args, options) => run(COMMAND, args, { cwd: folder, ...options });

/** A sample of Inspect with one call, over several lines. */
function sample(id, tool) {
  const call = { id: `call-${id}`, function: tool, arguments: { day: id }, type: 'function' };
  const messages = [
    { role: 'user', content: `Day ${id}?` },
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', content: 'first line\nsecond line', tool_call_id: call.id, function: tool },
    { role: 'assistant', content: 'Done.' },
  ];
  return JSON.stringify({ id, epoch: 1, input: `Day ${id}?`, target: 'x', messages }, null, 2);
}

const START = ['_journal/start.json', '{}'];
const SAMPLES = [
  ['samples/10_epoch_1.json', sample(10, 'old')],
  ['samples/2_epoch_1.json', sample(2, 'find')],
  ['samples/10_epoch_1.json', sample(10, 'send')],
];
const LOG = [START, ...SAMPLES, ['summaries.json', '[]'], ['header.json', '{"version":2}']];

const LINES = `${[SAMPLES[1], SAMPLES[2]].map(([, text]) => JSON.stringify(JSON.parse(text))).join('\n')}\n`;

/** The calls of each trajectory that is read, by its line. */
async function callsOf(folder, args, options) {
  const { code, stdout, stderr } = await toolgauge(folder, ['convert', ...args, '--to', 'harness'], options);
  assert.equal(stderr, '');
  assert.equal(code, 0);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map(line => {
      const { trajectory_id: id, turns } = JSON.parse(line);
      const calls = turns.flatMap(({ tool_calls: made = [] }) => made);
      return [id, ...calls.map(({ id: call, name, arguments: args, result }) => [call, name, args, result])];
    });
}

const TWO = [
  ['2', ['call-2', 'find', { day: 2 }, 'first line\nsecond line']],
  ['10', ['call-10', 'send', { day: 10 }, 'first line\nsecond line']],
];

suite('Inspect logs (.eval)', () => {
  test('are read sample by sample, in the order of their numbers, the last of each name', async t => {
    const folder = folderIn(consumer, t, { 'log.eval': zipOf(LOG), 'stored.eval': zipOf(LOG, { method: 0 }) });
    assert.deepEqual(await callsOf(folder, ['log.eval']), TWO);
    assert.deepEqual(await callsOf(folder, ['stored.eval']), TWO);
    assert.deepEqual(await callsOf(folder, ['-'], { input: zipOf(LOG) }), TWO);
    mkdirSync(join(folder, 'logs'));
    writeFileSync(join(folder, 'logs/only.eval'), zipOf(LOG));
    const { stdout } = await toolgauge(folder, ['check', 'logs', '--format', 'jsonl']);
    const verdicts = stdout.split('\n').filter(Boolean).map(JSON.parse);
    assert.deepEqual(
      verdicts.map(({ source, line, id, format }) => [source, line, id, format]),
      [
        ['logs/only.eval', 1, '2', 'inspect'],
        ['logs/only.eval', 2, '10', 'inspect'],
      ],
    );
  });

  test('are read when they are compressed with Zstandard, in several frames', async () => {
    assert.deepEqual(await callsOf(consumer, [ZSTANDARD]), [
      ['trip-2', ['call_2', 'find_ferry', { from: 'Kiel' }, 'two ferries']],
      ['trip-10', ['call_10', 'find_train', { to: 'Bergen' }, 'one train']],
    ]);
  });

  const whole = zipOf(LOG);
  const broken = Buffer.from(whole);
  const name = 'samples/2_epoch_1.json';
  const content = broken.indexOf(name) + name.length;
  broken.fill(0xff, content + 20, content + 60);
  const bomb = [START, ['samples/1_epoch_1.json', ' '.repeat(70_000_000)]];
  for (const [name, bytes, reason] of [
    ['that is cut', whole.subarray(0, whole.length - 30), /the archive is incomplete: it has no directory at its end/],
    ['that is damaged', broken, /the archive is damaged or incomplete/],
    ['that has other sizes than it says', zipOf(LOG, { size: 9 }), /the archive is damaged or incomplete/],
    [
      'in an unknown compression',
      zipOf(LOG, { method: 98 }),
      /compressed in a way that is not supported \(method 98\)/,
    ],
    ['that is encrypted', zipOf(LOG, { flags: 1 }), /samples\/2_epoch_1\.json in the archive is encrypted/],
    ['without samples', zipOf([START]), /the Inspect log holds no samples yet/],
    ['of other files', zipOf([['a.json', '{}']]), /it is a ZIP archive and no Inspect log \(\.eval\): unpack it/],
    ['that expands without end', zipOf(bomb), /expands from \d+ to 70000000 bytes, which is not plausible/],
  ]) {
    test(`an archive ${name} is an error that says so`, async t => {
      const folder = folderIn(consumer, t, { 'log.eval': bytes });
      const { code, stdout, stderr } = await toolgauge(folder, ['check', 'log.eval', '--allow-empty']);
      assert.equal(code, 2);
      assert.match(stderr, reason);
      assert.match(stderr, /^toolgauge: log\.eval: can't be read: /);
      assert.doesNotMatch(stdout, /gate +passed/);
    });
  }
});

suite('compressed and other files', () => {
  test('what gzip compressed, and UTF-16, is read as the text that it holds', async t => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(LINES, 'utf16le')]);
    const folder = folderIn(consumer, t, {
      'log.jsonl.gz': gzipSync(LINES),
      'log.json.gz': gzipSync(SAMPLES[1][1]),
      'utf16.jsonl': utf16,
      'big.jsonl': Buffer.from(utf16).swap16(),
    });
    assert.deepEqual(await callsOf(folder, ['log.jsonl.gz']), TWO);
    assert.deepEqual(await callsOf(folder, ['log.json.gz']), TWO.slice(0, 1));
    assert.deepEqual(await callsOf(folder, ['utf16.jsonl']), TWO);
    assert.deepEqual(await callsOf(folder, ['big.jsonl']), TWO);
    assert.deepEqual(await callsOf(folder, ['-'], { input: gzipSync(LINES) }), TWO);
    const { stdout } = await toolgauge(folder, ['check', '.', '--format', 'json']);
    assert.deepEqual(JSON.parse(stdout).summary.formats, { inspect: 7 });
  });

  test('damaged compression is an error, and so is what expands without end', async t => {
    const packed = gzipSync(LINES);
    const folder = folderIn(consumer, t, {
      'cut.jsonl.gz': packed.subarray(0, packed.length - 12),
      'endless.jsonl.gz': gzipSync(' '.repeat(200_000_000)),
    });
    const failure = async name => {
      const { code, stderr } = await toolgauge(folder, ['check', name, '--allow-empty']);
      assert.equal(code, 2);
      return stderr;
    };
    assert.match(await failure('cut.jsonl.gz'), /can't be read: what gzip compressed is damaged or incomplete/);
    assert.match(await failure('endless.jsonl.gz'), /can't be read: it expands to more than 500 times its length/);
  });

  test('other files are named for what they are', async t => {
    const files = {
      'logs.sqlite.json': ['SQLite format 3\0', /got an SQLite database; export the logs in it as JSON Lines/],
      'logs.parquet.json': ['PAR1\x15\x04', /got a Parquet file; export its rows as JSON Lines/],
    };
    const folder = folderIn(
      consumer,
      t,
      Object.fromEntries(Object.entries(files).map(([name, [text]]) => [name, text])),
    );
    for (const [name, [, reason]] of Object.entries(files)) {
      const { code, stderr } = await toolgauge(folder, ['check', name]);
      assert.equal(code, 2);
      assert.match(stderr, reason);
    }
    for (const [bytes, reason] of [
      [zipOf(LOG), /a ZIP archive; of an Inspect log \(\.eval\), pass what `inspect log dump` prints/],
      [gzipSync('[]'), /a file compressed with gzip; pass what `gunzip --stdout` prints/],
      [readFileSync(ZSTANDARD).subarray(49), /a file compressed with Zstandard/],
      [Buffer.from('\ufeff[]', 'utf16le'), /text in UTF-16; pass what/],
    ]) {
      assert.throws(() => importTrajectories(bytes), { code: 'invalid_input', message: reason });
    }
  });
});
