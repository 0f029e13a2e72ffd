import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { consumer, folderIn, fromConsumer, run, TESTS } from './support/consumer.mjs';

const { checkTrajectories, mergeSummaries, REPORT_FORMATS } = await fromConsumer('toolgauge');

const COMMAND = join(consumer, 'node_modules/.bin/toolgauge');
const [TOOLS, CLEAN, FAULTY] = ['tools', 'clean', 'faulty'].map(name => join(TESTS, `fixtures/${name}.json`));
const LINE = { clean: oneLine(CLEAN), faulty: oneLine(FAULTY) };

function oneLine(path) {
  return JSON.stringify(JSON.parse(readFileSync(path, 'utf8')));
}

const toolgauge = (args, options) => run(COMMAND, args, options);

/** Runs a check in `folder`. */
const checkIn = (folder, ...args) => toolgauge(['check', ...args, '--tools', TOOLS], { cwd: folder });

const parseLines = text =>
  text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));

suite('toolgauge check of many inputs', () => {
  test('reads files, folders and globs in order, each file once', async t => {
    const folder = folderIn(consumer, t, { 'b.json': LINE.clean, 'a.jsonl': LINE.clean, 'notes.txt': 'none' });
    for (const name of ['logs/deep', 'logs/node_modules', 'logs/.git'])
      mkdirSync(join(folder, name), { recursive: true });
    for (const name of ['logs/z.ndjson', 'logs/deep/y.traj', 'logs/node_modules/x.json', 'logs/.git/w.json']) {
      writeFileSync(join(folder, name), LINE.clean);
    }
    writeFileSync(join(folder, 'logs/readme.md'), 'none');
    symlinkSync(join(folder, 'b.json'), join(folder, 'same.json'));
    const sources = async (...args) => {
      const { stdout, stderr } = await checkIn(folder, ...args, '--format', 'jsonl');
      assert.equal(stderr, '');
      return parseLines(stdout).map(({ source }) => source);
    };
    assert.deepEqual(await sources('b.json', 'a.jsonl'), ['b.json', 'a.jsonl']);
    assert.deepEqual(await sources('logs'), ['logs/deep/y.traj', 'logs/z.ndjson']);
    assert.deepEqual(await sources('*.json*'), ['a.jsonl', 'b.json']);
    assert.deepEqual(await sources('logs/**/*.{traj,ndjson}', 'b.json', './b.json', 'logs', 'same.json'), [
      'logs/deep/y.traj',
      'logs/z.ndjson',
      'b.json',
    ]);
  });

  test('prints the name of each file above its trajectories, and one total', async t => {
    const folder = folderIn(consumer, t, { 'a.json': LINE.clean, 'b.json': LINE.faulty, 'c.json': LINE.clean });
    const { code, stdout } = await checkIn(folder, 'a.json', 'b.json', 'c.json');
    assert.equal(code, 1);
    const lines = stdout.split('\n');
    assert.deepEqual(lines.slice(0, 6), [
      'toolgauge check  3 files · 2 tools',
      '',
      'a.json',
      '✔ #0  4 turns · 2 calls · score 1.000',
      '',
      'b.json',
    ]);
    assert.ok(
      lines.includes('checked  4 trajectories (2 harness, 2 openai-chat), 2 clean, 2 failed, 1 invalid'),
      stdout,
    );
    assert.doesNotMatch(stdout, /\n\n\n/);
  });

  test('--show says which trajectories are shown', async t => {
    const folder = folderIn(consumer, t, { 'a.jsonl': `${LINE.clean}\n${LINE.faulty}\n${MEDIUM}\n` });
    const shown = async which => {
      const { stdout } = await checkIn(folder, 'a.jsonl', '--show', which);
      assert.match(stdout, /^checked {2}4 trajectories/m);
      return [...stdout.matchAll(/^[✔▲✖] (\S+) {2}line (\d)/gm)].map(([, id, line]) => `${id} ${line}`);
    };
    assert.deepEqual(await shown('all'), ['#0 1', 'greenhouse 2', 'balcony 2', '#0 3']);
    assert.deepEqual(await shown('issues'), ['greenhouse 2', 'balcony 2', '#0 3']);
    assert.deepEqual(await shown('failing'), ['greenhouse 2', 'balcony 2']);
    assert.deepEqual(await shown('none'), []);
  });

  test('--show says so also of the only trajectory there is', async t => {
    const faulty = JSON.stringify(JSON.parse(LINE.faulty)[0] ?? JSON.parse(LINE.faulty));
    const folder = folderIn(consumer, t, { 'clean.json': LINE.clean, 'medium.json': MEDIUM, 'faulty.json': faulty });
    for (const [name, expected] of [
      ['clean', { all: true, issues: false, failing: false, none: false }],
      ['medium', { all: true, issues: true, failing: false, none: false }],
      ['faulty', { all: true, issues: true, failing: true, none: false }],
    ]) {
      for (const [which, isShown] of Object.entries(expected)) {
        // A call that is checked by itself fails on more.
        for (const command of name === 'medium' ? ['check'] : ['check', 'reflect']) {
          const args = [command, `${name}.json`, '--tools', TOOLS, '--show', which];
          const { stdout } = await toolgauge(args, { cwd: folder });
          assert.equal(/^[✔▲✖] /m.test(stdout), isShown, `${command} of ${name}, --show ${which}\n${stdout}`);
          assert.match(stdout, /^checked {2}\d/m);
        }
      }
    }
  });

  test('--format jsonl prints a verdict a line, and --summary writes the totals', async t => {
    const folder = folderIn(consumer, t, { 'a.jsonl': `${LINE.faulty}\n\n${LINE.clean}\n` });
    const args = ['a.jsonl', '--format', 'jsonl', '--summary', 'summary.json'];
    const { code, stdout, stderr } = await checkIn(folder, ...args);
    assert.equal(stderr, '');
    assert.equal(code, 1);
    const [faulty, clean] = [FAULTY, CLEAN].map(path => checkTrajectories(readFileSync(path), readFileSync(TOOLS)));
    const verdicts = (line, { format, trajectories }) =>
      trajectories.map(report => ({ source: 'a.jsonl', line, format, ...report }));
    assert.deepEqual(parseLines(stdout), [...verdicts(1, faulty), ...verdicts(3, clean)]);
    const summary = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'));
    assert.deepEqual(summary, mergeSummaries(faulty, clean));
  });

  test('--output and --report write each report into its file', async t => {
    const folder = folderIn(consumer, t, { 'a.jsonl': `${LINE.faulty}\n${LINE.clean}\n` });
    const reports = ['--report', 'json=a.json', '--report', 'jsonl=b.jsonl'];
    const { code, stdout } = await checkIn(folder, 'a.jsonl', '--output', 'report.txt', ...reports);
    assert.equal(code, 1);
    assert.equal(stdout, '');
    const read = name => readFileSync(join(folder, name), 'utf8');
    assert.equal(read('report.txt'), (await checkIn(folder, 'a.jsonl')).stdout);
    assert.equal(read('a.json'), (await checkIn(folder, 'a.jsonl', '--format', 'json')).stdout);
    assert.equal(read('b.jsonl'), (await checkIn(folder, 'a.jsonl', '--format', 'jsonl')).stdout);
    const { results, summary, gate } = JSON.parse(read('a.json'));
    assert.deepEqual(results, parseLines(read('b.jsonl')));
    assert.equal(summary.trajectories, 3);
    assert.equal(gate.passed, false);
  });

  test('--summary - prints the totals as one line, unless a program reads what is printed', async t => {
    const folder = folderIn(consumer, t, { 'a.jsonl': `${LINE.faulty}\n${LINE.clean}\n` });
    await checkIn(folder, 'a.jsonl', '--summary', 'summary.json');
    const totals = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'));
    const pretty = await checkIn(folder, 'a.jsonl', '--summary', '-');
    assert.equal(pretty.code, 1);
    assert.deepEqual(JSON.parse(pretty.stdout.trim().split('\n').at(-1)), totals);
    const alone = await checkIn(folder, 'a.jsonl', '--summary', '-', '--format', 'jsonl', '--output', 'a.txt');
    assert.deepEqual(parseLines(alone.stdout), [totals]);
    for (const format of ['jsonl', 'json', 'github']) {
      const { code, stdout, stderr } = await checkIn(folder, 'a.jsonl', '--summary', '-', '--format', format);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, new RegExp(`--summary - and --format ${format} would both go to standard output`));
    }
    const sum = await toolgauge(['merge', 'summary.json', '--summary', '-'], { cwd: folder });
    assert.deepEqual(JSON.parse(sum.stdout.trim().split('\n').at(-1)), totals);
    const mixed = await toolgauge(['merge', 'summary.json', '--summary', '-', '--format', 'json'], { cwd: folder });
    assert.equal(mixed.code, 2);
    assert.match(mixed.stderr, /--summary - and --format json/);
  });

  test('a report that can not be written is an error', async t => {
    const folder = folderIn(consumer, t, { 'a.json': LINE.clean });
    const { code, stderr } = await checkIn(folder, 'a.json', '--report', 'json=a.json/report.json');
    assert.equal(code, 2);
    assert.match(stderr, /^toolgauge: can't write a\.json\/report\.json: /);
    const bad = await checkIn(folder, 'a.json', '--report', 'yaml=a');
    assert.equal(bad.code, 2);
    assert.match(bad.stderr, /pretty, json, jsonl/);
  });
});

const MEDIUM = JSON.stringify({
  turns: [
    {
      turn_id: 1,
      role: 'agent',
      content: '',
      tool_calls: [{ name: 'find_plant', arguments: { name: 'fern', light: 'dark' }, result: 1 }],
    },
  ],
});

suite('toolgauge check of lines', () => {
  const many = Array.from({ length: 300 }, (_, at) => (at % 3 === 0 ? LINE.faulty : LINE.clean));
  many[17] = '{"turns": [';
  many[200] = '{"odd": 1}';

  test('--jobs changes nothing but the time', async t => {
    // More than one chunk of 1 MB, and a last line without an end.
    const lines = Array.from({ length: 12 }, () => many.join('\r\n')).join('\r\n');
    const folder = folderIn(consumer, t, { 'a.jsonl': `\ufeff${lines}`, 'b.json': LINE.faulty, 'c.json': LINE.clean });
    assert.ok(lines.length > 2 * 1024 * 1024, `${lines.length}`);
    const args = ['a.jsonl', 'b.json', 'c.json', '--summary', 'summary.json'];
    const printed = ['pretty', 'jsonl'];
    const files = REPORT_FORMATS.filter(format => !printed.includes(format));
    const reports = files.flatMap(format => ['--report', `${format}=${format}.txt`]);
    for (const format of printed) {
      const outputs = [];
      for (const jobs of ['1', '3']) {
        const result = await checkIn(folder, ...args, ...reports, '--format', format, '--jobs', jobs);
        const written = files.map(name => readFileSync(join(folder, `${name}.txt`), 'utf8'));
        outputs.push({ ...result, written, summary: readFileSync(join(folder, 'summary.json'), 'utf8') });
      }
      assert.deepEqual(outputs[1], outputs[0]);
      assert.equal(outputs[0].code, 2);
      assert.equal(JSON.parse(outputs[0].summary).documents, 3602);
      // There are more trajectories with issues than a page shows.
      const page = outputs[0].written[files.indexOf('html')];
      assert.equal(page.match(/<details class="trajectory"/g).length, 500);
    }
  });

  test('a document that the core fails on leaves the rest of a report as it is', async t => {
    const again = { type: 'object', properties: { x: { $ref: '#' } } };
    const tools = { f: { name: 'f', parameters: { anyOf: [again, { ...again, required: ['y'] }] } } };
    const nested = depth => (depth === 0 ? 1 : { x: nested(depth - 1) });
    const line = (id, depth) => {
      const tool_calls = [{ name: 'f', arguments: nested(depth), result: {} }, { name: 'g' }];
      return JSON.stringify({ trajectory_id: id, turns: [{ turn_id: 1, role: 'agent', content: '', tool_calls }] });
    };
    const lines = Array.from({ length: 30 }, (_, at) => line(`t${at}`, at % 10 === 7 ? 40 : 1));
    const folder = folderIn(consumer, t, { 'a.jsonl': lines.join('\n'), 'tools.json': JSON.stringify(tools) });
    const reports = ['--report', 'html=a.html', '--report', 'markdown=a.md'];
    for (const jobs of ['1', '2']) {
      const args = ['check', 'a.jsonl', '--tools', 'tools.json', ...reports, '--jobs', jobs];
      const { code } = await toolgauge(args, { cwd: folder });
      assert.equal(code, 2);
      const [page, comment] = ['a.html', 'a.md'].map(name => readFileSync(join(folder, name), 'utf8'));
      for (const at of lines.keys()) {
        const isTold = at % 10 !== 7;
        assert.equal(page.includes(`<h3>t${at}</h3>`), isTold, `t${at}`);
        assert.equal(comment.includes(`<b>t${at}</b>`), isTold, `t${at}`);
        assert.equal(page.includes(`a.jsonl · line ${at + 1}: `), !isTold, `t${at}`);
      }
      assert.match(comment, /3 of 30 documents not read/);
    }
  });

  test('standard input in any pieces gives what the file gives', async t => {
    const text = many.join('\n');
    const folder = folderIn(consumer, t, { 'a.jsonl': text });
    const direct = await checkIn(folder, 'a.jsonl', '--format', 'jsonl');
    const piped = await toolgauge(['check', '-', '--tools', TOOLS, '--format', 'jsonl'], { input: text });
    const renamed = direct.stdout.replaceAll('"source":"a.jsonl"', '"source":"standard input"');
    assert.equal(piped.stdout, renamed);
    assert.equal(piped.code, 2);
  });

  test('a bad line is reported by its number; the rest is checked, and the exit code is 2', async t => {
    const folder = folderIn(consumer, t, { 'a.jsonl': many.join('\n') });
    const jsonl = await checkIn(folder, 'a.jsonl', '--format', 'jsonl', '--fail-on', 'never');
    assert.equal(jsonl.code, 2);
    const unread = parseLines(jsonl.stdout).filter(({ error }) => error);
    assert.deepEqual(
      unread.map(({ source, line, error }) => [source, line, error.code]),
      [
        ['a.jsonl', 18, 'invalid_json'],
        ['a.jsonl', 201, 'unknown_format'],
      ],
    );
    assert.deepEqual(
      jsonl.stderr.split('\n').map(line => line.slice(0, 40)),
      [
        'toolgauge: a.jsonl:18: not valid JSON: E',
        'toolgauge: a.jsonl:201: no known traject',
        'toolgauge: 2 of 300 documents could not ',
        '',
      ],
    );
    const pretty = await checkIn(folder, 'a.jsonl', '--show', 'none', '--fail-on', 'never');
    assert.equal(pretty.code, 2);
    assert.match(pretty.stdout, /^✖ line 18 {2}not read: not valid JSON/m);
    assert.match(pretty.stdout, /^unread {3}2 of 300 documents$/m);
    const allowed = await checkIn(folder, 'a.jsonl', '--show', 'none', '--fail-on', 'never', '--allow-errors');
    assert.equal(allowed.code, 0);
    assert.equal((await checkIn(folder, 'a.jsonl', '--show', 'none', '--allow-errors')).code, 1);
  });

  test('of many bad lines the first are reported', async t => {
    const folder = folderIn(consumer, t, { 'a.jsonl': '{\n'.repeat(5000) });
    const { code, stdout, stderr } = await checkIn(folder, 'a.jsonl', '--format', 'jsonl');
    assert.equal(code, 2);
    assert.equal(parseLines(stdout).length, 5000);
    assert.equal(stderr.split('\n').length, 22);
    assert.match(stderr, /5000 of 5000 documents/);
  });

  test('of several files, one that can not be read is reported and the rest is checked', async t => {
    const folder = folderIn(consumer, t, { 'a.json': '{"odd": 1}', 'b.json': LINE.clean, 'c.json': '[' });
    const { code, stdout, stderr } = await checkIn(folder, 'a.json', 'b.json', 'c.json');
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^toolgauge: a\.json: no known trajectory format.*\n {2}.*docs\/formats\.md.*\ntoolgauge: c\.json: not valid JSON/,
    );
    assert.match(stdout, /^checked {2}1 trajectory/m);
    assert.match(stdout, /^unread {3}2 of 3 documents$/m);
  });

  test('a session that is kept as lines is one trajectory, a line of it that is cut off costs only that', async t => {
    const session = readFileSync(join(TESTS, '../fixtures/formats/claude-code/session.jsonl'), 'utf8');
    const folder = folderIn(consumer, t, { 's.jsonl': session, 'cut.jsonl': `${session.trimEnd()}\n{"type":"assis` });
    const whole = await toolgauge(['check', 's.jsonl', '--format', 'jsonl'], { cwd: folder });
    assert.deepEqual(
      parseLines(whole.stdout).map(({ format, id, line }) => [format, id, line]),
      [
        ['claude-code', 's-1', undefined],
        ['claude-code', 's-1/e-20', undefined],
      ],
    );
    const cut = await toolgauge(['check', 'cut.jsonl', '--format', 'jsonl'], { cwd: folder });
    assert.equal(cut.code, 2);
    const [error, ...verdicts] = parseLines(cut.stdout);
    assert.equal(error.line, session.trimEnd().split('\n').length + 1);
    assert.deepEqual(
      verdicts.map(({ id, calls }) => [id, calls]),
      parseLines(whole.stdout).map(({ id, calls }) => [id, calls]),
    );
  });

  test('--lines reads a file as lines whatever its name is', async t => {
    const folder = folderIn(consumer, t, { 'a.json': LINE.clean });
    const { stdout } = await checkIn(folder, 'a.json', '--lines', '--format', 'jsonl');
    assert.equal(parseLines(stdout)[0].line, 1);
    const none = await toolgauge(['check', '-', '--lines', '--allow-empty', '--format', 'jsonl'], { input: '' });
    assert.deepEqual(none, { code: 0, stdout: '', stderr: '' });
  });

  test('lines of every kind of end and length are read', async t => {
    const long = JSON.stringify({ ...JSON.parse(MEDIUM), more: 'ü'.repeat(1_500_000) });
    const text = ['\ufeff', LINE.clean, '\r\n', '\n', long, '\n', '   \n', LINE.clean].join('');
    const folder = folderIn(consumer, t, { 'a.jsonl': text });
    const { stdout } = await checkIn(folder, 'a.jsonl', '--format', 'jsonl');
    assert.deepEqual(
      parseLines(stdout).map(({ line, calls }) => [line, calls]),
      [
        [1, 2],
        [3, 1],
        [5, 2],
      ],
    );
  });

  test('a line past the limit is reported, with its length', async t => {
    const folder = folderIn(consumer, t, {});
    const file = join(folder, 'a.jsonl');
    writeFileSync(file, `${LINE.clean}\n{"turns":[],"more":"`);
    const megabyte = 'x'.repeat(1 << 20);
    for (let count = 0; count < 65; count += 1) writeFileSync(file, megabyte, { flag: 'a' });
    writeFileSync(file, `"}\n${LINE.clean}\n`, { flag: 'a' });
    const { code, stdout } = await checkIn(folder, 'a.jsonl', '--format', 'jsonl');
    assert.equal(code, 2);
    assert.deepEqual(
      parseLines(stdout).map(({ line, error }) => [line, error?.message]),
      [
        [1, undefined],
        [2, `limits.maxInputBytes is 67108864, the input needs ${(65 << 20) + 22}`],
        [3, undefined],
      ],
    );
  });
});

suite('toolgauge check that is ended early', () => {
  /** Starts a check of an endless input and waits for its first verdict. */
  async function start(...args) {
    const child = spawn(COMMAND, ['check', '-', '--tools', TOOLS, '--format', 'jsonl', ...args]);
    const output = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'])
      child[stream].setEncoding('utf8').on('data', text => (output[stream] += text));
    child.stdin.on('error', () => {});
    const closed = new Promise(settle => child.on('close', (code, signal) => settle({ code, signal, ...output })));
    child.stdin.write(`${LINE.faulty}\n${LINE.clean}\n`);
    while (!output.stdout.includes('\n')) await new Promise(settle => child.stdout.once('data', settle));
    return { child, closed };
  }

  for (const jobs of ['1', '2']) {
    test(`by Ctrl-C says what was found so far and exits with 130, with --jobs ${jobs}`, async () => {
      const { child, closed } = await start('--jobs', jobs);
      child.kill('SIGINT');
      const { code, stdout, stderr } = await closed;
      assert.equal(code, 130);
      assert.equal(parseLines(stdout).length, 3);
      assert.match(stderr, /^toolgauge: interrupted; the totals so far:\n\nchecked {2}3 trajectories/);
    });

    test(`by a reader that closes the pipe exits with 141 and says nothing, with --jobs ${jobs}`, async () => {
      const { child, closed } = await start('--jobs', jobs);
      child.stdout.destroy();
      const more = setInterval(() => child.stdin.write(`${LINE.faulty}\n`), 20);
      const { code, stderr } = await closed;
      clearInterval(more);
      assert.deepEqual({ code, stderr }, { code: 141, stderr: '' });
    });
  }

  test('answers each piece of its input at once', async () => {
    const { child, closed } = await start();
    child.stdin.end();
    assert.equal(parseLines((await closed).stdout).length, 3);
  });
});

suite('what inputs can be wrong', () => {
  const refused = async (folder, ...args) => {
    const { code, stdout, stderr } = await checkIn(folder, ...args);
    assert.equal(code, 2);
    assert.equal(stdout, '');
    return stderr;
  };

  test('a glob that matches nothing, and an empty folder, are reported', async t => {
    const folder = folderIn(consumer, t, { 'a.txt': 'x' });
    assert.match(await refused(folder, 'logs/*.json'), /^toolgauge: no file matches logs\/\*\.json\n/);
    assert.match(
      await refused(folder, '.'),
      /^toolgauge: \. holds no file that ends in \.json, \.jsonl, \.ndjson, \.traj, \.eval\n/,
    );
    assert.match(await refused(folder, 'a.json'), /^toolgauge: can't read a\.json: there is no such file\n/);
    assert.match(await refused(folder), /missing required argument 'inputs'/);
  });

  test('jobs that are no number of threads are rejected', async () => {
    for (const jobs of ['0', '65', '1.5', 'x', '']) {
      assert.match(await refused(consumer, CLEAN, '--jobs', jobs), /1 to 64/);
    }
  });
});

suite('toolgauge merge', () => {
  test('exits with 2 where a part could not be read, unless --allow-errors', async t => {
    const folder = folderIn(consumer, t, { 'a.jsonl': `${LINE.clean}\nnone\n` });
    assert.equal((await checkIn(folder, 'a.jsonl', '--summary', 's.json')).code, 2);
    const merged = await toolgauge(['merge', 's.json'], { cwd: folder });
    assert.equal(merged.code, 2);
    assert.match(merged.stdout, /^unread {3}1 of 2 documents$/m);
    assert.equal((await toolgauge(['merge', 's.json', '--allow-errors'], { cwd: folder })).code, 0);
  });

  test('adds up the summaries of parts to that of the whole', async t => {
    const lines = [LINE.faulty, LINE.clean, MEDIUM, LINE.clean, '{', LINE.faulty];
    const folder = folderIn(consumer, t, {
      'whole.jsonl': lines.join('\n'),
      'a.jsonl': lines.slice(0, 2).join('\n'),
      'b.jsonl': lines.slice(2, 5).join('\n'),
      'c.jsonl': lines.slice(5).join('\n'),
    });
    for (const name of ['whole', 'a', 'b']) {
      await checkIn(folder, `${name}.jsonl`, '--summary', `${name}.summary.json`, '--format', 'jsonl');
    }
    await checkIn(folder, 'c.jsonl', '--format', 'json', '--output', 'c.report.json');
    const args = ['c.report.json', 'b.summary.json', 'a.summary.json'];
    const lenient = ['--allow-errors', '--summary'];
    const merged = await toolgauge(['merge', ...args, ...lenient, 'sum.json'], { cwd: folder });
    assert.equal(merged.stderr, '');
    assert.equal(merged.code, 1);
    const read = name => readFileSync(join(folder, name), 'utf8');
    assert.equal(read('sum.json'), read('whole.summary.json'));
    assert.match(merged.stdout, /^toolgauge merge {2}3 files\n\nchecked {2}7 trajectories/);
    const json = await toolgauge(['merge', ...args, '--allow-errors', '--format', 'json', '--fail-on', 'never'], {
      cwd: folder,
    });
    assert.equal(json.code, 0);
    assert.deepEqual(JSON.parse(json.stdout), {
      summary: JSON.parse(read('whole.summary.json')),
      gate: { passed: true, failures: [] },
    });
    const lined = args
      .slice(1)
      .map(name => JSON.stringify(JSON.parse(read(name))))
      .join('\n');
    writeFileSync(join(folder, 'lines.jsonl'), lined);
    const fromLines = await toolgauge(['merge', 'lines.jsonl', 'c.report.json', ...lenient, 'sum2.json'], {
      cwd: folder,
    });
    assert.equal(fromLines.code, 1);
    assert.equal(read('sum2.json'), read('sum.json'));
  });

  test('names the file that holds no summary', async () => {
    const { code, stdout, stderr } = await toolgauge(['merge', CLEAN]);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^toolgauge: \S*clean\.json: .*expected a summary.*\n {2}give what toolgauge check wrote/);
  });
});

suite('toolgauge check --baseline', () => {
  const call = (...calls) => ({ turns: [{ turn_id: 1, role: 'agent', content: '', tool_calls: calls }] });
  const missing = { name: 'find_plant', arguments: {}, result: 'x' };
  const before = { trajectory_id: 'a', ...call(missing) };

  /** Makes a baseline of `before` in `format`, then checks `now` against it. */
  async function checkAgainst(t, now, format, ...args) {
    const lines = list => list.map(value => JSON.stringify(value)).join('\n');
    const folder = folderIn(consumer, t, { 'before.jsonl': lines([before]), 'now.jsonl': lines(now) });
    const base = await checkIn(folder, 'before.jsonl', '--report', `${format}=reports/base`);
    assert.equal(base.code, 1, base.stderr);
    return checkIn(folder, 'now.jsonl', '--baseline', 'reports/base', ...args);
  }

  for (const format of ['json', 'jsonl']) {
    test(`of ${format} lets pass what was there before, and marks it`, async t => {
      const { code, stdout, stderr } = await checkAgainst(t, [before], format);
      assert.equal(stderr, '');
      assert.match(stdout, /missing_required_param .*\(known\)/s);
      assert.match(stdout, /gate +passed/);
      assert.equal(code, 0);
    });
  }

  test('fails on what is new, by its count, in one thread and in two', async t => {
    for (const jobs of ['1', '2']) {
      const now = [
        { ...before, ...call(missing, missing) },
        { trajectory_id: 'b', ...call(missing) },
      ];
      const { code, stdout } = await checkAgainst(t, now, 'jsonl', '--jobs', jobs);
      assert.equal(code, 1);
      assert.match(stdout, /gate +failed: 2 new issues are high or worse/);
      assert.match(stdout, /2 failed/);
    }
  });

  test('lets pass a score under --min-score that is not lower than before', async t => {
    const { stdout, code } = await checkAgainst(t, [before], 'jsonl', '--min-score', '0.99');
    assert.equal(code, 0, stdout);
    const worse = [{ ...before, ...call({ ...missing, name: '' }) }];
    const failed = await checkAgainst(t, worse, 'jsonl', '--min-score', '0.99', '--fail-on', 'never');
    assert.equal(failed.code, 1);
    assert.match(failed.stdout, /the score 0 is below 0\.\d+/);
  });

  test('leaves known issues out of the annotations, and out of the failures of JUnit', async t => {
    const github = await checkAgainst(t, [before], 'json', '--format', 'github');
    assert.equal(github.stdout, '');
    const junit = await checkAgainst(t, [before], 'json', '--format', 'junit');
    assert.match(junit.stdout, /failures="0"/);
    assert.match(junit.stdout, /\(known\)/);
  });

  test('is refused when it is a report that lacks its end', async t => {
    const folder = folderIn(consumer, t, { 'a.jsonl': `${LINE.faulty}\n${LINE.clean}\n`, 'b.json': LINE.clean });
    const cuts = { jsonl: [-1, -2, -200], json: [-2, -40, -400] };
    for (const [format, ends] of Object.entries(cuts)) {
      await checkIn(folder, 'a.jsonl', '--report', `${format}=whole`);
      const whole = readFileSync(join(folder, 'whole'));
      assert.notEqual((await checkIn(folder, 'a.jsonl', '--baseline', 'whole')).code, 2);
      // In JSON Lines each verdict begins a line: one cut is where the line before has not ended.
      const places = format === 'jsonl' ? [...ends, whole.indexOf('\n')] : ends;
      for (const end of places) {
        writeFileSync(join(folder, 'cut'), whole.subarray(0, end));
        const { code, stdout, stderr } = await checkIn(folder, 'b.json', '--baseline', 'cut');
        assert.deepEqual([code, stdout], [2, ''], `${format} until ${end}`);
        assert.match(stderr, /^toolgauge: cut: .*\n?.*the report is incomplete/, `${format} until ${end}`);
      }
    }
  });

  test('says what is wrong with it', async t => {
    const folder = folderIn(consumer, t, { 'a.json': LINE.clean, 'base.json': '{"results": 1}', 'bad.json': '{' });
    const wrong = await checkIn(folder, 'a.json', '--baseline', 'base.json');
    assert.equal(wrong.code, 2);
    assert.equal(
      wrong.stderr,
      'toolgauge: base.json: results: expected a report, as `toolgauge check --format json` or `jsonl` writes it, ' +
        'got 1 (number)\n  give what toolgauge check printed with --format json or jsonl\n',
    );
    assert.match((await checkIn(folder, 'a.json', '--baseline', 'bad.json')).stderr, /^toolgauge: bad\.json: /);
    assert.match((await checkIn(folder, 'a.json', '--baseline', 'none')).stderr, /no such file/);
  });
});
