import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileErrors, fromConsumer } from './support/consumer.mjs';

const { createDispatcher, createSupervisor, selectFunctions } = await fromConsumer('toolgauge/dispatch');

/** Everything that a dispatcher reports in a run with calls of every kind, as JSON. */
async function everything() {
  const seen = { calls: [], results: [], warnings: [], names: [] };
  const supervisor = createSupervisor({
    agents: {
      asker: {
        description: 'Asks',
        run: async ({ run }) => {
          const below = createDispatcher({ agentRun: run, ...observers(seen) });
          const [{ output }] = await below.evalToolCalls([
            { id: 'q', name: 'user__ask', arguments: { question: 'Which?', options: ['a', 'b'] } },
          ]);
          return output;
        },
      },
    },
  });
  const parameters = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  const dispatcher = createDispatcher({
    functions: [{ name: 'count', parameters }],
    handlers: { count: ({ n }) => n, nothing: () => null, fails: () => Promise.reject(new Error('no')) },
    supervisor,
    agent: { name: 'lead' },
    invalidCalls: 'repair',
    role: { enabled_tools: 'count,coutn,nothing,fails' },
    ...observers(seen),
  });
  const results = [];
  const evaluate = async (...calls) => results.push(...(await dispatcher.evalToolCalls(calls)));
  const call = (name, args, id) => ({ ...(id && { id }), name, arguments: args });
  await evaluate(call('count', { n: 1 }, 'a'), call('count', { n: '2' }, 'a'), call('count', {}), call('nothing', {}));
  await evaluate(call('fails', {}, 'b'), call('todo__init', { goal: 'Go' }), call('todo__add', { task: 'One' }));
  for (let times = 0; times < 3; times += 1) await evaluate(call('count', { n: 5 }));
  await evaluate(call('agent__spawn', { agent: 'asker', prompt: 'Ask' }));
  await supervisor.escalations.nextPending(AbortSignal.timeout(10_000));
  const pending = supervisor.escalations.pending();
  await evaluate(call('count', { n: 6 }), call('agent__list', {}));
  await evaluate(call('agent__reply_escalation', { id: pending[0].escalation_id, reply: 'a' }));
  await evaluate(call('agent__collect', { id: 'asker-1' }));
  const reports = supervisor.list();
  await supervisor.close();
  selectFunctions({ functions: [], role: { enabled_tools: 'x' }, onWarning: warning => seen.names.push(warning) });
  return {
    ...seen,
    results_of: results,
    pending,
    reports,
    state: dispatcher.tracker,
    todo: dispatcher.todo,
    functions: dispatcher.functions,
    trajectory: dispatcher.trajectory('run'),
  };
}

function observers({ calls, results, warnings }) {
  return {
    onCall: event => calls.push(event),
    onResult: event => results.push(event),
    onWarning: warning => warnings.push(warning),
  };
}

/** The type of each. */
const TYPES = {
  calls: 'CallEvent[]',
  results: 'ResultEvent[]',
  warnings: 'DispatchWarning[]',
  names: 'UnknownNameWarning[]',
  results_of: 'ToolCallResult[]',
  pending: 'Escalation[]',
  reports: 'AgentReport[]',
  state: 'TrackerState',
  todo: 'TodoListJson',
  functions: 'ToolSchema[]',
  trajectory: 'Trajectory',
};

test('what a dispatcher reports has the declared types, no property more and none less', async t => {
  const seen = JSON.parse(JSON.stringify(await everything()));
  const kinds = new Set(seen.warnings.map(({ kind }) => kind));
  assert.deepEqual([...kinds].sort(), ['duplicate_call', 'invalid_call', 'loop', 'repaired_call', 'unknown_name']);
  assert.deepEqual(new Set(seen.results.map(({ status }) => status)), new Set(['success', 'failed', 'refused']));
  assert.ok(seen.results_of.some(({ notification }) => notification));
  const lines = Object.entries(TYPES).map(
    ([name, type]) => `export const ${name}: ${type} = ${JSON.stringify(seen[name])};`,
  );
  const imports = `
import type { ToolSchema, TrackerState, Trajectory } from 'toolgauge';
import type {
  AgentReport, CallEvent, DispatchWarning, Escalation, ResultEvent, TodoListJson, ToolCallResult, UnknownNameWarning,
} from 'toolgauge/dispatch';
`;
  assert.equal(await compileErrors(t, { 'seen.mts': `${imports}${lines.join('\n')}` }), '');
});

test('the types of a dispatcher forbid what fails and allow what works', async t => {
  const source = `
import { createDispatcher, EscalationQueue, ToolCallTracker, type Toolkit, type UserChannel } from 'toolgauge/dispatch';

const toolkit: Toolkit = { definitions: [{ name: 'f', parameters: {} }], run: ({ name }) => name };
const user: UserChannel = { ask: async ({ kind }) => kind === 'confirm' };
const dispatcher = createDispatcher({
  functions: { add: { name: 'add', parameters: { type: 'object' } } },
  handlers: { add: async ({ a, b }: { a: number; b: number }, { signal }) => (signal.aborted ? null : a + b) },
  shell: toolkit,
  user,
  tracker: new ToolCallTracker({ maxRepeats: 3 }),
  escalations: new EscalationQueue(),
});
const call = { id: 'a', name: 'add', arguments: { a: 1, b: 2 } };
const [result] = await dispatcher.evalToolCalls([call]);
export const id: string | undefined = result?.call.id;
await dispatcher.evalToolCalls([{ type: 'function', id: 'b', function: { name: 'add', arguments: '{}' } }]);

// @ts-expect-error a promise is no list of calls
await dispatcher.evalToolCalls(Promise.resolve([call]));
// @ts-expect-error neither is one call
await dispatcher.evalToolCalls(call);
// @ts-expect-error a handler is a function
createDispatcher({ handlers: { add: 1 } });
// @ts-expect-error there is no such way to treat invalid calls
createDispatcher({ invalidCalls: 'ignore' });
// @ts-expect-error the option is called onResult
createDispatcher({ onResults: () => {} });
`;
  assert.equal(await compileErrors(t, { 'types.mts': source }), '');
});
