import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { consumer, folderIn, run, TESTS } from './support/consumer.mjs';

const EXAMPLE = join(TESTS, '../../examples/agent');

test('the example agent runs its whole loop, and its trajectory passes toolgauge check', async t => {
  const folder = folderIn(consumer, t, {});
  await cp(EXAMPLE, folder, { recursive: true });
  const { stdout, stderr, code } = await run('node', ['agent.mjs', 'trip.json'], { cwd: folder });
  assert.equal(stderr, '');
  assert.equal(code, 0);
  const shown = readFileSync(join(EXAMPLE, 'README.md'), 'utf8').match(/```text\n(.*?)```/s)[1];
  assert.equal(stdout, shown);
  for (const part of [
    'loop: Loop detected',
    'calls agent__spawn',
    'calls agent__reply_escalation',
    'Pack an umbrella',
  ]) {
    assert.ok(stdout.includes(part), part);
  }
  const cli = join(consumer, 'node_modules/.bin/toolgauge');
  const check = await run(cli, ['check', 'trip.json'], { cwd: folder });
  assert.equal(check.code, 0, check.stdout);
  assert.match(check.stdout, /gate +passed/);
  const { turns } = JSON.parse(readFileSync(join(folder, 'trip.json'), 'utf8'));
  assert.equal(turns.at(-1).role, 'agent');
});
