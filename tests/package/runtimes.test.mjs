// Where the package runs: the rows of docs/runtimes.md that are not bundlers or test runners, and the page itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BROWSERS } from './matrix/browsers.mjs';
import { FRAMEWORKS } from './matrix/next.mjs';
import { PAGE, pageWith, readResults } from './matrix/results.mjs';
import { ROWS } from './matrix/rows.mjs';
import { RUNTIMES } from './matrix/runtimes.mjs';
import { testRow } from './matrix/test-row.mjs';
import { textOf } from './support/documents.mjs';

for (const row of [...RUNTIMES, ...BROWSERS, ...FRAMEWORKS]) testRow(row);

test(`${PAGE} shows the recorded results`, () => {
  assert.equal(textOf(PAGE), pageWith(textOf(PAGE), readResults()), 'run: cargo xtask matrix');
});

test('every row has a result of its own', () => {
  const ids = ROWS.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(Object.keys(readResults()), ids);
});
