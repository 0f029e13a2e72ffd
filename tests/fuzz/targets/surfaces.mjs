// Random logs through everything that checks them: all surfaces show the same issues, totals and verdict.
import { anyTrajectory } from '../support/conversations.mjs';
import { expectThat } from '../support/finding.mjs';
import { toolgauge } from '../support/package.mjs';

const TOOLS = JSON.stringify([
  { name: 'get_order', parameters: { properties: { id: { type: 'string' } }, required: ['id'] } },
  {
    name: 'search_flights',
    parameters: { properties: { count: { type: 'integer' } } },
    outputSchema: { type: 'array' },
  },
]);

export default { generate, run };

function generate(random) {
  return {
    trajectories: random.list(1, 3, () => anyTrajectory(random)),
    options: {
      ...(random.chance(0.3) ? { failOn: random.pick(['low', 'medium', 'critical', 'never']) } : {}),
      ...(random.chance(0.2) ? { minScore: random.pick([0, 0.5, 1]) } : {}),
      ...(random.chance(0.2)
        ? { rules: { [random.pick(['unknown_tool', 'missing_result'])]: random.pick(['off', 'critical']) } }
        : {}),
      ...(random.chance(0.2) ? { ignore: [{ type: 'missing_result', tool: 'get*', reason: 'known' }] } : {}),
      ...(random.chance(0.2) ? { strict: true } : {}),
      ...(random.chance(0.2) ? { allowEmpty: true } : {}),
    },
  };
}

async function run({ trajectories, options }, session) {
  if (!trajectories.every(isSound)) return;
  const whole = checked(trajectories, options, session);
  const says = () => `${JSON.stringify(whole.summary)}, ${JSON.stringify(whole.gate)}`;
  checkJson(trajectories, options, whole, session);
  checkSum(trajectories, options, whole, session);
  await checkLines(trajectories, options, whole, session);
  expectThat(whole.trajectories.length === trajectories.length, 'trajectories_lost', says);
}

function isSound({ turns }) {
  return turns?.every(
    ({ turn_id, role, content }, at) => turn_id === at + 1 && role !== undefined && content !== undefined,
  );
}

function checked(document, options, session) {
  const { result, error } = session.call('checkTrajectories', JSON.stringify(document), TOOLS, options);
  expectThat(error === undefined, 'log_rejected', () => error.message);
  return result;
}

/** The report as JSON holds the same trajectories, totals and gate. */
function checkJson(trajectories, options, whole, session) {
  const text = JSON.stringify(trajectories);
  const { result } = session.call('reportTrajectories', text, TOOLS, { ...options, as: 'json' });
  const { results, summary, gate } = JSON.parse(result.text);
  expectSame('summary', summary, whole.summary);
  expectSame('gate', gate, whole.gate);
  expectSame('gate', result.gate, whole.gate);
  expectSame('issues', results.map(issuesOf), whole.trajectories.map(issuesOf));
}

/** The totals of the parts are those of the whole, but for the number of documents. */
function checkSum(trajectories, options, whole, session) {
  const parts = trajectories.map(one => checked([one], options, session).summary);
  const { result } = session.call('mergeSummaries', ...parts.reverse());
  expectSame('summary', { ...result, documents: 1 }, whole.summary);
}

/** Lines are checked as a list is. */
async function checkLines(trajectories, options, whole, session) {
  const lines = trajectories.map(one => JSON.stringify(one));
  const check = toolgauge.checkLines(lines, TOOLS, options);
  const { result, error } = await session.runLater('checkLines', () => Array.fromAsync?.(check) ?? collect(check));
  expectThat(error === undefined, 'lines_rejected', () => error.message);
  expectSame('issues', result.map(issuesOf), whole.trajectories.map(issuesOf));
  expectSame('summary', { ...check.summary, documents: 1 }, whole.summary);
  expectSame('gate', check.gate, whole.gate);
}

async function collect(items) {
  const collected = [];
  for await (const item of items) collected.push(item);
  return collected;
}

function issuesOf({ results = [], resultIssues = [] }) {
  return [...results.flatMap(({ issues }) => issues), ...resultIssues].map(
    ({ type, severity, description, turnId }) => [type, severity, description, turnId],
  );
}

function expectSame(what, given, expected) {
  const [a, b] = [given, expected].map(value => JSON.stringify(sorted(value)));
  expectThat(a === b, `${what}_differ`, () => `${a}, and ${b}`);
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
}
