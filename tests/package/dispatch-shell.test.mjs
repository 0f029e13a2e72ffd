import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { assertFails } from './support/assertions.mjs';
import { compileErrors, consumer, folderIn, fromConsumer, install, run, TESTS } from './support/consumer.mjs';
import { isRunning, processesWith, until } from './support/shell-tools/survivors.mjs';

const { shellTools } = await fromConsumer('toolgauge/dispatch/node');
const { createDispatcher, ToolCallFailure } = await fromConsumer('toolgauge/dispatch');
/** Node.js 20 runs TypeScript only with tsx, which tools find if it is installed beside them. */
const withTsx = install('tsx');

const isLinux = process.platform === 'linux';
const onLinux = { skip: !isLinux && 'processes that left their group are only found on Linux' };

/** Result files are made here, which shows whether they are removed. */
const TEMPORARY = realpathSync(mkdtempSync(join(tmpdir(), 'shell-tests-')));
const { TMPDIR } = process.env;
process.env.TMPDIR = TEMPORARY;
after(() => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  rmSync(TEMPORARY, { recursive: true, force: true });
});

/** In the environment of every tool of this file, and of all that they start. */
const MARK = randomUUID();

const ECHOES = ['echo_sh', 'echo_py', 'echo_js', 'echo_mjs', 'echo_ts', 'echo_mts'];

/** Long enough for any machine, for tools that nothing should stop. */
const LONG = 300_000;

/** The tools of a folder. Each is given as the text of its script. */
function toolsIn(folder, options = {}) {
  const { env, ...others } = options;
  return shellTools({ folder, timeoutMs: LONG, ...others, env: { MARK, ...env } });
}

function toolsOf(t, scripts, options) {
  const folder = realpathSync(folderIn(withTsx, t, scripts));
  return { folder, tools: toolsIn(folder, options) };
}

/** Runs one call and resolves with its result. */
async function call(tools, name, args = {}, signal = new AbortController().signal) {
  return tools.run({ name, arguments: args, route: { kind: 'function' } }, { signal, depth: 0 });
}

/** Runs one script to its end. */
function result(t, script, { args, ...options } = {}) {
  return call(toolsOf(t, { 'tool.sh': script }, options).tools, 'tool', args);
}

/** Asserts that a call fails with a message for the model. */
async function assertRefused(promise, pattern) {
  await assert.rejects(promise, error => {
    assert.ok(error instanceof ToolCallFailure, `expected a ToolCallFailure, got ${error.stack}`);
    assert.match(error.message, pattern);
    return true;
  });
}

function assertNothingLeft() {
  if (isLinux) assert.deepEqual(processesWith(MARK), [], 'processes are left');
  const left = readdirSync(TEMPORARY).filter(name => name.startsWith('toolgauge-'));
  assert.deepEqual(left, [], 'result files are left');
}

suite('shell tools: arguments', () => {
  const scripts = join(TESTS, 'support/shell-tools');

  function echoes(t, options) {
    const folder = folderIn(withTsx, t, {});
    const names = readdirSync(scripts).filter(name => name.startsWith('echo_'));
    for (const name of names) cpSync(join(scripts, name), join(folder, name));
    return toolsIn(folder, options);
  }

  const AWKWARD = {
    text: 'Zürich 東京 🌧️ \u0000\u001b[31m \ud800',
    quotes: `"double" 'single' \`touch back\` \\ back`,
    commands: '$(touch command) ; touch second & touch third | touch fourth > fifth\n touch sixth',
    dashes: '--version',
    nested: { list: [1, 2.5, -0.001, null, true, ''], __proto__: { own: false } },
  };
  Object.defineProperty(AWKWARD.nested, '__proto__', { value: { own: true }, enumerable: true });

  for (const name of ECHOES) {
    test(`${name}: gets them as its first argument and on standard input`, async t => {
      const tools = echoes(t);
      assert.deepEqual(await call(tools, name, AWKWARD), { given: 1, arguments: JSON.parse(JSON.stringify(AWKWARD)) });
      assert.deepEqual(await call(tools, name, {}), { given: 1, arguments: {} });
    });

    test(`${name}: gets long ones on standard input only`, async t => {
      const text = 'é'.repeat(100_000);
      assert.deepEqual(await call(echoes(t), name, { text }), { given: 0, arguments: { text } });
    });
  }

  test('run no command that they contain', async t => {
    const cwd = folderIn(consumer, t, {});
    const tools = echoes(t, { cwd });
    for (const name of ECHOES) await call(tools, name, AWKWARD);
    assert.deepEqual(readdirSync(cwd), []);
  });

  test('may stay unread, however long they are', async t => {
    const text = 'a'.repeat(3_000_000);
    assert.equal(await result(t, 'exec <&-; echo unread', { args: { text } }), 'unread');
  });

  test('that JSON has no way to write are refused', async t => {
    const { tools } = toolsOf(t, { 'tool.sh': 'touch ran' });
    const circular = {};
    circular.self = circular;
    for (const args of [circular, { big: 1n }, () => {}]) await assertRefused(call(tools, 'tool', args), /JSON/);
  });

  test('are an empty object if there are none', async t => {
    for (const args of [undefined, null]) assert.deepEqual(await result(t, 'cat', { args }), {});
  });
});

suite('shell tools: results', () => {
  test('the result file comes before standard output', async t => {
    assert.deepEqual(await result(t, `echo '{"a":[1,"é"]}' >"$LLM_OUTPUT"; echo printed`), { a: [1, 'é'] });
    assert.equal(await result(t, 'echo several; echo lines'), 'several\nlines');
    assert.deepEqual(await result(t, `echo '[true]'; echo progress >&2; : >"$LLM_OUTPUT"`), [true]);
  });

  test('a value is a value only if it is JSON as a whole', async t => {
    const cases = [
      ['"text"', 'text'],
      ['17', 17],
      ['false', false],
      ['  {"a": 1}  ', { a: 1 }],
      ['{"a": 1', '{"a": 1'],
      ['{"a": 1}{"a": 2}', '{"a": 1}{"a": 2}'],
      ['12345678901234567890', '12345678901234567890'],
      ['1.50', '1.50'],
      ['007', '007'],
    ];
    for (const [printed, expected] of cases) {
      assert.deepEqual(await result(t, `printf '%s' '${printed}'`), expected, printed);
      assert.deepEqual(await result(t, `printf '%s' '${printed}' >"$LLM_OUTPUT"`), expected, printed);
    }
  });

  test('a tool that writes nothing, or null, has the result null', async t => {
    assert.equal(await result(t, ':'), null);
    assert.equal(await result(t, 'echo; echo "  "; echo not a result >&2'), null);
    assert.equal(await result(t, 'echo null >"$LLM_OUTPUT"; echo printed'), null);
  });

  test('JSON may be nested deeply', async t => {
    const text = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    let value = await result(t, 'cat text', { cwd: folderIn(consumer, t, { text }) });
    let depth = 0;
    for (; value !== undefined; [value] = value) depth += 1;
    assert.equal(depth, 100_000);
  });

  test('text that is not UTF-8 is read as well as it can be', async t => {
    assert.equal(await result(t, `printf 'a\\xffb'`), 'a\ufffdb');
  });

  test('output that was printed right before the end is complete', async t => {
    const text = await result(t, `head -c 500000 /dev/zero | tr '\\0' a; head -c 500000 /dev/zero | tr '\\0' b >&2`);
    assert.equal(text, 'a'.repeat(500_000));
  });

  test('a link, a FIFO and a folder in place of the result file are refused', async t => {
    const secret = join(folderIn(consumer, t, { 'secret.txt': '"secret"' }), 'secret.txt');
    for (const command of [`ln -s '${secret}'`, 'ln -s /dev/zero', 'mkfifo', 'mkdir']) {
      await assertRefused(result(t, `${command} "$LLM_OUTPUT"; echo printed`), /^tool left something .* LLM_OUTPUT/);
    }
    assertNothingLeft();
  });

  test('what else is in the folder of the result file is removed, also if it is locked', async t => {
    const script = `d=$(dirname "$LLM_OUTPUT"); mkdir "$d/more"; touch "$d/more/file"; echo 1 >"$LLM_OUTPUT"; chmod 0 "$d"`;
    await result(t, script).catch(() => {});
    assertNothingLeft();
    assert.equal(await result(t, `rm -r "$(dirname "$LLM_OUTPUT")"; echo printed`), 'printed');
  });
});

suite('shell tools: failures', () => {
  test('an exit code is reported with the end of standard error', async t => {
    await assertRefused(
      result(t, 'echo ignored; echo "No such city: Oslö" >&2; exit 3'),
      /^tool exited with code 3: No such city: Oslö$/,
    );
    await assertRefused(result(t, 'echo "printed instead"; exit 1'), /^tool exited with code 1: printed instead$/);
    await assertRefused(result(t, 'exit 255'), /^tool exited with code 255\.$/);
    await assertRefused(result(t, `echo '{"a":1}' >"$LLM_OUTPUT"; exit 1`), /^tool exited with code 1\.$/);
  });

  test('of much standard error the model sees the end', async t => {
    const script = `for i in $(seq 2000); do echo "é line $i" >&2; done; exit 1`;
    await assert.rejects(result(t, script), ({ message }) => {
      assert.match(message, /^tool exited with code 1: …/);
      assert.match(message, /é line 2000$/);
      assert.doesNotMatch(message, /\ufffd/);
      assert.ok(message.length < 2_200, `${message.length} characters`);
      return true;
    });
  });

  test('a crash is reported with its signal', async t => {
    await assertRefused(result(t, 'echo about to crash >&2; kill -SEGV $$'), /^tool .*signal SIGSEGV: about to crash$/);
    await assertRefused(result(t, 'kill -KILL $$'), /^tool was ended by the signal SIGKILL\.$/);
  });

  test('an exception of an interpreter is reported', async t => {
    const { tools } = toolsOf(t, {
      'python.py': 'raise ValueError("not a city")',
      'node.mjs': 'throw new Error("not a town")',
      'broken.ts': 'const x: number = ;',
      'broken_shell.sh': 'if then',
    });
    await assertRefused(call(tools, 'python'), /^python exited with code 1: .*ValueError: not a city/s);
    await assertRefused(call(tools, 'node'), /^node exited with code 1: .*not a town/s);
    await assertRefused(call(tools, 'broken'), /^broken exited with code 1: .*broken\.ts/s);
    await assertRefused(call(tools, 'broken_shell'), /^broken_shell exited with code 2: .*syntax error/s);
  });

  test('a missing interpreter is reported, and python serves if there is no python3', async t => {
    const bin = folderIn(consumer, t, { python: '#!/bin/sh\necho "python, not python3"\n' });
    const { tools: none } = toolsOf(t, { 'a.sh': ':', 'b.py': '' }, { env: { PATH: folderIn(consumer, t, {}) } });
    await assertRefused(call(none, 'a'), /^a could not be started: bash was not found on the PATH/);
    await assertRefused(call(none, 'b'), /^b could not be started: python3 or python was not found on the PATH/);
    const { tools } = toolsOf(t, { 'b.py': '' }, { env: { PATH: bin } });
    await assertRefused(call(tools, 'b'), /^b could not be started: .*EACCES/);
    assert.equal((await run('chmod', ['+x', join(bin, 'python')])).code, 0);
    assert.equal(await call(tools, 'b'), 'python, not python3');
  });

  test('a working folder that is gone is reported', async t => {
    const cwd = folderIn(consumer, t, {});
    const { tools } = toolsOf(t, { 'tool.sh': 'pwd' }, { cwd });
    assert.equal(await call(tools, 'tool'), realpathSync(cwd));
    rmSync(cwd, { recursive: true });
    await assertRefused(call(tools, 'tool'), /the folder .* no longer exists/);
  });

  test('TypeScript without anything that runs it is reported', { skip: process.features.typescript }, async t => {
    const folder = mkdtempSync(join(TEMPORARY, 'alone-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'typed.ts'), '');
    const script = `
      import { shellTools } from 'toolgauge/dispatch/node';
      process.chdir(${JSON.stringify(folder)});
      const tools = shellTools({ folder: '.' });
      const context = { signal: new AbortController().signal, depth: 0 };
      await tools.run({ name: 'typed', arguments: {} }, context).catch(error => console.log(error.message));
    `;
    const { stdout } = await run('node', ['--input-type=module', '-e', script], { cwd: consumer });
    assert.match(stdout, /^Node\.js \d+ cannot run TypeScript\. Install the package tsx .*22\.18/);
  });

  test('no variable of a tool makes starting it throw something else', async t => {
    const { tools } = toolsOf(t, { 'tool.sh': ':' }, { env: { HUGE: 'a'.repeat(5_000_000) } });
    await assertRefused(call(tools, 'tool'), /^tool could not be started: .*E2BIG/);
    assertNothingLeft();
  });
});

suite('shell tools: limits', () => {
  test('a tool that takes too long is stopped', async t => {
    const failing = result(t, 'echo waiting for a lock >&2; sleep 1000', { timeoutMs: 2_000 });
    await assertRefused(failing, /^tool was stopped: no answer within 2 s/);
    assertNothingLeft();
  });

  test('the time limit of a definition counts for its tool', async t => {
    const { tools } = toolsOf(t, { 'slow.sh': 'sleep 1000', 'slow.json': '{"timeoutMs": 50}' });
    await assertRefused(call(tools, 'slow'), /^slow was stopped: no answer within 0\.05 s/);
    const { tools: patient } = toolsOf(
      t,
      { 'slow.sh': 'sleep 1; echo done', 'slow.json': `{"timeoutMs": ${LONG}}` },
      { timeoutMs: 50 },
    );
    assert.equal(await call(patient, 'slow'), 'done');
  });

  test('a tool may clean up before it is killed', async t => {
    const script = `trap 'echo cleaned >cleaned; exit 0' TERM; touch started; while :; do sleep 0.05; done`;
    const { folder, tools } = toolsOf(t, { 'tool.sh': script }, { killGraceMs: 120_000 });
    const { promise, abort } = await startedCall(folder, tools);
    abort();
    await assertRefused(promise, /^tool was stopped: This operation was aborted/);
    assert.equal(readFileSync(join(folder, 'cleaned'), 'utf8'), 'cleaned\n');
    assertNothingLeft();
  });

  test('a tool that ignores the signal to end is killed', async t => {
    const script = `trap '' TERM; touch started; while :; do sleep 0.05; done`;
    const { folder, tools } = toolsOf(t, { 'tool.sh': script }, { killGraceMs: 100 });
    const { promise, abort } = await startedCall(folder, tools);
    abort();
    await assertRefused(promise, /^tool was stopped/);
    assertNothingLeft();
  });

  test('the children of a tool that is stopped end with it', onLinux, async t => {
    const script =
      'sleep 1000 & setsid sleep 1000 & (setsid bash -c "sleep 1000 & sleep 1000" &) ; touch started; wait';
    const { folder, tools } = toolsOf(t, { 'tool.sh': script });
    const { promise, abort } = await startedCall(folder, tools);
    await until(() => processesWith(MARK).length >= 5, 'all children run');
    abort();
    await assertRefused(promise, /^tool was stopped/);
    assertNothingLeft();
  });

  test('a call that is aborted before it starts runs nothing', async t => {
    const { folder, tools } = toolsOf(t, { 'tool.sh': 'touch ran' });
    await assertRefused(call(tools, 'tool', {}, AbortSignal.abort(new Error('given up'))), /not started: given up/);
    assert.deepEqual(readdirSync(folder), ['tool.sh']);
  });

  for (const [where, script] of [
    ['standard output', 'yes'],
    ['standard error', 'yes >&2'],
    ['the result file', 'yes >"$LLM_OUTPUT"'],
    ['the result file, sparsely', 'truncate -s 10G "$LLM_OUTPUT"; sleep 1000'],
    ['standard output, from a child in the background', 'setsid yes & sleep 1000'],
  ]) {
    test(`a tool that floods ${where} is stopped`, async t => {
      await assertRefused(result(t, script, { maxOutputBytes: 100_000 }), /^tool wrote more than 100,000 bytes\./);
      assertNothingLeft();
    });
  }

  test('output may be as long as the limit, and not longer', async t => {
    const write = count => `head -c ${count} /dev/zero | tr '\\0' a`;
    const options = { maxOutputBytes: 5_000 };
    for (const target of ['', ' >"$LLM_OUTPUT"']) {
      assert.equal(await result(t, write(5_000) + target, options), 'a'.repeat(5_000));
      await assertRefused(result(t, write(5_001) + target, options), /more than 5,000 bytes/);
    }
  });

  test('a tool can neither ask at the terminal nor wait for input', async t => {
    assert.equal(await result(t, 'cat >/dev/null; read -r line || echo no more input'), 'no more input');
    assert.equal(await result(t, '(: </dev/tty) 2>/dev/null || echo no terminal'), 'no terminal');
  });
});

/** Starts a call of `tool`, and waits until its script has made the file `started`. */
async function startedCall(folder, tools) {
  const controller = new AbortController();
  const promise = call(tools, 'tool', {}, controller.signal);
  promise.catch(() => {});
  await until(() => existsSync(join(folder, 'started')), 'the tool has started');
  return { promise, abort: () => controller.abort() };
}

suite('shell tools: what a tool leaves behind', () => {
  test('children in the background end when the tool does', onLinux, async t => {
    const script = 'sleep 1000 & setsid sleep 1000 & (setsid nohup sleep 1000 >/dev/null 2>&1 &); echo done';
    assert.equal(await result(t, script), 'done');
    assertNothingLeft();
  });

  test('a child without an environment ends with its group', onLinux, async t => {
    const pid = await result(t, 'env -i sleep 1000 >/dev/null 2>&1 & echo $!');
    await until(() => !isRunning(pid), 'the child has ended');
  });

  test('a daemon that a Python script makes ends, too', onLinux, async t => {
    const script = `
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() > 0:
        os._exit(0)
    os.chdir("/")
    for number in range(3):
        os.close(number)
    time.sleep(1000)
print("parent is done")
`;
    const { tools } = toolsOf(t, { 'daemon.py': script });
    assert.equal(await call(tools, 'daemon'), 'parent is done');
    assertNothingLeft();
  });

  test('children that keep starting others come to an end', onLinux, async t => {
    const script = `
spawn() { while :; do setsid bash -c 'sleep 1000' & sleep 0.01; done; }
export -f spawn
setsid bash -c spawn & setsid bash -c spawn &
touch started; wait`;
    const { folder, tools } = toolsOf(t, { 'tool.sh': script });
    const { promise, abort } = await startedCall(folder, tools);
    await until(() => processesWith(MARK).length > 20, 'there are many');
    abort();
    await assertRefused(promise, /^tool was stopped/);
    assertNothingLeft();
  });

  test('a process that cannot be found does not keep the call open', onLinux, async t => {
    const { folder, tools } = toolsOf(t, {
      'tool.sh': `
env -i PATH="$PATH" setsid bash -c 'echo $$ >pid; exec sleep 1000' &
while [ ! -s pid ]; do sleep 0.01; done
echo done`,
    });
    assert.equal(await call(tools, 'tool'), 'done');
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 'SIGKILL');
  });

  for (const [ending, code, expected] of [
    ['exits', 'process.exit(7)', { code: 7, signal: null }],
    ['throws', 'setTimeout(() => { throw new Error("on purpose"); })', { code: 1, signal: null }],
    ['gets SIGTERM', 'process.kill(process.pid, "SIGTERM")', { code: null, signal: 'SIGTERM' }],
    ['gets SIGINT', 'process.kill(process.pid, "SIGINT")', { code: null, signal: 'SIGINT' }],
    [
      'gets SIGINT and has a listener that exits',
      'process.on("SIGINT", () => process.exit(9)); process.kill(process.pid, "SIGINT")',
      { code: 9, signal: null },
    ],
    [
      'gets SIGTERM and has a listener that counts listeners',
      `process.on('SIGTERM', function last() {
        if (process.listenerCount('SIGTERM') > 1) return;
        process.off('SIGTERM', last);
        process.kill(process.pid, 'SIGTERM');
      });
      process.kill(process.pid, 'SIGTERM')`,
      { code: null, signal: 'SIGTERM' },
    ],
  ]) {
    test(`tools end when the process that runs them ${ending}`, onLinux, async t => {
      const mark = randomUUID();
      const folder = folderIn(consumer, t, {
        'tool.sh': 'trap "" TERM INT; setsid sleep 1000 & touch started; while :; do sleep 0.05; done',
        'host.mjs': `
          import { existsSync } from 'node:fs';
          import { shellTools } from 'toolgauge/dispatch/node';
          const folder = import.meta.dirname;
          const tools = shellTools({ folder: folder + '/tools', cwd: folder, env: { MARK: '${mark}' } });
          const context = { signal: new AbortController().signal, depth: 0 };
          for (let i = 0; i < 3; i += 1) tools.run({ name: 'tool', arguments: {} }, context).catch(() => {});
          const timer = setInterval(() => {
            if (!existsSync(folder + '/started')) return;
            clearInterval(timer);
            ${code};
          }, 20);
        `,
      });
      mkdirSync(join(folder, 'tools'));
      cpSync(join(folder, 'tool.sh'), join(folder, 'tools/tool.sh'));
      const host = spawn('node', [join(folder, 'host.mjs')], { stdio: 'ignore' });
      const [exitCode, signal] = await once(host, 'exit');
      assert.deepEqual({ code: exitCode, signal }, expected);
      await until(() => processesWith(mark).length === 0, 'the tools have ended');
    });
  }

  test('hundreds of runs leave no listener, no handle and no process', onLinux, async t => {
    const mark = randomUUID();
    const folder = folderIn(consumer, t, {
      'ok.sh': 'echo ok',
      'fails.sh': 'exit 1',
      'hangs.sh': 'sleep 1000',
      'hangs.json': '{"timeoutMs": 100}',
      'floods.sh': 'yes',
      'forks.sh': 'setsid sleep 1000 & echo forked',
    });
    const script = `
      import { shellTools } from 'toolgauge/dispatch/node';
      const listeners = () => process.eventNames().map(name => [name, process.listenerCount(name)]);
      const before = listeners();
      const tools = shellTools({ folder: ${JSON.stringify(folder)}, maxOutputBytes: 10_000, env: { MARK: '${mark}' } });
      const { signal } = new AbortController();
      const counts = {};
      const names = tools.definitions.map(({ name }) => name);
      for (let round = 0; round < 20; round += 1) {
        const calls = [...names, ...names, ...names].map(name =>
          tools.run({ name, arguments: {} }, { signal, depth: 0 }).catch(error => 'failed'),
        );
        for (const result of await Promise.all(calls)) counts[result] = (counts[result] ?? 0) + 1;
      }
      const isOurs = name => !['PipeWrap', 'TTYWrap', 'FSReqCallback'].includes(name);
      const resources = process.getActiveResourcesInfo().filter(isOurs);
      console.log(JSON.stringify({ counts, resources, listeners: [before, listeners()] }));
    `;
    const { code, stdout, stderr } = await run('node', ['--input-type=module', '-e', script], { cwd: consumer });
    assert.equal(stderr, '');
    assert.equal(code, 0);
    const { counts, resources, listeners } = JSON.parse(stdout);
    assert.deepEqual(counts, { ok: 60, failed: 180, forked: 60 });
    assert.deepEqual(resources, []);
    assert.deepEqual(listeners[1], listeners[0]);
    assert.deepEqual(processesWith(mark), []);
  });
});

suite('shell tools: environment', () => {
  const shown = text => Object.fromEntries(text.split('\n').map(line => line.split(/=(.*)/s).slice(0, 2)));

  test('of this process only what programs need and what the tool declares is passed on', async t => {
    const secrets = { TEST_SECRET: 'secret', NODE_OPTIONS: '--no-deprecation', BASH_ENV: '/nowhere', PYTHONPATH: '/' };
    const declared = { DECLARED: 'declared', OVERRIDDEN: 'outer' };
    for (const [name, value] of Object.entries({ ...secrets, ...declared })) setVariable(t, name, value);
    const { folder, tools } = toolsOf(
      t,
      { 'tool.sh': 'env', 'tool.json': '{"env": ["DECLARED", "OVERRIDDEN", "NOT_SET"]}', 'other.sh': 'env' },
      { env: { OVERRIDDEN: 'own', UNITS: 'metric', LLM_TOOL_NAME: 'forged', ABSENT: undefined } },
    );
    const { PATH, HOME, LLM_OUTPUT, ...seen } = shown(await call(tools, 'tool'));
    assert.deepEqual([PATH, HOME], [process.env.PATH, process.env.HOME]);
    assert.ok(LLM_OUTPUT.startsWith(TEMPORARY), LLM_OUTPUT);
    // These are of bash and of the run itself, or differ from machine to machine.
    for (const name of ['PWD', 'SHLVL', '_', 'OLDPWD', 'TOOLGAUGE_RUN', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ']) {
      delete seen[name];
    }
    const expected = { TMPDIR: TEMPORARY, MARK, UNITS: 'metric', LLM_TOOL_NAME: 'tool', LLM_TOOL_FOLDER: folder };
    assert.deepEqual(seen, { ...expected, DECLARED: 'declared', OVERRIDDEN: 'own' });
    const other = shown(await call(tools, 'other'));
    assert.deepEqual([other.DECLARED, other.TEST_SECRET, other.OVERRIDDEN], [undefined, undefined, 'own']);
  });

  test('a tool that runs tools keeps the mark of its own run', onLinux, async t => {
    setVariable(t, 'TOOLGAUGE_RUN', 'outer-run');
    assert.match(await result(t, 'echo "$TOOLGAUGE_RUN"'), /^outer-run [0-9a-f-]{36}$/);
  });

  test('a tool runs in its folder, or in the one that is given', async t => {
    const { folder, tools } = toolsOf(t, { 'tool.sh': 'pwd' });
    assert.equal(await call(tools, 'tool'), folder);
    assert.equal(await result(t, 'pwd', { cwd: TEMPORARY }), TEMPORARY);
  });
});

function setVariable(t, name, value) {
  const before = process.env[name];
  process.env[name] = value;
  t.after(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
}

suite('shell tools: escapes', () => {
  const NAMES = [
    '../outside',
    '..',
    '.',
    '',
    '/bin/sh',
    'tool.sh',
    './tool',
    'tool/',
    'tool\0',
    '\0',
    'tool\n',
    'tool;touch ran',
    '$(touch ran)',
    '`touch ran`',
    'tool touch',
    '-c',
    '__proto__',
    'constructor',
    'toString',
    'TOOL',
    'tool'.repeat(2_500),
    '\ud800',
  ];

  test('no name leads out of the folder', async t => {
    const outer = folderIn(consumer, t, { 'outside.sh': 'touch "$LLM_TOOL_FOLDER/ran"' });
    const folder = join(outer, 'tools');
    mkdirSync(folder);
    writeFileSync(join(folder, 'tool.sh'), 'touch "$LLM_TOOL_FOLDER/ran"');
    const tools = toolsIn(folder);
    for (const name of [...NAMES, join(outer, 'outside'), join(outer, 'outside.sh')]) {
      await assertRefused(call(tools, name), /^There is no tool ".*"\. There are: tool\.$/);
    }
    assert.deepEqual(readdirSync(folder), ['tool.sh']);
    assert.deepEqual(readdirSync(outer).sort(), ['outside.sh', 'tools']);
  });

  test('a name is shown shortened and escaped', async t => {
    const { tools } = toolsOf(t, { 'tool.sh': ':' });
    await assert.rejects(call(tools, `\u001b[2J${'a'.repeat(10_000)}`), ({ message }) => {
      assert.ok(message.length < 200);
      assert.ok(message.startsWith('There is no tool "\\u001b[2Jaaa'), message);
      return true;
    });
    await assertRefused(call(toolsIn(folderIn(consumer, t, {})), 'tool'), /There are none\.$/);
  });

  test('a script named like a member of every object is a tool as any other', async t => {
    const { tools } = toolsOf(t, { '__proto__.sh': 'echo own', 'constructor.sh': 'echo built' });
    assert.equal(await call(tools, '__proto__'), 'own');
    assert.equal(await call(tools, 'constructor'), 'built');
  });

  test('a script that is a link out of the folder is refused', async t => {
    const outside = join(folderIn(consumer, t, { 'outside.sh': 'touch ran' }), 'outside.sh');
    const folder = folderIn(consumer, t, {});
    symlinkSync(outside, join(folder, 'tool.sh'));
    const says = /tool\.sh: it is a symbolic link to a place outside of its folder/;
    assertFails(() => shellTools({ folder }), { code: 'invalid_input', says });
  });

  test('a script that was replaced by a link out of the folder is refused', async t => {
    const outer = folderIn(consumer, t, { 'outside.sh': 'touch ran' });
    const { folder, tools } = toolsOf(t, { 'tool.sh': 'echo inside' });
    assert.equal(await call(tools, 'tool'), 'inside');
    const script = join(folder, 'tool.sh');
    const replacements = [
      [() => symlinkSync(join(outer, 'outside.sh'), script), /^tool was not run: .*outside of its folder$/],
      [() => symlinkSync('/bin/bash', script), /outside of its folder$/],
      [() => symlinkSync(folder, script), /not a regular file$/],
      [() => symlinkSync('tool.sh', script), /^tool was not run: .*ELOOP/],
      [() => mkdirSync(script), /not a regular file$/],
      [() => {}, /^tool was not run: .*ENOENT/],
    ];
    for (const [replace, pattern] of replacements) {
      rmSync(script, { recursive: true, force: true });
      replace();
      await assertRefused(call(tools, 'tool'), pattern);
    }
    assert.deepEqual([readdirSync(folder), readdirSync(outer)], [[], ['outside.sh']]);
  });

  test('a folder that was replaced by a link is refused', async t => {
    const outer = folderIn(consumer, t, {});
    for (const name of ['tools', 'others']) {
      mkdirSync(join(outer, name));
      writeFileSync(join(outer, name, 'tool.sh'), `echo ${name}`);
    }
    const tools = toolsIn(join(outer, 'tools'));
    assert.equal(await call(tools, 'tool'), 'tools');
    rmSync(join(outer, 'tools'), { recursive: true });
    symlinkSync(join(outer, 'others'), join(outer, 'tools'));
    await assertRefused(call(tools, 'tool'), /^tool was not run: .*outside of its folder$/);
  });

  test('a link inside the folder works, and so does a folder that is a link', async t => {
    const { folder } = toolsOf(t, { 'tool.sh': 'echo inside' });
    symlinkSync('tool.sh', join(folder, 'alias.sh'));
    const link = join(folderIn(consumer, t, {}), 'link');
    symlinkSync(folder, link);
    const tools = toolsIn(link);
    assert.deepEqual([await call(tools, 'tool'), await call(tools, 'alias')], ['inside', 'inside']);
  });
});

suite('shell tools: definitions', () => {
  test('are those of the files beside the scripts', t => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const { tools } = toolsOf(t, {
      'get_weather.py': '',
      'get_weather.json': `\ufeff${JSON.stringify({
        description: 'The weather of a city',
        parameters,
        outputSchema: { type: 'object' },
        env: ['API_KEY'],
        timeoutMs: 5,
      })}`,
      'any-thing.sh': '',
      'package.json': '{"type": "module"}',
      'tsconfig.json': 'no JSON // at all',
      'notes.txt': '',
      'lib.d.ts': '',
      'with space.sh': '',
      '.hidden.sh': '',
      README: '',
    });
    assert.deepEqual(tools.definitions, [
      { name: 'any-thing', parameters: { type: 'object' } },
      { description: 'The weather of a city', parameters, outputSchema: { type: 'object' }, name: 'get_weather' },
    ]);
  });

  test('of several folders are taken together', async t => {
    const { folder: first } = toolsOf(t, { 'one.sh': 'pwd' });
    const { folder: second } = toolsOf(t, { 'two.sh': 'pwd' });
    const tools = toolsIn([first, second]);
    assert.deepEqual([await call(tools, 'one'), await call(tools, 'two')], [first, second]);
    const { folder: again } = toolsOf(t, { 'one.py': '' });
    assertFails(() => toolsIn([first, again]), { code: 'invalid_input', says: /one\.py: .*one\.sh has the same name/ });
  });

  const WRONG = {
    'a definition that is not JSON': [{ 'a.sh': '', 'a.json': '{"description": ' }, /a\.json: it is not valid JSON/],
    'a definition that is no object': [{ 'a.sh': '', 'a.json': '[]' }, /a\.json: .*object/],
    'a definition without a script': [{ 'a.json': '{}', 'b.sh': '' }, /a\.json: there is no script/],
    'two scripts with one name': [{ 'a.sh': '', 'a.py': '' }, /a\.sh: .*a\.py has the same name/],
    'another name': [{ 'a.sh': '', 'a.json': '{"name": "b"}' }, /a\.json: the name differs.*"a"/, 'name'],
    'a description that is no text': [{ 'a.sh': '', 'a.json': '{"description": 1}' }, /number/, 'description'],
    'parameters that are no schema': [{ 'a.sh': '', 'a.json': '{"parameters": []}' }, /schema/i, 'parameters'],
    'variables that are no list': [{ 'a.sh': '', 'a.json': '{"env": "API_KEY"}' }, /list of names/, 'env'],
    'variables that are no names': [{ 'a.sh': '', 'a.json': '{"env": ["A=B"]}' }, /list of names/, 'env'],
    'a time limit of nothing': [{ 'a.sh': '', 'a.json': '{"timeoutMs": 0}' }, /milliseconds/, 'timeoutMs'],
    'a time limit that no timer has': [{ 'a.sh': '', 'a.json': '{"timeoutMs": 1e12}' }, /milliseconds/, 'timeoutMs'],
  };
  for (const [problem, [files, says, path]] of Object.entries(WRONG)) {
    test(`${problem} is an error that names the file`, t => {
      const folder = folderIn(consumer, t, files);
      assertFails(() => shellTools({ folder }), { code: 'invalid_input', path, says });
    });
  }

  test('a definition that is a link out of the folder, or no file, is refused', async t => {
    const folder = folderIn(consumer, t, { 'a.sh': '' });
    for (const make of [
      () => symlinkSync('/etc/hostname', join(folder, 'a.json')),
      () => mkdirSync(join(folder, 'a.json')),
    ]) {
      make();
      assertFails(() => shellTools({ folder }), { code: 'invalid_input', says: /a\.json: it is (a|not)/ });
      rmSync(join(folder, 'a.json'), { recursive: true });
    }
    assert.equal((await run('mkfifo', [join(folder, 'a.json')])).code, 0);
    assertFails(() => shellTools({ folder }), { code: 'invalid_input', says: /a\.json: it is not a regular file/ });
  });

  test('wrong options are errors that name the option', t => {
    const folder = folderIn(consumer, t, { 'a.sh': '' });
    const wrong = {
      folder: [{ folder: undefined }, { folder: [] }, { folder: ['', folder] }, { folder: join(folder, 'none') }],
      env: [{ env: { A: 1 } }, { env: { 'A=B': 'C' } }, { env: { A: 'nul\0' } }],
      cwd: [{ cwd: join(folder, 'none') }, { cwd: join(folder, 'a.sh') }, { cwd: 1 }],
      timeoutMs: [{ timeoutMs: 0 }, { timeoutMs: Number.NaN }, { timeoutMs: '5' }, { timeoutMs: 2 ** 31 }],
      maxOutputBytes: [{ maxOutputBytes: 0 }, { maxOutputBytes: 1.5 }, { maxOutputBytes: '5' }],
      killGraceMs: [{ killGraceMs: -1 }, { killGraceMs: Number.POSITIVE_INFINITY }],
    };
    for (const [option, cases] of Object.entries(wrong)) {
      for (const options of cases) {
        assertFails(() => shellTools({ folder, ...options }), { code: 'invalid_option', path: `options.${option}` });
      }
    }
  });

  test('options that are undefined have their defaults', async t => {
    const { folder } = toolsOf(t, { 'a.sh': 'echo ok' });
    const tools = shellTools({
      folder,
      env: undefined,
      cwd: undefined,
      timeoutMs: undefined,
      maxOutputBytes: undefined,
      killGraceMs: undefined,
    });
    assert.equal(await call(tools, 'a'), 'ok');
  });
});

suite('shell tools in a dispatcher', () => {
  test('run if their arguments are valid, and fail with a message for the model', async t => {
    const { folder, tools } = toolsOf(t, {
      'get_weather.sh': 'echo "$1" >>calls; cat',
      'get_weather.json': JSON.stringify({
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      }),
      'broken.sh': 'echo out of order >&2; exit 4',
      'quiet.sh': ':',
    });
    const dispatcher = createDispatcher({ shell: tools });
    const results = await dispatcher.evalToolCalls([
      { id: '1', name: 'get_weather', arguments: { city: 'Oslo; $(touch ran)' } },
      { id: '2', name: 'get_weather', arguments: { city: 5 } },
      { id: '3', name: 'broken', arguments: {} },
      { id: '4', name: 'quiet', arguments: {} },
      { id: '5', name: '../broken', arguments: {} },
    ]);
    const outputs = results.map(({ output }) => output);
    assert.deepEqual([outputs[0], outputs[3]], [{ city: 'Oslo; $(touch ran)' }, 'DONE']);
    assert.match(outputs[1].tool_call_error, /city/);
    assert.equal(outputs[2].tool_call_error, 'broken exited with code 4: out of order');
    assert.equal(typeof outputs[4].tool_call_error, 'string');
    assert.equal(readFileSync(join(folder, 'calls'), 'utf8'), '{"city":"Oslo; $(touch ran)"}\n');
    assert.ok(!existsSync(join(folder, 'ran')));
  });

  test('and terminal users have the types that it takes', async t => {
    const program = `
      import { createDispatcher, type Toolkit, type UserChannel } from 'toolgauge/dispatch';
      import { type ShellToolsOptions, shellTools, terminalUser } from 'toolgauge/dispatch/node';
      const options: ShellToolsOptions = { folder: ['a', 'b'] as const, env: { KEY: process.env['KEY'] }, cwd: undefined };
      const shell: Toolkit = shellTools(options);
      const user: UserChannel = terminalUser({ input: process.stdin, output: process.stdout });
      createDispatcher({ shell, user });
      // @ts-expect-error: a folder is needed.
      shellTools({});
    `;
    assert.equal(await compileErrors(t, { 'program.ts': program }), '');
  });
});

test('all result files of these tests are removed, and all processes have ended', () => {
  assertNothingLeft();
});
