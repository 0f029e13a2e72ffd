import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { consumer, folderIn, fromConsumer, run, TESTS } from './support/consumer.mjs';

const { checkTrajectories, reportTrajectories, scoreToolCalls, scoreTrajectories, version } =
  await fromConsumer('toolgauge');

const COMMAND = join(consumer, 'node_modules/.bin/toolgauge');
const [TOOLS, CLEAN, FAULTY, EXPECTED, ROLLOUTS] = ['tools', 'clean', 'faulty', 'expected', 'rollouts'].map(name =>
  join(TESTS, `fixtures/${name}.json`),
);

const ESCAPE = '\u001b';

const toolgauge = (args, options) => run(COMMAND, args, options);
const check = (...args) => toolgauge(['check', ...args]);
const score = (...args) => toolgauge(['score', ...args]);

/** A report without its first line, which names the file. */
const afterHeading = text => text.slice(text.indexOf('\n'));

/** The report that `checkTrajectories` gives of a file as the command prints it. */
function asPrinted(source, { format, trajectories, summary, gate }) {
  return { results: trajectories.map(report => ({ source, format, ...report })), summary, gate };
}

/** Asserts that the command stopped with exit code 2, nothing on standard output, and a message that says `says`. */
function assertRefused({ code, stdout, stderr }, says) {
  assert.equal(code, 2, stdout + stderr);
  assert.equal(stdout, '');
  assert.match(stderr, says);
  assert.match(stderr, /^toolgauge: /);
  assert.doesNotMatch(stderr, /\n\s+at /);
}

suite('toolgauge check', () => {
  test('through npx prints the report of a clean conversation and exits with 0', async () => {
    const { code, stdout, stderr } = await run('npx', ['--no-install', 'toolgauge', 'check', CLEAN, '--tools', TOOLS]);
    assert.equal(stderr, '');
    assert.equal(code, 0);
    assert.deepEqual(stdout.split('\n'), [
      `toolgauge check  ${CLEAN} · 2 tools`,
      '',
      '✔ #0  4 turns · 2 calls · score 1.000',
      '  turn 2   ✔ find_plant {"name": "fern"}',
      '  turn 3   ✔ order_plant {"plant_id": "p-17", "count": 2}',
      '',
      'checked  1 trajectory (openai-chat), 1 clean · 2 calls',
      'read     1 document, 2 calls, 2 results, 2 texts',
      'issues   none',
      'score    1.000',
      'gate     passed',
      '',
    ]);
  });

  test('prints a result that is not what its tool declares, and exits with 1', async () => {
    const examples = join(TESTS, '../../examples/outputs');
    const tools = join(examples, 'tools.json');
    assert.equal((await check(join(examples, 'clean.json'), '--tools', tools)).code, 0);
    const file = join(examples, 'malformed_result.json');
    const { code, stdout } = await check(file, '--tools', tools);
    assert.equal(code, 1);
    assert.match(stdout, /✖ find_berth.*\n\s+high\s+malformed_result {2}the result of "find_berth"/);
    assert.match(stdout, /structuredContent\.price\.currency:\s+required, but missing/);
    assert.match(stdout, /^issues {3}1 \(1 high\): malformed_result 1$/m);
    const judged = await check(file, '--tools', tools, '--no-validate-schemas');
    assert.equal(judged.code, 0);
  });

  test('prints each wrong call with what is wrong where, and exits with 1', async () => {
    const { code, stdout } = await check(FAULTY, '--tools', TOOLS);
    assert.equal(code, 1);
    const order = [
      'greenhouse',
      'turn 2   ▲ find_plant',
      'invalid_arguments',
      'empty_result',
      'turn 2   ✖ find_plants',
      'unknown_tool',
      'tool_not_found',
      'turn 3   ✖ order_plant',
      'type_mismatch',
      'balcony',
      'missing_tool_name',
      'checked  2 trajectories (harness), 0 clean, 2 failed, 1 invalid · 4',
      'gate     failed',
    ];
    const places = order.map(piece => stdout.indexOf(piece));
    assert.ok(!places.includes(-1), `missing: ${order.filter((_, at) => places[at] === -1)}\n${stdout}`);
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
      stdout,
    );
  });

  test('piped, breaks its lines at 80 columns', async () => {
    const { stdout } = await check(FAULTY, '--tools', TOOLS);
    const { text } = reportTrajectories(readFileSync(FAULTY), readFileSync(TOOLS), { width: 80 });
    assert.equal(afterHeading(stdout), afterHeading(text));
    assert.ok(
      afterHeading(stdout)
        .split('\n')
        .every(line => line.length <= 80),
    );
  });

  test('piped, breaks its lines at COLUMNS, if that is set', async () => {
    for (const [columns, width] of [
      ['120', 120],
      ['10', 40],
      ['wide', 80],
    ]) {
      const { stdout } = await toolgauge(['check', FAULTY, '--tools', TOOLS], { env: { COLUMNS: columns } });
      const { text } = reportTrajectories(readFileSync(FAULTY), readFileSync(TOOLS), { width });
      assert.equal(afterHeading(stdout), afterHeading(text), columns);
    }
  });

  test('demo checks an example and says how to go on', async () => {
    const { code, stdout, stderr } = await toolgauge(['demo']);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /hallucinated_result {2}the reply says "95\.80 euros"/);
    assert.match(stdout, /\$ npx toolgauge check your-log\.json --tools your-tools\.json/);
  });

  test('--format json prints what checkTrajectories gives', async () => {
    const { code, stdout, stderr } = await check(FAULTY, '--tools', TOOLS, '--format', 'json');
    assert.equal(stderr, '');
    assert.equal(code, 1);
    assert.deepEqual(
      JSON.parse(stdout),
      asPrinted(FAULTY, checkTrajectories(readFileSync(FAULTY), readFileSync(TOOLS))),
    );
  });

  test('reads standard input for -, for trajectories and for tools', async () => {
    const direct = await check(CLEAN, '--tools', TOOLS);
    for (const [args, file] of [
      [['-', '--tools', TOOLS], CLEAN],
      [[CLEAN, '--tools', '-'], TOOLS],
    ]) {
      const piped = await toolgauge(['check', ...args], { input: readFileSync(file) });
      assert.deepEqual(
        { ...piped, stdout: afterHeading(piped.stdout) },
        { ...direct, stdout: afterHeading(direct.stdout) },
      );
    }
  });

  test('without --tools says so and judges no arguments', async () => {
    const { code, stdout } = await check(CLEAN);
    assert.equal(code, 0);
    assert.match(stdout, /none given or carried: arguments are not checked against a schema/);
  });

  test('without --tools the definitions count that a trajectory carries', async () => {
    const request = join(TESTS, '../fixtures/formats/anthropic/request.json');
    const { code, stdout } = await check(request);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /1 trajectory \(anthropic\)/);
    assert.doesNotMatch(stdout, /none given or carried/);
    assert.doesNotMatch(stdout, /unknown_tool/);
  });

  test('--fail-on chooses the severity from which on it exits with 1', async () => {
    const folder = [FAULTY, '--tools', TOOLS, '--fail-on'];
    const codes = await Promise.all(['never', 'critical'].map(severity => check(...folder, severity)));
    assert.deepEqual(
      codes.map(({ code }) => code),
      [0, 1],
    );
  });

  test('--fail-on distinguishes medium from high', async t => {
    const call = { name: 'find_plant', arguments: { name: 'fern', light: 'dark' }, result: 1 };
    const turns = [{ turn_id: 1, role: 'agent', content: '', tool_calls: [call] }];
    const folder = folderIn(consumer, t, { 'medium.json': JSON.stringify({ turns }) });
    const codeOf = async severity =>
      (await check(join(folder, 'medium.json'), '--tools', TOOLS, '--fail-on', severity)).code;
    assert.deepEqual([await codeOf('low'), await codeOf('medium'), await codeOf('high')], [1, 1, 0]);
  });

  test('--min-score exits with 1 under that score and says both', async () => {
    const args = [FAULTY, '--tools', TOOLS, '--fail-on', 'never'];
    const { summary } = checkTrajectories(readFileSync(FAULTY), readFileSync(TOOLS));
    const failed = await check(...args, '--min-score', '0.9');
    assert.equal(failed.code, 1);
    assert.match(failed.stdout, new RegExp(`gate +failed: .*${summary.score}.*0\\.9`));
    assert.equal((await check(...args, '--min-score', String(summary.score))).code, 0);
  });

  test('--strict, --allow-unknown-tools and --no-validate-schemas are the options of validation', async () => {
    for (const [flag, options] of [
      ['--strict', { strict: true }],
      ['--allow-unknown-tools', { allowUnknownTools: true }],
      ['--no-validate-schemas', { validateSchemas: false }],
    ]) {
      const plain = checkTrajectories(readFileSync(FAULTY), readFileSync(TOOLS));
      const wanted = checkTrajectories(readFileSync(FAULTY), readFileSync(TOOLS), options);
      assert.notDeepEqual(wanted, plain);
      const { stdout } = await check(FAULTY, '--tools', TOOLS, '--format', 'json', flag);
      assert.deepEqual(JSON.parse(stdout), asPrinted(FAULTY, wanted), flag);
    }
  });

  test('an input without any tool call fails and says so, unless that is allowed', async t => {
    const folder = folderIn(consumer, t, { 'chat.json': '[{"role":"user","content":"hi"}]' });
    const { code, stdout } = await check(join(folder, 'chat.json'));
    assert.equal(code, 1);
    assert.match(stdout, /checked {2}1 trajectory \(openai-chat\)/);
    assert.match(stdout, /score +none/);
    assert.match(stdout, /gate +failed: no tools were called/);
    assert.equal((await check(join(folder, 'chat.json'), '--allow-empty')).code, 0);
  });
});

suite('toolgauge score', () => {
  test('prints each call with its verdict and differences, and exits with 0', async () => {
    const { code, stdout, stderr } = await score('--expected', EXPECTED, '--actual', CLEAN);
    assert.equal(stderr, '');
    assert.equal(code, 0);
    assert.match(stdout, /✔ correct +find_plant \{"name": "fern"\}/);
    assert.match(stdout, /✖ differs +order_plant .*\n +args\.count: expected 3, got 2/);
    assert.match(stdout, /score +0\.500/);
  });

  test('--format json prints the object of scoreToolCalls', async () => {
    const { stdout } = await score('--expected', EXPECTED, '--actual', CLEAN, '--format', 'json');
    const wanted = scoreToolCalls({ expected: readFileSync(EXPECTED), actual: readFileSync(CLEAN) });
    assert.deepEqual(JSON.parse(stdout), wanted);
  });

  test('--min-score exits with 1 under that score', async () => {
    const args = ['--expected', EXPECTED, '--actual', CLEAN, '--min-score'];
    const runs = await Promise.all(['0.5', '0.51'].map(least => score(...args, least)));
    assert.deepEqual(
      runs.map(({ code }) => code),
      [0, 1],
    );
    assert.match(runs[1].stdout, /gate +failed: .*0\.5.*0\.51/);
  });

  test('without --expected scores rollouts by the calls that they carry, and gates on the mean', async () => {
    const { code, stdout } = await score('--actual', ROLLOUTS, '--format', 'json');
    assert.equal(code, 0);
    const report = JSON.parse(stdout);
    assert.deepEqual(report, JSON.parse(JSON.stringify(scoreTrajectories(readFileSync(ROLLOUTS)))));
    assert.equal(report.score, 0.5);
    assert.equal((await score('--actual', ROLLOUTS, '--min-score', '0.5')).code, 0);
    assert.equal((await score('--actual', ROLLOUTS, '--min-score', '0.6')).code, 1);
  });

  test('reads standard input for -', async () => {
    const direct = await score('--expected', EXPECTED, '--actual', CLEAN);
    const piped = await toolgauge(['score', '--expected', EXPECTED, '--actual', '-'], { input: readFileSync(CLEAN) });
    assert.deepEqual(piped, direct);
  });

  test('without expected calls anywhere says how to give them', async () => {
    assertRefused(await score('--actual', CLEAN), /clean\.json: .*\n.*--expected/);
    assertRefused(await score('--actual', EXPECTED), /expected\.json: .*\n.*--expected/);
  });

  test('without --expected, a mistake in a trajectory is the only error', async t => {
    const folder = folderIn(consumer, t, { 'input.json': '{"turns": [{"turn_id": 1, "role": 5}]}' });
    const refused = await score('--actual', join(folder, 'input.json'));
    assertRefused(refused, /input\.json: turns\[0\]\.role/);
    assert.doesNotMatch(refused.stderr, /--expected/);
  });
});

suite('what the command cannot read', () => {
  test('a missing file is named', async () => {
    assertRefused(await check('no-such-file.json'), /no-such-file\.json: there is no such file/);
    assertRefused(await check(CLEAN, '--tools', 'no-such-tools.json'), /no-such-tools\.json: there is no such file/);
  });

  test('a folder is named as one where a file is needed', async t => {
    assertRefused(await check(CLEAN, '--tools', folderIn(consumer, t, {})), /it is a folder/);
  });

  test('an empty file is named as one', async t => {
    const folder = folderIn(consumer, t, { 'empty.json': '', 'blank.jsonl': '\n\n' });
    for (const name of ['empty.json', 'blank.jsonl']) {
      assertRefused(await check(join(folder, name)), new RegExp(`${name}: it is empty\n.*--allow-empty`));
      assert.equal((await check(join(folder, name), '--allow-empty')).code, 0);
    }
  });

  test('broken JSON is named with its line and column', async t => {
    const folder = folderIn(consumer, t, { 'broken.json': '{\n  "turns": [}' });
    assertRefused(await check(join(folder, 'broken.json')), /broken\.json: not valid JSON: .*line 2, column 13/);
  });

  test('text that is not UTF-8 is named with its place', async t => {
    const folder = folderIn(consumer, t, { 'latin.json': Buffer.from([0x22, 0xe9, 0x22]) });
    assertRefused(await check(join(folder, 'latin.json')), /latin\.json: .*byte 1 is not UTF-8/);
  });

  test('an unknown format is reported with what was found, and which are known', async t => {
    const folder = folderIn(consumer, t, { 'odd.json': '{"hello": 1, "world": 2}' });
    const refused = await check(join(folder, 'odd.json'));
    assertRefused(refused, /odd\.json: no known trajectory format: .*hello, world/);
    assert.match(refused.stderr, /OpenAI/);
  });

  test('an invalid schema is reported with its tool and place', async t => {
    const tools = { send: { name: 'send', parameters: { properties: { a: { type: 'strin' } } } } };
    const folder = folderIn(consumer, t, { 'tools.json': JSON.stringify(tools) });
    const refused = await check(CLEAN, '--tools', join(folder, 'tools.json'));
    assertRefused(refused, /tools\.json: .*"send".*parameters\.properties\.a\.type/);
  });

  test('an invalid tool definition is reported, and the calls of the other tools are judged', async t => {
    const odd = { name: 'odd', parameters: { properties: { required: ['coin'] } } };
    const tools = [odd, ...JSON.parse(readFileSync(TOOLS, 'utf8'))];
    const folder = folderIn(consumer, t, { 'tools.json': JSON.stringify(tools) });
    for (const [flags, exit] of [
      [[], 2],
      [['--allow-errors'], 1],
      [['--jobs', '2', '--allow-errors'], 1],
    ]) {
      const { code, stdout, stderr } = await check(FAULTY, '--tools', join(folder, 'tools.json'), ...flags);
      assert.equal(code, exit, stdout + stderr);
      assert.match(
        stderr,
        /^toolgauge: \S*tools\.json: the schema of tool "odd" is not valid at parameters\.properties/,
      );
      assert.match(stderr, /correct the tool definition at that place/);
      const { stdout: sound } = await check(FAULTY, '--tools', TOOLS);
      assert.equal(afterHeading(stdout), afterHeading(sound));
    }
    const { code, stderr } = await toolgauge(['diff', CLEAN, CLEAN, '--tools', join(folder, 'tools.json')]);
    assert.equal(code, 2);
    assert.match(stderr, /the schema of tool "odd" is not valid/);
  });

  test('of two files that are compared, the one with the mistake is named alone', async t => {
    const mistakes = {
      'cut.json': '[',
      'odd.json': '{"a": 1}',
      'call.json': '[{"args": {}}]',
      'latin.json': '[\u00e9]',
    };
    const files = Object.entries(mistakes).map(([name, text]) => [name, Buffer.from(text, 'latin1')]);
    const folder = folderIn(consumer, t, Object.fromEntries(files));
    for (const name of Object.keys(mistakes)) {
      const broken = join(folder, name);
      for (const args of [
        ['--expected', broken, '--actual', CLEAN],
        ['--expected', CLEAN, '--actual', broken],
      ]) {
        const refused = await score(...args);
        assertRefused(refused, new RegExp(`^toolgauge: \\S*${name}: `));
        assert.ok(!refused.stderr.includes(CLEAN), refused.stderr);
      }
    }
  });

  test('of trajectories and tools, the file with the mistake is named alone', async t => {
    const folder = folderIn(consumer, t, { 'cut.json': '{"a":', 'odd.json': '{"a": 1}' });
    for (const name of ['cut.json', 'odd.json']) {
      for (const args of [
        [join(folder, name), '--tools', TOOLS],
        [CLEAN, '--tools', join(folder, name)],
      ]) {
        const refused = await check(...args);
        assertRefused(refused, new RegExp(`${name}: `));
        assert.ok(!/clean\.json|tools\.json/.test(refused.stderr), refused.stderr);
      }
    }
  });

  test('tools of an unknown format are an error that lists the known formats of tools', async t => {
    const folder = folderIn(consumer, t, { 'odd.json': '{"a": 1}' });
    const refused = await check(CLEAN, '--tools', join(folder, 'odd.json'));
    assertRefused(refused, /\n.*MCP/);
    assert.doesNotMatch(refused.stderr, /tau-bench/);
  });

  test('a file of one JSON document per line is read as the list of them', async t => {
    const folder = folderIn(consumer, t, {
      'messages.jsonl': '{"role":"user","content":"a"}\n{"role":"user","content":"b"}\n',
      'windows.jsonl': '\ufeff[{"role":"user","content":"a"}]\r\n[{"role":"user","content":"b"}]\r\n',
      'bad.jsonl': '{"role":"user","content":"a"}\n{"role":\n',
    });
    const messages = await check(join(folder, 'messages.jsonl'));
    assert.match(messages.stdout, /checked {2}1 trajectory \(openai-chat\)/);
    const windows = await check(join(folder, 'windows.jsonl'));
    assert.match(windows.stdout, /checked {2}2 trajectories \(openai-chat\)/);
    const bad = await check(join(folder, 'bad.jsonl'));
    assert.equal(bad.code, 2);
    assert.match(bad.stdout, /✖ line 2 {2}not read: not valid JSON: .* at line 2,\s+column\s+8/);
    assert.match(bad.stdout, /unread {3}1 of 2 documents/);
    assertRefused(
      await score('--expected', EXPECTED, '--actual', join(folder, 'bad.jsonl')),
      /bad\.jsonl: not valid JSON: .* at line 2/,
    );
  });

  test('standard input for both inputs is refused', async () => {
    assertRefused(await check('-', '--tools', '-'), /standard input/);
  });
});

suite('bad usage', () => {
  for (const [title, args, says] of [
    ['an unknown option', ['check', CLEAN, '--tool', TOOLS], /unknown option '--tool'[\s\S]*--tools/],
    ['an unknown command', ['chek', CLEAN], /unknown command 'chek'[\s\S]*check/],
    ['a missing file name', ['check'], /inputs/],
    ['a missing --actual', ['score', '--expected', EXPECTED], /--actual/],
    ['an unknown format', ['check', CLEAN, '--format', 'yaml'], /pretty, json/],
    ['an unknown severity', ['check', CLEAN, '--fail-on', 'bad'], /low, medium, high, critical, never/],
    ['a score above 1', ['check', CLEAN, '--min-score', '2'], /0 to 1/],
    ['a score that is no number', ['check', CLEAN, '--min-score', 'x'], /0 to 1/],
    ['an empty score', ['check', CLEAN, '--min-score', ''], /0 to 1/],
  ]) {
    test(`${title} exits with 2 and says what is known`, async () => {
      assertRefused(await toolgauge(args), says);
    });
  }

  test('without a command what to do goes to standard error, and the exit code is 2', async () => {
    const { code, stdout, stderr } = await toolgauge([]);
    assert.equal(code, 2);
    assert.equal(stdout, '');
    assert.match(stderr, /check[\s\S]*score/);
  });

  test('--help and --version go to standard output, and the exit code is 0', async () => {
    const help = await toolgauge(['--help']);
    assert.equal(help.code, 0);
    assert.match(help.stdout, /Exit codes:/);
    assert.deepEqual(await toolgauge(['--version']), { code: 0, stdout: `${version()}\n`, stderr: '' });
  });

  test('neither they nor the help of a command, nor a wrong flag, load the WebAssembly module', async t => {
    const folder = folderIn(consumer, t, {});
    cpSync(join(consumer, 'node_modules/toolgauge'), join(folder, 'node_modules/copy'), { recursive: true });
    rmSync(join(folder, 'node_modules/copy/dist/toolgauge_bg.wasm'));
    const without = args => run(process.execPath, [join(folder, 'node_modules/copy/dist/cli.js'), ...args]);
    const commands = [...(await toolgauge(['--help'])).stdout.matchAll(/^ {2}([a-z-]+) (?:\[|<)/gm)].map(
      ([, name]) => name,
    );
    assert.ok(commands.length >= 9);
    const helps = commands.filter(name => name !== 'help').map(name => [name, '--help']);
    for (const args of [['--version'], ['--help'], ['help', 'check'], ...helps, ['check', '--nope'], []]) {
      assert.deepEqual(await without(args), await toolgauge(args), args.join(' '));
    }
    assert.match((await without(['explain'])).stderr, /WebAssembly/, 'what needs the module misses it');
  });

  test('a message quotes no more than 200 characters of what is wrong', async () => {
    const long = 'x'.repeat(5000);
    for (const args of [
      [long],
      ['check', `--${long}`],
      ['check', '--format', long],
      ['check', 'a', 'b', '--min-score', long],
      ['check', '--jobs', `1\n${long}`],
      ['explain', long],
    ]) {
      const { code, stderr } = await toolgauge(args);
      assert.equal(code, 2);
      assert.ok(stderr.length < 900 && !stderr.includes('x'.repeat(201)), `${stderr.length}: ${stderr.slice(0, 300)}`);
    }
  });
});

suite('colours', () => {
  const args = ['check', FAULTY, '--tools', TOOLS];
  const plain = once(() => toolgauge(args));

  test('are absent when the output is piped', async () => {
    assert.ok(!(await plain()).stdout.includes(ESCAPE));
  });

  test('come with FORCE_COLOR and change nothing else', async () => {
    const { stdout } = await toolgauge(args, { env: { FORCE_COLOR: '1' } });
    assert.ok(stdout.includes(`${ESCAPE}[`));
    assert.equal(stripVTControlCharacters(stdout), (await plain()).stdout);
  });

  test('stay away with FORCE_COLOR=0 and with NO_COLOR', async () => {
    for (const env of [{ FORCE_COLOR: '0' }, { NO_COLOR: '1' }]) {
      assert.equal((await toolgauge(args, { env })).stdout, (await plain()).stdout);
    }
  });

  test('are never in JSON', async () => {
    const { stdout } = await toolgauge([...args, '--format', 'json'], { env: { FORCE_COLOR: '1' } });
    assert.ok(!stdout.includes(ESCAPE));
    JSON.parse(stdout);
  });
});

/** A function that runs `body` once, however often it is called. */
function once(body) {
  let promise;
  return () => {
    promise ??= body();
    return promise;
  };
}

/** Asserts that `text` holds nothing that steers a terminal, reorders text or hides in it. */
function assertTame(text) {
  const wild = text.replaceAll('\n', '').match(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu) ?? [];
  const codes = new Set(wild.map(character => character.codePointAt(0).toString(16)));
  assert.deepEqual([...codes], []);
}

suite('untrusted text', () => {
  const hostile = `x${ESCAPE}[2J${ESCAPE}]0;owned\u0007\r\n\u009b31m\u202egnp.exe\u200b`;
  const call = { id: hostile, name: hostile, arguments: { [hostile]: hostile }, error: `Unknown tool: ${hostile}` };
  const turn = {
    turn_id: 1,
    role: 'agent',
    content: hostile,
    tool_calls: [call, { ...call, name: 'f', error: hostile }],
  };
  const trajectory = { trajectory_id: hostile, turns: [turn] };
  const strict = { type: 'object', properties: { [`${hostile}s`]: {} }, additionalProperties: false };
  const tools = {
    f: { name: 'f', parameters: strict, deprecated: true, replacedBy: hostile },
    [`${hostile}y`]: { name: `${hostile}y`, parameters: {} },
  };

  test('in names, arguments, ids and schemas is shown by the report of a check, never emitted', async t => {
    const folder = folderIn(consumer, t, {
      'trajectory.json': JSON.stringify(trajectory),
      'tools.json': JSON.stringify(tools),
    });
    const { code, stdout } = await check(join(folder, 'trajectory.json'), '--tools', join(folder, 'tools.json'));
    assert.equal(code, 1);
    assertTame(stdout);
    assert.match(stdout, /\\u\{1b\}|\\u001b/);
  });

  test('in names and arguments is shown by the report of a score, never emitted', async t => {
    const calls = text =>
      JSON.stringify([
        { tool: hostile, args: { [hostile]: text } },
        { tool: `${hostile}${text}`, args: {} },
      ]);
    const folder = folderIn(consumer, t, {
      'expected.json': calls(`${hostile}1`),
      'actual.json': calls(`${hostile}2`),
    });
    const { stdout } = await score(
      '--expected',
      join(folder, 'expected.json'),
      '--actual',
      join(folder, 'actual.json'),
    );
    assertTame(stdout);
    assert.match(stdout, /differs[\s\S]*missed[\s\S]*extra/);
  });

  test('in a warning is shown, never emitted', async t => {
    const messages = [
      { role: 'user', content: 'x' },
      { role: 'tool', tool_call_id: hostile, content: 'x' },
    ];
    const folder = folderIn(consumer, t, { 'messages.json': JSON.stringify(messages) });
    const { stdout } = await check(join(folder, 'messages.json'));
    assert.match(stdout, /warning/);
    assertTame(stdout);
  });

  for (const [title, content] of [
    ['keys of an unknown format', { [hostile]: 1 }],
    [
      'a role that is none',
      [
        { role: 'user', content: 'x' },
        { role: hostile, content: 'x' },
      ],
    ],
    ['the place of broken JSON', JSON.stringify({ [hostile]: [1] }).slice(0, -2)],
  ]) {
    test(`in ${title} is shown by the message of the error, never emitted`, async t => {
      const folder = folderIn(consumer, t, {
        'input.json': typeof content === 'string' ? content : JSON.stringify(content),
      });
      const refused = await check(join(folder, 'input.json'));
      assertRefused(refused, /input\.json/);
      assertTame(refused.stderr);
    });
  }

  test('in the name of a tool with an invalid schema is shown by the error, never emitted', async t => {
    const broken = [{ name: hostile, parameters: { properties: { [hostile]: { type: hostile } } } }];
    const folder = folderIn(consumer, t, { 'tools.json': JSON.stringify(broken) });
    const refused = await check(CLEAN, '--tools', join(folder, 'tools.json'));
    assertRefused(refused, /tools\.json/);
    assertTame(refused.stderr);
  });

  test('in the name of a file is shown by the error, never emitted', async () => {
    const refused = await check(`no${ESCAPE}[31m-such-file`);
    assertRefused(refused, /no\\u\{1b\}\[31m-such-file: there is no such file/);
    assertTame(refused.stderr);
  });

  test('in arguments of the command is shown by the message about them, never emitted', async () => {
    for (const args of [[hostile], ['check', `--${hostile}`], ['check', CLEAN, '--fail-on', hostile]]) {
      const refused = await toolgauge(args);
      assertRefused(refused, /\\u\{1b\}/);
      assertTame(refused.stderr);
    }
  });

  test('that only some viewers take for a line end, or hide, is shown by errors', async t => {
    const text = 'a\u2028b\u2029c\u061cd\u{e0041}e\u00adf\u2065g\u{e0000}h\ufeffi';
    const folder = folderIn(consumer, t, { 'input.json': JSON.stringify({ [text]: 1 }) });
    const refused = await check(join(folder, 'input.json'));
    assertTame(refused.stderr);
    const shown = String.raw`a\u{2028}b\u{2029}c\u{61c}d\u{e0041}e\u{ad}f\u{2065}g\u{e0000}h\u{feff}i`;
    assert.ok(refused.stderr.includes(shown), refused.stderr);
  });

  test('that only some viewers take for a line end, or hide, is shown', async t => {
    const text = 'a\u2028b\u2029c\u061cd\u{e0041}e\u00adf';
    const turns = [{ turn_id: 1, role: 'agent', content: '', tool_calls: [{ name: text, arguments: {}, result: 1 }] }];
    const folder = folderIn(consumer, t, { 'input.json': JSON.stringify({ turns }) });
    assertTame((await check(join(folder, 'input.json'))).stdout);
  });

  test('of the kind that directs prompts and commands is data like any other', async t => {
    const text = '$(touch owned) `touch owned` ; touch owned';
    const turns = [{ turn_id: 1, role: 'agent', content: '', tool_calls: [{ name: text, arguments: {}, result: 1 }] }];
    const folder = folderIn(consumer, t, { 'input.json': JSON.stringify({ turns }) });
    const { stdout } = await toolgauge(['check', 'input.json'], { cwd: folder });
    assert.ok(stdout.includes(text));
    assert.throws(() => readFileSync(join(folder, 'owned')), { code: 'ENOENT' });
  });
});

suite('output into a pipe', () => {
  const turn = { turn_id: 1, role: 'agent', content: '', tool_calls: [{ name: 'f', arguments: {} }] };
  const large = JSON.stringify(Array.from({ length: 5000 }, () => ({ turns: [turn] })));

  test('that closes early ends the command without an error', async t => {
    const folder = folderIn(consumer, t, { 'large.json': large });
    const child = spawn('sh', ['-c', `"${COMMAND}" check large.json --format json | head -1; echo "$?"`], {
      cwd: folder,
    });
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', data => (output.stdout += data));
    child.stderr.on('data', data => (output.stderr += data));
    await new Promise(closed => child.on('close', closed));
    assert.deepEqual(output, { stdout: '{"results":[\n0\n', stderr: '' });
  });

  test('that is slow arrives whole', async t => {
    const folder = folderIn(consumer, t, { 'large.json': large });
    writeFileSync(join(folder, 'slow.mjs'), SLOW_READER);
    const command = `"${COMMAND}" check large.json --format json | node slow.mjs`;
    const { stdout } = await run('sh', ['-c', command], { cwd: folder });
    assert.equal(stdout, '5000\n');
  });
});

const SLOW_READER = `
const chunks = [];
for await (const chunk of process.stdin) {
  chunks.push(chunk);
  if (chunks.length < 20) await new Promise(settle => setTimeout(settle, 10));
}
console.log(JSON.parse(Buffer.concat(chunks)).results.length);
`;
