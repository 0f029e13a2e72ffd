import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';
import { DIST } from '../../stage/places.mjs';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];

/** How many milliseconds a test waits for the page before it counts as hung. It is long because machines can be busy. */
const PATIENCE = 120_000;

/** The built site, served on the loopback address. `missing` collects the paths that it does not have. */
export const site = { address: '', missing: [] };

let browser;
let server;

before(async () => {
  server = createServer((request, response) => serveFile(request.url, response));
  await new Promise(ready => server.listen(0, '127.0.0.1', ready));
  site.address = `http://127.0.0.1:${server.address().port}`;
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS });
});

after(async () => {
  await browser?.close();
  server?.close();
});

/**
 * Opens a page of the site. `problems` collects its errors and warnings, such as what its policy forbids, and `elsewhere`
 * the requests that would leave the site.
 */
export async function openPage(t, path, { width = 1280, height = 900, theme = 'light' } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  t.after(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const problems = [];
  const elsewhere = [];
  page.on('console', message => ['warning', 'error'].includes(message.type()) && problems.push(message.text()));
  page.on('pageerror', error => problems.push(error.message));
  page.on('request', request => {
    const url = request.url();
    if (!url.replace(/^blob:/, '').startsWith(site.address) && !url.startsWith('data:')) elsewhere.push(url);
  });
  await page.goto(site.address + path, { waitUntil: 'networkidle' });
  return { page, problems, elsewhere };
}

async function serveFile(url, response) {
  const path = normalize(decodeURIComponent(new URL(url, 'http://site').pathname));
  const file = join(DIST, path.endsWith('/') ? `${path}index.html` : path);
  try {
    const body = await readFile(file);
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(body);
  } catch {
    site.missing.push(path);
    response.writeHead(404).end();
  }
}
