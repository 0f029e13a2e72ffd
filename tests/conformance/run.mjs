// Runs the required tests of the JSON Schema Test Suite through the public API of toolgauge.
// `cargo xtask test --only conformance` fetches the suite and copies this beside the installed package.
//
// usage: node run.mjs <folder of the suite>

import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { compileTools, validateSchema, validateToolCall } from 'toolgauge';

/** The drafts by their folders in the suite. */
const DRAFTS = {
  draft4: 'http://json-schema.org/draft-04/schema#',
  draft6: 'http://json-schema.org/draft-06/schema#',
  draft7: 'http://json-schema.org/draft-07/schema#',
  'draft2019-09': 'https://json-schema.org/draft/2019-09/schema',
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
};

/** Where the suite's schemas expect its folder `remotes`. */
const REMOTES = 'http://localhost:1234/';

/** Stands before the digits of a number that JavaScript would write in another way, such as 1.0. */
const SPELLED = '\uE000';

const suite = process.argv[2];
if (suite === undefined) throw new Error('usage: node run.mjs <folder of the suite>');

const known = readKnownFailures();
const unseen = new Set(known.keys());
const remotes = readRemotes();
const rows = Object.keys(DRAFTS).map(runDraft);
const stale = [...unseen].map(name => `${name}: is in known-failures.json, but not in the suite`);
report(rows, stale);

function runDraft(draft) {
  const row = { draft, passed: 0, known: 0, failures: [] };
  for (const { name, problem } of runTests(draft)) {
    const listed = known.has(name);
    unseen.delete(name);
    if (problem === undefined && !listed) row.passed += 1;
    else if (problem !== undefined && listed) row.known += 1;
    else row.failures.push(`${name}: ${problem ?? 'passes, so take it out of known-failures.json'}`);
  }
  return row;
}

/** The tests of a draft by their names, each with its problem unless it passes. */
function* runTests(draft) {
  const folder = join(suite, 'tests', draft);
  const files = readdirSync(folder).filter(name => name.endsWith('.json'));
  for (const file of files.sort()) {
    for (const group of parseSpelled(readFileSync(join(folder, file), 'utf8'))) {
      const judge = compile(withDraft(group.schema, draft));
      for (const { description, data, valid } of group.tests) {
        yield { name: `${draft}/${file}: ${group.description}: ${description}`, problem: judge(data, valid) };
      }
    }
  }
}

/** Compiles a schema once. The function that comes back says what is wrong with the verdict on an instance. */
function compile(schema) {
  let tools;
  try {
    tools = compileTools(stringifySpelled([{ name: 'tool', parameters: schema }]), { schemas: remotes });
  } catch (error) {
    return () => `compileTools: ${error.message}`;
  }
  return (data, valid) => {
    const call = stringifySpelled({ name: 'tool', arguments: data, result: {} });
    return (
      findProblem('validateToolCall', valid, () => validateToolCall(call, tools)) ??
      findProblem('validateSchema', valid, () => validateSchema(JSON.parse(call), tools))
    );
  };
}

function findProblem(name, valid, validate) {
  try {
    const [issue] = validate().issues;
    if ((issue === undefined) === valid) return undefined;
    return `${name}: ${issue === undefined ? 'no issue' : (issue.description ?? issue.message)}`;
  } catch (error) {
    return `${name}: ${error.message}`;
  }
}

/** Documents in the folder of a draft are of that draft. Those outside do not depend on one. */
function readRemotes() {
  const folder = join(suite, 'remotes');
  const documents = readdirSync(folder, { recursive: true })
    .filter(name => name.endsWith('.json'))
    .map(name => ({ path: name.split(sep), document: JSON.parse(readFileSync(join(folder, name), 'utf8')) }))
    .filter(({ path: [first] }) => !first.startsWith('draft') || first in DRAFTS)
    .map(({ path, document }) => [REMOTES + path.join('/'), withDraft(document, path[0])]);
  return Object.fromEntries(documents);
}

/** Names the draft of a schema that does not: the suite's folders say it instead. A boolean means the same in all. */
function withDraft(schema, draft) {
  return typeof schema === 'boolean' || !(draft in DRAFTS) ? schema : { $schema: DRAFTS[draft], ...schema };
}

function parseSpelled(json) {
  const marked = json.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, token =>
    token.startsWith('"') || String(Number(token)) === token ? token : JSON.stringify(SPELLED + token),
  );
  return JSON.parse(marked);
}

function stringifySpelled(value) {
  return JSON.stringify(value).replaceAll(new RegExp(`"${SPELLED}([^"]+)"`, 'g'), '$1');
}

function readKnownFailures() {
  const groups = JSON.parse(readFileSync(new URL('known-failures.json', import.meta.url), 'utf8'));
  return new Map(groups.flatMap(({ reason, tests }) => tests.map(name => [name, reason])));
}

function report(rows, stale) {
  const failures = [...rows.flatMap(row => row.failures), ...stale];
  for (const failure of failures) console.log(failure);
  for (const reason of new Set(known.values())) console.log(`known: ${reason}`);
  console.log(`\n${'draft'.padEnd(14)}${['passed', 'known', 'failed'].map(name => name.padStart(8)).join('')}`);
  for (const { draft, passed, known, failures } of rows) {
    console.log(draft.padEnd(14) + [passed, known, failures.length].map(count => String(count).padStart(8)).join(''));
  }
  const passed = rows.reduce((sum, row) => sum + row.passed, 0);
  console.log(`\n${passed} passed, ${failures.length} failed`);
  process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1;
}
