// The rows of Next.js: one app, built and started, and really requested.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { run } from '../support/consumer.mjs';
import { launchBrowser, open } from '../support/site.mjs';
import { PRINTED, PROBE } from './probe.mjs';
import { projectWith, versionOf } from './tools.mjs';

const FILES = {
  'package.json': '{"private": true}',
  'app/layout.js':
    'export default ({ children }) => <html><head><link rel="icon" href="data:," /></head><body>{children}</body></html>;',
  'app/page.js': `${PROBE}
    export default async function Page() { return <output>{await probe()}</output>; }`,
  'app/route/route.js': `${PROBE}
    export const dynamic = 'force-dynamic';
    export async function GET() { return new Response(await probe()); }`,
  'app/edge/route.js': `${PROBE}
    export const runtime = 'edge';
    export async function GET() { return new Response(await probe()); }`,
  'app/client/page.js': `'use client';
    import { useEffect, useState } from 'react';
    ${PROBE}
    export default function Page() {
      const [found, setFound] = useState('');
      useEffect(() => { probe().then(setFound, error => setFound(error.stack)); }, []);
      return <output>{found}</output>;
    }`,
};

const QUIET = { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };

/** The addresses of the apps that were started, by their flags. Each serves several rows. */
const STARTED = new Map();

/** Builds the app and starts it, once. Returns its address. */
function siteOf(flags) {
  const key = flags.join();
  if (!STARTED.has(key)) STARTED.set(key, start(flags));
  return STARTED.get(key);
}

/** The app runs until this process ends. */
async function start(flags) {
  const project = projectWith('next', 'react', 'react-dom');
  const folder = mkdtempSync(join(project, 'next-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  // The app has the packages of the folder above.
  const root = flags.includes('--webpack') ? {} : { turbopack: { root: project } };
  writeFileSync(join(folder, 'next.config.mjs'), `export default ${JSON.stringify(root)};`);
  const next = join(project, 'node_modules/next/dist/bin/next');
  const built = await run('node', [next, 'build', ...flags], { cwd: folder, env: QUIET });
  assert.equal(built.code, 0, built.stdout + built.stderr);

  const port = await freePort();
  const env = { ...process.env, ...QUIET };
  const server = spawn('node', [next, 'start', '-H', '127.0.0.1', '-p', String(port)], { cwd: folder, env });
  process.once('exit', () => server.kill());
  let printed = '';
  for await (const chunk of server.stdout) {
    printed += chunk;
    if (printed.includes('Ready')) break;
  }
  return `http://127.0.0.1:${port}`;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function assertAnswers(address, expected) {
  const response = await fetch(address);
  const text = await response.text();
  assert.ok(text.includes(expected), text);
}

/** The parts of an app, each with the check that it works. */
const PARTS = {
  'server component': site => assertAnswers(site, `<output>${PRINTED}</output>`),
  'route handler': site => assertAnswers(`${site}/route`, PRINTED),
  'edge route': site => assertAnswers(`${site}/edge`, PRINTED),
  'client component': async (site, t) => {
    const browser = await launchBrowser();
    t.after(() => browser.close());
    const { output, problems, requests } = await open(t, browser, `${site}/client`);
    assert.equal(output, PRINTED);
    assert.deepEqual(problems, []);
    assert.equal(requests.filter(path => path.includes('.wasm')).length, 1);
  },
};

const nextRow = (bundler, flags, [part, check]) => ({
  id: `next-${bundler.toLowerCase()}-${part.split(' ')[0]}`,
  name: `Next.js with ${bundler}, ${part}`,
  needs: 'nothing',
  isHeavy: true,
  version: () => versionOf('next'),
  run: async t => check(await siteOf(flags), t),
});

const rowsWith = (bundler, flags) => Object.entries(PARTS).map(part => nextRow(bundler, flags, part));

export const FRAMEWORKS = [...rowsWith('Turbopack', []), ...rowsWith('webpack', ['--webpack'])];
