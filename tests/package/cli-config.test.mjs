import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { consumer, folderIn, run, TESTS } from './support/consumer.mjs';

const COMMAND = join(consumer, 'node_modules/.bin/toolgauge');
const [TOOLS, CLEAN, FAULTY, EXPECTED] = ['tools', 'clean', 'faulty', 'expected'].map(name =>
  readFileSync(join(TESTS, `fixtures/${name}.json`), 'utf8'),
);
const FILES = { 'tools.json': TOOLS, 'clean.json': CLEAN, 'faulty.json': FAULTY, 'expected.json': EXPECTED };

/** What is said when the file in the working folder is used. */
const USING = 'toolgauge: using toolgauge.config.json\n';

const inFolder = (folder, ...args) => run(COMMAND, args, { cwd: folder });

/** A folder with the files that these tests need, and a configuration file. */
const project = (t, config) =>
  folderIn(consumer, t, {
    ...FILES,
    'toolgauge.config.json': typeof config === 'string' ? config : JSON.stringify(config),
  });

suite('toolgauge.config.json', () => {
  test('gives every command its options, from the working folder upwards, with paths from its own folder', async t => {
    const folder = project(t, {
      tools: 'tools.json',
      check: { inputs: ['faulty.json'], show: 'none', failOn: 'never' },
    });
    mkdirSync(join(folder, 'deep/er'), { recursive: true });
    const here = await inFolder(folder, 'check');
    assert.equal(here.code, 0, here.stderr);
    assert.match(here.stdout, /^toolgauge check {2}faulty\.json · 2 tools\n\nchecked {2}2 trajectories/);
    const below = await inFolder(join(folder, 'deep/er'), 'check');
    assert.match(below.stdout, /^toolgauge check {2}\.\.\/\.\.\/faulty\.json · 2 tools\n\nchecked/);
    const none = await inFolder(folder, 'check', '--no-config');
    assert.equal(none.code, 2);
    assert.match(none.stderr, /missing required argument 'inputs'/);
  });

  test('is passed over by flags, and its sections go before what stands at its top', async t => {
    const folder = project(t, { minScore: 1, failOn: 'low', check: { failOn: 'critical', tools: 'tools.json' } });
    const faulty = await inFolder(folder, 'check', 'faulty.json');
    assert.match(
      faulty.stdout,
      /gate {5}failed: 1 issue is critical or worse;\s+the\s+score\s+0(?:\.\d+)?\s+is\s+below\s+1\n/,
    );
    const flags = ['--min-score', '0', '--fail-on', 'never'];
    assert.equal((await inFolder(folder, 'check', 'faulty.json', ...flags)).code, 0);
    const score = await inFolder(folder, 'score', '--expected', 'expected.json', '--actual', 'clean.json');
    assert.match(score.stdout, /gate {5}failed: the score 0\.5 is below 1/);
  });

  test('is read from where --config says', async t => {
    const folder = project(t, { check: { minScore: 1, failOn: 'never' } });
    mkdirSync(join(folder, 'ci'));
    writeFileSync(
      join(folder, 'ci/gate.json'),
      JSON.stringify({ $schema: './x.json', failOn: 'never', tools: '../tools.json' }),
    );
    const { code, stdout } = await inFolder(
      folder,
      'check',
      'faulty.json',
      '--config',
      'ci/gate.json',
      '--show',
      'none',
    );
    assert.equal(code, 0);
    assert.match(stdout, /faulty\.json · 2 tools/);
    const missing = await inFolder(folder, 'check', 'clean.json', '--config', 'no.json');
    assert.equal(missing.code, 2);
    assert.match(
      missing.stderr,
      /^toolgauge: can't read no\.json: there is no such file\n {2}check the path, or pass --no-config/,
    );
  });

  test('takes flags, counts, lists, reports and globs', async t => {
    const folder = project(t, {
      jobs: 2,
      check: {
        inputs: ['cl*.json'],
        reports: { json: 'out/../report.json', jsonl: 'lines.jsonl' },
        strict: true,
        validateSchemas: false,
        allowUnknownTools: true,
        summary: 'summary.json',
        output: 'report.txt',
      },
      correctness: { params: ['input_parameters', 'output'], exact: true, threshold: 0.9 },
      convert: { to: 'atif' },
    });
    mkdirSync(join(folder, 'out'));
    const { code, stdout, stderr } = await inFolder(folder, 'check');
    assert.deepEqual([code, stdout, stderr], [0, '', USING]);
    const read = name => readFileSync(join(folder, name), 'utf8');
    assert.equal(JSON.parse(read('report.json')).results.length, 1);
    assert.equal(JSON.parse(read('lines.jsonl')).calls, 2);
    assert.deepEqual(JSON.parse(read('summary.json')), JSON.parse(read('report.json')).summary);
    assert.match(read('report.txt'), /^toolgauge check {2}clean\.json/);
    const correctness = await inFolder(folder, 'correctness', '--expected', 'expected.json', '--actual', 'clean.json');
    assert.match(correctness.stdout, /same\s+places · names and arguments and outputs · threshold 0\.9/);
    const converted = await inFolder(folder, 'convert', 'clean.json');
    assert.equal(JSON.parse(converted.stdout).schema_version, 'ATIF-v1.7');
  });

  test('flags that are false there are not given, and those that turn something off are', async t => {
    const folder = project(t, {
      tools: 'tools.json',
      strict: false,
      allowEmpty: false,
      validateSchemas: true,
      failOn: 'never',
    });
    const plain = await inFolder(
      folder,
      'check',
      'faulty.json',
      '--no-config',
      '--tools',
      'tools.json',
      '--fail-on',
      'never',
    );
    assert.deepEqual(await inFolder(folder, 'check', 'faulty.json'), { ...plain, stderr: USING });
  });

  for (const [title, config, says] of [
    ['an unknown option', { minScor: 1 }, /minScor: no such option; did you mean "minScore"\?/],
    ['an unknown option of a command', { check: { jbos: 2 } }, /check\.jbos: no such option; did you mean "jobs"\?/],
    ['an unknown command', { checks: {} }, /checks: no such option; did you mean "check"\?/],
    [
      'an option that is like no other',
      { merge: { zzzzzz: 1 } },
      /merge\.zzzzzz: no such option; known are summaries, summary, format/,
    ],
    ['a value of another type', { check: { jobs: '2' } }, /check\.jobs: expected integer, got "2" \(string\)/],
    ['a value out of its range', { minScore: 2 }, /minScore: expected at most 1, got 2/],
    ['a value that is none of those known', { failOn: 'hihg' }, /failOn: expected one of .*did you mean "high"\?/],
    [
      'a report in an unknown format',
      { check: { reports: { xml: 'a' } } },
      /check\.reports: It must be a format of pretty/,
    ],
    ['more depth than is read', `{"tools": ${'['.repeat(999)}${']'.repeat(999)}}`, /limits\.maxDepth/],
    ['a list', [1], /expected an object of options/],
    ['text that is cut off', '{"check": {', /not valid JSON: /],
    ['text that steers the terminal', { 'x\u001b[2J': 1 }, /\["x\\u001b\[2J"\]: no such option/],
  ]) {
    test(`with ${title} is refused, and says so`, async t => {
      const folder = project(t, config);
      const { code, stdout, stderr } = await inFolder(folder, 'check', 'clean.json');
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr, /^toolgauge: toolgauge\.config\.json: /);
      assert.match(stderr, says);
    });
  }

  test('holds JSON and runs no code', async t => {
    const folder = project(t, '{"__proto__": {"minScore": 1}}');
    const { code, stderr } = await inFolder(folder, 'check', 'clean.json');
    assert.equal(code, 2);
    assert.match(stderr, /__proto__: no such option/);
  });

  test('is described by toolgauge/config.schema.json, which names every option that a file may set', async () => {
    const path = createRequire(join(consumer, 'x.js')).resolve('toolgauge/config.schema.json');
    const schema = JSON.parse(readFileSync(path, 'utf8'));
    assert.equal(schema.additionalProperties, false);
    const help = await run(COMMAND, ['--help']);
    const commands = [...help.stdout.matchAll(/^ {2}([a-z-]+) (?:\[|<)/gm)]
      .map(([, name]) => name)
      .filter(name => name !== 'help');
    assert.ok(commands.length >= 5, help.stdout);
    for (const command of commands) {
      const { stdout } = await run(COMMAND, [command, '--help']);
      const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(?:--[a-z-]+, )?--([a-z-]+)/gm)].map(([, flag]) => flag);
      const keys = flags
        .filter(flag => !NOT_IN_FILES.includes(flag))
        .map(flag => camel(flag.replace(/^no-/, '')))
        .map(key => LISTED[key] ?? key);
      const section = schema.properties[camel(command)];
      for (const key of keys) {
        assert.ok(section.properties[key], `${command}: ${key}`);
        assert.ok(schema.properties[key], key);
      }
    }
  });
});

/** Options of the command line that may be given again and again, and stand in files as one. */
const LISTED = { report: 'reports', rule: 'rules' };

/** A file of a repository must not decide where conversations are sent. */
const NOT_IN_FILES = ['help', 'config', 'no-config', 'judge-url'];

const camel = name => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
