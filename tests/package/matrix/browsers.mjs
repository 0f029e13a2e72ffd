// The rows of browsers, in which a page imports the package without a bundler.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { consumer } from '../support/consumer.mjs';
import { launchBrowser, open, serve } from '../support/site.mjs';
import { PRINTED, SHOWS } from './probe.mjs';
import { projectWith } from './tools.mjs';

const DIST = join(consumer, 'node_modules/toolgauge/dist');

const NEEDS = 'an import map, or a bundler';

const IMPORTS = {
  toolgauge: '/dist/web.js',
  'toolgauge/dispatch': '/dist/esm/dispatch.js',
  'toolgauge/matchers': '/dist/esm/matchers.js',
};

/** Lets the page have an import map, and keeps the browser from asking for an icon. */
const POLICY = "default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; connect-src 'self'";

/** Serves a page that imports the files of the package as they are. */
function serveUnbundled(t) {
  const paths = readdirSync(DIST, { recursive: true }).filter(path => statSync(join(DIST, path)).isFile());
  const served = paths.filter(path => /^esm\/|^web\.js$|\.wasm$/.test(path));
  const files = Object.fromEntries(served.map(path => [`/dist/${path}`, readFileSync(join(DIST, path))]));
  const map = `<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>`;
  const page = `${map}<script type="module" src="/main.js"></script>`;
  return serve(t, { page, policy: POLICY, files: { ...files, '/main.js': SHOWS } });
}

const CHROMIUM = {
  id: 'chromium',
  name: 'Chromium',
  needs: NEEDS,
  isOfMachine: true,
  version: async () => {
    const browser = await launchBrowser();
    const version = browser.version();
    await browser.close();
    return version;
  },
  run: async t => {
    const browser = await launchBrowser();
    t.after(() => browser.close());
    const { output, problems, instances } = await open(t, browser, await serveUnbundled(t));
    assert.equal(output, PRINTED);
    assert.deepEqual(problems, []);
    assert.equal(instances, 1);
  },
};

const FIREFOX_PATH = '/usr/bin/firefox-esr';

/** Driven by WebDriver BiDi, which Debian's Firefox speaks as it is. */
async function launchFirefox(t) {
  const { launch } = createRequire(join(projectWith('puppeteer-core'), 'package.json'))('puppeteer-core');
  const firefox = await launch({ browser: 'firefox', executablePath: FIREFOX_PATH, headless: true });
  t.after(() => firefox.close());
  return firefox;
}

const FIREFOX = {
  id: 'firefox',
  name: 'Firefox',
  needs: NEEDS,
  isHeavy: true,
  version: async () => {
    const cleanups = [];
    const firefox = await launchFirefox({ after: clean => cleanups.push(clean) });
    const version = await firefox.version();
    for (const clean of cleanups) await clean();
    return version.replace(/^firefox\//i, '');
  },
  run: async t => {
    const firefox = await launchFirefox(t);
    const page = await firefox.newPage();
    await page.goto(await serveUnbundled(t));
    await page.waitForSelector('output:not(:empty)');
    assert.equal(await page.$eval('output', ({ textContent }) => textContent), PRINTED);
  },
};

export const BROWSERS = [CHROMIUM, FIREFOX];
