// Rows as tests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readResults } from './results.mjs';

/**
 * Tests a row, and that its recorded result is the one of this run. Rows that only `cargo xtask matrix` runs are left
 * out.
 */
export function testRow(row) {
  if (row.isHeavy) return;
  test(`${row.name} works, as recorded`, async t => {
    await row.run(t);
    const recorded = readResults()[row.id];
    const rerun = `run: cargo xtask matrix ${row.id}`;
    assert.equal(recorded?.works, true, rerun);
    if (!row.isOfMachine) assert.equal(recorded.version, await row.version(), rerun);
  });
}
