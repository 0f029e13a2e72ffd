import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];

/** How Chromium's traces name the tasks of a thread, and the category that they are in. */
const TASK = 'ThreadControllerImpl::RunTask';
const TASKS = 'toplevel';

/** How many milliseconds a test waits for the page before it counts as hung. It is long because machines can be busy. */
const PATIENCE = 120_000;

/** The addresses that Chromium itself contacts, on any page. */
const OF_THE_BROWSER = /^(https?:\/\/)?[\w.-]+\.(google|googleapis|gvt1)\.com[:/]/;

/**
 * The built page, served on the loopback address, and a browser for the tests of one file. A proxy refuses all requests
 * to other addresses and collects them in `elsewhere`. If `encode` is set, it maps a body and its path to the
 * `{name, body}` of a content encoding. If `hold` is set, the response to a path waits for the promise that it returns.
 */
export const site = { address: '', requests: [], elsewhere: [], encode: undefined, hold: undefined };

let browser;
const servers = [];

before(async () => {
  site.address = await listen((request, response) => {
    site.requests.push(request.url);
    serveFile(request.url, response);
  });
  const proxy = await listen(
    (request, response) => {
      notice(request.url);
      response.writeHead(403).end();
    },
    (request, socket) => {
      notice(request.url);
      // The browser may have given up already.
      socket.on('error', () => {});
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    },
  );
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: FLAGS,
    proxy: { server: proxy, bypass: '127.0.0.1' },
  });
});

after(async () => {
  await browser?.close();
  for (const server of servers) server.close();
});

/** Opens the page and waits until its checker is loaded. `problems` collects the errors and warnings of the page. */
export async function openPage(t, options) {
  const { page, problems, loaded } = await openShell(t, options);
  await loaded;
  return { page, problems };
}

/** Opens the page without waiting for its checker. `loaded` settles once the checker has its worker. */
export async function openShell(
  t,
  { width = 1280, height = 900, theme = 'light', motion = 'reduce', path = '/' } = {},
) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: motion,
  });
  t.after(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const problems = [];
  page.on('console', message => ['warning', 'error'].includes(message.type()) && problems.push(message.text()));
  page.on('pageerror', error => problems.push(error.message));
  const loaded = page.waitForEvent('worker');
  // A test that fails before it waits for the checker is to fail with its own error.
  loaded.catch(() => {});
  await page.goto(site.address + path);
  return { page, problems, loaded };
}

/** Starts from an example and waits for its result. */
export async function openExample(page, name) {
  await page.getByLabel('Examples').selectOption({ label: name });
  await page.locator('.summary').waitFor();
}

/** Puts files on the page, as the file picker does. */
export async function openFiles(page, files) {
  await page.locator('input[type=file]').setInputFiles(
    Object.entries(files).map(([name, content]) => ({
      name,
      mimeType: 'application/json',
      buffer: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
    })),
  );
}

/**
 * Records the tasks of the page's main thread. The returned function ends the recording and gives the processor time of
 * each task in milliseconds. A `PerformanceObserver` would report elapsed time, which includes other processes.
 */
export async function recordTasks(page) {
  await browser.startTracing(page, { categories: [TASKS] });
  return async () => {
    // The page answers a question while its task still runs. Once it answers another, the task has ended and is recorded.
    await page.evaluate(() => {});
    const { traceEvents } = JSON.parse(await browser.stopTracing());
    const thread = ({ pid, tid }) => `${pid} ${tid}`;
    const isMain = ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain';
    const main = new Set(traceEvents.filter(isMain).map(thread));
    const isTask = event => event.name === TASK && event.tdur !== undefined && main.has(thread(event));
    const tasks = traceEvents.filter(isTask).map(({ tdur }) => tdur / 1000);
    assert.ok(tasks.length > 0, 'the trace has tasks');
    return tasks;
  };
}

/** The text that the editor shows as marked. */
export async function shownText(page) {
  await page.locator('.cm-shown').first().waitFor();
  return (await page.locator('.cm-shown').allTextContents()).join('');
}

function notice(url) {
  if (!OF_THE_BROWSER.test(url)) site.elsewhere.push(url);
}

async function listen(onRequest, onConnect) {
  const server = createServer(onRequest);
  if (onConnect !== undefined) server.on('connect', onConnect);
  await new Promise(ready => server.listen(0, '127.0.0.1', ready));
  servers.push(server);
  return `http://127.0.0.1:${server.address().port}`;
}

async function serveFile(url, response) {
  const path = normalize(new URL(url, 'http://page').pathname);
  const file = join(DIST, path === '/' ? 'index.html' : path);
  try {
    const body = await readFile(file);
    await site.hold?.(path);
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    const encoded = site.encode?.(body, path);
    const encoding = encoded === undefined ? {} : { 'content-encoding': encoded.name };
    response.writeHead(200, { 'content-type': type, ...encoding }).end(encoded?.body ?? body);
  } catch {
    response.writeHead(404).end();
  }
}
