// The recorded results of rows, and the tables of docs/runtimes.md that are made from them.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TABLES } from './rows.mjs';

/** The page with the tables. */
export const PAGE = 'docs/runtimes.md';

/** The file with the results, by the ids of rows: `{ version, works }`. */
export const RESULTS = fileURLToPath(new URL('results.json', import.meta.url));

export const readResults = () => JSON.parse(readFileSync(RESULTS, 'utf8'));

/** The page with the tables of these results, between comments that name each table. */
export function pageWith(text, results) {
  let page = text;
  for (const [title, rows] of Object.entries(TABLES)) {
    const [start, end] = [`<!-- ${title} -->\n`, `<!-- end of ${title} -->`];
    const [from, to] = [page.indexOf(start), page.indexOf(end)];
    if (from < 0 || to < 0) throw new Error(`${PAGE} has no place for the table "${title}"`);
    page = page.slice(0, from + start.length) + tableOf(rows, results) + page.slice(to);
  }
  return page;
}

function tableOf(rows, results) {
  const lines = rows.map(({ id, name, needs, isHeavy, runBy = isHeavy ? 'by hand' : 'CI' }) => {
    const { version, works } = results[id] ?? { version: 'never run', works: false };
    return `| ${name} | ${version} | ${needs} | ${works ? 'works' : '**fails**'} | ${runBy} |\n`;
  });
  return `\n| | Version | What you set up | | Run |\n| --- | --- | --- | --- | --- |\n${lines.join('')}\n`;
}
