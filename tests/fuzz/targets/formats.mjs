// Every fixture of a format, changed at random places, through every importer and export.
import { expectThat } from '../support/finding.mjs';
import { fileText, readFixtures } from '../support/fixtures.mjs';
import { mutate } from '../support/mutate.mjs';
import { textOf } from '../support/session.mjs';

const TRAJECTORIES = readFixtures('formats');
const TOOLS = readFixtures('tools');
const DOCUMENTS = [...TRAJECTORIES, ...TOOLS];

/** As `TrajectoryFormat` names them: the fixtures are called by their formats. */
const FORMATS = [...new Set(TRAJECTORIES.map(({ format }) => format))];
const EXPORTS = ['harness', 'openai-chat', 'ai-sdk-model', 'atif'];

/** How many formats are forced on one document. */
const FORCED = 5;

export default { generate, run };

/** What models write around calls in their texts, and pieces of these. */
const TAGS =
  '<tool_call> </tool_call> <think> </think> [TOOL_CALLS] [ARGS] [/TOOL_CALLS] <|python_tag|> <|tool_call|> <｜tool▁calls▁begin｜> <｜tool▁call▁begin｜> <｜tool▁sep｜> <｜tool▁call▁end｜> <｜tool▁calls▁end｜> <|tool_calls_section_begin|> <|tool_call_begin|> <|tool_call_argument_begin|> <|tool_call_end|> <|channel|> commentary to=functions.f <|message|> <|call|> <|constrain|>json <function_calls> <invoke name="f"> <parameter name="a"> </parameter> </invoke> </function_calls> <function=f> <parameter=a> </function> <arg_key> a </arg_key> <arg_value> 5 </arg_value> {"name":"f","arguments":{"a":1}} {"name":"f","parameters":{ [{"name":"f"}] f(a=1) functions.f:0 ```json ``` < > { } " \\'.split(
    ' ',
  );

function generate(random) {
  return random.chance(0.1) ? callsInText(random) : changedFixture(random);
}

/** A reply in which calls are written as text, or nearly. */
function callsInText(random) {
  const content = random.list(1, 14, () => random.pick(TAGS)).join(random.pick(['', ' ', '\n']));
  const document = [
    { role: 'user', content: 'Find it.' },
    { role: 'assistant', content },
  ];
  return { lines: false, document, forms: random.chance(0.1), formats: ['hermes', 'openai-chat'] };
}

function changedFixture(random) {
  const { lines, document } = random.pick(random.chance(0.8) ? TRAJECTORIES : TOOLS);
  const donor = random.pick(DOCUMENTS).document;
  const changed = random.chance(0.02) ? document : mutate(random, document, random.pick([1, 1, 2, 6]), donor);
  return {
    lines,
    document: changed,
    forms: !lines && random.chance(0.1),
    formats: random.shuffle(FORMATS).slice(0, FORCED),
  };
}

function run(input, session) {
  const text = fileText(input);
  if (input.forms) checkForms(input.document, session);
  checkDetection(text, session);
  checkTools(text, session);
  session.call('importExpectations', text);
  session.call('importTrajectory', text);
  const detected = session.call('importTrajectories', text);
  if (detected.result !== undefined) checkSameVerdict(text, detected.result.value, session);
  const forced = input.formats.map(format => session.call('importTrajectories', text, { format }));
  for (const { result } of [detected, ...forced]) {
    if (result === undefined) continue;
    checkImported(result);
    for (const trajectory of result.value.slice(0, 2)) checkExports(trajectory, session);
  }
}

/** A text alone is JSON text and not a value, so it has no three forms. */
function checkForms(document, session) {
  if (typeof document !== 'object' || document === null) return;
  for (const name of ['detectFormat', 'importTrajectories', 'importTools', 'importExpectations']) {
    session.callInAllForms(name, document);
  }
}

/** What is detected as a trajectory is read as one of that format, or says what is wrong with it. */
function checkDetection(text, session) {
  const { result } = session.call('detectFormat', text);
  if (result?.kind !== 'trajectory') return;
  const { result: read } = session.call('importTrajectories', text);
  expectThat(
    read === undefined || read.format === result.format,
    'detected_otherwise',
    () => `detectFormat says ${result.format}, importTrajectories reads ${read.format}`,
  );
}

/** What tools are read as is read as the same tools. */
function checkTools(text, session) {
  const { result } = session.call('importTools', text);
  if (result === undefined) return;
  const again = session.call('importTools', JSON.stringify(result.value));
  expectThat(
    again.result !== undefined && textOf({ result: again.result.value }) === textOf({ result: result.value }),
    'tools_not_idempotent',
    () => `importTools gives ${textOf({ result: result.value })}, then ${textOf(again)}`,
  );
  for (const name of Object.keys(result.value).slice(0, 2)) {
    const call = JSON.stringify({ name, arguments: { a: 'x' }, result: {} });
    const [direct, imported] = [text, JSON.stringify(result.value)].map(tools =>
      textOf(session.call('validateToolCall', call, tools)),
    );
    expectThat(direct === imported, 'tools_differ', () => `${direct}, and imported first ${imported}`);
  }
}

/** What was imported gets the verdict that the document itself gets. */
function checkSameVerdict(text, trajectories, session) {
  // An empty list is of no format.
  if (trajectories.length === 0) return;
  const [direct, imported] = [text, JSON.stringify(trajectories)].map(document => {
    const { result, error } = session.call('checkTrajectories', document);
    return error === undefined ? result.trajectories.map(verdictOf) : error.code;
  });
  const [a, b] = [direct, imported].map(verdict => JSON.stringify(verdict));
  expectThat(a === b, 'verdict_differs', () => `${a}, and imported first ${b}`);
}

function verdictOf({ passed, score, hasTools, calls, results, resultIssues }) {
  const issues = [...results.flatMap(one => one.issues), ...resultIssues];
  return { passed, score, hasTools, calls, issues: issues.map(({ type, description }) => `${type} ${description}`) };
}

function checkImported({ value, format, warnings }) {
  expectThat(FORMATS.includes(format), 'unknown_format', () => `the format is ${format}`);
  expectThat(warnings.every(isWarning), 'malformed_warning', () => JSON.stringify(warnings));
  for (const trajectory of value) {
    const wrong = trajectory.turns.find(turn => !isTurn(turn));
    expectThat(wrong === undefined, 'malformed_turn', () => JSON.stringify(wrong));
  }
}

function isWarning({ path, message }) {
  return typeof path === 'string' && typeof message === 'string' && message !== '';
}

function isTurn({ turn_id, role, content, tool_calls = [] }) {
  const isCall = ({ name, id }) => [name, id].every(text => text === undefined || typeof text === 'string');
  return (
    Number.isInteger(turn_id) &&
    ['user', 'agent', 'system'].includes(role) &&
    typeof content === 'string' &&
    tool_calls.every(isCall)
  );
}

/** What was imported is exported in every format, and read back with the same calls. */
function checkExports(trajectory, session) {
  const text = JSON.stringify(trajectory);
  for (const format of EXPORTS) {
    const exported = session.call('exportTrajectory', text, { from: 'harness', format });
    expectThat(exported.error === undefined, 'not_exported', () => `${format}: ${exported.error.message}`);
    const back = session.call('importTrajectories', JSON.stringify(exported.result), { format });
    expectThat(back.error === undefined, 'not_read_back', () => `${format}: ${back.error.message}`);
    checkReadBack(format, callsIn([trajectory], format), callsIn(back.result.value, format));
  }
}

function checkReadBack(format, calls, read) {
  const says = () => `${format}: the calls were ${JSON.stringify(calls)}, read back are ${JSON.stringify(read)}`;
  expectThat(read.length === calls.length, 'calls_lost', says);
  expectThat(
    calls.every(({ name }, at) => name === read[at].name),
    'names_lost',
    says,
  );
  const ids = calls.map(({ id }) => id);
  const areDistinct = !ids.includes('') && new Set(ids).size === ids.length;
  expectThat(!areDistinct || ids.every((id, at) => id === read[at].id), 'ids_lost', says);
}

/** The calls that a format has a place for: only toolgauge's own has one for calls of a user. */
function callsIn(trajectories, format) {
  const turns = trajectories.flatMap(trajectory => trajectory.turns);
  const calling = turns.filter(({ role }) => role === 'agent' || format === 'harness');
  return calling.flatMap(({ tool_calls = [] }) => tool_calls.map(({ name = '', id = '' }) => ({ name, id })));
}
