import assert from 'node:assert/strict';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { consumer, folderIn, fromConsumer, install, run, runTool, TESTS } from './support/consumer.mjs';

const ROOT = resolve(TESTS, '../..');
const DOCUMENTS = ['README.md', ...readdirSync(join(ROOT, 'docs')).map(name => `docs/${name}`)];

const textOf = document => readFileSync(join(ROOT, document), 'utf8');

/** The blocks of code of a document. */
function blocksOf(document) {
  const found = textOf(document).matchAll(/^```(\w+)\n(.*?)^```$/gms);
  return [...found].map(([, language, text]) => ({ language, text }));
}

const BLOCKS = blocksOf('README.md');

const COMMANDS = DOCUMENTS.flatMap(document => {
  const blocks = blocksOf(document);
  return blocks.flatMap(({ language, text }, at) => {
    if (language !== 'sh' || !text.startsWith('npx toolgauge ')) return [];
    const next = blocks[at + 1];
    return [{ document, command: text.trim(), printed: next?.language === 'text' ? next.text : undefined }];
  });
});

const TYPESCRIPT = BLOCKS.filter(({ language }) => language === 'ts').map(({ text }) => text);
const isTest = text => text.includes("from 'vitest'");
const PROGRAMS = TYPESCRIPT.filter(text => !isTest(text));

const TESTS_SHOWN = BLOCKS.flatMap(({ language, text }, at) =>
  language === 'ts' && isTest(text) ? [{ source: text, failure: BLOCKS[at + 1].text }] : [],
);

test('the README shows commands and programs', () => {
  assert.ok(COMMANDS.length >= 2 && PROGRAMS.length >= 2 && TESTS_SHOWN.length === 1);
});

for (const { document, command, printed } of COMMANDS) {
  test(`"${command}" prints what ${document} shows`, async () => {
    const [, , ...args] = command.split(' ');
    const cli = join(consumer, 'node_modules/.bin/toolgauge');
    const { stdout, stderr, code } = await run(cli, args, { cwd: ROOT });
    assert.equal(stderr, '');
    assert.equal(stdout, printed);
    assert.notEqual(code, 2);
  });
}

for (const [at, program] of PROGRAMS.entries()) {
  test(`program ${at + 1} of the README compiles and prints what its comments say`, async t => {
    const folder = folderIn(consumer, t, { 'main.mts': program });
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck', '--types', 'node'];
    const compiled = await runTool('tsc', [...options, 'main.mts'], { cwd: folder });
    assert.equal(compiled.stdout, '');
    const promised = [...program.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text);
    assert.ok(promised.length > 0);
    const { stdout, stderr } = await run('node', ['main.mjs'], { cwd: folder });
    assert.equal(stderr, '');
    assert.deepEqual(stdout.trimEnd().split('\n'), promised);
  });
}

for (const { source, failure } of TESTS_SHOWN) {
  test('the test in the README compiles, and fails with what the README shows', async t => {
    const project = install('vitest', 'ai', 'zod', '@types/node');
    const folder = folderIn(project, t, { 'main.test.mts': source });
    symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'));
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck'];
    const compiled = await runTool('tsc', [...options, '--types', 'node', 'main.test.mts'], { cwd: folder });
    assert.equal(compiled.stdout, '');
    const args = ['run', '--root', '.', '--reporter', 'json'];
    const { stdout } = await run(join(project, 'node_modules/.bin/vitest'), args, {
      cwd: folder,
      env: { NO_COLOR: '1' },
    });
    const [{ failureMessages }] = JSON.parse(stdout).testResults[0].assertionResults;
    assert.ok(stripVTControlCharacters(failureMessages[0]).startsWith(`Error: ${failure}`), failureMessages[0]);
  });
}

/** The rows of the README's table of matchers: matcher, expected value, value that was made, what is said. */
const MATCHERS = [
  ...textOf('README.md').matchAll(/^\| (`.+`)(?:, the default)? \| (`.*`)? ?\| (`.+`) \| `(args.+)` \|$/gm),
];

test('each matcher of the README says what the README shows', async () => {
  const { scoreToolCalls } = await fromConsumer('toolgauge');
  assert.ok(MATCHERS.length >= 18, `only ${MATCHERS.length} rows`);
  const read = code => new Function(`return (${code.slice(1, -1)})`)();
  for (const [, matcher, expected, made, said] of MATCHERS) {
    const args = expected === undefined ? {} : { x: read(expected) };
    const { incorrectCalls } = scoreToolCalls({
      expected: [{ tool: 'f', args }],
      actual: [{ tool: 'f', args: { x: read(made) } }],
      matchers: { f: { x: read(matcher) } },
      comparators: { close: () => false },
    });
    assert.equal(incorrectCalls[0]?.details, said, matcher);
  }
});
