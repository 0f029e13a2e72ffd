import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { slug } from 'github-slugger';
import { defineConfig } from 'vitepress';
import { bundledPackages } from '../../build/bundled-packages.ts';
import { checkLinks } from '../stage/check-links.mjs';
import { ORIGINS } from '../stage/issues.mjs';
import { placeOthers } from '../stage/others.mjs';
import { DIST, IN_SITE, PAGES, ROOT, TARGET } from '../stage/places.mjs';

const { documents, issues, imports } = JSON.parse(readFileSync(join(TARGET, 'sidebar.json'), 'utf8'));

/** The endings of files that documents link to. VitePress takes a path with an unknown ending for that of a page. */
process.env.VITE_EXTRA_EXTENSIONS = 'jsonl,mjs,py,rs,yml';

/** The folder of the host in which the site lies, with a slash at both ends. */
const base = process.env.TOOLGAUGE_SITE_BASE ?? '/';

/** Beside the pages that VitePress renders: it must leave these links to the browser. */
const INSPECTOR = { text: 'Inspector', link: `/${IN_SITE.inspector}/`, target: '_self', rel: '' };

export default defineConfig({
  title: 'toolgauge',
  description:
    'Checks and scores how an AI agent used its tools: which calls were wrong and why, and what the reply made up',
  lang: 'en',
  base,
  srcDir: PAGES,
  outDir: DIST,
  cacheDir: join(TARGET, 'cache'),
  // Otherwise every page contains the list of all pages.
  metaChunk: true,
  head: [
    ['link', { rel: 'icon', href: `${base}favicon.svg`, type: 'image/svg+xml' }],
    ['meta', { name: 'color-scheme', content: 'light dark' }],
  ],
  // `checkLinks` checks these, too, and headings, once all is in its place.
  ignoreDeadLinks: [new RegExp(`^/(files|${IN_SITE.inspector}|${IN_SITE.rust})/`)],
  markdown: {
    // Links to headings have to lead to the same place here and on code hosts.
    anchor: { slugify: slug },
    config: asCodeHosts,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    logo: '/favicon.svg',
    nav: [
      { text: 'Guide', link: '/getting-started', activeMatch: '^/(?!issues|reference|index|$)' },
      { text: 'Issues', link: '/issues/', activeMatch: '^/issues/' },
      {
        text: 'Reference',
        activeMatch: '^/reference/',
        items: [
          { text: 'TypeScript', link: '/reference/typescript/' },
          { text: 'Rust', link: '/reference/rust' },
        ],
      },
      INSPECTOR,
    ],
    sidebar: {
      '/': documents,
      '/issues/': [
        { text: 'All issues', link: '/issues/' },
        ...Object.entries(ORIGINS).map(([origin, text]) => ({
          text,
          items: issues
            .filter(issue => issue.origin === origin)
            .map(({ type }) => ({ text: type, link: `/issues/${type}` })),
        })),
      ],
      '/reference/': referenceSidebar(),
    },
    outline: [2, 3],
    externalLinkIcon: false,
    search: {
      provider: 'local',
      options: { miniSearch: { searchOptions: { combineWith: 'AND', fuzzy: 0.1, prefix: true } } },
    },
  },
  vite: {
    build: { chunkSizeWarningLimit: 4096 },
    // Lists the packages in the scripts, for the notices.
    plugins: [bundledPackages(join(ROOT, 'www/site'), process.env.TOOLGAUGE_BUNDLED)],
  },
  transformPageData({ relativePath, frontmatter }) {
    // The reference has no order in which it is read.
    if (relativePath.startsWith('reference/')) Object.assign(frontmatter, { prev: false, next: false });
  },
  transformHtml: withPolicy,
  buildEnd({ outDir }) {
    placeOthers(outDir);
    checkLinks(outDir, base);
  },
});

/** Reads the documents as code hosts do, where `<file>` in a text is no element, and `{{` nothing that Vue replaces. */
function asCodeHosts(md) {
  md.core.ruler.before('normalize', 'elements-of-generated-pages', ({ env }) => {
    md.options.html = /^(index\.md$|issues\/|reference\/)/.test(env.relativePath ?? '');
  });
  const { text } = md.renderer.rules;
  md.renderer.rules.text = (...given) => text(...given).replaceAll('{{', '&#123;&#123;');
}

/** The sidebar of the references. The lists of each import are pages themselves. */
function referenceSidebar() {
  return [
    {
      text: 'TypeScript',
      items: imports.map(name => ({ text: name, link: `/reference/typescript/${name}/` })),
    },
    { text: 'Rust', items: [{ text: 'Crates', link: '/reference/rust' }] },
  ];
}

/**
 * Adds a policy that lets a page load nothing from elsewhere. Of the scripts in the page it allows those that VitePress
 * wrote, by their hashes.
 */
function withPolicy(html) {
  const scripts = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs)].map(([, script]) => script);
  const hashes = scripts.map(script => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    // Highlighted code has its colours in style attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return html.replace('<head>', `<head>\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`);
}
