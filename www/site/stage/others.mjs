import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { IN_SITE, INSPECTOR, RUSTDOC } from './places.mjs';

const HEADERS = '_headers';

/** Copies what others build into the site: the inspector with its headers for static hosts, and the Rust reference. */
export function placeOthers(site) {
  cpSync(INSPECTOR, join(site, IN_SITE.inspector), { recursive: true, filter: path => !path.endsWith(HEADERS) });
  cpSync(RUSTDOC, join(site, IN_SITE.rust), { recursive: true });
  const [, headers] = readFileSync(join(INSPECTOR, HEADERS), 'utf8').split(/^\/\*$/m);
  writeFileSync(join(site, HEADERS), `/${IN_SITE.inspector}/*${headers}\n/*\n  X-Content-Type-Options: nosniff\n`);
}
