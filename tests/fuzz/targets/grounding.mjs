// Random conversations through the functions that judge replies and whole logs.
import { anyContent, anyTrajectory } from '../support/conversations.mjs';
import { expectThat } from '../support/finding.mjs';
import { keysOf, valueAt } from '../support/paths.mjs';
import { textOf } from '../support/session.mjs';

const TOOLS = JSON.stringify([
  {
    name: 'get_order',
    parameters: { properties: { id: { type: 'string' } }, required: ['id'] },
    outputSchema: { type: 'object' },
  },
  {
    name: 'send_email',
    parameters: { properties: { name: { format: 'email' } } },
    deprecated: true,
    replacedBy: 'mail',
  },
]);
const RANKS = ['low', 'medium', 'high', 'critical'];

export default { generate, run };

function generate(random) {
  return { trajectory: anyTrajectory(random), echoed: anyContent(random), forms: random.chance(0.05) };
}

function run({ trajectory, echoed, forms }, session) {
  if (!isSound(trajectory) || typeof echoed !== 'string') return;
  const text = JSON.stringify(trajectory);
  if (forms) checkForms(trajectory, session);
  checkFacts(trajectory, session.call('findUnsupportedFacts', text));
  checkVerification(trajectory, text, session);
  checkLoops(trajectory, session.call('findLoops', text));
  checkEcho(trajectory, echoed, session);
  checkReport(text, session);
  session.call('validateTrajectory', text, TOOLS, { strict: true });
}

/** One that is made smaller may lack numbers and texts. */
function isSound({ turns }) {
  return turns?.every(
    ({ turn_id, role, content }, at) => turn_id === at + 1 && role !== undefined && content !== undefined,
  );
}

function checkForms(trajectory, session) {
  session.callInAllForms('checkTrajectories', trajectory, TOOLS);
  session.callInAllForms('summarizeResultVerification', trajectory);
  session.callInAllForms('findUnsupportedFacts', trajectory);
}

/** Facts stand where they say, in the order of the replies, and only they make a score. */
function checkFacts({ turns }, { result, error }) {
  expectThat(error === undefined, 'trajectory_rejected', () => error.message);
  const contents = new Map(turns.map(({ turn_id, content }) => [turn_id, content.toWellFormed()]));
  for (const fact of result.facts) {
    const { text, turnId, start, end, confidence } = fact;
    const says = () => JSON.stringify(fact);
    expectThat(start < end && contents.get(turnId)?.slice(start, end) === text, 'fact_misplaced', says);
    checkClosest(turns, fact, says);
    expectThat(confidence >= 0 && confidence <= 1, 'confidence_out_of_range', says);
  }
  const ids = result.facts.map(({ turnId }) => turnId);
  expectThat(
    ids.every((id, at) => at === 0 || ids[at - 1] <= id),
    'facts_unordered',
    () => String(ids),
  );
  const { score } = result;
  expectThat(score >= 0 && score < 1 && score > 0 === ids.length > 0, 'score_wrong', () => JSON.stringify(result));
}

/** The nearest value stands where the fact says, as it is written there. */
function checkClosest(turns, { closest }, says) {
  if (closest?.tool === undefined) return;
  const calls = turns.flatMap(({ tool_calls = [] }) => tool_calls).filter(({ name }) => name === closest.tool);
  const keys = keysOf(closest.path ?? '');
  expectThat(keys !== undefined, 'no_path', says);
  const holders = calls.flatMap(call => [valueAt(call.result, keys), valueAt(call.error, keys), valueAt(call, keys)]);
  const texts = holders.flatMap(textsOf);
  expectThat(
    texts.some(text => text.includes(closest.value)),
    'closest_misplaced',
    says,
  );
}

/** What a value may be quoted as: its text, or of a list how many items it has. */
function textsOf(value) {
  if (typeof value === 'string') return [value.toWellFormed()];
  return [JSON.stringify(value) ?? '', ...(Array.isArray(value) ? [String(value.length)] : [])];
}

/** The sum of the results of all turns is the summary, and each result follows from its issues. */
function checkVerification({ turns }, text, session) {
  const { result: summary } = session.call('summarizeResultVerification', text);
  const results = turns
    .filter(({ tool_calls }) => tool_calls)
    .flatMap(turn => {
      const { result, error } = session.call('verifyTurnResults', JSON.stringify(turn), text);
      expectThat(error === undefined, 'turn_rejected', () => error.message);
      expectThat(result.length === turn.tool_calls.length, 'results_lost', () => JSON.stringify(result));
      return result;
    });
  expectThat(summary.totalTools === results.length, 'totals_wrong', () => JSON.stringify(summary));
  const valid = results.filter(result => result.valid).length;
  expectThat(summary.validResults === valid, 'totals_wrong', () => `${valid} valid, ${JSON.stringify(summary)}`);
  for (const result of results) {
    const bad = result.issues.some(({ type, severity }) => type === 'missing_result' || RANKS.indexOf(severity) >= 2);
    expectThat(result.valid === !bad, 'valid_wrong', () => JSON.stringify(result));
  }
}

function checkLoops({ turns }, { result }) {
  const ids = new Set(turns.map(({ turn_id }) => turn_id));
  const places = result.flatMap(({ rounds }) => rounds.flatMap(({ calls }) => calls));
  expectThat(
    places.every(({ turnId }) => ids.has(turnId)),
    'loop_misplaced',
    () => JSON.stringify(result),
  );
}

/** A reply that repeats what the user has said states nothing that nobody said. */
function checkEcho({ turns }, echoed, session) {
  const last = turns.length + 1;
  const echo = [
    { turn_id: last, role: 'user', content: echoed },
    { turn_id: last + 1, role: 'agent', content: echoed },
  ];
  const { result } = session.call('findUnsupportedFacts', JSON.stringify({ turns: [...turns, ...echo] }));
  const invented = result.facts.filter(({ turnId }) => turnId === last + 1);
  expectThat(invented.length === 0, 'echo_unsupported', () => JSON.stringify(invented));
}

/** The gate, the totals and the trajectories of a check say the same. */
function checkReport(text, session) {
  const { result, error } = session.call('checkTrajectories', text, TOOLS);
  expectThat(error === undefined, 'trajectory_rejected', () => error.message);
  const { summary, gate, trajectories } = result;
  const issues = trajectories.flatMap(({ results, resultIssues }) => [
    ...results.flatMap(({ issues }) => issues),
    ...resultIssues,
  ]);
  const says = () => `${JSON.stringify(summary)}, ${JSON.stringify(gate)}, ${issues.length} issues`;
  expectThat(summary.issues === issues.length, 'totals_wrong', says);
  const fails = issues.some(({ severity }) => RANKS.indexOf(severity) >= 2);
  expectThat(
    trajectories.every(({ passed }) => passed === !fails),
    'passed_wrong',
    says,
  );
  expectThat(gate.passed === (gate.failures.length === 0), 'gate_wrong', says);
  expectThat(!fails || !gate.passed, 'gate_wrong', says);
  const again = session.call('checkTrajectories', text, TOOLS);
  expectThat(textOf(again) === textOf({ result }), 'not_deterministic', says);
}
