// Random schemas against random instances: what is valid must be what Ajv and Python's jsonschema call valid.
import { expectThat, Finding } from '../support/finding.mjs';
import { requireReference } from '../support/package.mjs';
import { keysOf, valueAt } from '../support/paths.mjs';
import { askPython, hasPython, stopPython } from '../support/python.mjs';
import { anyInstance, anySchema, DRAFTS, isSound } from '../support/schemas.mjs';

const OPTIONS = { strict: false, validateFormats: false, validateSchema: false, meta: false, logger: false };

/** What reads each draft in Ajv: it has none for draft 4, which Python alone judges. */
const AJV = new Map([
  [DRAFTS[1], requireReference('ajv')],
  [DRAFTS[2], requireReference('ajv')],
  [DRAFTS[3], requireReference('ajv/dist/2019')],
  [DRAFTS[4], requireReference('ajv/dist/2020')],
]);

/** How many of them are repaired, too. */
const REPAIRED = 4;

/** How many instances each schema judges. */
const INSTANCES = 24;

export default { generate, run, causeOf, close: stopPython };

function generate(random) {
  const draft = random.below(DRAFTS.length);
  return { schema: anySchema(random, draft), instances: random.list(INSTANCES, INSTANCES, () => anyInstance(random)) };
}

async function run({ schema, instances }, session) {
  if (!isSound(schema)) return;
  const tools = [{ name: 'f', parameters: schema }];
  const compiled = session.call('compileTools', JSON.stringify(tools));
  if (compiled.error !== undefined) return checkRejected(schema, compiled.error);
  const verdicts = instances.map(instance => judge(instance, compiled.result, session));
  checkRepairs(instances, verdicts, compiled.result, session);
  compiled.result.free();
  checkLint(tools, session);
  await compare(schema, instances, verdicts);
}

/** A schema is only rejected when the reference rejects it. */
async function checkRejected(schema, error) {
  if (!hasPython) return;
  const said = await askPython({ schema, instances: [] });
  expectThat(said.verdicts === undefined, 'schema_rejected', error.message);
}

/** True or false; undefined when the limit of visits is passed. The functions that judge arguments agree. */
function judge(instance, tools, session) {
  const call = JSON.stringify({ name: 'f', arguments: instance, result: {} });
  const { result, error } = session.call('validateToolCall', call, tools);
  if (error !== undefined) {
    expectThat(error.code === 'limit_exceeded', 'call_rejected', () => `${error.code}: ${error.message}`);
    return undefined;
  }
  const valid = result.issues.length === 0;
  const fitting = session.call('validateSchema', call, tools);
  expectThat(
    (fitting.result?.issues.length === 0) === valid,
    'functions_differ',
    () => `validateToolCall: ${JSON.stringify(result)}, validateSchema: ${JSON.stringify(fitting)}`,
  );
  for (const issue of fitting.result.issues) checkPlace(instance, issue);
  return valid;
}

/** An issue names the place of what it quotes, and the place of what is missing. */
function checkPlace(instance, issue) {
  const says = () => JSON.stringify(issue);
  const keys = keysOf(issue.path);
  expectThat(keys !== undefined, 'no_path', says);
  // A name has no place of its own, but that of the value that it names.
  const found = issue.keyword === 'propertyNames' ? keys.at(-1) : valueAt(instance, keys);
  if ('actual' in issue) expectThat(JSON.stringify(found) === JSON.stringify(issue.actual), 'wrong_place', says);
  if (issue.keyword !== 'required') return;
  expectThat(found === undefined && isRecord(valueAt(instance, keys.slice(0, -1))), 'wrong_place', says);
}

/** A call that needs no repair is valid, and so is one that was repaired. */
function checkRepairs(instances, verdicts, tools, session) {
  const places = [...instances.keys()].filter(at => isRecord(instances[at])).slice(0, REPAIRED);
  for (const at of places) {
    const toolCall = { name: 'f', arguments: instances[at] };
    const { result, error } = session.call('repairToolCallSync', { tools, toolCall });
    if (error !== undefined || verdicts[at] === undefined) continue;
    const says = () => `${JSON.stringify(instances[at])} gives ${JSON.stringify(result)}`;
    expectThat(result.status !== 'valid' || verdicts[at], 'repair_differs', says);
    if (result.status !== 'repaired') continue;
    expectThat(judge(result.arguments, tools, session) !== false, 'repaired_not_valid', says);
  }
}

/** A schema that compiles is not reported as one that does not. */
function checkLint(tools, session) {
  const { result, error } = session.call('lintTools', JSON.stringify(tools));
  expectThat(error === undefined, 'not_linted', () => error.message);
  const invalid = result.issues.find(({ type }) => ['invalid_schema', 'unresolved_reference'].includes(type));
  expectThat(invalid === undefined, 'lint_differs', () => JSON.stringify(invalid));
}

function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function compare(schema, instances, verdicts) {
  const byAjv = askAjv(schema, instances);
  const agreed = at => verdicts[at] === undefined || verdicts[at] === byAjv?.[at];
  if (byAjv !== undefined && instances.every((_, at) => agreed(at))) return;
  // Ajv alone is no proof: it has faults of its own, which the other reference has not.
  const byPython = hasPython ? (await askPython({ schema, instances })).verdicts : undefined;
  if (byPython === undefined) return;
  for (const [at, instance] of instances.entries()) {
    const [ours, ajv, python] = [verdicts[at], byAjv?.[at], byPython[at]];
    const references = byAjv === undefined ? python : ajv === python ? ajv : undefined;
    if (ours === undefined || typeof references !== 'boolean' || ours === references) continue;
    throw new Finding(ours ? 'invalid_accepted' : 'valid_rejected', JSON.stringify(instance));
  }
}

/** The verdicts of Ajv; undefined when it has no draft 4, or does not take the schema. */
function askAjv({ $schema, ...schema }, instances) {
  const Ajv = AJV.get($schema)?.default;
  if (Ajv === undefined) return undefined;
  try {
    const validate = new Ajv(OPTIONS).compile(schema);
    return instances.map(instance => verdictOf(validate, instance));
  } catch {
    return undefined;
  }
}

/** Null where a schema refers to itself without end. */
function verdictOf(validate, instance) {
  try {
    return validate(instance);
  } catch {
    return null;
  }
}

/** Findings of one cause have the keywords of their schemas in common, once they are as small as can be. */
function causeOf({ schema }, { rule }) {
  const keywords = new Set();
  collectKeywords(schema, keywords);
  return `${rule}: ${[...keywords].sort().join(' ')}`;
}

function collectKeywords(value, found) {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (!Array.isArray(value)) found.add(key);
    collectKeywords(member, found);
  }
}
