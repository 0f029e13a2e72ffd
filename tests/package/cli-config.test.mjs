import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
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

/** Asserts that the configuration file in `folder` makes a check do what these flags do. */
async function assertSameAsFlags(folder, flags) {
  const plain = await inFolder(folder, 'check', 'faulty.json', '--no-config', ...flags);
  assert.deepEqual(await inFolder(folder, 'check', 'faulty.json'), { ...plain, stderr: USING });
}

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

  test('comments and trailing commas are allowed there', async t => {
    const folder = project(
      t,
      '{\n  // as in the README\n  "tools": "tools.json", /* the shop */\n  "failOn": "never",\n}\n',
    );
    await assertSameAsFlags(folder, ['--tools', 'tools.json', '--fail-on', 'never']);
  });

  test('flags that are false there are not given, and those that turn something off are', async t => {
    const folder = project(t, {
      tools: 'tools.json',
      strict: false,
      allowEmpty: false,
      validateSchemas: true,
      failOn: 'never',
    });
    await assertSameAsFlags(folder, ['--tools', 'tools.json', '--fail-on', 'never']);
  });

  for (const [title, config, says] of [
    ['an unknown option', { minScor: 1 }, /minScor: unknown option; did you mean "minScore"\?/],
    ['an unknown option of a command', { check: { jbos: 2 } }, /check\.jbos: unknown option; did you mean "jobs"\?/],
    ['an unknown command', { checks: {} }, /checks: unknown option; did you mean "check"\?/],
    [
      'an option that is like no other',
      { merge: { zzzzzz: 1 } },
      /merge\.zzzzzz: unknown option; known are summaries, summary, format/,
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
    ['text that steers the terminal', { 'x\u001b[2J': 1 }, /\["x\\u001b\[2J"\]: unknown option/],
  ]) {
    test(`with ${title} is refused, and says so`, async t => {
      const folder = project(t, config);
      const { code, stdout, stderr } = await inFolder(folder, 'check', 'clean.json');
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr, /^toolgauge: toolgauge\.config\.json: /);
      assert.match(stderr, says);
    });
  }

  test('is announced where it was found and says something for the command, and nowhere else', async t => {
    const folder = project(t, { check: { tools: 'tools.json', failOn: 'never' } });
    mkdirSync(join(folder, 'deep'));
    const json = await inFolder(folder, 'check', 'faulty.json', '--format', 'json');
    assert.equal(json.stderr, USING);
    assert.equal(JSON.parse(json.stdout).gate.passed, true);
    const below = await inFolder(join(folder, 'deep'), 'check', '../faulty.json');
    assert.equal(below.stderr, 'toolgauge: using ../toolgauge.config.json\n');
    for (const args of [
      ['check', 'faulty.json', '--config', 'toolgauge.config.json'],
      ['check', 'faulty.json', '--no-config'],
      ['check', 'faulty.json', '--tools', 'tools.json', '--fail-on', 'never'],
      ['convert', 'clean.json', '--to', 'harness'],
      ['explain'],
      ['check', '--help'],
    ]) {
      assert.equal((await inFolder(folder, ...args)).stderr, '', args.join(' '));
    }
  });

  test('holds JSON and runs no code', async t => {
    const folder = project(t, '{"__proto__": {"minScore": 1}}');
    const { code, stderr } = await inFolder(folder, 'check', 'clean.json');
    assert.equal(code, 2);
    assert.match(stderr, /__proto__: unknown option/);
  });

  test('is described by toolgauge/config.schema.json, which names every option that a file may set', async () => {
    const path = createRequire(join(consumer, 'x.js')).resolve('toolgauge/config.schema.json');
    const schema = JSON.parse(readFileSync(path, 'utf8'));
    assert.equal(schema.additionalProperties, false);
    const help = await run(COMMAND, ['--help']);
    const commands = [...help.stdout.matchAll(/^ {2}([a-z-]+) (?:\[|<)/gm)]
      .map(([, name]) => name)
      .filter(name => name !== 'help' && name !== 'init');
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

suite('toolgauge.config.json is looked for', () => {
  const CONFIG = JSON.stringify({ check: { failOn: 'never' } });

  /** A tree of folders, outside of any project, with a configuration file in `top`. */
  function tree(t, ...folders) {
    const outside = mkdtempSync(join(tmpdir(), 'toolgauge-config-'));
    t.after(() => rmSync(outside, { recursive: true, force: true }));
    mkdirSync(join(outside, 'top/middle/low'), { recursive: true });
    writeFileSync(join(outside, 'top/toolgauge.config.json'), CONFIG);
    writeFileSync(join(outside, 'top/middle/low/clean.json'), CLEAN);
    for (const folder of folders) mkdirSync(join(outside, folder), { recursive: true });
    return outside;
  }

  /** Whether a check in this folder of the tree uses the file. */
  async function isUsed(outside, folder = 'top/middle/low', env = {}) {
    const input = CLEAN;
    const { code, stderr } = await run(COMMAND, ['check', '-'], { cwd: join(outside, folder), env, input });
    assert.equal(code, 0, stderr);
    return stderr.includes('using');
  }

  const write = (outside, name, value) => writeFileSync(join(outside, name), JSON.stringify(value));

  test('in the working folder alone when there is no project', async t => {
    const outside = tree(t);
    assert.equal(await isUsed(outside), false);
    assert.equal(await isUsed(outside, 'top'), true);
  });

  test('up to the nearest repository, its work trees included', async t => {
    const outside = tree(t, 'top/.git');
    assert.equal(await isUsed(outside), true);
    writeFileSync(join(outside, 'top/middle/.git'), 'gitdir: ../.git/worktrees/middle\n');
    assert.equal(await isUsed(outside), false);
  });

  test('or else up to the root of a workspace, or else up to the nearest package', async t => {
    const outside = tree(t);
    write(outside, 'top/middle/package.json', {});
    write(outside, 'top/package.json', {});
    assert.equal(await isUsed(outside), false);
    write(outside, 'top/package.json', { workspaces: ['middle'] });
    assert.equal(await isUsed(outside), true);
    write(outside, 'top/package.json', {});
    writeFileSync(join(outside, 'top/pnpm-workspace.yaml'), '');
    assert.equal(await isUsed(outside), true);
    mkdirSync(join(outside, 'top/middle/.git'));
    assert.equal(await isUsed(outside), false);
  });

  test('never above the home folder', async t => {
    const outside = tree(t, 'top/.git');
    assert.equal(await isUsed(outside, undefined, { HOME: join(outside, 'top/middle') }), false);
    assert.equal(await isUsed(outside, undefined, { HOME: join(outside, 'top') }), true);
  });

  const onlyRoot = process.getuid?.() === 0 ? false : 'only root may give files to others';

  test('never in a folder of somebody else, nor is their file used', { skip: onlyRoot }, async t => {
    const outside = tree(t, 'top/.git');
    chownSync(join(outside, 'top'), 65534, 65534);
    assert.equal(await isUsed(outside), false);
    chownSync(join(outside, 'top'), 0, 0);
    chownSync(join(outside, 'top/toolgauge.config.json'), 65534, 65534);
    const { code, stdout, stderr } = await run(COMMAND, ['check', 'clean.json'], {
      cwd: join(outside, 'top/middle/low'),
    });
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(
      stderr,
      /^toolgauge: \.\.\/\.\.\/toolgauge\.config\.json belongs to another user\n {2}name it with --config/,
    );
    const named = ['check', 'clean.json', '--config', '../../toolgauge.config.json'];
    assert.equal((await run(COMMAND, named, { cwd: join(outside, 'top/middle/low') })).code, 0);
  });

  test('by root also in the folder of somebody else who owns all of it, as in a container', {
    skip: onlyRoot,
  }, async t => {
    const outside = tree(t, 'top/.git');
    for (const name of ['top', 'top/middle', 'top/middle/low', 'top/toolgauge.config.json']) {
      chownSync(join(outside, name), 65534, 65534);
    }
    assert.equal(await isUsed(outside), true);
  });

  test('and must be a file', { skip: process.platform === 'win32' }, async t => {
    const outside = tree(t, 'top/.git');
    rmSync(join(outside, 'top/toolgauge.config.json'));
    spawnSync('mkfifo', [join(outside, 'top/toolgauge.config.json')]);
    const { code, stderr } = await run(COMMAND, ['check', '-'], {
      cwd: join(outside, 'top'),
      input: '',
      timeout: 60_000,
    });
    assert.equal(code, 2);
    assert.match(stderr, /^toolgauge: can't read toolgauge\.config\.json: it is no regular file/);
  });
});

suite('toolgauge.config.json that was found', () => {
  const OUTSIDE = /^toolgauge: toolgauge\.config\.json: \S+ lies outside of the folder of this file\n {2}.*--config/;

  /** A project beside a file that it must not touch, with links that lead there. */
  function besidePrecious(t, config) {
    const folder = folderIn(consumer, t, { precious: 'precious' });
    const inner = join(folder, 'project');
    mkdirSync(join(inner, 'out'), { recursive: true });
    for (const [name, text] of Object.entries({ ...FILES, 'toolgauge.config.json': JSON.stringify(config) })) {
      writeFileSync(join(inner, name), text);
    }
    symlinkSync('../precious', join(inner, 'link'));
    symlinkSync('../new', join(inner, 'nowhere'));
    symlinkSync('..', join(inner, 'up'));
    symlinkSync('../../precious', join(inner, 'out/clean.json'));
    return { folder, inner };
  }

  for (const path of ['../precious', 'link', 'nowhere', 'up/precious', 'out/../../precious', '/dev/null', '../new/x']) {
    test(`writes nothing outside of its folder: ${path}`, { skip: process.platform === 'win32' }, async t => {
      for (const options of [{ output: path }, { summary: path }, { reports: { json: path } }]) {
        const { folder, inner } = besidePrecious(t, { check: options });
        const { code, stdout, stderr } = await inFolder(inner, 'check', 'clean.json');
        assert.equal(code, 2, stderr);
        assert.equal(stdout, '');
        assert.match(stderr.replace(USING, ''), OUTSIDE);
        assert.equal(readFileSync(join(folder, 'precious'), 'utf8'), 'precious');
        assert.deepEqual(readdirSync(folder).sort(), ['precious', 'project']);
      }
    });
  }

  test('converts nothing into what leads outside of it', { skip: process.platform === 'win32' }, async t => {
    for (const output of ['../', 'up', 'out/']) {
      const { folder, inner } = besidePrecious(t, { convert: { to: 'harness', output } });
      const { code, stderr } = await inFolder(inner, 'convert', 'clean.json');
      assert.equal(code, 2, output);
      assert.match(stderr.replace(USING, ''), OUTSIDE);
      assert.equal(readFileSync(join(folder, 'precious'), 'utf8'), 'precious');
      assert.deepEqual(readdirSync(folder).sort(), ['precious', 'project']);
    }
  });

  test('may write inside of it; what is named, or said by a flag, is trusted', {
    skip: process.platform === 'win32',
  }, async t => {
    const { folder, inner } = besidePrecious(t, { check: { output: 'deep/er/report.txt' } });
    assert.equal((await inFolder(inner, 'check', 'clean.json')).code, 0);
    const report = readFileSync(join(inner, 'deep/er/report.txt'), 'utf8');
    assert.match(report, /^toolgauge check/);
    assert.equal((await inFolder(inner, 'check', 'clean.json', '--output', '../flagged')).code, 0);
    assert.equal(readFileSync(join(folder, 'flagged'), 'utf8'), report);
    writeFileSync(join(inner, 'toolgauge.config.json'), JSON.stringify({ check: { output: '../named' } }));
    assert.equal((await inFolder(inner, 'check', 'clean.json', '--config', 'toolgauge.config.json')).code, 0);
    assert.equal(readFileSync(join(folder, 'named'), 'utf8'), report);
  });
});

/** Options of the command line that may be given again and again, and stand in files as one. */
const LISTED = { report: 'reports', rule: 'rules' };

/** A file of a repository must not decide where conversations are sent. */
const NOT_IN_FILES = ['help', 'config', 'no-config', 'judge-url', 'watch'];

const camel = name => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
