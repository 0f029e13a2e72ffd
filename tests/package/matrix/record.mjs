// Runs rows of docs/runtimes.md, writes their results into results.json, and the tables into the page.
//
//   node record.mjs [id…]    all rows, or those with these ids
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, textOf } from '../support/documents.mjs';
import { PAGE, pageWith, RESULTS, readResults } from './results.mjs';
import { ROWS } from './rows.mjs';

const ids = process.argv.slice(2);
const unknown = ids.filter(id => !ROWS.some(row => row.id === id));
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')}. The rows are: ${ROWS.map(row => row.id).join(', ')}`);
  process.exit(2);
}

/** Runs a row and returns its result. */
async function resultOf(row) {
  const cleanups = [];
  try {
    await row.run({ after: clean => cleanups.push(clean) });
    return { version: await row.version(), works: true };
  } catch (error) {
    console.error(error);
    return { version: await row.version(), works: false };
  } finally {
    for (const clean of cleanups.reverse()) await clean();
  }
}

const results = readResults();
const failed = [];
for (const row of ROWS.filter(({ id }) => ids.length === 0 || ids.includes(id))) {
  const result = await resultOf(row);
  console.log(`${result.works ? 'works' : 'fails'}  ${row.id}  ${result.version}`);
  if (!result.works) failed.push(row.id);
  results[row.id] = result;
}
const sorted = Object.fromEntries(ROWS.flatMap(({ id }) => (id in results ? [[id, results[id]]] : [])));
writeFileSync(RESULTS, `${JSON.stringify(sorted, undefined, 2)}\n`);
writeFileSync(join(ROOT, PAGE), pageWith(textOf(PAGE), sorted));
// Some of the tools leave handles open.
process.exit(failed.length === 0 ? 0 : 1);
