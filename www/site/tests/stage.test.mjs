import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { checkLinks } from '../stage/check-links.mjs';
import { DOCUMENTS, staged } from '../stage/documents.mjs';
import { relinked } from '../stage/links.mjs';
import { sidebar } from '../stage/sidebar.mjs';

suite('links between documents', () => {
  const target = (path, heading) =>
    path.endsWith('.md') ? { page: path.replace('docs/', ''), heading } : { file: `files/${path}` };
  const linked = text => relinked(text, { from: 'docs/a/b.md', to: 'a/b.md' }, target);

  test('lead to the pages of the documents, from the page that has them', () => {
    assert.equal(linked('[x](../cli.md#in-ci)'), '[x](../cli.md#in-ci)');
    assert.equal(linked('[x](c.md) and [y](../../README.md)'), '[x](./c.md) and [y](../README.md)');
  });

  test('lead to a heading of the same page by the heading alone', () => {
    assert.equal(linked('[x](#top) [y](b.md#top)'), '[x](#top) [y](#top)');
  });

  test('lead to copies of files that are not documents', () => {
    assert.equal(linked('[x](../../examples/chat.json)'), '[x](/files/examples/chat.json)');
  });

  test('to other hosts do not change, and code contains none', () => {
    const text = '[x](https://example.org/a.md)\n\n```text\n[y](../z.md)\n```\n';
    assert.equal(linked(text), text);
  });

  test('to a type of issue lead to its page', () => {
    const text = staged('docs/issues.md', new Set(['type_mismatch']));
    assert.ok(text.includes('[type_mismatch](./type_mismatch.md)'));
    assert.ok(text.includes('(../scores.md)'));
  });
});

suite('the check of links', () => {
  const pages = (t, files) => {
    const folder = mkdtempSync(join(tmpdir(), 'toolgauge-site-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    for (const [name, html] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), html);
    }
    return folder;
  };

  test('accepts files and headings that exist, from the folder of the host', t => {
    const html = '<a href="/docs/b.html#there">b</a><a href="b.html">b</a><a href="/docs/sub/">sub</a>';
    const files = { 'a.html': html, 'b.html': '<h2 id="there">', 'sub/index.html': '' };
    assert.doesNotThrow(() => checkLinks(pages(t, files), '/docs/'));
  });

  for (const [link, problem] of [
    ['<a href="/missing.html">', /missing\.html: does not exist/],
    ['<a href="b.html#elsewhere">', /has no such heading/],
    ['<script src="https://cdn.example/x.js">', /leads to another host/],
    ['<img src="/picture.png">', /picture\.png: does not exist/],
  ]) {
    test(`rejects ${link}`, t => {
      const folder = pages(t, { 'a.html': link, 'b.html': '<h2 id="there">' });
      assert.throws(() => checkLinks(folder, '/'), problem);
    });
  }

  test('rejects a link that leaves the folder of the host', t => {
    const folder = pages(t, { 'a.html': '<a href="/a.html">a</a>' });
    assert.throws(() => checkLinks(folder, '/docs/'), /is outside \/docs\//);
  });
});

test('the sidebar leads to every document for users', () => {
  const links = sidebar().flatMap(({ link, items = [] }) => [link, ...items.map(item => item.link)]);
  for (const [document, page] of DOCUMENTS) {
    if (page === 'index.md') continue;
    const link = `/${page.replace(/(index)?\.md$/, '')}`;
    assert.ok(links.includes(link), document);
  }
});
