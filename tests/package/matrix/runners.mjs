// The rows of test runners. Each runs all cases of matcher-cases.mjs, those that pass and those that fail, and the probe.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { consumer, folderIn, install, run } from '../support/consumer.mjs';
import { FAILING, PASSING, testsOf } from '../support/matcher-cases.mjs';
import { PRINTED, PROBE, PROBE_IN_COMMONJS } from './probe.mjs';
import { bunProgram, projectWith, versionOf } from './tools.mjs';

/** The title of the test that runs the probe. */
const PROBED = 'the probe';
const PROBE_TEST = `test('${PROBED}', async () => { expect(await probe()).toBe('${PRINTED}'); });\n`;

const SOURCES = Object.fromEntries(Object.entries(FAILING).map(([title, [source]]) => [title, source]));
const MESSAGES = Object.fromEntries(Object.entries(FAILING).map(([title, [, message]]) => [title, message]));

export const VITEST = {
  project: () => install('vitest', 'ai', 'zod', '@types/node'),
  tool: 'vitest',
  file: 'cases.test.mjs',
  header: "import { expect, test } from 'vitest';\nimport 'toolgauge/vitest';\n",
  args: ['run', '--root', '.', '--reporter', 'json', '--outputFile', 'results.json'],
};

const jestProject = () => install('jest', '@jest/globals', '@types/jest', '@types/node');

export const JEST = {
  project: jestProject,
  tool: 'jest',
  file: 'cases.test.js',
  header: "require('toolgauge/jest');\n",
  args: ['--rootDir', '.', '--config', '{}', '--json', '--outputFile', 'results.json'],
};

/** The rows are set up for all tests at once, as docs/matchers.md says. */
const VITEST_SET_UP = {
  ...VITEST,
  header: "import { expect, test } from 'vitest';\n",
  files: { 'vitest.config.mjs': "export default { test: { setupFiles: ['toolgauge/vitest'] } };" },
};

const JEST_SET_UP = {
  ...JEST,
  header: '',
  files: { 'jest.config.js': "module.exports = { setupFilesAfterEnv: ['toolgauge/jest'] };" },
  args: ['--rootDir', '.', '--json', '--outputFile', 'results.json'],
};

const JEST_IN_ES_MODULES = {
  ...JEST,
  file: 'cases.test.mjs',
  header: "import { expect, test } from '@jest/globals';\nimport 'toolgauge/jest';\n",
  args: [
    ...['--rootDir', '.', '--json', '--outputFile', 'results.json'],
    ...['--config', '{"testMatch": ["**/*.test.mjs"], "transform": {}}'],
  ],
  env: { NODE_OPTIONS: '--experimental-vm-modules --no-warnings' },
};

/** No test imports anything, and ts-jest reports errors of types. */
const TS_JEST = {
  project: () => projectWith('jest', 'ts-jest', 'typescript', '@types/jest', '@types/node'),
  tool: 'jest',
  file: 'cases.test.ts',
  header: '',
  files: {
    'jest.config.js': "module.exports = { preset: 'ts-jest', setupFilesAfterEnv: ['toolgauge/jest'] };",
    'tsconfig.json': '{ "compilerOptions": { "esModuleInterop": true, "types": ["jest", "node", "toolgauge/jest"] } }',
  },
  args: ['--rootDir', '.', '--json', '--outputFile', 'results.json'],
};

/** Runs tests in a runner and returns, by title, the message of each that failed and undefined for the others. */
export async function outcomes(t, { project, tool, file, header, files = {}, args, env }, source) {
  const home = project();
  const folder = folderIn(home, t, { ...files, [file]: header + source });
  const { stdout, stderr } = await run(join(home, 'node_modules/.bin', tool), args, {
    cwd: folder,
    env: { NO_COLOR: '1', ...env },
  });
  let results;
  try {
    results = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));
  } catch {
    assert.fail(`${stdout}\n${stderr}`);
  }
  const [{ assertionResults, message }] = results.testResults;
  assert.ok(assertionResults.length > 0, message);
  return Object.fromEntries(
    assertionResults.map(({ title, status, failureMessages: [failure] }) => [
      title,
      status === 'passed' ? undefined : messageOf(failure),
    ]),
  );
}

function messageOf(failure) {
  const [message] = stripVTControlCharacters(failure).split(/\n\s+at /);
  return message.replace(/^\w*Error: /, '').trimEnd();
}

/** All cases pass, and fail with their messages. */
async function assertOutcomes(t, runner, probe) {
  const found = await outcomes(t, runner, probe + PROBE_TEST + testsOf({ ...PASSING, ...SOURCES }));
  assert.equal(found[PROBED], undefined);
  for (const title of Object.keys(PASSING)) assert.equal(found[title], undefined, title);
  for (const [title, message] of Object.entries(MESSAGES)) assert.equal(found[title], message, title);
  assert.deepEqual(Object.keys(found), [PROBED, ...Object.keys(PASSING), ...Object.keys(MESSAGES)]);
}

/** A message without how the matcher was called, which Bun says itself and functions don't say. */
function withoutHead(message) {
  return message.replace(/^expect\(received\).*\n\n/, '');
}

/** Runs the cases in Bun, whose report has no messages as data: what it prints has to contain each. */
async function assertOutcomesInBun(t) {
  const tests = PROBE + PROBE_TEST + testsOf({ ...PASSING, ...SOURCES });
  const source = `import { expect, test } from 'bun:test';\n${tests}`;
  const preload = '[test]\npreload = ["toolgauge/bun"]\n';
  const folder = folderIn(consumer, t, { 'cases.test.mjs': source, 'bunfig.toml': preload });
  const { stdout, stderr } = await run(bunProgram(), ['test', 'cases.test.mjs'], {
    cwd: folder,
    env: { NO_COLOR: '1' },
  });
  const output = stdout + stderr;
  for (const title of [PROBED, ...Object.keys(PASSING)])
    assert.ok(output.includes(`(pass) ${title} [`), title + output);
  for (const [title, message] of Object.entries(MESSAGES)) {
    assert.ok(output.includes(`(fail) ${title} [`), title);
    assert.ok(output.includes(withoutHead(message)), `${title}: ${message}\n${output}`);
  }
}

/** Writes matchers as the functions of toolgauge/assert, for the cases that need no `expect` of a runner. */
const EXPECT = `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as toolgauge from 'toolgauge/assert';
const NAMES = { toPassTrials: 'assertTrialsPass' };
const nameOf = matcher => NAMES[matcher] ?? matcher.replace('toHave', 'assert');
const calling = (received, nameOf) =>
  new Proxy({}, { get: (_, matcher) => (...given) => toolgauge[nameOf(matcher)](received, ...given) });
const expect = received => new Proxy({}, {
  get: (_, matcher) => {
    if (matcher === 'toBe') return expected => assert.equal(received, expected);
    if (matcher === 'not') return calling(received, () => 'assertNotCalledTool');
    return calling(received, nameOf)[matcher];
  },
});
`;

/** What only runners with `expect` have: asymmetric matchers, promises, and the opposite of most matchers. */
const NEEDS_EXPECT = /expect\.|resolves|\.not\.(?!toHaveCalledTool\()/;

/** Prints each test with its message as JSON. */
const REPORTER = `export default async function* report(events) {
  for await (const { type, data } of events) {
    if (type === 'test:fail') yield JSON.stringify([data.name, (data.details.error.cause ?? data.details.error).message]) + '\\n';
    if (type === 'test:pass') yield JSON.stringify([data.name, null]) + '\\n';
  }
}`;

async function assertOutcomesInNode(t) {
  const suitable = cases =>
    Object.fromEntries(Object.entries(cases).filter(([, source]) => !NEEDS_EXPECT.test(source)));
  const [passing, failing] = [suitable(PASSING), suitable(SOURCES)];
  const folder = folderIn(consumer, t, {
    'cases.test.mjs': EXPECT + PROBE + PROBE_TEST + testsOf({ ...passing, ...failing }),
    'reporter.mjs': REPORTER,
  });
  const args = ['--test', '--test-reporter=./reporter.mjs', 'cases.test.mjs'];
  const { stdout } = await run('node', args, { cwd: folder });
  const lines = stdout.split('\n').filter(line => line.startsWith('['));
  const found = Object.fromEntries(lines.map(line => JSON.parse(line)));
  for (const title of [PROBED, ...Object.keys(passing)]) assert.equal(found[title], null, title);
  for (const title of Object.keys(failing)) {
    assert.equal(found[title], withoutHead(MESSAGES[title]), title);
  }
  assert.ok(Object.keys(failing).length > 15);
}

export const RUNNERS = [
  {
    id: 'vitest',
    name: 'Vitest',
    needs: "`setupFiles: ['toolgauge/vitest']`, or an import",
    version: () => versionOf('vitest'),
    run: t => assertOutcomes(t, VITEST_SET_UP, PROBE),
  },
  {
    id: 'jest',
    name: 'Jest, CommonJS',
    needs: "`setupFilesAfterEnv: ['toolgauge/jest']`, or an import",
    version: () => versionOf('jest'),
    run: t => assertOutcomes(t, JEST_SET_UP, PROBE_IN_COMMONJS),
  },
  {
    id: 'jest-esm',
    name: 'Jest, ES modules',
    needs: 'the same, and `NODE_OPTIONS=--experimental-vm-modules`',
    version: () => versionOf('jest'),
    run: t => assertOutcomes(t, JEST_IN_ES_MODULES, PROBE),
  },
  {
    id: 'ts-jest',
    name: 'Jest with ts-jest, TypeScript',
    needs: 'the same as Jest, and `toolgauge/jest` among the `types` of tsconfig.json',
    version: () => versionOf('ts-jest'),
    run: t => assertOutcomes(t, TS_JEST, PROBE),
  },
  {
    id: 'bun-test',
    name: 'Bun test',
    needs: '`preload = ["toolgauge/bun"]` in bunfig.toml, or an import',
    version: () => versionOf('bun'),
    run: assertOutcomesInBun,
  },
  {
    id: 'node-test',
    name: '`node:test`',
    needs: '`toolgauge/assert`',
    isOfMachine: true,
    version: () => process.versions.node,
    run: assertOutcomesInNode,
  },
];
