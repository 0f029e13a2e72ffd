// Random options, known and unknown, right and wrong, for every function and constructor.
import { INPUTS, NAMED_INPUTS } from '../../package/support/inputs.mjs';
import { dispatch } from '../support/entry-points.mjs';
import { expectThat } from '../support/finding.mjs';
import { anyOdd, revive } from '../support/odd-values.mjs';
import { toolgauge } from '../support/package.mjs';
import { anyJson } from '../support/values.mjs';

/** How many arguments stand before the options, where the inputs do not say so. */
const BEFORE = { importExpectations: 1, verifyResult: 3, verifyTurnResults: 2, summarizeResultVerification: 1 };

/** Functions that take no options. */
const WITHOUT = ['createToolSchema'];

/** What takes options and nothing else. */
const CONSTRUCTORS = {
  ToolCorrectnessMetric: options => void new toolgauge.ToolCorrectnessMetric(options),
  ReflectionToolCallingMetric: options => void new toolgauge.ReflectionToolCallingMetric(options),
  ReflectionToolCallingMetricSyntactic: options => void new toolgauge.ReflectionToolCallingMetricSyntactic(options),
  ToolCallTracker: options => void new dispatch.ToolCallTracker(options),
  'ToolCallTracker.from': options => void dispatch.ToolCallTracker.from(options),
  createDispatcher: options => void dispatch.createDispatcher(options),
  createSupervisor: options => void dispatch.createSupervisor(options),
  openAiJudge: options => void toolgauge.openAiJudge(options),
  openAiBatchJudge: options => void toolgauge.openAiBatchJudge(options),
};
const SYNCHRONOUS = Object.keys(INPUTS).filter(name => !WITHOUT.includes(name));
const NAMES = [...SYNCHRONOUS, 'checkToolCall', 'repairToolCallSync', ...Object.keys(CONSTRUCTORS)];

/** Values that are right for one option or another. */
const RIGHT = [
  true,
  false,
  0,
  0.5,
  1,
  2,
  100,
  'harness',
  'openai-chat',
  'high',
  'never',
  'any',
  'strict',
  'pretty',
  'html',
];
const RIGHT_LISTS = [[], ['f'], ['input_parameters'], [{ type: 'tool_misuse', reason: 'known' }], [{ tool: 'f' }]];
const RIGHT_OBJECTS = [
  {},
  { maxDepth: 10 },
  { maxInputBytes: 1e6 },
  { tool_misuse: 'off' },
  { '*': 'superset' },
  { 'urn:a': {} },
];

const KEYS =
  'nothing nothing limits format from strict allowUnknownTools validateSchemas checkResultUsage detectHallucination hallucinationThreshold minScore baselineScore failOn allowEmpty rules ignore as color width source order matchers forbidden comparators threshold evaluationParams shouldExactMatch shouldConsiderOrdering strictMode provider schemas tools maxRepeats chainLength recorded calls repeats judges minConfidence metrics maxConcurrency form model apiKey baseUrl functions handlers agents tracker onLoop invalidCalls concurrency timeoutMs depth todo aggregationMethod timeout maxRetries availableTools'.split(
    ' ',
  );
const LIMITS = ['maxInputBytes', 'maxDepth', 'maxIssuesPerCall', 'maxSchemaVisits', 'maxNothing'];

export default { generate, run };

function generate(random) {
  const name = random.pick(NAMES);
  return { name, options: random.chance(0.1) ? anyValue(random) : anyOptions(random) };
}

function anyOptions(random) {
  return Object.fromEntries(random.list(1, 3, () => [random.pick(KEYS), anyValue(random)]));
}

function anyValue(random) {
  return random.pick([
    () => random.pick(RIGHT),
    () => random.pick(RIGHT_LISTS),
    () => random.pick(RIGHT_OBJECTS),
    () =>
      Object.fromEntries(random.list(1, 2, () => [random.pick(LIMITS), random.pick([0, 1, -1, 1.5, 1e9, '5', null])])),
    () => anyOdd(random),
    () => anyJson(random),
    () => ({ [random.pick(KEYS)]: anyOdd(random) }),
  ])();
}

function run({ name, options }, session) {
  if (!NAMES.includes(name)) return;
  const { call, isPlain } = callOf(name, options);
  const { error } = session.run(`${name} ${JSON.stringify(options)?.slice(0, 200)}`, call);
  expectThat(error === undefined || error.message.length < 2_000, 'message_too_long', () =>
    error.message.slice(0, 200),
  );
  expectThat(
    !isPlain || !namesNothing(options) || error !== undefined,
    'unknown_option_taken',
    () => `${name}: ${JSON.stringify(options)}`,
  );
}

function callOf(name, options) {
  const value = revive(options);
  if (name in CONSTRUCTORS) return { call: () => CONSTRUCTORS[name](value) };
  if (name in NAMED_INPUTS) return { call: () => toolgauge[name]({ ...NAMED_INPUTS[name], limits: value }) };
  // The input of this one is an object that holds its options, which are then the only ones.
  const isPlain = name !== 'scoreToolCalls';
  return { call: () => toolgauge[name](...argumentsOf(name), value), isPlain };
}

/** The inputs that go before the options. */
function argumentsOf(name) {
  const inputs = INPUTS[name];
  const count = BEFORE[name] ?? inputs.length;
  return Array.from({ length: count }, (_, at) => inputs[at]);
}

/** Whether there is an option that no function has: it would be without effect. */
function namesNothing(options) {
  const isRecord = typeof options === 'object' && options !== null;
  return isRecord && 'nothing' in options && options.nothing?.$odd !== 'undefined';
}
