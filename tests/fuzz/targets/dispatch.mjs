// Random calls through what checks, repairs, runs and tracks them.

import { ai, aiSdk, dispatch } from '../support/entry-points.mjs';
import { expectThat } from '../support/finding.mjs';
import { mutate } from '../support/mutate.mjs';
import { toolgauge } from '../support/package.mjs';
import { textOf } from '../support/session.mjs';
import { anyJson, anyObject, anyText } from '../support/values.mjs';

const TOOLS = [
  {
    name: 'book_table',
    parameters: {
      type: 'object',
      properties: {
        guests: { type: 'integer', minimum: 1 },
        area: { enum: ['garden', 'hall'] },
        date: { type: 'string', format: 'date' },
        wishes: { type: 'array', items: { type: 'object', properties: { text: { type: 'string' } } } },
        options: {
          type: 'object',
          properties: { quiet: { type: 'boolean', default: false } },
          additionalProperties: false,
        },
      },
      required: ['guests'],
      additionalProperties: false,
    },
  },
  { name: 'list_tables', parameters: { type: 'object' } },
  { name: 'todo__add', parameters: { properties: { title: { type: 'string' } } } },
];
const ARGUMENTS = {
  guests: 2,
  area: 'hall',
  date: '2026-05-16',
  wishes: [{ text: 'a window' }],
  options: { quiet: true },
};

/** A call as providers write it. */
const SHAPES = [
  (name, args) => ({ name, arguments: args }),
  (name, args) => ({ id: 'c1', type: 'function', function: { name, arguments: JSON.stringify(args) } }),
  (name, args) => ({ type: 'tool_use', id: 'c1', name, input: args }),
  (name, args) => ({ type: 'tool-call', toolCallId: 'c1', toolName: name, input: args }),
  (name, args) => ({ functionCall: { name, args } }),
  (name, args) => ({ toolUse: { toolUseId: 'c1', name, input: args } }),
  (name, args) => ({ type: 'function_call', call_id: 'c1', name, arguments: JSON.stringify(args) }),
  (name, args) => ({ method: 'tools/call', params: { name, arguments: args } }),
];

export default { generate, run };

function generate(random) {
  return {
    tools: random.chance(0.3) ? mutate(random, TOOLS) : TOOLS,
    calls: random.list(1, 4, () => anyCall(random)),
    forms: random.chance(0.05),
    tracker: random.pick([{}, { maxRepeats: random.between(1, 4), chainLength: random.between(1, 4) }]),
    enabled: random.pick(['all', '', 'book_table,list_tables', anyText(random), [anyText(random), 'todo__add']]),
    invalidCalls: random.pick(['refuse', 'repair']),
  };
}

function anyCall(random) {
  const name = random.pick([
    'book_table',
    'book_table',
    'bookTable',
    'list_tables',
    'todo__add',
    'user__ask',
    anyText(random),
  ]);
  const args = random.chance(0.8) ? mutate(random, ARGUMENTS, 2) : anyObject(random, 2);
  const call = random.pick(SHAPES)(name, args);
  return random.chance(0.2) ? mutate(random, call, 2) : random.chance(0.03) ? anyJson(random) : call;
}

async function run(input, session) {
  if (!Array.isArray(input.tools) || !Array.isArray(input.calls)) return;
  for (const toolCall of input.calls) checkRepair(input, toolCall, session);
  checkTracker(input, session);
  checkRepeats(input.tracker, session);
  checkSelection(input, session);
  await checkDispatcher(input, session);
  await checkGuard(input, session);
}

/** A valid call stays as it is, a repaired one is valid, and all functions say the same. */
function checkRepair({ tools, forms }, toolCall, session) {
  if (forms) checkForms(tools, toolCall, session);
  const checked = session.call('checkToolCall', { tools, toolCall });
  const { result: repair, error } = session.call('repairToolCallSync', { tools, toolCall });
  if (error !== undefined) return;
  const says = () => JSON.stringify(repair);
  expectThat(checked.result.overall_valid === (repair.status === 'valid'), 'functions_differ', says);
  expectThat(repair.changes.length > 0 === (repair.status === 'repaired'), 'changes_wrong', says);
  expectThat(repair.problems.length > 0 === (repair.status === 'unrepairable'), 'problems_wrong', says);
  if (repair.status === 'unrepairable') return;
  const again = session.call('repairToolCallSync', { tools, toolCall: repair.toolCall });
  const text = again.error === undefined ? textOf(again) : again.error.message;
  expectThat(again.result?.status === 'valid', 'repaired_not_valid', () => `${says()}, then ${text}`);
  expectThat(
    JSON.stringify(again.result.arguments) === JSON.stringify(repair.arguments),
    'repair_not_stable',
    () => `${says()}, then ${text}`,
  );
}

/** A text is the JSON text of a call, and no call. */
function checkForms(tools, toolCall, session) {
  if (typeof toolCall === 'string') return;
  const outcomes = [toolCall, JSON.stringify(toolCall)].map(form =>
    session.call('checkToolCall', { tools, toolCall: form }),
  );
  const [a, b] = outcomes.map(textOf);
  expectThat(a === b, 'form_dependent', () => `${a}, then ${b}`);
}

/** A tracker remembers no more than it should, and one that is restored goes on in the same way. */
function checkTracker({ tracker: options, calls }, session) {
  const tracker = new dispatch.ToolCallTracker(options);
  const { maxRepeats = 2, chainLength = 3 } = options;
  for (const call of [...calls, ...calls, ...calls]) {
    const name = 'ToolCallTracker';
    const { error } = session.run(
      name,
      () => void tracker.record({ name: typeof call?.name === 'string' ? call.name : 'f', arguments: call?.arguments }),
    );
    if (error !== undefined) continue;
    expectThat(tracker.chain.length <= maxRepeats * chainLength, 'tracker_grows', () => String(tracker.chain.length));
    const restored = session.run(name, () => dispatch.ToolCallTracker.from(JSON.parse(JSON.stringify(tracker))));
    const states = [tracker, restored.result].map(one => JSON.stringify(one));
    expectThat(states[0] === states[1], 'tracker_not_restored', () => states.join(', then '));
  }
}

/** The same call may be made so often in a row, and then not again; one that is new is no repetition. */
function checkRepeats({ maxRepeats = 2, ...options }, session) {
  const tracker = new dispatch.ToolCallTracker({ maxRepeats, ...options });
  const call = { name: 'search', arguments: { q: 'news' } };
  for (let made = 0; made < maxRepeats; made += 1) {
    const { result } = session.run('ToolCallTracker', () => tracker.check(call));
    expectThat(result === undefined, 'warned_early', () => JSON.stringify(result));
    tracker.record(call);
  }
  const { result } = session.run('ToolCallTracker', () => tracker.check(call));
  expectThat(result?.kind === 'repeated_call', 'loop_missed', () => JSON.stringify(result));
  const other = session.run('ToolCallTracker', () => tracker.check({ ...call, arguments: {} }));
  expectThat(other.result === undefined, 'warned_of_new_call', () => JSON.stringify(other.result));
}

function checkSelection({ tools, enabled }, session) {
  const role = { enabled_tools: enabled };
  const select = () => dispatch.selectFunctions({ functions: tools, role, onWarning: () => {} });
  const { result } = session.run('selectFunctions', select);
  if (result === undefined) return;
  expectThat(
    result.every(one => tools.includes(one)),
    'foreign_function',
    () => JSON.stringify(result),
  );
}

/** One output for each call, in order, but for those whose id comes again. A failure is an output, too. */
async function checkDispatcher({ tools, calls, invalidCalls }, session) {
  // Names with this prefix lead to the to-do list.
  const functions = tools.filter(tool => tool?.name !== 'todo__add');
  const handlers = { book_table: args => args, list_tables: () => null };
  const made = session.run('createDispatcher', () => dispatch.createDispatcher({ functions, handlers, invalidCalls }));
  if (made.error !== undefined) return;
  const { result, error } = await session.runLater('evalToolCalls', () => made.result.evalToolCalls(calls));
  if (error !== undefined) return;
  const places = result.map(({ call }) => calls.indexOf(call));
  const says = () => JSON.stringify(result);
  expectThat(
    places.every((place, at) => place >= 0 && (at === 0 || places[at - 1] < place)),
    'outputs_unordered',
    says,
  );
  expectThat(
    result.every(({ output }) => output !== undefined && output !== null),
    'output_lost',
    says,
  );
  await session.runLater('trajectory', async () => toolgauge.checkTrajectories(made.result.trajectory()));
}

/** A guarded tool runs with arguments that fit, and with no others. */
async function checkGuard({ calls }, session) {
  const [{ parameters }] = TOOLS;
  const ran = [];
  const tool = { inputSchema: ai.jsonSchema(parameters), execute: args => ran.push(args) };
  const { result: guarded } = session.run('guardTools', () => aiSdk.guardTools({ book_table: tool }));
  for (const call of calls) {
    const args = call?.arguments ?? call?.input;
    await session.runLater('guardTools', () => settled(() => guarded.book_table.execute(args, {})));
  }
  for (const args of ran) {
    const { result } = session.call('checkToolCall', {
      tools: TOOLS,
      toolCall: { name: 'book_table', arguments: args },
    });
    expectThat(result.overall_valid, 'ran_invalid', () => JSON.stringify(args));
  }
}

/** What a guarded tool refuses it throws, as an error for the model. */
async function settled(body) {
  try {
    return await body();
  } catch (error) {
    expectThat(error instanceof Error && error.message !== '', 'refused_without_reason', () => String(error));
    return undefined;
  }
}
