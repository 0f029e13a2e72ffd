// What a new user sees first: the program alone, a check of nothing, help, whole turns, further reports.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { consumer, folderIn, run, TESTS } from './support/consumer.mjs';
import { noTerminal, Watching } from './support/watching.mjs';

const COMMAND = join(consumer, 'node_modules/.bin/toolgauge');
const example = name => readFileSync(join(TESTS, '../../examples', name), 'utf8');

const inFolder = (folder, args, env) => run(COMMAND, args, { cwd: folder, env: { COLUMNS: '80', ...env } });
const lengths = text => text.split('\n').map(line => [...line].length);

suite('toolgauge without arguments', () => {
  test('says how to start, and exits with 2', async t => {
    const { code, stdout, stderr } = await inFolder(folderIn(consumer, t, {}), []);
    assert.deepEqual([code, stdout], [2, '']);
    for (const command of ['demo', 'init', 'check logs --tools tools.json', 'explain hallucinated_result', '--help']) {
      assert.ok(stderr.includes(`\n  $ npx toolgauge ${command} `), stderr);
    }
  });

  test('names the command as the package manager of the user has it', async t => {
    const folder = folderIn(consumer, t, {});
    const env = { npm_config_user_agent: 'pnpm/10.0.0 npm/? node/v22.0.0 linux x64' };
    assert.match((await inFolder(folder, [], env)).stderr, /\n {2}\$ pnpm exec toolgauge demo /);
  });
});

suite('toolgauge check without inputs', () => {
  test('says what it would read, and what to do', async t => {
    const folder = folderIn(consumer, t, { 'package.json': '{}' });
    const { code, stdout, stderr } = await inFolder(folder, ['check']);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^toolgauge: missing required argument 'inputs'\n {2}name files, folders or globs/);
    const said = stderr.replace(/\s+/g, ' ');
    assert.match(said, /files that end in \.json, \.jsonl, \.ndjson, \.traj and \.eval are read/);
    assert.match(
      said,
      /toolgauge\.config\.json or toolgauge\.config\.jsonc, here or above in the project: \{ "check": /,
    );
    for (const command of ['check logs --tools tools.json', 'init', 'demo', 'check --help']) {
      assert.ok(stderr.includes(`\n  $ npx toolgauge ${command} `), stderr);
    }
    assert.ok(Math.max(...lengths(stderr)) <= 80, stderr);
  });

  test('names the configuration file that is there', async t => {
    const folder = folderIn(consumer, t, { 'package.json': '{}', 'toolgauge.config.jsonc': '{ "minScore": 1 }' });
    const { code, stderr } = await inFolder(folder, ['check']);
    assert.equal(code, 2);
    assert.match(stderr.replace(/\s+/g, ' '), /or in toolgauge\.config\.jsonc: \{ "check": /);
  });
});

test('an example of the documents that is missing is in the package', async t => {
  const folder = folderIn(consumer, t, {});
  for (const args of [['examples/refund.json'], ['x', '--tools', 'examples/shop.tools.json']]) {
    const { code, stderr } = await inFolder(folder, ['check', ...args]);
    assert.equal(code, 2);
    assert.match(stderr, /\n {2}the examples of the documents are in the package: cp -r \S+\/toolgauge\/examples \.\n/);
  }
  assert.match((await inFolder(folder, ['check', 'examples/none.json'])).stderr, /\n {2}check the path/);
});

suite('the width of', () => {
  test('help is COLUMNS, or else 80', async t => {
    const folder = folderIn(consumer, t, {});
    for (const command of [[], ['check'], ['score'], ['reflect'], ['correctness'], ['init'], ['inspect']]) {
      for (const [columns, width] of [
        ['100', 100],
        ['', 80],
      ]) {
        const { stdout } = await inFolder(folder, [...command, '--help'], { COLUMNS: columns });
        // Examples of commands stay whole, and so do words.
        const prose = stdout.split('\n').filter(line => !line.startsWith('  $ ') && line.trim().includes(' '));
        assert.deepEqual(
          prose.filter(line => line.length > width),
          [],
          command.join(' '),
        );
        assert.ok(Math.max(...lengths(prose.join('\n'))) > width - 20, command.join(' '));
      }
    }
  });

  test('a report on a terminal that does not know its width is COLUMNS, or else 80', { skip: noTerminal }, async t => {
    const folder = folderIn(consumer, t, { 'log.json': example('refund.json') });
    for (const [columns, width] of [
      ['60', 60],
      ['', 80],
    ]) {
      const program = new Watching(t, ['check', 'log.json'], {
        cwd: folder,
        terminal: true,
        env: { COLUMNS: columns },
      });
      const report = await program.until(/gate .*\n/);
      const longest = Math.max(...lengths(report));
      assert.ok(longest <= width && longest > width - 8, `${longest}\n${report}`);
    }
  });
});

test('help names some of many values of an option, and an unknown value brings all of them', async t => {
  const folder = folderIn(consumer, t, {});
  const { stdout } = await inFolder(folder, ['check', '--help']);
  assert.match(stdout.replace(/\s+/g, ' '), /\(choices: "harness", .* and \d+ more: see docs\/formats\.md\)/);
  assert.doesNotMatch(stdout, /"toolbench"/);
  assert.match((await inFolder(folder, ['check', 'x', '--input-format', 'y'])).stderr, /harness, .*, toolbench, /);
});

suite('toolgauge check --verbose', () => {
  const check = async (t, log, ...args) => {
    const folder = folderIn(consumer, t, { 'log.json': log, 'tools.json': example('shop.tools.json') });
    return (await inFolder(folder, ['check', 'log.json', '--tools', 'tools.json', ...args])).stdout;
  };

  test('shows all that was said, and whole arguments and results', async t => {
    const plain = await check(t, example('refund.json'));
    const whole = await check(t, example('refund.json'), '--verbose');
    assert.match(plain, /"reason": …/);
    assert.doesNotMatch(whole, /…$/m);
    assert.match(whole, /^ {2}turn 1 {5}user {6}\S/m);
    assert.match(whole, /^ {2}turn 2 {3}✔ get_order\n {13}arguments \{"order_id": "A-1017"\}\n {13}result {4}\{/m);
    assert.match(whole, /^ {2}turn 6 {3}✖ reply {5}I have refunded 95\.80 euros\./m);
    // The issues are the same, and at the same places.
    const issues = text => text.match(/^ {13}(?:high|medium|low) .*(?:\n {23}.*)*/gm);
    assert.deepEqual(issues(whole), issues(plain));
    assert.equal(whole.slice(whole.indexOf('checked')), plain.slice(plain.indexOf('checked')));
    assert.ok(Math.max(...lengths(whole)) <= 80, whole);
  });

  test('shows clean trajectories, too, and nothing that controls the terminal', async t => {
    const log = JSON.stringify([
      { role: 'user', content: 'first line\n\u001b[2Jsecond\u202e line' },
      { role: 'assistant', content: 'Hello\r\u0007' },
    ]);
    const text = await check(t, `[${log},${log}]`, '--verbose', '--allow-empty');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
    assert.match(text, /user {6}first line\n {23}\\u\{1b\}\[2Jsecond\\u\{202e\} line\n/);
    assert.equal(text.match(/✔ reply {5}Hello/g).length, 2);
  });
});

test('one empty line lies between trajectories, of check and of score', async t => {
  const line = JSON.stringify(JSON.parse(example('refund.json')));
  const expected = JSON.stringify([{ tool: 'get_order', args: { order_id: 'B-1' } }]);
  const folder = folderIn(consumer, t, { 'log.jsonl': `${line}\n${line}\n`, 'expected.json': expected });
  for (const args of [['check'], ['score', '--expected', 'expected.json']]) {
    const { stdout } = await inFolder(folder, [...args, 'log.jsonl']);
    assert.equal(stdout.match(/^✖ /gm).length, 2, stdout);
    assert.doesNotMatch(stdout, /\n\n\n/);
  }
});

suite('further reports of', () => {
  test('toolgauge score', async t => {
    const folder = folderIn(consumer, t, { 'rollouts.json': example('rollouts.json') });
    const reports = ['--report', 'jsonl=all.jsonl', '--report', 'markdown=deep/comment.md'];
    const { stdout } = await inFolder(folder, ['score', 'rollouts.json', ...reports]);
    assert.match(stdout, /^toolgauge score {2}rollouts\.json\n/);
    for (const [format, file] of [
      ['jsonl', 'all.jsonl'],
      ['markdown', 'deep/comment.md'],
    ]) {
      const alone = await inFolder(folder, ['score', 'rollouts.json', '--format', format]);
      assert.equal(readFileSync(join(folder, file), 'utf8'), alone.stdout, format);
    }
  });

  test('toolgauge correctness, of inputs and of two lists', async t => {
    const files = Object.fromEntries(
      ['rollouts', 'expected', 'refund'].map(name => [`${name}.json`, example(`${name}.json`)]),
    );
    const folder = folderIn(consumer, t, files);
    for (const what of [['rollouts.json'], ['--expected', 'expected.json', '--actual', 'refund.json']]) {
      await inFolder(folder, ['correctness', ...what, '--report', 'junit=report.xml', '--report', 'json=report.json']);
      for (const [format, file] of [
        ['junit', 'report.xml'],
        ['json', 'report.json'],
      ]) {
        const alone = await inFolder(folder, ['correctness', ...what, '--format', format]);
        assert.equal(readFileSync(join(folder, file), 'utf8'), alone.stdout, format);
      }
    }
  });

  test('toolgauge score in a configuration file, and never two in one file', async t => {
    const config = JSON.stringify({ score: { inputs: ['rollouts.json'], reports: { json: 'scores.json' } } });
    const folder = folderIn(consumer, t, {
      'rollouts.json': example('rollouts.json'),
      'toolgauge.config.json': config,
    });
    assert.equal((await inFolder(folder, ['score'])).code, 0);
    assert.equal(JSON.parse(readFileSync(join(folder, 'scores.json'), 'utf8')).results.length > 0, true);
    const twice = await inFolder(folder, ['score', '--output', 'scores.json']);
    assert.deepEqual([twice.code, twice.stdout], [2, '']);
    assert.match(twice.stderr, /scores\.json would be written twice/);
  });
});
