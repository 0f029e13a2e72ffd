import { posix } from 'node:path';

/** A block of code, in which nothing is a link. */
const BLOCK = /(^```.*?^```$)/gms;

/** A link to a file, not to an address: its text's end, the path, and the heading. */
const LINK = /\]\((?![a-z]+:|\/)([^)\s#]*)(#[^)\s]*)?\)/g;

/**
 * The Markdown of a document with its links as the site needs them. `target` gets the path that a link names, from the
 * root of the repository, and its heading, and returns the path in the site, or throws.
 */
export function relinked(text, { from, to }, target) {
  const outside = text.split(BLOCK);
  return outside.map((part, at) => (at % 2 === 1 ? part : part.replace(LINK, relink))).join('');

  function relink(_, path, heading = '') {
    if (path === '') return `](${sitePath(from, heading)})`;
    return `](${sitePath(posix.normalize(posix.join(posix.dirname(from), path)), heading)})`;
  }

  function sitePath(path, heading) {
    const found = target(path.replace(/\/$/, ''), heading);
    if (found.page === to) return found.heading;
    // VitePress resolves paths of pages relative to the page, and others from the root of the site.
    return found.page === undefined ? `/${found.file}` : relative(to, found.page) + found.heading;
  }
}

function relative(from, to) {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

/** Markdown of a text that is to be shown as it is: nothing of it is markup, and Vue reads nothing in it. */
export function escaped(text) {
  return text.replace(/[\\`*_{}[\]()#+!|<>~-]/g, sign => `&#${sign.charCodeAt(0)};`);
}
