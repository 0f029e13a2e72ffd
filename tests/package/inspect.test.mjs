import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { consumer, folderIn, run } from './support/consumer.mjs';

const COMMAND = join(consumer, 'node_modules/toolgauge/dist/cli.js');
const example = name => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
const fixture = name => fileURLToPath(new URL(`../fixtures/formats/${name}`, import.meta.url));

let browser;

before(async () => {
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
});

after(() => browser?.close());

test('the page compares with the run that --before names', async t => {
  const args = [example('runs/after.jsonl'), '--before', example('runs/before.jsonl')];
  const { page, problems } = await open(t, await inspect(t, args));
  const panel = page.getByRole('region', { name: 'Two runs side by side' });
  await panel.getByText('7 tasks in both runs').waitFor();
  await page.getByRole('region', { name: 'Trials', exact: true }).waitFor();
  assert.deepEqual(problems, []);
});

test('the page opens with the files loaded, and requests nothing else from anyone', async t => {
  const args = [example('refund.json'), '--tools', example('shop.tools.json'), '--expected', example('expected.json')];
  const address = await inspect(t, args);
  const { page, requests, problems } = await open(t, address);
  await page.locator('.gate.failed').waitFor();
  await page.locator('.comparison').waitFor();
  await page.locator('.issue', { hasText: 'type_mismatch' }).waitFor();
  assert.equal(await page.locator('.file-name').textContent(), 'refund.json');
  assert.deepEqual(
    requests.filter(url => !url.startsWith(address)),
    [],
  );
  assert.equal(requests.filter(url => url.includes('/given/')).length, 3);
  assert.equal(requests.filter(url => url.endsWith('.wasm')).length, 1);
  assert.deepEqual(problems, []);
  const tried = await page.evaluate(() => Promise.allSettled([fetch('/'), fetch('index.html')]));
  assert.deepEqual(
    tried.map(({ status }) => status),
    ['rejected', 'rejected'],
    'the policy allows only the files and the parts of the page',
  );
});

test('without a file the page opens empty, and may fetch only its own parts, once', async t => {
  const address = await inspect(t, []);
  const { page, problems } = await open(t, address);
  await page.locator('.welcome').waitFor();
  await page.locator('.example-cards button').first().click();
  await page.locator('.gate.failed').waitFor();
  assert.deepEqual(problems, []);
  const { headers, text } = await ask(address, '');
  for (const policy of [headers['content-security-policy'], text]) {
    assert.equal(/connect-src ([^;"]*)/.exec(policy)[1], `${address}assets/`);
  }
  const [refused] = await page.evaluate(() => Promise.allSettled([fetch(document.scripts[0].src)]));
  assert.equal(refused.status, 'rejected', 'the page itself forbids every connection once it is loaded');
});

test('no process but this one learns the address: a page leads the browser to it', {
  skip: process.platform !== 'linux',
}, async t => {
  const bin = folderIn(consumer, t, {});
  const opener = join(bin, 'xdg-open');
  writeFileSync(
    opener,
    '#!/bin/sh\nprintf "%s\\n" "$0" "$@" > "$SEEN.part"; env >> "$SEEN.part"; mv "$SEEN.part" "$SEEN"\n',
  );
  chmodSync(opener, 0o755);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    const seen = join(bin, signal);
    const env = { PATH: `${bin}:${process.env.PATH}`, HOME: bin, TMPDIR: bin, SEEN: seen };
    const child = spawn(process.execPath, [COMMAND, 'inspect', example('refund.json')], { env });
    const ended = new Promise(settle => child.on('close', settle));
    t.after(() => child.kill());
    const [address, secret] = await addressOf(child);
    while (!existsSync(seen)) await sleep(10);
    const said = readFileSync(seen, 'utf8');
    assert.ok(!said.includes(secret), said);
    const page = said.split('\n')[1];
    assert.equal(statSync(page).mode & 0o777, 0o600);
    assert.equal(statSync(dirname(page)).mode & 0o777, 0o700);
    assert.ok(!readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').includes(secret));
    const { page: opened } = await open(t, pathToFileURL(page).href);
    await opened.waitForURL(address);
    await opened.locator('.timeline .turn').first().waitFor();
    child.kill(signal);
    assert.equal(await ended, { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal]);
    assert.equal(existsSync(dirname(page)), false);
  }
});

/** Replaces the clipboard, and returns what the page copies. */
const copyLink = async page => {
  await page.evaluate(() => {
    navigator.clipboard.writeText = async text => {
      globalThis.copied = text;
    };
  });
  await page.getByRole('button', { name: 'Copy link' }).click();
};

test('copied links lead to the page that --page names', async t => {
  const args = [example('refund.json'), '--page', 'https://example.com/a?b="c"&d'];
  const { page, problems } = await open(t, await inspect(t, args));
  await page.locator('.summary').waitFor();
  await copyLink(page);
  await page.getByText('Link copied.').waitFor();
  const link = new URL(await page.evaluate(() => globalThis.copied));
  assert.equal(link.origin + link.pathname + link.search, 'https://example.com/a?b=%22c%22&d');
  assert.match(link.hash, /^#state=[\w-]+$/);
  // An inspector on any host can open the link. This test opens it in the one that it serves.
  const { page: other } = await open(t, (await inspect(t, [])) + link.hash);
  await other.locator('.gate.failed').waitFor();
  assert.deepEqual(problems, []);
});

test('without --page, the page says that nobody else can open its links, and offers a file', async t => {
  const { page, problems } = await open(t, await inspect(t, [example('refund.json')]));
  await page.locator('.summary').waitFor();
  await copyLink(page);
  await page.getByText('This page is served to this machine alone').waitFor();
  assert.equal(await page.evaluate(() => globalThis.copied), undefined);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as one HTML file' }).click(),
  ]);
  const text = readFileSync(await download.path(), 'utf8');
  assert.match(text, /^<!doctype html>/i);
  assert.doesNotMatch(text, /(src|href)="?(http|\.?\/)/);
  assert.match(text, /refund_order/);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByRole('button', { name: 'Copy it anyway' }).click();
  await page.waitForFunction(() => globalThis.copied?.startsWith(location.origin));
  assert.deepEqual(problems, []);
});

test('a reload reads the files again and keeps how they are looked at', async t => {
  const { page } = await open(t, await inspect(t, [example('rollouts.json')]));
  await page.locator('.grid-row').nth(1).click();
  await page.waitForFunction(() => sessionStorage.getItem('toolgauge')?.includes('"selected":1'));
  await page.reload();
  await page.locator('.grid-row').nth(1).and(page.locator('[aria-selected=true]')).waitFor();
});

test('an address of a page that is none is refused', async () => {
  for (const page of ['example', 'file:///tmp/x', 'https://example.com/#a']) {
    const { code, stderr } = await run(process.execPath, [COMMAND, 'inspect', '--page', page]);
    assert.equal(code, 2, page);
    assert.match(stderr, /--page <url>.*It must be an address that begins with https/, page);
  }
});

test('standard input and long JSON Lines are opened too', async t => {
  const line = JSON.stringify({ trajectory_id: 'a', turns: [{ turn_id: 1, role: 'user', content: 'x'.repeat(2000) }] });
  const address = await inspect(t, ['-'], `${line}\n`.repeat(700));
  const { page } = await open(t, address);
  await page.locator('.file-progress.done', { hasText: '700 trajectories' }).waitFor();
});

for (const name of [
  'otel-genai/spans.json',
  'openinference/spans.json',
  'langfuse/trace.json',
  'langsmith/runs.json',
]) {
  test(`a trace is opened with what the command serves: ${name}`, async t => {
    const address = await inspect(t, [fixture(name)]);
    const { page, requests, problems } = await open(t, address);
    await page.locator('.timeline .turn').first().waitFor();
    assert.equal(await page.locator('.file-name').textContent(), name.split('/')[1]);
    assert.deepEqual(
      requests.filter(url => !url.startsWith(address)),
      [],
    );
    assert.deepEqual(problems, []);
  });
}

test('markup in the names and texts of files stays text', async t => {
  const name = '<img src=x onerror="window.hit=1">&lt;.json';
  const turns = [
    {
      turn_id: 1,
      role: 'agent',
      content: '</script><script>window.hit=1</script>',
      tool_calls: [{ name: '</script><img src=x>', arguments: {} }],
    },
  ];
  const folder = folderIn(consumer, t, { [name]: JSON.stringify({ turns }), '<!--<script>': '[]' });
  const address = await inspect(t, [join(folder, name), '--tools', join(folder, '<!--<script>')]);
  const { page } = await open(t, address);
  await page.locator('.timeline .turn').first().waitFor();
  assert.equal(await page.locator('.file-name').textContent(), name);
  assert.equal(await page.evaluate(() => globalThis.hit), undefined);
});

test('only the page and the files are served, to those who name this server and know its address', async t => {
  const address = await inspect(t, [example('refund.json')]);
  const { pathname } = new URL(address);
  for (const path of ['given/0', 'index.html', 'favicon.svg']) {
    assert.equal((await ask(address, path)).status, 200, path);
  }
  const refused = [
    'given/1',
    'given/-1',
    'given/0/',
    'given/00x',
    '..',
    '../..',
    '%2e%2e/cli.js',
    '..%2fcli.js',
    '../toolgauge_bg.wasm',
    'assets',
    'assets/',
    'assets/../../cli.js',
    'assets/..%5c..%5ccli.js',
    'assets/toolgauge_bg.wasm',
    'assets/../toolgauge_bg-x.wasm',
    '//etc/passwd',
    '/etc/passwd',
    'index.html%00.js',
    '__proto__',
    'constructor',
  ];
  for (const path of refused) assert.equal((await ask(address, path)).status, 404, path);
  for (const path of ['/', '/given/0', pathname.slice(0, -1), `${pathname.slice(0, -5)}aaaa/`]) {
    assert.equal((await ask(address, path, { isWhole: true })).status, 404, path);
  }
  for (const host of [
    'elsewhere.example',
    'localhost',
    '127.0.0.1',
    `127.0.0.1.elsewhere.example:${new URL(address).port}`,
  ]) {
    assert.equal((await ask(address, 'given/0', { host })).status, 403, host);
  }
  assert.equal((await ask(address, '', { method: 'POST' })).status, 405);
  const { headers } = await ask(address, 'given/0');
  assert.equal(headers['access-control-allow-origin'], undefined);
  assert.equal(headers['x-content-type-options'], 'nosniff');
});

test('bad usage is reported, and nothing is served', async () => {
  const cases = {
    'missing.json': [['missing.json'], /there is no such file/],
    folder: [['.'], /is not a file/],
    port: [['--port', '70000'], /65535/],
    'standard input twice': [['-', '--tools', '-'], /only one input/],
  };
  for (const [name, [args, message]] of Object.entries(cases)) {
    const { code, stderr, stdout } = await run(process.execPath, [COMMAND, 'inspect', '--no-open', ...args]);
    assert.equal(code, 2, name);
    assert.match(stderr, message, name);
    assert.equal(stdout, '', name);
  }
});

test('a port that is taken is reported', async t => {
  const { port } = new URL(await inspect(t, []));
  const { code, stderr } = await run(process.execPath, [COMMAND, 'inspect', '--no-open', '--port', port]);
  assert.equal(code, 2);
  assert.match(stderr, /can't serve the inspector/);
});

test('the page in the package has no copy of the WebAssembly module', () => {
  const page = join(consumer, 'node_modules/toolgauge/dist/inspector');
  assert.ok(existsSync(join(page, 'index.html')));
  assert.ok(readdirSync(join(page, 'assets')).every(name => !name.includes('wasm')));
});

/** Starts the command and gives the address that it prints. */
async function inspect(t, args, input = '') {
  const child = spawn(process.execPath, [COMMAND, 'inspect', '--no-open', ...args]);
  t.after(() => child.kill());
  child.stdin.end(input);
  const [address] = await addressOf(child);
  return address;
}

/** The address that the command prints, and the part of it that is secret. */
async function addressOf(child) {
  let printed = '';
  for await (const piece of child.stdout) {
    printed += piece;
    const [address, secret] = /http:\/\/127\.0\.0\.1:\d+\/(\w+)\//.exec(printed) ?? [];
    if (address !== undefined) {
      child.stdout.destroy();
      return [address, secret];
    }
  }
  throw new Error(`no address: ${printed}`);
}

async function open(t, address) {
  const context = await browser.newContext();
  t.after(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const requests = [];
  const problems = [];
  page.on('request', sent => sent.url().startsWith('http') && requests.push(sent.url()));
  page.on('pageerror', error => problems.push(error.message));
  page.on('console', message => ['warning', 'error'].includes(message.type()) && problems.push(message.text()));
  await page.goto(address);
  return { page, requests, problems };
}

/** Asks for a path as it is written: `fetch` would tidy it up. */
function ask(address, path, { method = 'GET', host, isWhole = false } = {}) {
  const { hostname, port, pathname } = new URL(address);
  return new Promise((settle, fail) => {
    const options = {
      hostname,
      port,
      method,
      path: isWhole ? path : pathname + path,
      headers: host === undefined ? {} : { host },
    };
    request(options, response => {
      let text = '';
      response.setEncoding('utf8').on('data', piece => {
        text += piece;
      });
      response.on('end', () => settle({ status: response.statusCode, headers: response.headers, text }));
    })
      .on('error', fail)
      .end();
  });
}
