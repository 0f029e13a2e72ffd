import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { Parser } from 'htmlparser2';
import { IN_SITE } from './places.mjs';

/** What is built by others and checks its own links. */
const OTHERS = Object.values(IN_SITE).map(folder => `${folder}/`);

/**
 * Throws if a page of the site links to a file or a heading that does not exist, or loads something from elsewhere. The
 * pages of the inspector and of the Rust reference must exist, but their own links are not read.
 */
export function checkLinks(folder, base) {
  const names = readdirSync(folder, { recursive: true }).map(name => name.replaceAll('\\', '/'));
  const pages = names.filter(name => name.endsWith('.html') && !OTHERS.some(other => name.startsWith(other)));
  const read = new Map(pages.map(name => [name, partsOf(readFileSync(join(folder, name), 'utf8'))]));
  const dead = new Set();
  for (const [page, { links }] of read) {
    for (const link of links) {
      const problem = problemOf(link, page);
      if (problem !== undefined) dead.add(`${page}: ${link}: ${problem}`);
    }
  }
  if (dead.size > 0) throw new Error(`dead links:\n${[...dead].join('\n')}`);

  function problemOf(link, page) {
    const address = new URL(link, `http://site${base}${page}`);
    if (address.host !== 'site') return 'leads to another host';
    if (!address.pathname.startsWith(base)) return `is outside ${base}`;
    const path = decodeURIComponent(address.pathname.slice(base.length));
    const file = path === '' || path.endsWith('/') ? posix.join(path, 'index.html') : path;
    if (!existsSync(join(folder, file))) return 'does not exist';
    const heading = decodeURIComponent(address.hash.slice(1));
    const target = read.get(file);
    if (heading === '' || heading.startsWith('state=') || target === undefined) return undefined;
    return target.ids.has(heading) ? undefined : 'has no such heading';
  }
}

/** The ids of a page, and the addresses of everything that it links to or loads. */
function partsOf(html) {
  const ids = new Set();
  const links = new Set();
  const parser = new Parser({
    onopentag(name, { id, href, src }) {
      if (id !== undefined) ids.add(id);
      const link = href ?? src;
      // A link of an example to another site is no file of this one.
      if (link !== undefined && !(name === 'a' && /^https?:/.test(link))) links.add(link);
    },
  });
  parser.end(html);
  return { ids, links };
}
