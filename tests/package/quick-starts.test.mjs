// The first program of whoever comes from one of the systems that toolgauge covers: it compiles under `tsc --strict`,
// with the packed package in a project that has nothing else, and prints what its comments say.
//
// UPDATE_DOCS=1 writes what the programs print into them.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { consumer, folderIn, install, run, runTool, TESTS } from './support/consumer.mjs';

const FOLDER = join(TESTS, 'fixtures/quick-starts');
const PROGRAMS = readdirSync(FOLDER).filter(name => name.endsWith('.mts'));

/** How TypeScript finds a package: as Node.js does, and as bundlers do. */
const RESOLUTIONS = { nodenext: 'nodenext', preserve: 'bundler' };

/** What a `console.log` of a program says that it prints. */
const PROMISE = /^(console\.log\(.*\);) \/\/ (.*)$/gm;

suite('quick starts', () => {
  test('there is one for each system', () => {
    const names = ['accuracy', 'correctness', 'dispatch', 'reflection', 'validation'];
    assert.deepEqual(
      PROGRAMS,
      names.map(name => `${name}.mts`),
    );
  });

  for (const name of PROGRAMS) {
    const program = readFileSync(join(FOLDER, name), 'utf8');
    const project = program.includes("from 'ai'") ? consumer : install('@types/node');

    for (const [module, resolution] of Object.entries(RESOLUTIONS)) {
      test(`${name} compiles under --strict with ${resolution} resolution`, async t => {
        assert.equal(await errorsOf(folderIn(project, t, { 'main.mts': program }), module, ['--noEmit']), '');
      });
    }

    test(`${name} prints what it says`, async t => {
      const folder = folderIn(project, t, { 'main.mts': program });
      await errorsOf(folder, 'nodenext', []);
      const { stdout, stderr } = await run('node', ['main.mjs'], { cwd: folder });
      assert.equal(stderr, '');
      const printed = stdout
        .trimEnd()
        .split('\n')
        .map(line => line.trimEnd());
      if (process.env.UPDATE_DOCS !== undefined) return write(name, program, printed);
      const promised = [...program.matchAll(PROMISE)].map(([, , said]) => said);
      assert.ok(promised.length >= 5);
      assert.deepEqual(printed, promised);
    });
  }
});

/** What the compiler reports. The declarations of `ai` need packages that it does not bring along, so they are skipped. */
async function errorsOf(folder, module, options) {
  const resolution = ['--module', module, '--moduleResolution', RESOLUTIONS[module]];
  const skip = readFileSync(join(folder, 'main.mts'), 'utf8').includes("from 'ai'") ? ['--skipLibCheck'] : [];
  const checks = ['--strict', '--target', 'es2022', '--types', 'node', ...skip];
  const { stdout } = await runTool('tsc', [...checks, ...resolution, ...options, 'main.mts'], { cwd: folder });
  return stdout;
}

function write(name, program, printed) {
  const lines = [...printed];
  writeFileSync(
    join(FOLDER, name),
    program.replace(PROMISE, (_, call) => `${call} // ${lines.shift()}`),
  );
}
