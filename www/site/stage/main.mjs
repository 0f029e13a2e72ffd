// Writes the Markdown of the site: the documents of the repository, a page for each type of issue, and the reference.
// VitePress renders what this writes. `cargo xtask site` runs both.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCUMENTS, staged, writeLinked, writePage } from './documents.mjs';
import { writeHome } from './home.mjs';
import { issueTypes, writeIssues } from './issues.mjs';
import { PAGES, ROOT, TARGET } from './places.mjs';
import { writeReference } from './reference.mjs';
import { writeCrates } from './rust.mjs';
import { sidebar } from './sidebar.mjs';

const toolgauge = await import(join(ROOT, 'pkg/dist/esm/node.js'));

rmSync(PAGES, { recursive: true, force: true });
mkdirSync(PAGES, { recursive: true });
const issues = await issueTypes(toolgauge);
const types = new Set(issues.map(({ type }) => type));
for (const [document, page] of DOCUMENTS) {
  writePage(page, staged(document, types));
}
// These two pages replace their documents.
writeHome(types, toolgauge);
writeIssues(issues, toolgauge);
writeCrates();
const imports = await writeReference(join(PAGES, 'reference/typescript'));
writeLinked(types);
cpSync(join(ROOT, 'www/public/favicon.svg'), join(PAGES, 'public/favicon.svg'));
writeFileSync(
  join(TARGET, 'sidebar.json'),
  JSON.stringify({ documents: sidebar(), issues: issues.map(({ type, origin }) => ({ type, origin })), imports }),
);
console.log(`${DOCUMENTS.size} documents, ${issues.length} types of issues`);
