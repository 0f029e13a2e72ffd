import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { consumer, folderIn, fromConsumer, run, runTool, TESTS } from './support/consumer.mjs';

const ROOT = resolve(TESTS, '../..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const BLOCKS = [...README.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, text]) => ({ language, text }));

const COMMANDS = BLOCKS.flatMap(({ language, text }, at) => {
  if (language !== 'sh' || !text.startsWith('npx toolgauge ')) return [];
  const next = BLOCKS[at + 1];
  return [{ command: text.trim(), printed: next?.language === 'text' ? next.text : undefined }];
});

const PROGRAMS = BLOCKS.filter(({ language }) => language === 'ts').map(({ text }) => text);

test('the README shows commands and programs', () => {
  assert.ok(COMMANDS.length >= 2 && PROGRAMS.length >= 2);
});

for (const { command, printed } of COMMANDS) {
  test(`the README's "${command}" prints what the README shows`, async () => {
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

/** The rows of the README's table of matchers: matcher, expected value, value that was made, what is said. */
const MATCHERS = [...README.matchAll(/^\| (`.+`)(?:, the default)? \| (`.*`)? ?\| (`.+`) \| `(args.+)` \|$/gm)];

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
