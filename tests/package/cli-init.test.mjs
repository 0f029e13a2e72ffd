// toolgauge init: what it writes runs in the runners themselves.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { consumer, folderIn, install, run, runTool, TESTS } from './support/consumer.mjs';

const VITEST = install('vitest', 'ai', 'zod', '@types/node');
const JEST = install('jest', '@jest/globals', '@types/jest', '@types/node');

const [CONFIG, LOG] = ['toolgauge.config.jsonc', 'toolgauge.example.json'];

const toolgauge = (folder, ...args) => run(join(consumer, 'node_modules/.bin/toolgauge'), args, { cwd: folder });

/** A folder in a project, with `package.json` and other files. */
const emptyProject = (t, manifest, { project = consumer, ...files } = {}) =>
  folderIn(project, t, { 'package.json': JSON.stringify(manifest), ...files });

/** Bun itself, where its package comes with it, or where a script of its package puts it. */
function bun() {
  const oven = join(TESTS, 'node_modules/@oven');
  const places = [join(oven, readdirSync(oven)[0], 'bin/bun'), join(TESTS, 'node_modules/bun/bin/bun.exe')];
  return places.find(existsSync);
}

/** Runs a command that init prints, as a shell in `folder` would. */
function runPrinted(command, folder) {
  const [program, ...args] = command.split(' ');
  if (program === 'npx')
    return run(join(dirname(folder), 'node_modules/.bin', args[0]), args.slice(1), { cwd: folder });
  if (program === 'bun') return run(bun(), args, { cwd: folder });
  // The project of these tests is one folder above.
  return run(
    process.execPath,
    args.map(argument => argument.replace(/^node_modules/, '../node_modules')),
    { cwd: folder },
  );
}

const CASES = [
  {
    name: 'Vitest, TypeScript',
    manifest: { type: 'module', devDependencies: { vitest: '4', typescript: '7' } },
    project: VITEST,
    title: 'Vitest (found in the dependencies), TypeScript',
    test: 'toolgauge.test.ts',
    command: 'npx vitest run toolgauge.test.ts',
  },
  {
    name: 'Vitest, JavaScript in a package of CommonJS',
    manifest: { scripts: { test: 'vitest run' } },
    project: VITEST,
    title: 'Vitest (found in the script "test"), JavaScript',
    test: 'toolgauge.test.js',
    command: 'npx vitest run toolgauge.test.js',
  },
  {
    name: 'Jest, CommonJS',
    manifest: { devDependencies: { jest: '30' } },
    project: JEST,
    title: 'Jest (found in the dependencies), JavaScript',
    test: 'toolgauge.test.js',
    command: 'npx jest toolgauge.test.js',
  },
  {
    name: 'Jest, ES modules',
    manifest: { type: 'module', jest: { transform: {} } },
    project: JEST,
    title: 'Jest (found in the configuration files), JavaScript',
    test: 'toolgauge.test.js',
    command: 'node --experimental-vm-modules node_modules/jest/bin/jest.js toolgauge.test.js',
  },
  {
    name: "Bun's test runner",
    manifest: { type: 'module', scripts: { test: 'bun test' }, devDependencies: { typescript: '7' } },
    title: 'Bun\'s test runner (found in the script "test"), TypeScript',
    test: 'toolgauge.test.ts',
    command: 'bun test ./toolgauge.test.ts',
  },
  {
    name: 'node:test, CommonJS',
    manifest: {},
    title: 'node:test (no other runner was found; --runner names one), JavaScript',
    test: 'toolgauge.test.js',
    command: 'node --test toolgauge.test.js',
  },
  {
    name: 'node:test, ES modules',
    manifest: { type: 'module', scripts: { test: 'node --test' } },
    title: 'node:test (found in the script "test"), JavaScript',
    test: 'toolgauge.test.js',
    command: 'node --test toolgauge.test.js',
  },
];

for (const { name, manifest, project, title, test: file, command } of CASES) {
  suite(`toolgauge init for ${name}`, () => {
    test('writes a test that passes, and fails once the log is damaged', async t => {
      const folder = emptyProject(t, manifest, { project });
      const { code, stdout, stderr } = await toolgauge(folder, 'init');
      assert.deepEqual([code, stderr], [0, '']);
      assert.equal(stdout.split('\n')[0], `toolgauge init  ${title}`);
      assert.ok(stdout.includes(`\nNext:\n  $ ${command}\n  $ npx toolgauge check\n`), stdout);
      assert.deepEqual(readdirSync(folder).sort(), ['package.json', CONFIG, LOG, file].sort());

      const passing = await runPrinted(command, folder);
      assert.equal(passing.code, 0, passing.stdout + passing.stderr);
      const printed = stripVTControlCharacters(passing.stdout + passing.stderr);
      assert.match(printed, /3 passed|pass 3|3 pass\b/);

      const log = readFileSync(join(folder, LOG), 'utf8');
      writeFileSync(join(folder, LOG), log.replace('\\"A-1017\\"}', '1017}'));
      const failing = await runPrinted(command, folder);
      assert.equal(failing.code, 1, failing.stdout + failing.stderr);
      assert.match(failing.stdout + failing.stderr, /type_mismatch: order_id: expected string, got 1017/);
    });

    test('writes a configuration file with which a check needs no arguments', async t => {
      const folder = emptyProject(t, manifest, { project });
      await toolgauge(folder, 'init');
      const passing = await toolgauge(folder, 'check');
      assert.deepEqual([passing.code, passing.stderr], [0, `toolgauge: using ${CONFIG}\n`]);
      assert.match(passing.stdout, /^toolgauge check {2}toolgauge\.example\.json\n[\s\S]*gate {5}passed\n$/);
      const { $schema } = JSON.parse(readFileSync(join(folder, CONFIG), 'utf8').replace(/^\s*\/\/.*$/gm, ''));
      assert.ok(createRequire(join(folder, 'x.js'))($schema).properties.check.properties.inputs, $schema);
    });
  });
}

suite('toolgauge init', () => {
  test('leaves what is there as it is, and says so', async t => {
    const files = { 'toolgauge.config.json': '{}', [LOG]: '[]', 'toolgauge.test.js': '// mine' };
    const folder = emptyProject(t, {}, files);
    const { code, stdout } = await toolgauge(folder, 'init');
    assert.equal(code, 0);
    assert.equal(stdout.match(/^kept .* exists and was not changed$/gm).length, 3, stdout);
    for (const [name, text] of Object.entries(files)) assert.equal(readFileSync(join(folder, name), 'utf8'), text);
    assert.deepEqual(readdirSync(folder).sort(), ['package.json', ...Object.keys(files)].sort());
  });

  test('--dry-run prints the files and writes none', async t => {
    const folder = emptyProject(t, { devDependencies: { vitest: '4' } }, { [LOG]: '[]' });
    const { code, stdout } = await toolgauge(folder, 'init', '--dry-run');
    assert.equal(code, 0);
    assert.match(stdout, /^would write {2}toolgauge\.config\.jsonc .*\n\n {4}\{\n {6}"\$schema": /m);
    assert.match(stdout, /^kept {9}toolgauge\.example\.json /m);
    assert.match(stdout, /^would write {2}toolgauge\.test\.js [\s\S]*\n {4}import 'toolgauge\/vitest';\n/m);
    assert.deepEqual(readdirSync(folder).sort(), ['package.json', LOG]);
  });

  test('--folder puts the test and its log there, and --runner decides', async t => {
    const folder = emptyProject(t, { devDependencies: { vitest: '4' } });
    const { stdout } = await toolgauge(folder, 'init', '--folder', 'tests/agent', '--runner', 'node');
    assert.match(stdout, /^toolgauge init {2}node:test \(as you say\)/);
    assert.match(stdout, /\$ node --test tests\/agent\/toolgauge\.test\.js\n/);
    assert.deepEqual(readdirSync(join(folder, 'tests/agent')).sort(), [LOG, 'toolgauge.test.js']);
    assert.equal((await runPrinted('node --test tests/agent/toolgauge.test.js', folder)).code, 0);
    assert.equal((await toolgauge(folder, 'check')).code, 0);
  });

  test('asks for --runner if two runners are equally likely, and names them', async t => {
    const folder = emptyProject(t, { devDependencies: { vitest: '4', jest: '30' } });
    const { code, stdout, stderr } = await toolgauge(folder, 'init');
    assert.deepEqual([code, stdout], [2, '']);
    assert.equal(
      stderr,
      'toolgauge: vitest and jest are both in the dependencies\n  say which one runs the test: --runner vitest or --runner jest\n',
    );
    const script = emptyProject(t, { scripts: { test: 'jest' }, devDependencies: { vitest: '4', jest: '30' } });
    assert.match(
      (await toolgauge(script, 'init', '--dry-run')).stdout,
      /^toolgauge init {2}Jest \(found in the script/,
    );
  });

  test('knows a workspace by its root, and the package manager by its lock file', async t => {
    const folder = emptyProject(
      t,
      { workspaces: ['packages/*'], devDependencies: { vitest: '4' } },
      { 'yarn.lock': '' },
    );
    const inner = join(folder, 'packages/agent');
    mkdirSync(inner, { recursive: true });
    writeFileSync(join(inner, 'package.json'), '{"type": "module"}');
    writeFileSync(join(inner, 'tsconfig.json'), '{}');
    const { stdout } = await toolgauge(inner, 'init', '--dry-run');
    assert.match(stdout, /^toolgauge init {2}Vitest \(found in the dependencies\), TypeScript\n/);
    assert.match(stdout, /\$ yarn vitest run toolgauge\.test\.ts\n {2}\$ yarn toolgauge check\n/);
  });

  test('says why the test is not in the language of the project', async t => {
    const folder = emptyProject(t, { devDependencies: { jest: '30', typescript: '7' } });
    const { stdout } = await toolgauge(folder, 'init', '--dry-run');
    assert.match(stdout, /^toolgauge init .*, JavaScript, since no package lets Jest read TypeScript\n/);
    assert.match(stdout, /^would write {2}toolgauge\.test\.js /m);
  });

  test('names types that the settings of TypeScript leave out, and packages that are missing', async t => {
    const settings = '{\n  // as tsc --init writes it\n  "compilerOptions": { "types": [], }\n}';
    const outside = mkdtempSync(join(tmpdir(), 'toolgauge-init-'));
    t.after(() => rmSync(outside, { recursive: true, force: true }));
    writeFileSync(join(outside, 'package.json'), '{"devDependencies": {"vitest": "4"}}');
    writeFileSync(join(outside, 'tsconfig.json'), settings);
    const { stdout } = await toolgauge(outside, 'init');
    assert.match(stdout, /\nNext:\n {2}\$ npm install -D toolgauge @types\/node\n {2}\$ npx vitest run /);
    const written = readFileSync(join(outside, 'toolgauge.test.ts'), 'utf8');
    assert.match(written, /^\/\/\/ <reference types="node" \/>\nimport /);
    writeFileSync(join(outside, 'tsconfig.json'), settings.replace('[]', '["node"]'));
    assert.doesNotMatch((await toolgauge(outside, 'init', '--dry-run', '--folder', 'x')).stdout, /<reference/);
  });

  test('takes no options from a configuration file', async t => {
    const folder = emptyProject(t, {}, { 'toolgauge.config.json': '{ not JSON' });
    assert.equal((await toolgauge(folder, 'init', '--dry-run')).code, 0);
    const config = emptyProject(t, {}, { 'toolgauge.config.json': '{"init": {}}' });
    assert.match((await toolgauge(config, 'check', 'x.json')).stderr, /init: unknown option/);
  });

  for (const { name, project = consumer, dependencies, flags = [], file } of [
    { name: 'Vitest', project: VITEST, dependencies: ['vitest'], file: 'toolgauge.test.ts' },
    { name: 'tsx', dependencies: ['tsx'], flags: ['--runner', 'node'], file: 'toolgauge.test.mts' },
    { name: 'ts-jest', project: JEST, dependencies: ['ts-jest'], file: 'toolgauge.test.ts' },
    {
      name: 'ts-jest with the globals',
      project: JEST,
      dependencies: ['ts-jest', '@types/jest'],
      file: 'toolgauge.test.ts',
    },
  ]) {
    test(`writes TypeScript for ${name} that the compiler accepts`, async t => {
      const packages = [...dependencies, 'typescript'].map(dependency => [dependency, '*']);
      const type = name === 'Vitest' ? { type: 'module' } : {};
      const folder = emptyProject(t, { ...type, devDependencies: Object.fromEntries(packages) }, { project });
      await toolgauge(folder, 'init', ...flags);
      const types = dependencies.includes('@types/jest') ? 'node,jest' : 'node';
      const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext'];
      const { stdout } = await runTool('tsc', [...options, '--types', types, file], { cwd: folder });
      assert.equal(stdout, '');
      if (name !== 'tsx') return;
      assert.equal((await runTool('tsx', ['--test', file], { cwd: folder })).code, 0);
    });
  }
});

suite('the configuration file', () => {
  test('may be called toolgauge.config.jsonc, and there may be only one', async t => {
    const config = '{\n  // only the totals\n  "check": { "show": "none", "inputs": ["log.json"], },\n}';
    const log = readFileSync(join(TESTS, 'fixtures/clean.json'), 'utf8');
    const folder = folderIn(consumer, t, { [CONFIG]: config, 'log.json': log });
    const { code, stdout, stderr } = await toolgauge(folder, 'check');
    assert.deepEqual([code, stderr], [0, `toolgauge: using ${CONFIG}\n`], stdout);
    writeFileSync(join(folder, 'toolgauge.config.json'), '{}');
    const both = await toolgauge(folder, 'check');
    assert.equal(both.code, 2);
    assert.equal(
      both.stderr,
      'toolgauge: toolgauge.config.json and toolgauge.config.jsonc both exist\n  keep one of them\n',
    );
  });
});
