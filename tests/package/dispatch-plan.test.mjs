import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { TESTS } from './support/consumer.mjs';

const PLAN = readFileSync(join(TESTS, 'dispatch-plan.md'), 'utf8');
const ROWS = [...PLAN.matchAll(/^\| ([^|]+?) +\| ([^|]+?) +\| (\S+\.test\.mjs) +\| `([^|]+)` +\|$/gm)];

test('every row of the test plan names a test that exists', () => {
  assert.ok(new Set(ROWS.map(([, area, behaviour]) => `${area}: ${behaviour}`)).size >= 31);
  for (const [, , behaviour, file, name] of ROWS) {
    const source = readFileSync(join(TESTS, file), 'utf8');
    const written = ["'", '"', '`'].map(quote => `test(${quote}${name}${quote}`);
    assert.ok(
      written.some(start => source.includes(start)),
      `${behaviour}: ${file} has no test ${JSON.stringify(name)}`,
    );
  }
});
