// Runs every command and program that README.md and docs/ show, and compares what they print.
//
// What a block of code is for follows from its language:
// - sh: a command that runs; the text block after it is what it prints.
// - ts: a program that is compiled and run; `console.log(…); // …` says what is printed. A test for Vitest fails with the
//   text block after it.
// - js: code that needs a key or a network: only its syntax is checked.
// - console: commands that need a network, a key or a checkout, or that don't end: only the names of commands and options
//   are checked.
// - json: JSON.
//
// UPDATE_DOCS=1 writes what commands and programs print into the documents.
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { gzipSync } from 'node:zlib';
import { consumer, folderIn, fromConsumer, install, run, runTool } from './support/consumer.mjs';
import {
  anchorsOf,
  blocksOf,
  DOCUMENTS,
  linksOf,
  OTHERS,
  ROOT,
  replaceComments,
  replaceOutput,
  textOf,
} from './support/documents.mjs';
import { matchersMissingIn } from './support/matcher-names.mjs';

const CLI = join(consumer, 'node_modules/.bin/toolgauge');

const BLOCKS = DOCUMENTS.flatMap(document => {
  const blocks = blocksOf(document);
  return blocks.map((block, at) => {
    const next = blocks[at + 1];
    return { ...block, printed: next?.language === 'text' ? next.text : undefined };
  });
});

const ofLanguage = language => BLOCKS.filter(block => block.language === language);
const isTest = ({ text }) => text.includes("from 'vitest'");

const PROGRAMS = ofLanguage('ts').filter(block => !isTest(block));
const TESTS_SHOWN = ofLanguage('ts').filter(isTest);

test('the documents show commands, programs and a failing test', () => {
  assert.ok(ofLanguage('sh').length >= 10 && PROGRAMS.length >= 15 && TESTS_SHOWN.length >= 1);
});

test('every block of code has a language that says how it is tested', () => {
  const known = new Set(['sh', 'ts', 'js', 'json', 'console', 'text', 'yaml', 'rust', 'python']);
  const others = BLOCKS.filter(({ language }) => !known.has(language));
  assert.deepEqual(others.map(place), []);
});

function place({ document, line }) {
  return `${document}:${line}`;
}

suite('commands', () => {
  // The commands of a document run one after the other in a folder with the examples of the package, copied.
  const folders = new Map();
  after(() => {
    for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true });
  });
  function folderFor(document) {
    if (!folders.has(document)) {
      const folder = mkdtempSync(join(tmpdir(), 'toolgauge-docs-'));
      cpSync(join(consumer, 'node_modules/toolgauge/examples'), join(folder, 'examples'), { recursive: true });
      folders.set(document, folder);
    }
    return folders.get(document);
  }

  for (const { document, line, text, printed } of ofLanguage('sh')) {
    const command = text.trim();
    if (command === 'npm install -D toolgauge') continue;
    test(`${document}:${line} ${command}`, async () => {
      const [npx, name, ...args] = command.split(' ');
      assert.deepEqual([npx, name], ['npx', 'toolgauge']);
      const { stdout, stderr, code } = await run(CLI, args, { cwd: folderFor(document) });
      if (process.env.UPDATE_DOCS !== undefined) replaceOutput(document, command, stdout);
      else assert.equal(stdout, printed ?? '');
      assert.equal(stderr, '');
      assert.notEqual(code, 2);
    });
  }
});

suite('programs', () => {
  for (const { document, line, text } of PROGRAMS) {
    test(`${document}:${line} compiles and prints what its comments say`, async t => {
      const folder = folderIn(consumer, t, { 'main.mts': text });
      const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck', '--types', 'node'];
      const compiled = await runTool('tsc', [...options, 'main.mts'], { cwd: folder });
      assert.equal(compiled.stdout, '');
      const promised = [...text.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map(([, comment]) => comment);
      assert.ok(promised.length > 0);
      const { stdout, stderr } = await run('node', ['main.mjs'], { cwd: folder });
      assert.equal(stderr, '');
      const said = stdout.trimEnd().split('\n');
      if (process.env.UPDATE_DOCS !== undefined) replaceComments(document, text, said);
      else assert.deepEqual(said, promised);
    });
  }

  for (const { document, line, text } of ofLanguage('js')) {
    test(`${document}:${line} is JavaScript`, async t => {
      const folder = folderIn(consumer, t, { 'main.mjs': text });
      const { stderr } = await run('node', ['--check', 'main.mjs'], { cwd: folder });
      assert.equal(stderr, '');
    });
  }

  for (const { document, line, text } of ofLanguage('json')) {
    test(`${document}:${line} is JSON`, () => assert.doesNotThrow(() => JSON.parse(text)));
  }
});

suite('tests', () => {
  for (const { document, line, text, printed } of TESTS_SHOWN) {
    test(`${document}:${line} compiles, and ${printed === undefined ? 'passes' : 'fails as shown'}`, async t => {
      const project = install('vitest', 'ai', 'zod', '@types/node');
      const folder = folderIn(project, t, { 'main.test.mts': text });
      symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'));
      const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck'];
      const compiled = await runTool('tsc', [...options, '--types', 'node', 'main.test.mts'], { cwd: folder });
      assert.equal(compiled.stdout, '');
      const args = ['run', '--root', '.', '--reporter', 'json'];
      const { stdout } = await run(join(project, 'node_modules/.bin/vitest'), args, {
        cwd: folder,
        env: { NO_COLOR: '1' },
      });
      const messages = JSON.parse(stdout).testResults[0].assertionResults.flatMap(result => result.failureMessages);
      const [message] = messages.map(stripVTControlCharacters);
      if (printed === undefined) assert.equal(message, undefined);
      else assert.ok(message?.startsWith(`Error: ${printed}`), message);
    });
  }
});

suite('names', () => {
  /** What a command prints as its help, asked once. */
  const help = new Map();
  async function helpOf(command) {
    if (!help.has(command)) help.set(command, (await run(CLI, [command, '--help'])).stdout);
    return help.get(command);
  }

  for (const document of [...DOCUMENTS, ...OTHERS]) {
    test(`${document} names commands and options that exist`, async () => {
      for (const [, command, rest] of textOf(document).matchAll(/\btoolgauge ([a-z]+(?:-[a-z]+)?)\b([^`\n]*)/g)) {
        const known = await helpOf('help');
        if (!new RegExp(`^ {2}${command}\\b`, 'm').test(known)) continue;
        for (const [, option] of rest.matchAll(/ (--[a-z-]+)/g)) {
          const options = await helpOf(command);
          assert.match(options, new RegExp(`${option}\\b`), `${command} ${option}`);
        }
      }
    });

    test(`${document} names commands of xtask that exist`, () => {
      const main = readFileSync(join(ROOT, 'xtask/src/main.rs'), 'utf8');
      const variants = /^enum Command \{(.*?)^\}/ms.exec(main)[1].matchAll(/^ {4}([A-Z][A-Za-z]+)/gm);
      const known = new Set([...variants].map(([, variant]) => variant.toLowerCase()));
      for (const [, command] of textOf(document).matchAll(/\bcargo xtask ([a-z]+)/g)) {
        assert.ok(known.has(command), command);
      }
    });

    test(`${document} links to what exists`, () => {
      for (const { path, heading } of linksOf(document)) {
        assert.ok(existsSync(join(ROOT, path)), path);
        if (heading !== undefined) assert.ok(anchorsOf(path).has(heading), `${path}#${heading}`);
      }
    });
  }

  test('docs/README.md leads to every document', () => {
    const linked = new Set(linksOf('docs/README.md').map(({ path }) => path));
    const missing = DOCUMENTS.filter(document => document.startsWith('docs/') && !linked.has(document));
    assert.deepEqual(missing, ['docs/README.md']);
  });

  test('llms.txt of the package leads to every document, and all of them are in the package', () => {
    const installed = join(consumer, 'node_modules/toolgauge');
    const text = readFileSync(join(installed, 'llms.txt'), 'utf8');
    assert.match(text, /^# toolgauge\n\n> .+\n\n/);
    const links = [...text.matchAll(/^- \[.+\]\((.+)\): .+$/gm)].map(([, path]) => path);
    assert.deepEqual(
      DOCUMENTS.filter(document => !document.startsWith('www/') && !links.includes(document)),
      ['docs/README.md'],
    );
    assert.deepEqual(
      links.filter(path => !existsSync(join(installed, path))),
      [],
    );
  });

  test('the skill is in the package, with a name and a description as agents want them', () => {
    const [path] = DOCUMENTS.filter(document => document.startsWith('skills/'));
    const text = readFileSync(join(consumer, 'node_modules/toolgauge', path), 'utf8');
    const [, name, description] = /^---\nname: (.+)\ndescription: (.+)\n---\n/.exec(text);
    assert.equal(path, `skills/${name}/SKILL.md`);
    assert.ok(description.length <= 1024 && !description.includes(': '));
    assert.ok(text.split('\n').length < 500);
  });

  test('README.md has at most 250 lines', () => {
    assert.ok(textOf('README.md').split('\n').length <= 251);
  });

  test('docs/cli.md names every format of reports', async () => {
    const { REPORT_FORMATS } = await fromConsumer('toolgauge');
    const missing = REPORT_FORMATS.filter(format => !textOf('docs/cli.md').includes(`\`${format}\``));
    assert.deepEqual(missing, []);
  });

  test('docs/formats.md and README.md name every format that is read', async () => {
    const { TRAJECTORY_FORMATS: formats } = await fromConsumer('toolgauge');
    assert.ok(formats.length >= 26);
    for (const document of ['README.md', 'docs/formats.md']) {
      const missing = formats.filter(format => !textOf(document).includes(`\`${format}\``));
      assert.deepEqual(missing, [], document);
    }
  });
});

/** The rows of the table of matchers: matcher, expected value, value that was made, what the message says. */
const MATCHERS = [
  ...textOf('docs/expectations.md').matchAll(/^\| (`.+`)(?: \(default\))? \| (`.*`)? ?\| (`.+`) \| `(args.+)` \|$/gm),
];

test('each matcher in docs/expectations.md reports what the table shows', async () => {
  const { openQuestions, scoreToolCalls } = await fromConsumer('toolgauge');
  const read = code => new Function(`return (${code.slice(1, -1)})`)();
  const shown = MATCHERS.map(([, matcher]) => read(matcher));
  // The row of `ignore` has no message, and a text below the table names the others.
  assert.deepEqual(matchersMissingIn(shown), ['ignore', '{optional}']);
  for (const [, matcher, expected, made, said] of MATCHERS) {
    const args = expected === undefined ? {} : { x: read(expected) };
    const input = {
      expected: [{ tool: 'f', args }],
      actual: [{ tool: 'f', args: { x: read(made) } }],
      matchers: { f: { x: read(matcher) } },
      comparators: { close: () => false },
    };
    const opinions = Object.fromEntries(openQuestions(input).map(({ key }) => [key, { score: 0 }]));
    const { incorrectCalls } = scoreToolCalls({ ...input, opinions });
    assert.equal(incorrectCalls[0]?.details, said, matcher);
  }
});

/** The rows of the table of sizes: a file of the package, its size, and with gzip, in MB. */
const SIZES = [...textOf('docs/performance.md').matchAll(/^\| `(dist\/.+)` \| ([\d.]+) MB \| ([\d.]+) MB \|/gm)];

test('docs/performance.md states the sizes of the package', () => {
  assert.ok(SIZES.length >= 2);
  for (const [, file, ...stated] of SIZES) {
    const bytes = readFileSync(join(consumer, 'node_modules/toolgauge', file));
    for (const [at, { length }] of [bytes, gzipSync(bytes)].entries()) {
      const size = length / 1e6;
      assert.ok(Math.abs(Number(stated[at]) / size - 1) < 0.03, `${file}: ${stated[at]} MB, but it has ${size} MB`);
    }
  }
});
