import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { relinked } from './links.mjs';
import { PAGES, ROOT } from './places.mjs';

/** The documents outside `docs/` that are pages, too, and those whose page has another name. */
const RENAMED = {
  'README.md': 'overview.md',
  'docs/README.md': 'all-pages.md',
  'docs/issues.md': 'issues/index.md',
  'CONTRIBUTING.md': 'project/contributing.md',
  'ARCHITECTURE.md': 'project/architecture.md',
  'CHANGELOG.md': 'project/changelog.md',
  'www/site/pages/index.md': 'index.md',
};

/** Every document that is a page: its path in the repository, and in the site. */
export const DOCUMENTS = new Map([
  ...Object.entries(RENAMED),
  ...markdownIn('docs')
    .filter(path => !(path in RENAMED))
    .map(path => [path, path.slice('docs/'.length).replace(/README\.md$/, 'index.md')]),
]);

/** The files and folders that documents link to and that are no documents; `writeLinked` puts them into the site. */
const linked = new Set();

function markdownIn(folder) {
  const names = readdirSync(join(ROOT, folder), { recursive: true }).sort();
  return names.filter(name => name.endsWith('.md')).map(name => `${folder}/${name}`);
}

/** The Markdown of a document, by its path in the repository. */
export const textOf = path => readFileSync(join(ROOT, path), 'utf8');

/** The title of a document: its first heading, or else its path. */
export function titleOf(path) {
  const [, title] = /^# (.+)$/m.exec(textOf(path)) ?? [];
  return title ?? path;
}

/** The Markdown of a document as the site has it. `issues` are the types of issues, each of which has a page. */
export function staged(path, issues) {
  return linkedText(path, DOCUMENTS.get(path), issues);
}

/** The Markdown of a file with its links as its page needs them. */
function linkedText(path, page, issues) {
  const target = (linkedPath, heading) => targetOf(linkedPath, heading, issues);
  return relinked(textOf(path), { from: path, to: page }, target);
}

/** Where the site has what a link names. */
function targetOf(path, heading, issues) {
  const type = heading.slice(1);
  if (path === 'docs/issues.md' && issues.has(type)) return { page: `issues/${type}.md`, heading: '' };
  const page = DOCUMENTS.get(path);
  if (page !== undefined) return { page, heading };
  if (!existsSync(join(ROOT, path))) throw new Error(`a document links to ${path}, which does not exist`);
  linked.add(path);
  if (isFolder(path)) return { page: folderPage(path), heading };
  return isMarkdown(path) ? { page: path, heading } : { file: `files/${path}` };
}

const isFolder = path => statSync(join(ROOT, path)).isDirectory();
const isMarkdown = path => path.endsWith('.md');
const folderPage = path => `${path}/index.md`;

/** Writes a page. */
export function writePage(page, text) {
  const file = join(PAGES, page);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Copies a file of the repository into the site. Gives its path there. */
export function copyFile(path) {
  const file = `files/${path}`;
  cpSync(join(ROOT, path), join(PAGES, 'public', file));
  return file;
}

/** Writes what documents link to: a page for each folder and for other Markdown, and copies of other files. */
export function writeLinked(issues) {
  // The set grows while it is read: the page of a folder may link to further files.
  for (const path of linked) {
    if (isFolder(path)) writeFolder(path, issues);
    else if (isMarkdown(path)) writePage(path, linkedText(path, path, issues));
    else copyFile(path);
  }
}

function writeFolder(path, issues) {
  const names = readdirSync(join(ROOT, path)).filter(name => !isFolder(`${path}/${name}`));
  const page = folderPage(path);
  const body = names.includes('README.md') ? linkedText(`${path}/README.md`, page, issues) : `# ${path}\n`;
  const files = names.filter(name => name !== 'README.md').map(name => `- [${name}](/${copyFile(`${path}/${name}`)})`);
  writePage(page, `${body}\n## Files\n\n${files.join('\n')}\n`);
}
