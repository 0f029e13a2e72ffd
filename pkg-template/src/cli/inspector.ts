import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, extname, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { Failure, reasonOf } from './failure.js';
import type { Input } from './inputs.js';

/** A file that the page begins with. */
export interface Given {
  readonly document: 'trajectory' | 'tools' | 'expected' | 'before';
  readonly input: Input;
}

// Relative to the built file, dist/cli.js.
const PAGE = new URL('./inspector/', import.meta.url);
const MODULE = new URL('./toolgauge_bg.wasm', import.meta.url);

/** The name of the module's file in the page. The page is packed without that file, because the package has the module. */
const MODULE_NAME = /^assets\/toolgauge_bg-[\w-]+\.wasm$/;

const HOST = '127.0.0.1';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

const SAFETY = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/**
 * Serves the inspector on the loopback address with files to begin with, and gives its address. That has a part which
 * cannot be guessed, so that neither other users of the machine nor other pages get at the files. `page` is the address of
 * an inspector that others can open, to which the links of the page lead.
 */
export async function openInspector(given: readonly Given[], port: number, page?: string): Promise<string> {
  const files = pageFiles();
  const secret = randomBytes(16).toString('hex');
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    answer(request, response, { files, given, base: `/${secret}/`, origin: `http://${HOST}:${port}`, page }).catch(() =>
      response.destroy(),
    );
  });
  await new Promise<void>((settle, fail) => {
    server.on('error', error => fail(new Failure(`can't serve the inspector: ${reasonOf(error)}`, PORT_REMEDY)));
    server.listen(port, HOST, settle);
  });
  return `http://${HOST}:${(server.address() as AddressInfo).port}/${secret}/`;
}

const PORT_REMEDY = 'leave --port away: then any that is free is taken';

/** The names of the page's files. Only these are ever read. */
function pageFiles(): ReadonlySet<string> {
  try {
    const names = readdirSync(PAGE, { recursive: true, encoding: 'utf8' });
    return new Set(names.map(name => name.replaceAll(sep, '/')));
  } catch {
    throw new Failure('this build of toolgauge holds no inspector', 'install the published package');
  }
}

interface Site {
  readonly files: ReadonlySet<string>;
  readonly given: readonly Given[];
  readonly base: string;
  readonly origin: string;
  readonly page: string | undefined;
}

async function answer(request: IncomingMessage, response: ServerResponse, site: Site): Promise<void> {
  // A page elsewhere may let its own name lead here, but not change what the browser says that it asked for.
  if (`http://${request.headers.host}` !== site.origin) return refuse(response, 403);
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405);
  const path = (request.url ?? '').replace(/[?#].*$/s, '');
  if (!path.startsWith(site.base)) return refuse(response, 404);
  const name = path.slice(site.base.length);
  const file = /^given\/\d+$/.test(name) ? site.given[Number(name.slice('given/'.length))] : undefined;
  if (file !== undefined) return giveFile(request, response, file.input);
  const type = TYPES[extname(name)] ?? TYPES['.html'] ?? '';
  const body = await bodyOf(name, site);
  if (body === undefined) return refuse(response, 404);
  response.writeHead(200, { ...SAFETY, 'Content-Security-Policy': headerPolicy(site), 'Content-Type': type });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { ...SAFETY, 'Content-Type': 'text/plain' }).end();
}

async function giveFile(request: IncomingMessage, response: ServerResponse, { open }: Input): Promise<void> {
  response.writeHead(200, { ...SAFETY, 'Content-Type': 'application/octet-stream' });
  if (request.method === 'HEAD') response.end();
  else await pipeline(open(), response);
}

async function bodyOf(name: string, site: Site): Promise<string | Uint8Array | undefined> {
  if (name === '') return pageWith(await readFile(new URL('index.html', PAGE), 'utf8'), site);
  if (MODULE_NAME.test(name)) return readFile(MODULE);
  if (!site.files.has(name) || extname(name) === '') return undefined;
  return readFile(fileURLToPath(new URL(name, PAGE)));
}

/** The directive of the page for static hosts. */
const OWN_HOST = "connect-src 'self'";

/** The page with the list of the files that it begins with. */
function pageWith(page: string, site: Site): string {
  const list = site.given.map(({ document, input }, index) => ({
    document,
    name: basename(input.name),
    address: `given/${index}`,
  }));
  // In a script only this could end it.
  const text = JSON.stringify(list).replaceAll('<', '\\u003c');
  return page
    .replace(OWN_HOST, () => connections(site))
    .replace('</head>', () => `<script type="application/json" id="given">${text}</script>\n${linksTo(site)}\n</head>`);
}

/** Where the links of the page lead; to this machine alone if that is empty. */
function linksTo({ page = '' }: Site): string {
  const address = page.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<meta name="toolgauge-page" content="${address}">`;
}

function headerPolicy(site: Site): string {
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self'",
    "worker-src 'self' blob:",
    connections(site),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The page may fetch its own parts and the files that it begins with, and nothing else. */
function connections({ given, origin, base }: Site): string {
  const folders = given.length === 0 ? ['assets/'] : ['assets/', 'given/'];
  return `connect-src ${folders.map(folder => `${origin}${base}${folder}`).join(' ')}`;
}
