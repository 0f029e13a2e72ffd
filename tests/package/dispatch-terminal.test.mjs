import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { suite, test } from 'node:test';
import { fromConsumer, run } from './support/consumer.mjs';
import { until } from './support/shell-tools/survivors.mjs';

const { terminalUser } = await fromConsumer('toolgauge/dispatch/node');
const { ToolCallFailure } = await fromConsumer('toolgauge/dispatch');

const OPTIONS = ['Oslo', 'Bergen', 'Tromsø'];

/** A user at two streams. `shown` is what was written so far. */
function terminal() {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = '';
  output.setEncoding('utf8').on('data', text => {
    shown += text;
  });
  const user = terminalUser({ input, output });
  const ask = (question, context = {}) =>
    user.ask(
      { kind: 'input', question: 'Which?', options: [], ...question },
      { signal: new AbortController().signal, ...context },
    );
  return { input, ask, shown: () => shown };
}

/** What one question comes to when the user enters these lines. */
function answer(question, ...lines) {
  const { input, ask } = terminal();
  input.write(`${lines.join('\n')}\n`);
  return ask(question);
}

function assertFailure(promise, pattern) {
  return assert.rejects(promise, error => {
    assert.ok(error instanceof ToolCallFailure, `expected a ToolCallFailure, got ${error.stack}`);
    assert.match(error.message, pattern);
    return true;
  });
}

suite('terminalUser', () => {
  test('an option is chosen by its number or its text, or the user says something else', async () => {
    const choice = { kind: 'ask', question: 'Which city?', options: OPTIONS };
    const cases = { 2: 'Bergen', Oslo: 'Oslo', ' tromsø ': 'Tromsø', 'None of them': 'None of them', 4: '4', 0: '0' };
    for (const [line, expected] of Object.entries(cases)) assert.equal(await answer(choice, line), expected, line);
    assert.equal(await answer(choice, '', '   ', '1'), 'Oslo');
  });

  test('if options are numbers, their text counts before their place', async () => {
    const choice = { kind: 'ask', options: ['2', '4', '8'] };
    assert.equal(await answer(choice, '2'), '2');
    assert.equal(await answer(choice, '3'), '8');
  });

  test('a confirmation is yes or no, and anything else is asked again', async () => {
    for (const line of ['y', 'Y', 'yes', ' YES ']) assert.equal(await answer({ kind: 'confirm' }, line), true, line);
    for (const line of ['n', 'N', 'no']) assert.equal(await answer({ kind: 'confirm' }, line), false, line);
    assert.equal(await answer({ kind: 'confirm' }, '', 'maybe', 'yes!', 'n'), false);
  });

  test('an input is a line as it is, without the space around it', async () => {
    assert.equal(await answer({ kind: 'input' }, '  Grüße aus Köln  '), 'Grüße aus Köln');
    assert.equal(await answer({ kind: 'input' }, ''), '');
  });

  test('a checkbox takes numbers, in the order of the options', async () => {
    const boxes = { kind: 'checkbox', options: OPTIONS };
    const cases = [
      ['3, 1', ['Oslo', 'Tromsø']],
      ['2 2 2', ['Bergen']],
      [' 1,2,,3 ', OPTIONS],
      ['', []],
    ];
    for (const [line, expected] of cases) assert.deepEqual(await answer(boxes, line), expected, line);
    assert.deepEqual(await answer(boxes, '4', '0', '-1', '1;2', 'Oslo', '1.5', '2'), ['Bergen']);
    assert.deepEqual(await answer({ kind: 'checkbox', options: ['same', 'same'] }, '2'), ['same']);
  });

  test('the question is shown with its options, what may be entered, and who asks', async () => {
    const { input, ask, shown } = terminal();
    const promise = ask(
      { kind: 'ask', question: 'Which city?\nYou can name another.', options: OPTIONS },
      { agent: { id: 'researcher-1', name: 'researcher' } },
    );
    input.write('1\n');
    await promise;
    assert.equal(
      shown(),
      '\nresearcher-1 asks: Which city?\n  You can name another.\n  1. Oslo\n  2. Bergen\n  3. Tromsø\n' +
        'Enter a number, or another answer.\n> ',
    );
  });

  test('control characters of a question are made visible', async () => {
    const { input, ask, shown } = terminal();
    const hostile = 'a\u001b[2J\u0007\u202e\u0000\rb';
    const promise = ask(
      { kind: 'checkbox', question: hostile, options: [`${hostile}\nc`] },
      { agent: { id: hostile, name: '' } },
    );
    input.write('1\n');
    assert.deepEqual(await promise, [`${hostile}\nc`]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    assert.doesNotMatch(shown(), /[\u0000-\u0009\u000b-\u001f\u202e]/);
    assert.match(shown(), /1\. a\\u\{1b\}\[2J\\u\{7\}\\u\{202e\}\\u\{0\}\\rb\\nc\n/);
  });

  test('questions at the same time are asked one after the other', async () => {
    const { input, ask, shown } = terminal();
    const first = ask({ question: 'First?' });
    const second = ask({ kind: 'confirm', question: 'Second?' });
    await until(() => shown().includes('First?'), 'the first question is asked');
    assert.doesNotMatch(shown(), /Second/);
    input.write('one\n');
    assert.equal(await first, 'one');
    await until(() => shown().includes('Second?'), 'the second question is asked');
    input.write('y\n');
    assert.equal(await second, true);
  });

  test('lines that come early or in pieces are answers in their order', async () => {
    const { input, ask } = terminal();
    input.write('one\ntwo\nthr');
    assert.equal(await ask(), 'one');
    assert.equal(await ask(), 'two');
    const third = ask();
    input.write('ee\nfo');
    assert.equal(await third, 'three');
    input.end('ur');
    assert.equal(await ask(), 'four');
    await assertFailure(ask(), /closed the input/);
  });

  test('the end of the input fails this question and the next', async () => {
    const { input, ask } = terminal();
    const promise = ask({ kind: 'confirm' });
    input.end('maybe\n');
    await assertFailure(promise, /^The user closed the input without an answer\./);
    await assertFailure(ask(), /^The user closed the input without an answer\./);
  });

  test('an input that ended, broke or closed before fails the question', async () => {
    const ended = terminal();
    ended.input.end();
    ended.input.resume();
    await until(() => ended.input.readableEnded, 'the input has ended');
    await assertFailure(ended.ask(), /closed the input/);
    const broken = terminal();
    const promise = broken.ask();
    broken.input.destroy(new Error('on purpose'));
    await assertFailure(promise, /closed the input/);
    const closed = terminal();
    closed.input.destroy();
    await assertFailure(closed.ask(), /closed the input/);
  });

  test('a question that is withdrawn fails, and the next one works', async () => {
    const { input, ask, shown } = terminal();
    const controller = new AbortController();
    const open = ask({ question: 'Open?' }, { signal: controller.signal });
    const waiting = ask({ question: 'Waiting?' }, { signal: controller.signal });
    await until(() => shown().includes('Open?'), 'the question is asked');
    controller.abort(new Error('time is up'));
    await assertFailure(open, /^The question was withdrawn before the user answered it: time is up$/);
    await assertFailure(waiting, /withdrawn/);
    await assertFailure(ask({ question: 'Late?' }, { signal: controller.signal }), /withdrawn/);
    const next = ask({ question: 'Next?' });
    input.write('answer\n');
    assert.equal(await next, 'answer');
    assert.doesNotMatch(shown(), /Waiting|Late/);
  });

  test('a hundred questions leave no listener behind', async () => {
    const { input, ask } = terminal();
    input.write('first\n');
    await ask();
    const count = () => input.eventNames().map(name => [name, input.listenerCount(name)]);
    const before = count();
    for (let number = 0; number < 100; number += 1) {
      const promise = ask();
      input.write(`${number}\n`);
      assert.equal(await promise, String(number));
    }
    assert.deepEqual(count(), before);
  });
});

suite('terminalUser in a process', () => {
  const PROGRAM = `
    import { terminalUser } from 'toolgauge/dispatch/node';
    const user = terminalUser(OPTIONS);
    const ask = (kind, options = []) =>
      user.ask({ kind, question: kind + '?', options }, { signal: new AbortController().signal });
    const answers = [];
    for (const kind of KINDS) answers.push(await ask(kind, ['a', 'b']).catch(error => error.message));
    console.log(JSON.stringify(answers));
  `;
  const program = (options, kinds) => PROGRAM.replace('OPTIONS', options).replace('KINDS', JSON.stringify(kinds));

  test('reads the answers that are piped into it, shows the questions on standard error, and ends', async () => {
    const text = program('{ input: process.stdin, output: process.stderr }', ['ask', 'confirm', 'checkbox', 'input']);
    const { code, stdout, stderr } = await run('node', ['--input-type=module', '-e', text], {
      input: '2\nwhat\ny\n1 2\nlast',
    });
    assert.equal(stdout, `${JSON.stringify(['b', true, ['a', 'b'], 'last'])}\n`);
    assert.equal(code, 0);
    assert.match(stderr, /ask\?\n {2}1\. a\n {2}2\. b\nEnter a number/);
  });

  test('fails without a terminal', async () => {
    for (const options of ['', '{ output: process.stderr }', '{ input: process.stdin }']) {
      const { stdout } = await run('node', ['--input-type=module', '-e', program(options, ['confirm'])], {
        input: 'y\n',
      });
      assert.match(stdout, /^\["There is no terminal to ask the user at\./);
    }
  });
});

/**
 * Runs a program at a terminal of its own. Each step is a text to wait for, and the keys to press when it appears. At the
 * end it prints the exit code, which is negative if a signal ended the program.
 */
const AT_TERMINAL = `
import json, os, pty, sys
steps = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
seen = b""
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        break
    if not piece:
        break
    os.write(1, piece)
    seen += piece
    while steps and steps[0][0].encode() in seen:
        seen = seen.split(steps[0][0].encode(), 1)[1]
        os.write(terminal, steps.pop(0)[1].encode())
print("\\nended with", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

suite('terminalUser at a terminal', { skip: process.platform === 'win32' }, () => {
  const CTRL_C = '\u0003';
  const CTRL_D = '\u0004';
  const BACKSPACE = '\u007f';
  const PROMPT = '> ';

  /** What a program prints that asks questions at a terminal. */
  async function atTerminal(program, steps) {
    const text = `
      import { terminalUser } from 'toolgauge/dispatch/node';
      const user = terminalUser();
      const ask = (kind, signal = new AbortController().signal) =>
        user.ask({ kind, question: kind + '?', options: ['a', 'b'] }, { signal }).catch(error => error.message);
      const print = value => console.log(JSON.stringify([value, process.stdin.isRaw]));
      ${program}
    `;
    const args = ['-c', AT_TERMINAL, JSON.stringify(steps), 'node', '--input-type=module', '-e', text];
    const { stdout, stderr } = await run('python3', args, { timeout: 300_000 });
    assert.equal(stderr, '');
    return stdout;
  }

  test('keys edit the line, and the terminal is not raw between two questions', async () => {
    const printed = await atTerminal(
      `print(await ask('ask')); print(await ask('input')); print(await ask('checkbox'));`,
      [
        [PROMPT, '2\r'],
        [PROMPT, `right?${BACKSPACE}!\r`],
        [PROMPT, '1,2\r'],
      ],
    );
    for (const line of ['["b",false]', '["right!",false]', '[["a","b"],false]', 'ended with 0']) {
      assert.ok(printed.includes(line), `${line} is not in ${JSON.stringify(printed)}`);
    }
  });

  test('Ctrl-D fails one question, and the next one works', async () => {
    const steps = [
      [PROMPT, CTRL_D],
      [PROMPT, 'y\r'],
    ];
    const printed = await atTerminal(`print(await ask('input')); print(await ask('confirm'));`, steps);
    assert.match(printed, /\["The user closed the input without an answer\.[^"]*",false\]/);
    assert.match(printed, /\[true,false\].*ended with 0/s);
  });

  test('a question that is withdrawn frees the terminal, and what was typed for it is no answer', async () => {
    const steps = [
      [PROMPT, 'yes'],
      ['too late', ''],
      [PROMPT, 'n\r'],
    ];
    const program = `
      const controller = new AbortController();
      process.stdin.on('keypress', text => text === 's' && controller.abort(new Error('too late')));
      print(await ask('confirm', controller.signal));
      print(await ask('confirm'));
    `;
    const printed = await atTerminal(program, steps);
    assert.match(printed, /\["The question was withdrawn[^"]*too late",false\]/);
    assert.match(printed, /\[false,false\].*ended with 0/s);
  });

  test('Ctrl-C interrupts the program', async () => {
    const printed = await atTerminal(`print(await ask('input')); setTimeout(() => print('goes on'), 60_000);`, [
      [PROMPT, CTRL_C],
    ]);
    assert.match(printed, /ended with -2\s*$/);
    assert.doesNotMatch(printed, /goes on/);
  });
});
