import { createServer } from 'node:http';
import { extname } from 'node:path';
import { chromium } from 'playwright-core';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];

const MEDIA_TYPES = { '': 'text/html', '.wasm': 'application/wasm' };

/** A policy that lets a page run its own scripts and WebAssembly, and nothing else. */
export const SCRIPTS_ONLY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'";

/** The same, and the page may fetch files of its own site, as it must if the module is a file. */
export const OWN_FILES = `${SCRIPTS_ONLY}; connect-src 'self'`;

export function launchBrowser() {
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS });
}

/** The element as `{ name, attributes, text, children }`, read by the XML parser of a browser. */
export async function parseXml(t, xml) {
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const page = await browser.newPage();
  return page.evaluate(text => {
    const plain = element => ({
      name: element.localName,
      attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
      text: element.textContent,
      children: [...element.children].map(plain),
    });
    const { documentElement } = new DOMParser().parseFromString(text, 'application/xml');
    return documentElement.querySelector('parsererror')
      ? { error: documentElement.textContent }
      : plain(documentElement);
  }, xml);
}

/**
 * Serves `page` and `files`, by path, on the loopback address with `policy`, and returns the address. `types` are the
 * media types of paths whose extension does not say it.
 */
export async function serve(t, { page, policy, files, types = {} }) {
  const pages = { '/': `<!doctype html><output></output>${page}`, ...files };
  const server = createServer((request, response) => {
    const body = pages[request.url];
    const type = types[request.url] ?? MEDIA_TYPES[extname(request.url)] ?? 'text/javascript';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type, 'content-security-policy': policy });
    response.end(body);
  });
  await new Promise(ready => server.listen(0, '127.0.0.1', ready));
  t.after(() => server.close());
  return `http://127.0.0.1:${server.address().port}`;
}

/**
 * Opens the page and waits until it shows an output. Returns the output, the paths that the page requested, its warnings
 * and errors, and how many WebAssembly instances it started.
 */
export async function open(t, browser, site) {
  const page = await browser.newPage();
  t.after(() => page.close());
  page.setDefaultTimeout(120_000);
  const requests = [];
  const problems = [];
  page.on('request', request => requests.push(request.url().replace(site, '')));
  page.on('console', message => ['warning', 'error'].includes(message.type()) && problems.push(message.text()));
  page.on('pageerror', error => problems.push(error.message));
  await page.addInitScript(countInstances);
  await page.goto(site);
  await page.waitForFunction(() => document.querySelector('output').textContent !== '');
  const instances = await page.evaluate(() => globalThis.instances);
  return { output: await page.textContent('output'), requests, problems, instances };
}

/** Runs in the page. */
function countInstances() {
  globalThis.instances = 0;
  WebAssembly.Instance = class extends WebAssembly.Instance {
    constructor(...given) {
      super(...given);
      globalThis.instances += 1;
    }
  };
}
