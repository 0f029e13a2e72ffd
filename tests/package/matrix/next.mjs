// The rows of Next.js: one app, built and started, and really requested.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { folderIn, run } from '../support/consumer.mjs';
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

/** Builds the app and starts it. Returns its address. */
async function start(t, flags) {
  const project = projectWith('next', 'react', 'react-dom');
  const folder = folderIn(project, t, {});
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
  t.after(() => server.kill());
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
  'client component in Chromium': async (site, t) => {
    const browser = await launchBrowser();
    t.after(() => browser.close());
    const { output, problems, requests } = await open(t, browser, `${site}/client`);
    assert.equal(output, PRINTED);
    assert.deepEqual(problems, []);
    assert.equal(requests.filter(path => path.includes('.wasm')).length, 1);
  },
};

function nextRow(bundler, flags) {
  return {
    id: `next-${bundler.toLowerCase()}`,
    name: `Next.js with ${bundler}: ${Object.keys(PARTS).join(', ')}`,
    needs: 'nothing',
    isHeavy: true,
    version: () => versionOf('next'),
    run: async t => {
      const site = await start(t, flags);
      for (const [part, check] of Object.entries(PARTS)) {
        await check(site, t).catch(error => {
          throw new Error(`${part}: ${error.message}`, { cause: error });
        });
      }
    },
  };
}

export const FRAMEWORKS = [nextRow('Turbopack', []), nextRow('webpack', ['--webpack'])];
