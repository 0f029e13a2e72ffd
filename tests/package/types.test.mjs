import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { forms } from './support/assertions.mjs';
import { consumer, folderIn, fromConsumer, runTool, TESTS } from './support/consumer.mjs';
import {
  ACTUAL,
  BOOK,
  CALL,
  EXPECTED,
  INPUTS,
  MESSAGES,
  NAMED_INPUTS,
  OUTCOMES,
  ROLLOUT,
  TEST_CASE,
  TOOLS,
  TRAJECTORY,
  VERIFICATIONS,
} from './support/inputs.mjs';
import { mutations } from './support/mutations.mjs';
import { providerCalls } from './support/provider-calls.mjs';
import { always, FINE, WRONG as OBJECTION } from './support/scripted-judges.mjs';
import { RIGHT as ARGUMENTS, FORECAST, forecast } from './support/tool-calls.mjs';

const toolgauge = await fromConsumer('toolgauge');

/** What each function is declared to return, less what JSON does not show. */
const RETURNS = {
  checkTrajectories: 'CheckReport',
  createToolSchema: 'ToolSchema',
  detectFormat: 'DetectedFormat | null',
  diffRuns: 'RunDiff',
  explainIssues: 'IssueExplanation[]',
  exportTrajectory: 'Exported[ExportFormat]',
  findLoops: 'Loop[]',
  findUnsupportedFacts: 'UnsupportedFacts',
  importExpectations: 'Imported<Expectations, ExpectationFormat>',
  importTools: 'Imported<Record<string, ToolSchema>, ToolFormat>',
  importTrajectories: 'Imported<Trajectory[], TrajectoryFormat>',
  importTrajectory: 'Imported<Trajectory, TrajectoryFormat>',
  lintTools: 'LintResult',
  measureCorrectness: 'CorrectnessResult',
  measureTrials: 'MeasuredTrials',
  reportCallLists: "Report<Omit<AccuracyResult, 'breakdown'>>",
  reportToolLint: 'Report<LintResult>',
  reportTrajectories: 'Report<CheckSummary>',
  reportTrajectoryScores: 'Report<ScoreReport>',
  scoreToolCalls: "Omit<AccuracyResult, 'breakdown'>",
  scoreTrajectories: 'ScoreReport',
  summarizeResultVerification: 'VerificationSummary',
  validateSchema: 'SchemaValidationResult',
  validateToolCall: 'ValidationResult',
  validateTrajectory: 'ValidationResult[]',
  validateTurn: 'ValidationResult',
  verifyResult: 'ResultVerificationResult',
  verifyTurnResults: 'ResultVerificationResult[]',
};

/** The same of the functions that check calls before they run, some of which are promises. */
const REFLECTION_RETURNS = {
  checkToolCall: 'ToolCallCheck',
  reflectToolCall: 'ToolCallReflection',
  repairToolCall: 'ToolCallRepair',
  repairToolCallSync: 'ToolCallRepair',
};

/** And of `reduce`. */
const SCORES = {
  ReflectionToolCallingMetric: 'ReflectionScores',
  ReflectionToolCallingMetricSyntactic: 'StaticScores',
};

const TYPES = ['AccuracyResult', 'CheckReport', 'CheckSummary', 'DetectedFormat', 'ErrorCode', 'Imported', 'Report'];
TYPES.push('SchemaIssueType', 'SchemaValidationResult', 'ScoreReport', 'ToolFormat', 'ToolSchema', 'ToolUseIssueType');
TYPES.push('Trajectory', 'TrajectoryFormat', 'ValidationResult', 'FailOn', 'Severity', 'DifferenceKind', 'Role');
TYPES.push('Exported', 'ExportFormat', 'ResultIssueType', 'ResultVerificationResult', 'VerificationSummary');
TYPES.push(
  'CallOrder',
  'CorrectnessMode',
  'CorrectnessResult',
  'ExpectationFormat',
  'Expectations',
  'IssueExplanation',
  'LintResult',
  'MeasuredTrials',
  'Loop',
  'MismatchReason',
  'ParameterMetricName',
  'ReflectionForm',
  'ReflectionScores',
  'RepairChangeKind',
  'RepairStatus',
  'RunDiff',
  'SemanticMetricName',
  'StaticCheckName',
  'StaticScores',
  'ToolCallCheck',
  'ToolCallReflection',
  'ToolCallRepair',
  'UnsupportedFacts',
);
const IMPORT = `import type { ${TYPES.join(', ')} } from 'toolgauge';\n`;

const TOOL_INPUTS = [
  [{ type: 'function', function: { name: 'f', description: 'F', parameters: BOOK.parameters } }],
  [{ name: 'f', input_schema: { type: 'object' } }],
  { tools: [{ name: 'f', title: 'F', inputSchema: true, outputSchema: { type: 'string' } }] },
  { old: { name: 'old', parameters: {}, deprecated: true, replacedBy: 'gone', owner: null } },
];

/** Tools with much that misleads models. */
const MISLEADING = [
  { name: 'get.user', parameters: { type: 'object', properties: { a: {}, b: { enum: [] } }, required: ['c'] } },
  { name: 'get_users', description: 'get users', parameters: { type: 'string', minLength: 3, maxLength: 1 } },
  { name: 'get_user', description: 'x'.repeat(2000), parameters: { properties: { a: { type: 'int', default: 'x' } } } },
];

/** Trajectories and tools in every format that is read, as bytes. */
const FILES = [...filesIn('formats'), ...filesIn('tools')];

function filesIn(folder) {
  const path = join(TESTS, '../fixtures', folder);
  const files = readdirSync(path, { recursive: true }).filter(file => /\.jsonl?$/.test(file));
  return files.map(file => readFileSync(join(path, file)));
}

/** Expectations with every kind of member. */
const EXPECTATIONS = {
  $schema: 'expectations.schema.json',
  calls: [
    ...EXPECTED,
    { anyOf: ['list_tables', { tool: 'list_rooms', args: {} }], optional: true, times: { max: 2 } },
    { tool: 'pay', args: {}, matchers: { amount: { tolerance: 0.5, label: 'about 5' } }, times: 1 },
  ],
  forbidden: ['cancel', { tool: 'book_table', args: { guests: 3 } }],
  order: 'sequence',
  matchers: { '*': 'superset', pay: { note: 'ignore' } },
};

/** Calls with every kind of issue. */
/** A call in the first turn of two. */
const EARLY = {
  turns: [
    { role: 'user', content: 'a' },
    { role: 'agent', content: '', tool_calls: [{ name: 'f' }] },
    { role: 'user', content: 'b' },
  ],
};

const CALLS = [
  CALL,
  { arguments: {} },
  { name: 'book_table' },
  { name: 'book_tabel', arguments: {}, error: 'Unknown tool: book_tabel' },
  { name: 'old', arguments: {}, result: 1 },
  { name: 'book_table', rawArguments: '{"guests": ', result: 1 },
  { name: 'book_table', arguments: { guests: Number.NaN, mail: 'x', wishes: [{}], areas: 1 }, result: 1 },
  { name: 'book_table', arguments: { a: 1, b: 2, c: 3 }, result: 1 },
];

const INVENTED = [{ turn_id: 2, role: 'agent', content: 'It is R7654322, at $5 on 2024-05-16.' }];

/** A tool whose results would be others than those of the verifications. */
const DECLARED = {
  find_order: {
    name: 'find_order',
    parameters: {},
    outputSchema: { properties: { order: { type: 'integer' } }, required: ['state'] },
  },
};

/** Turns in which a call, a failing call, one with an id and a chain of calls are repeated. */
const LOOPS = [
  [{ name: 'find', arguments: { q: 'a' }, result: { hits: 1, _note: 'first' } }],
  [{ id: 'c1', name: 'find', error: 'no such table' }],
  [
    { name: 'find', arguments: { q: 'a' }, result: 'Oslo' },
    { name: 'get', arguments: { q: [1, null] }, result: [7] },
  ],
].map(calls =>
  [1, 2, 3].map(turn_id => ({ turn_id, role: 'agent', content: '', tool_calls: calls.map(again(turn_id)) })),
);

/** The same call with the same result, but for what says how the result was made. */
function again(round) {
  return call => (call.result?._note ? { ...call, result: { ...call.result, _note: `round ${round}` } } : call);
}

/** A reply that claims what no call did. */
const CLAIM = [
  { turn_id: 1, role: 'user', content: 'Cancel my order A-1017, please.' },
  {
    turn_id: 2,
    role: 'agent',
    content: '',
    tool_calls: [{ name: 'get_order', arguments: { order_id: 'A-1017' }, result: { state: 'open' } }],
  },
  { turn_id: 3, role: 'agent', content: 'I have cancelled your order A-1017.' },
];

const ORDERS = [
  { id: 'A-1017', total: 59.8 },
  { id: 'A-1020', total: 24.9 },
];

/** The agent gives an order the total of another one. */
const MIXED_UP = [
  { turn_id: 1, role: 'user', content: 'What do my two orders cost?' },
  {
    turn_id: 2,
    role: 'agent',
    content: '',
    tool_calls: [{ name: 'list_orders', arguments: {}, result: ORDERS }],
  },
  { turn_id: 3, role: 'agent', content: 'Order A-1017 cost 24.90 euros. Order A-1020 cost 24.90 euros.' },
];

/** The agent writes a call into its reply. */
const LEAKED = [
  { turn_id: 1, role: 'user', content: 'Which tables are free?' },
  { turn_id: 2, role: 'agent', content: '[TOOL_CALLS]list_tables[ARGS]{}' },
];

/** Arguments for each function beside the usual ones. */
const MORE = {
  checkTrajectories: [
    [MESSAGES.slice(0, 1)],
    [readFixture('faulty'), readFixture('tools'), { minScore: 1, failOn: 'low' }],
    [ROLLOUT],
    [{ turns: [VERIFICATIONS.unused_result[1]] }, DECLARED],
    [{ turns: CLAIM }],
    [{ turns: MIXED_UP }],
    [{ turns: LEAKED }],
  ],
  createToolSchema: [...TOOL_INPUTS, BOOK.parameters, true].map(schema => ['f', schema, 'F']),
  detectFormat: [...TOOL_INPUTS, TRAJECTORY, ROLLOUT, { hello: 1 }, ...FILES].map(input => [input]),
  exportTrajectory: ['openai-chat', 'ai-sdk-model', 'atif'].flatMap(format =>
    [TRAJECTORY, MESSAGES, { turns: [...Object.values(VERIFICATIONS).map(([, turn]) => turn)], tools: [] }].map(
      input => [input, { format }],
    ),
  ),
  findLoops: LOOPS.map(turns => [{ turns }]),
  findUnsupportedFacts: [
    ...Object.values(VERIFICATIONS).map(([, turn]) => [{ turns: [turn] }]),
    [{ turns: [{ turn_id: 1, role: 'user', content: 'R7654321?' }, ...INVENTED] }],
    [{ turns: INVENTED }],
  ],
  importExpectations: [
    [EXPECTED],
    [ROLLOUT],
    [EXPECTATIONS],
    [{ ground_truth: [{ f: { a: [{ x: [1] }, { y: [2] }], b: ['', 3] } }, { g: {} }] }],
  ],
  importTools: [...TOOL_INPUTS, ...filesIn('tools')].map(tools => [tools]),
  importTrajectory: [[TRAJECTORY], [ROLLOUT], [{ ...TRAJECTORY, tools: TOOLS, extra: [null] }]],
  importTrajectories: [[readFixture('rollouts')], [readFixture('clean')]],
  lintTools: [...TOOL_INPUTS, ...filesIn('tools'), MISLEADING].map(tools => [tools, { provider: 'all' }]),
  reportToolLint: [...TOOL_INPUTS, MISLEADING].map(tools => [tools, { failOn: 'low' }]),
  measureTrials: [[OUTCOMES], [OUTCOMES.slice(2)], [[], { minPassRate: 0.5 }]],
  measureCorrectness: [
    { shouldExactMatch: true, includeReason: false },
    { shouldConsiderOrdering: true, strictMode: true },
    { evaluationParams: ['input_parameters', 'output'], threshold: 1 },
  ].map(options => [TEST_CASE, options]),
  reportCallLists: [
    [EXPECTED, [...ACTUAL, ...EXPECTED]],
    [EXPECTATIONS, ACTUAL],
    [EXPECTED, EXPECTED, { minScore: 1 }],
  ],
  scoreToolCalls: [
    { expected: EXPECTED, actual: [] },
    { expected: [], actual: ACTUAL },
    { expected: EXPECTATIONS, actual: [...ACTUAL, ...EXPECTED, { tool: 'list_tables', args: {} }] },
    { expected: [...EXPECTED, 'list_tables'], actual: [{ tool: 'list_tables' }, ...EXPECTED], order: 'sequence' },
    {
      expected: { calls: [{ tool: 'f', result: 1 }], matchers: { g: 'ignore' }, states: ['$5'], thresholds: { f: 1 } },
      actual: [{ tool: 'f', result: 2 }],
    },
    { expected: { turns: [{ calls: [] }, { calls: ['f'] }] }, actual: EARLY },
  ].map(input => [input]),
  scoreTrajectories: [[readFixture('rollouts'), { minScore: 1 }]],
  validateSchema: CALLS.map(call => [call, BOOK, { limits: { maxIssuesPerCall: 2 } }]),
  validateToolCall: CALLS.map(call => [call, { ...TOOLS, ...TOOL_INPUTS[3] }, { limits: { maxIssuesPerCall: 3 } }]),
  summarizeResultVerification: Object.values(VERIFICATIONS).map(([, turn]) => [{ turns: [turn] }]),
  verifyResult: [
    ...Object.values(VERIFICATIONS),
    [...VERIFICATIONS.unused_result, undefined, { tools: DECLARED, limits: { maxIssuesPerCall: 1 } }],
  ],
  verifyTurnResults: Object.values(VERIFICATIONS).map(([, turn]) => [turn]),
};

function readFixture(name) {
  return JSON.parse(readFileSync(join(TESTS, `fixtures/${name}.json`), 'utf8'));
}

/** Real results by function, one of each shape: of valid inputs, of special ones, and of broken ones. */
const RESULTS = Object.fromEntries(Object.keys(RETURNS).map(name => [name, resultsOf(name)]));

function resultsOf(name) {
  const usual = INPUTS[name] ?? ['f', BOOK.parameters];
  const broken = usual.flatMap((value, at) => [...mutations(value)].map(([, mutation]) => usual.with(at, mutation)));
  const results = [usual, ...(MORE[name] ?? []), ...broken].flatMap(given => attempt(() => toolgauge[name](...given)));
  const typed = name === 'importTools' ? results.filter(({ value }) => compiles(value)) : results;
  return [...new Map(typed.map(result => [shapeOf(result), result])).values()];
}

/** Calls that are right, wrong in every way, or can be repaired, as every provider writes them. */
const CALLS_BEFORE = [
  ...CALLS.map(toolCall => ({ tools: TOOLS, toolCall })),
  ...[ARGUMENTS, { ...ARGUMENTS, days: '3' }, { wind: 1 }].flatMap(args =>
    Object.values(providerCalls('get_forecast', args)).map(toolCall => ({ tools: [FORECAST], toolCall })),
  ),
  ...[
    { ...ARGUMENTS, area: '{"zip": "0150"}', hourly: null, wind: 1 },
    { City: 'Oslo' },
    { arguments: ARGUMENTS },
    "{'city': 'Oslo'}",
  ].map(args => ({ tools: [FORECAST], toolCall: forecast(args) })),
  { tools: [FORECAST], toolCall: { name: 'getForecast', arguments: ARGUMENTS } },
  { tools: [], toolCall: CALL },
  { tools: TOOLS, toolCall: null },
];

/** Judges who find nothing wrong, much wrong, or nothing at all, and other ways to ask them. */
const CORRECTING = { ...OBJECTION, correction: { arguments: { ...ARGUMENTS, days: 3 }, missing: ['Ask.'] } };
const JUDGED = [
  { judges: [always(FINE)] },
  { judges: [always(CORRECTING)], parameterMetrics: ['parameter_hallucination_check'] },
  { judges: [always({ ...OBJECTION, correction: { recommendations: ['Say so.'] } })], form: 'full' },
  { judges: [always({ ...OBJECTION, confidence: 0 }), always(FINE)] },
  { judges: [always('nonsense')], maxRetries: 0 },
  { judges: [always(Object.assign(new Error('closed'), { status: 403, retryable: false }))] },
  { judges: [always(FINE)], metrics: ['agentic_constraints_satisfaction'], continueOnStatic: true },
  { conversation: 'Cancel W1234567.' },
  { conversation: MESSAGES },
];

const REFLECTION_RESULTS = Object.fromEntries(
  await Promise.all(Object.keys(REFLECTION_RETURNS).map(async name => [name, await reflectionResultsOf(name)])),
);

/** Real results of one function that checks calls before they run, one of each shape. */
async function reflectionResultsOf(name) {
  const usual = NAMED_INPUTS[name];
  const inputs = [...CALLS_BEFORE, ...[...mutations(usual)].map(([, mutation]) => mutation)];
  const judged = CALLS_BEFORE.flatMap(input => JUDGED.map(options => ({ ...input, ...options })));
  const isJudging = name === 'reflectToolCall' || name === 'repairToolCall';
  const all = isJudging ? [...inputs, ...judged] : inputs;
  const results = await Promise.all(all.map(async input => attemptLater(async () => toolgauge[name](input))));
  return [...new Map(results.flat().map(result => [shapeOf(result), result])).values()];
}

async function attemptLater(body) {
  try {
    return [JSON.parse(JSON.stringify(await body()))];
  } catch {
    return [];
  }
}

/** Tools are imported with the schemas that they have; the types speak of those that are JSON Schema. */
function compiles(tools) {
  return attempt(() => toolgauge.compileTools(tools).names).length === 1;
}

function attempt(body) {
  try {
    return [JSON.parse(JSON.stringify(body()))];
  } catch {
    return [];
  }
}

/** The shape of a value: the same for values that no type could distinguish. */
function shapeOf(value) {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].sort()}]`;
  if (typeof value === 'string' && /^[a-z_-]+(2[a-z]*)?$/.test(value)) return value;
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return `{${Object.entries(value).map(([key, member]) => `${key}:${shapeOf(member)}`)}}`;
}

async function compile(t, files) {
  const folder = folderIn(consumer, t, files);
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', '--target', 'es2022'];
  const modules = ['--module', 'node16', '--lib', 'es2023,dom,esnext.disposable', '--types', ''];
  const { stdout } = await runTool('tsc', [...strict, ...modules, ...Object.keys(files)], { cwd: folder });
  return stdout;
}

suite('what a function returns has the declared type, no property more and none less', () => {
  for (const [name, type] of Object.entries(RETURNS)) {
    test(name, async t => {
      const results = RESULTS[name];
      assert.ok(results.length > 2 || name === 'explainIssues', `only ${results.length} results`);
      await assertTyped(t, type, results);
    });
  }

  for (const [name, type] of Object.entries(REFLECTION_RETURNS)) {
    test(name, async t => {
      const results = REFLECTION_RESULTS[name];
      assert.ok(results.length > 10, `only ${results.length} results`);
      await assertTyped(t, type, results);
    });
  }

  for (const [name, type] of Object.entries(SCORES)) {
    test(`${name}.reduce`, async t => {
      const metric = new toolgauge[name]();
      const isSyntactic = name === 'ReflectionToolCallingMetricSyntactic';
      const mapped = REFLECTION_RESULTS[isSyntactic ? 'checkToolCall' : 'reflectToolCall'];
      await assertTyped(t, type, [
        metric.reduce([]),
        metric.reduce(mapped),
        ...mapped.map(one => metric.reduce([one])),
      ]);
    });
  }

  /** Literals of these results have the type. A literal may have no property that its type does not declare. */
  async function assertTyped(t, type, results) {
    const literals = results.map((result, at) => `export const x${at}: ${type} = ${JSON.stringify(result)};`);
    assert.equal(await compile(t, { 'results.mts': IMPORT + literals.join('\n') }), '');
  }

  test('for every function', () => {
    const functions = Object.keys(toolgauge).filter(name => !/^[A-Z]/.test(name));
    // Those with judges: see judges.test.mjs.
    const judging = ['openAiBatchJudge', 'openAiJudge', 'runJudgeBatch', 'runJudges', 'toolChoiceRequest'];
    // And judged-score.test.mjs.
    judging.push('openQuestions', 'scoreToolCallsAsync', 'scoreTrajectoriesAsync', 'valueRequest');
    // Those for lines: see batch.test.mjs.
    const batch = ['checkLines', 'mergeSummaries'];
    // Those that word questions: see reflection-prompts.test.mjs.
    const requests = ['parameterRequest', 'reflectionRequest'];
    // That of cli-diff.test.mjs.
    const runs = ['reportRunDiff'];
    // What toolgauge/dispatch takes from the core.
    const internal = ['dispatchCore', 'visible'];
    const others = ['compileTools', 'version', ...internal, ...batch, ...runs, ...judging, ...requests];
    const returning = [...Object.keys(RETURNS), ...Object.keys(REFLECTION_RETURNS)];
    assert.deepEqual(functions.sort(), [...returning, ...others].sort());
  });

  test('and the compiler would notice a property more, a property less and another value', async t => {
    const [result] = RESULTS.validateToolCall;
    const wrong = [
      { ...result, more: 1 },
      { ...result, score: undefined },
      { ...result, valid: 'yes' },
    ];
    const literals = wrong.map((value, at) => `export const x${at}: ValidationResult = ${JSON.stringify(value)};`);
    const errors = await compile(t, { 'wrong.mts': IMPORT + literals.join('\n') });
    assert.equal(errors.match(/error TS/g)?.length, wrong.length, errors);
  });
});

suite('the declared unions hold what occurs and nothing else', () => {
  // What is exported has the words of its own format.
  const everywhere = JSON.stringify({ ...RESULTS, exportTrajectory: [] });
  const valuesOf = key =>
    new Set([...everywhere.matchAll(new RegExp(`"${key}":"([a-z_-]+)"`, 'g'))].map(([, value]) => value));
  const issueTypes = name => new Set(RESULTS[name].flat().flatMap(({ issues }) => issues.map(({ type }) => type)));

  const sameAs = async (t, type, values) => {
    const record = JSON.stringify(Object.fromEntries([...values].map(value => [value, true])));
    assert.equal(
      await compile(t, { 'union.mts': `${IMPORT}export const all: Record<${type}, true> = ${record};` }),
      '',
    );
  };

  test('ToolUseIssueType, but for those that judge the answer', async t => {
    const later = ['tool_misuse', 'result_unused', 'hallucinated_result'];
    await sameAs(t, 'ToolUseIssueType', [...issueTypes('validateToolCall'), ...later]);
  });

  test('SchemaIssueType', async t => {
    await sameAs(t, 'SchemaIssueType', issueTypes('validateSchema'));
  });

  test('ResultIssueType', async t => {
    const checked = RESULTS.checkTrajectories.flatMap(({ trajectories }) =>
      trajectories.flatMap(({ resultIssues }) => resultIssues.map(({ type }) => type)),
    );
    await sameAs(t, 'ResultIssueType', new Set([...issueTypes('verifyResult'), ...checked]));
  });

  test('DifferenceKind', async t => {
    const { incorrectCalls } = toolgauge.scoreToolCalls({
      expected: [{ tool: 'f', args: { a: 1, b: 1 } }],
      actual: [{ tool: 'f', args: { a: 2, c: 1 } }],
    });
    await sameAs(
      t,
      'DifferenceKind',
      incorrectCalls[0].differences.map(({ kind }) => kind),
    );
  });

  test('MismatchReason', async t => {
    const reasons = [...JSON.stringify(RESULTS.scoreToolCalls).matchAll(/"reason":"([a-z]+)"/g)];
    await sameAs(
      t,
      'MismatchReason',
      reasons.map(([, reason]) => reason),
    );
  });

  test('CorrectnessMode', async t => {
    await sameAs(
      t,
      'CorrectnessMode',
      RESULTS.measureCorrectness.map(({ mode }) => mode),
    );
  });

  test('ExpectationFormat', async t => {
    await sameAs(
      t,
      'ExpectationFormat',
      RESULTS.importExpectations.map(({ format }) => format),
    );
  });

  test('CallOrder, of which every value is taken', async t => {
    const orders = ['any', 'sequence', 'strict'];
    for (const order of orders) toolgauge.scoreToolCalls({ expected: EXPECTED, actual: ACTUAL, order });
    await sameAs(t, 'CallOrder', orders);
  });

  test('TrajectoryFormat and ToolFormat', async t => {
    const formats = kind => RESULTS.detectFormat.filter(found => found?.kind === kind).map(({ format }) => format);
    await sameAs(t, 'TrajectoryFormat', formats('trajectory'));
    const imported = RESULTS.importTools.map(({ format }) => format);
    await sameAs(t, 'ToolFormat', [...formats('tools'), ...imported]);
  });

  test('Role', async t => {
    const turns = ['user', 'agent', 'system'].map((role, at) => ({ turn_id: at, role, content: '' }));
    assert.deepEqual(toolgauge.importTrajectory({ turns }).value.turns, turns);
    await sameAs(t, 'Role', valuesOf('role').add('system').add('agent').add('user'));
  });

  test('FailOn, of which every value is taken', async t => {
    const values = ['low', 'medium', 'high', 'critical', 'never'];
    for (const failOn of values) toolgauge.checkTrajectories(TRAJECTORY, TOOLS, { failOn });
    await sameAs(t, 'FailOn', values);
  });

  test('StaticCheckName', async t => {
    await sameAs(t, 'StaticCheckName', Object.keys(REFLECTION_RESULTS.checkToolCall[0].metrics));
  });

  test('RepairStatus and RepairChangeKind', async t => {
    const repairs = REFLECTION_RESULTS.repairToolCall;
    await sameAs(t, 'RepairStatus', new Set(repairs.map(({ status }) => status)));
    const kinds = repairs.flatMap(({ changes }) => changes.map(({ kind }) => kind));
    await sameAs(t, 'RepairChangeKind', new Set(kinds));
  });

  test('ReflectionForm, SemanticMetricName and ParameterMetricName, of which every value is taken', async t => {
    const forms = ['runtime', 'full'];
    for (const form of forms) new toolgauge.ReflectionToolCallingMetric({ form });
    await sameAs(t, 'ReflectionForm', forms);
    const [{ semantic }] = REFLECTION_RESULTS.reflectToolCall.filter(found => found.semantic?.general);
    const metrics = [semantic.general, semantic.function_selection].flatMap(({ metrics }) => Object.keys(metrics));
    new toolgauge.ReflectionToolCallingMetric({ metrics });
    await sameAs(t, 'SemanticMetricName', metrics);
    const parameterMetrics = ['parameter_hallucination_check', 'parameter_value_format_alignment'];
    new toolgauge.ReflectionToolCallingMetric({ parameterMetrics });
    await sameAs(t, 'ParameterMetricName', parameterMetrics);
  });

  test('ErrorCode, of which every value occurs', async t => {
    const { text } = forms(CALL);
    const provoked = [
      () => toolgauge.validateToolCall('{'),
      () => toolgauge.validateToolCall(5),
      () => toolgauge.validateToolCall(text, TOOLS, { nope: 1 }),
      () => toolgauge.validateToolCall(text, { f: { name: 'f', parameters: { type: 'nope' } } }),
      () => toolgauge.importTrajectory({ hello: 1 }),
      () => toolgauge.validateToolCall(text, TOOLS, { limits: { maxInputBytes: 1 } }),
      () => toolgauge.validateToolCall(1n),
    ].map(codeOf);
    // A page whose policy forbids WebAssembly shows `internal`; see browser.test.mjs. The others are those of judges.test.mjs.
    const judging = ['judge_failed', 'judge_answer_invalid', 'batch_unfinished', 'aborted'];
    await sameAs(t, 'ErrorCode', [...provoked, ...judging, 'internal']);
  });

  test('ErrorCode, also where the documentation speaks of errors', async t => {
    const folder = join(consumer, 'node_modules/toolgauge/dist/esm');
    const declarations = readdirSync(folder).filter(file => file.endsWith('.d.ts'));
    const texts = declarations.map(file => readFileSync(join(folder, file), 'utf8').replaceAll(/\n\s*\*/g, ''));
    const sentences = texts.flatMap(text => text.match(/Throws [^.]*\./g) ?? []);
    const codes = sentences.flatMap(sentence => [...sentence.matchAll(/`([a-z]+_[a-z]+)`/g)].map(([, code]) => code));
    assert.ok(codes.length > 5);
    const uses = [...new Set(codes)].map((code, at) => `export const x${at}: ErrorCode = '${code}';`);
    assert.equal(await compile(t, { 'documented.mts': IMPORT + uses.join('\n') }), '');
  });

  function codeOf(body) {
    try {
      body();
    } catch (error) {
      return error.code;
    }
    return 'no error';
  }
});

suite('the compiler', () => {
  test('takes what users have', async t => {
    assert.equal(await compile(t, { 'right.mts': RIGHT }), '');
  });

  test('takes calls and conversations as the types of providers have them', async t => {
    assert.equal(await compile(t, { 'providers.mts': PROVIDER_TYPES }), '');
  });

  test('refuses promises of what is wanted', async t => {
    assert.equal(await compile(t, { 'promised.mts': PROMISED }), '');
  });

  test('refuses wrong names and values', async t => {
    assert.equal(await compile(t, { 'wrong.mts': WRONG }), '');
  });
});

const RIGHT = `
import {
  checkTrajectories, compileTools, createToolSchema, importTools, importTrajectory, scoreToolCalls, ToolgaugeError,
  summarizeResultVerification, validateSchema, validateToolCall, validateTrajectory, validateTurn, verifyResult,
  verifyTurnResults, type ToolCall, type Trajectory, type VerifyOptions,
} from 'toolgauge';
import { toolCallAccuracyScoreTool } from 'toolgauge/ai-sdk';
import { generateText, tool, type LanguageModel } from 'ai';
import { z } from 'zod';

interface Arguments { city: string; days?: number }
interface Call { name: string; arguments: Arguments; result: { celsius: number } }
const call: Call = { name: 'weather', arguments: { city: 'Oslo' }, result: { celsius: 3 } };
const shape = z.object({ city: z.string() });
const schema = createToolSchema('weather', shape, 'Says the weather');

validateToolCall(call, schema);
validateToolCall(JSON.stringify(call), { weather: shape });
validateToolCall(new TextEncoder().encode('{}'), [schema]);
validateToolCall({ name: 'f', custom: true }, schema, {});
validateSchema(call, schema, { limits: { maxDepth: 10 } });
validateTurn({ turn_id: 1, role: 'agent', content: '', tool_calls: [call] } as const, { weather: schema });
const aiTool = tool({ inputSchema: shape, execute: async () => 1 });
validateToolCall(call, { weather: aiTool });
validateToolCall(call, { tools: [{ name: 'weather', inputSchema: { type: 'object' } }] });
validateToolCall(call, [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }]);

using tools = compileTools({ weather: schema }, { schemas: { 'urn:x': { type: 'string' } } });
const names: readonly string[] = tools.names;
validateToolCall(call, tools);

const imported = importTrajectory('[]', { format: 'openai-chat' });
const trajectory: Trajectory = imported.value;
validateTrajectory(trajectory, importTools('[]').value, { strict: true });
const calls: ToolCall[] = trajectory.turns.flatMap(turn => turn.tool_calls ?? []);
const own: unknown = trajectory['metadata'];

for (const issue of validateToolCall(call).issues) {
  const details: Record<string, unknown> | undefined = issue.details;
  const place: string | undefined = issue.details?.path;
  if (issue.type === 'type_mismatch' && issue.severity === 'high') console.log(details, place);
}
verifyResult(call, { turn_id: 1, role: 'agent', content: '', tool_calls: [call] } as const, trajectory, {
  checkUsage: false,
  hallucinationThreshold: 0.5,
});
for (const { issues, hallucinated } of verifyTurnResults('{}', undefined, { limits: { maxDepth: 10 } })) {
  const text: string | undefined = issues[0]?.details?.facts?.[0]?.text;
  if (hallucinated && issues[0]?.type === 'hallucinated_content') console.log(text);
}
const options: VerifyOptions = { tools, checkUsage: false };
const [malformed] = verifyResult(call, '{}', undefined, options).issues;
const differing: string | undefined = malformed?.details?.violations?.[0]?.path;
verifyTurnResults('{}', undefined, { tools: { weather: tool({ inputSchema: shape, outputSchema: shape }) } });
summarizeResultVerification('{}', { tools: [{ name: 'f', inputSchema: {}, outputSchema: { type: 'object' } }] });
const average: number = summarizeResultVerification(trajectory).averageScore;
const score: number | null = checkTrajectories(trajectory, tools, { failOn: 'never', minScore: 0.5 }).summary.score;
const { breakdown, f1 } = scoreToolCalls({ expected: [{ tool: 'f', args: call.arguments }], actual: trajectory });
const missed: string[] = breakdown.missedCalls.map(missedCall => missedCall.details);

try {
  scoreToolCalls('{}', { limits: { maxInputBytes: 5 } });
} catch (error) {
  if (error instanceof ToolgaugeError && error.code === 'limit_exceeded') console.log(error.path?.length, error.cause);
}

export async function viaModel(model: LanguageModel): Promise<number | undefined> {
  const { toolResults } = await generateText({ model, tools: { score: toolCallAccuracyScoreTool }, prompt: '' });
  const direct: number = (await toolCallAccuracyScoreTool.execute({ expected: [], actual: [] })).score;
  return toolResults[0]?.dynamic ? undefined : (toolResults[0]?.output.score ?? direct);
}
export { names, calls, own, average, differing, score, f1, missed };
`;

/** Every second statement is wrong, and the compiler has to say so. */
const WRONG = `
import * as toolgauge from 'toolgauge';
import { toolCallAccuracyScoreTool } from 'toolgauge/ai-sdk';
const turn = { turn_id: 1, role: 'agent', content: '' } as const;
const schema = toolgauge.createToolSchema('f', {});

// @ts-expect-error the option is called strict
toolgauge.validateTrajectory({ turns: [turn] }, schema, { stict: true });
// @ts-expect-error an option that is boolean
toolgauge.validateTurn(turn, schema, { allowUnknownTools: 'yes' });
// @ts-expect-error the limit is called maxDepth
toolgauge.validateToolCall({}, schema, { limits: { depth: 5 } });
// @ts-expect-error validateSchema takes no options of validation
toolgauge.validateSchema({}, schema, { strict: true });
// @ts-expect-error the option is called hallucinationThreshold
toolgauge.verifyTurnResults(turn, undefined, { threshold: 1 });
// @ts-expect-error tools are an option of their own name
toolgauge.verifyTurnResults(turn, undefined, { schemas: schema });
// @ts-expect-error the turn comes before the trajectory
toolgauge.verifyResult({}, { turns: [] });
// @ts-expect-error a name is text
toolgauge.validateToolCall({ name: 5 });
// @ts-expect-error a call is no number
toolgauge.validateToolCall(5);
// @ts-expect-error a turn has a role
toolgauge.validateTurn({ turn_id: 1, content: '' });
// @ts-expect-error a role of another name
toolgauge.validateTurn({ ...turn, role: 'robot' });
// @ts-expect-error tools are no number
toolgauge.validateTurn(turn, 5);
// @ts-expect-error a schema is no text that is a number
toolgauge.createToolSchema('f', 5);
// @ts-expect-error a severity of another name
toolgauge.checkTrajectories({}, schema, { failOn: 'bad' });
// @ts-expect-error a format of another name
toolgauge.importTrajectory([], { format: 'longchain' });
// @ts-expect-error the documents are called schemas
toolgauge.compileTools(schema, { schema: {} });
// @ts-expect-error made by compileTools alone
new toolgauge.CompiledTools();
// @ts-expect-error names can't be changed
toolgauge.compileTools(schema).names.push('g');
// @ts-expect-error there must be actual calls
toolgauge.scoreToolCalls({ expected: [] });
// @ts-expect-error no issue has this type
toolgauge.validateToolCall({}).issues[0]?.type === 'nope';
// @ts-expect-error no error has this code
new toolgauge.ToolgaugeError('internal', '').code === 'nope';
// @ts-expect-error a score may be null
toolgauge.checkTrajectories({}).summary.score.toFixed();
// @ts-expect-error the tool needs both lists
toolCallAccuracyScoreTool.execute({ expected: [] });
// @ts-expect-error a call is no number
toolCallAccuracyScoreTool.execute({ expected: [5], actual: [] });
// @ts-expect-error checkToolCall takes the call as toolCall
toolgauge.checkToolCall({ tools: schema, call: {} });
// @ts-expect-error the tools can't be left out, though they may be undefined
toolgauge.checkToolCall({ toolCall: {} });
// @ts-expect-error checkToolCall asks no judges
toolgauge.checkToolCall({ tools: schema, toolCall: {}, judges: [] });
// @ts-expect-error the option is called minConfidence
toolgauge.reflectToolCall({ tools: schema, toolCall: {}, confidence: 0.5 });
// @ts-expect-error a metric of another name
toolgauge.reflectToolCall({ tools: schema, toolCall: {}, metrics: ['taste'] });
// @ts-expect-error a form of another name
toolgauge.repairToolCall({ tools: schema, toolCall: {}, form: 'short' });
// @ts-expect-error reflectToolCall gives a promise
toolgauge.reflectToolCall({ tools: schema, toolCall: {} }).overall_valid;
// @ts-expect-error a score may be null
new toolgauge.ReflectionToolCallingMetric().reduce([]).overall_valid.toFixed();
// @ts-expect-error a check of another name
toolgauge.checkToolCall({ tools: schema, toolCall: {} }).metrics.unknown_function;
`;

/** Calls as the types of providers and frameworks have them, which are interfaces without an index signature. */
const PROVIDER_TYPES = `
import {
  checkToolCall, checkTrajectories, importTrajectory, measureCorrectness, reflectToolCall, repairToolCall,
  repairToolCallSync, scoreToolCalls, validateSchema, validateToolCall, validateTrajectory, validateTurn, verifyResult,
  ReflectionToolCallingMetric, ReflectionToolCallingMetricSyntactic,
  type Judge, type ToolCallInput, type ToolCallReflection, type ToolCallRepair, type ToolSchema,
} from 'toolgauge';
import type { LanguageModelV4ToolCall } from '@ai-sdk/provider';
import {
  type DynamicToolUIPart, type ModelMessage, type ToolCallPart, type ToolUIPart, type TypedToolCall, type UIMessage, tool,
} from 'ai';
import { z } from 'zod';

interface OpenAiChat { id: string; type: 'function'; function: { name: string; arguments: string } }
interface OpenAiResponses {
  type: 'function_call'; id?: string; call_id: string; name: string; arguments: string;
  status?: 'in_progress' | 'completed' | 'incomplete';
}
interface Anthropic { type: 'tool_use'; id: string; name: string; input: unknown; caller?: { type: 'direct' } }
interface FunctionCall { id?: string; name?: string; args?: Record<string, unknown> }
interface Gemini { functionCall?: FunctionCall; text?: string; thought?: boolean }
type DocumentType = null | boolean | number | string | DocumentType[] | { [key: string]: DocumentType };
interface Bedrock { toolUse: { toolUseId: string | undefined; name: string | undefined; input: DocumentType | undefined } }
interface Mcp { jsonrpc: '2.0'; id: string | number; method: 'tools/call'; params: { name: string; arguments?: { [key: string]: unknown } } }
interface LangChain { type?: 'tool_call'; id?: string; name: string; args: Record<string, any> }
interface Own { name: string; arguments: { city: string } }

const tools = { weather: tool({ inputSchema: z.object({ city: z.string() }), execute: async () => 1 }) };
declare const schema: ToolSchema;
declare const openAiChat: OpenAiChat;
declare const openAiResponses: OpenAiResponses;
declare const anthropic: Anthropic;
declare const gemini: Gemini & { functionCall: FunctionCall };
declare const bedrock: Bedrock;
declare const mcp: Mcp;
declare const langChain: LangChain;
declare const own: Own;
declare const typed: TypedToolCall<typeof tools>;
declare const part: ToolCallPart;
declare const uiPart: ToolUIPart | DynamicToolUIPart;
declare const ofModel: LanguageModelV4ToolCall;
const all = [
  openAiChat, openAiResponses, anthropic, gemini, bedrock, mcp, langChain, own, typed, part, uiPart, ofModel,
  { id: 'c', name: 'f', arguments: {}, metadata: 1 },
  { tool: 'f', args: { a: 1 } },
  { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' }, index: 0 },
  { id: 'c', type: 'function', function: { name: 'f', arguments: { a: 1 } } },
  { type: 'function_call', id: 'x', call_id: 'c', name: 'f', arguments: '{}', status: 'completed' },
  { type: 'tool_use', id: 'c', name: 'f', input: { a: 1 }, cache_control: null },
  { type: 'tool-call', toolCallId: 'c', toolName: 'f', input: { a: 1 }, dynamic: true },
  { type: 'tool-call', toolCallId: 'c', toolName: 'f', args: { a: 1 } },
  { type: 'tool-f', toolCallId: 'c', state: 'input-available', input: { a: 1 } },
  { type: 'dynamic-tool', toolName: 'f', toolCallId: 'c', state: 'input-available', input: { a: 1 } },
  { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'x' },
  { toolUse: { toolUseId: 'c', name: 'f', input: { a: 1 } } },
  { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'f', arguments: {}, _meta: {} } },
  { type: 'tool_call', id: 'c', name: 'f', args: {} },
] as const satisfies readonly ToolCallInput[];

for (const toolCall of all) {
  validateToolCall(toolCall, tools);
  validateSchema(toolCall, schema);
  validateTurn({ turn_id: 1, role: 'agent', content: '', tool_calls: [toolCall] }, tools);
  validateTrajectory({ turns: [{ turn_id: 1, role: 'agent', content: '', tool_calls: [toolCall] }] });
  verifyResult(toolCall, { turn_id: 1, role: 'agent', content: '', tool_calls: [toolCall] });
  const valid: boolean = checkToolCall({ tools, toolCall }).metrics.invalid_tool_call.valid;
  if (!valid) repairToolCallSync({ tools: [schema], toolCall, limits: { maxDepth: 20 } }).problems[0]?.message.length;
  scoreToolCalls({ expected: [{ tool: 'f', args: {} }], actual: [toolCall] });
}
validateToolCall(openAiChat);
validateToolCall(openAiResponses);
validateToolCall(anthropic);
validateToolCall(gemini);
validateToolCall(bedrock);
validateToolCall(mcp);
validateToolCall(langChain);
validateToolCall(own);
validateToolCall(typed);
validateToolCall(part);
validateToolCall(uiPart);
validateToolCall(ofModel);
scoreToolCalls({ expected: [openAiChat, anthropic], actual: [typed, ofModel] });
scoreToolCalls({ expected: [typed], actual: [gemini, bedrock] });
measureCorrectness({ toolsCalled: [openAiChat, anthropic, typed], expectedTools: [{ name: 'f', inputParameters: {} }] });

declare const messages: ModelMessage[];
declare const ui: UIMessage[];
interface ChatMessage { role: 'user' | 'assistant'; content: string | null; tool_calls?: OpenAiChat[] }
declare const chat: readonly ChatMessage[];
interface Conversation { messages: ChatMessage[] }
declare const held: Conversation;
for (const conversation of [messages, ui, chat, held] as const) {
  validateTrajectory(conversation, tools);
  checkTrajectories(conversation, tools);
  importTrajectory(conversation);
  scoreToolCalls({ expected: [], actual: conversation });
  measureCorrectness({ agentTrajectory: conversation, expectedTools: [] });
  reflectToolCall({ tools, toolCall: typed, conversation });
}

const judge: Judge = async () => ({});
const reflection: ToolCallReflection = await reflectToolCall({
  tools, toolCall: openAiChat, conversation: 'Hi', judges: [judge], fallbackJudges: [judge], form: 'full',
  metrics: ['general_hallucination_check'], parameterMetrics: ['parameter_hallucination_check'], minConfidence: 0.6,
  continueOnStatic: true, maxConcurrency: 2, maxRetries: 1, aggregationMethod: 'median', signal: new AbortController().signal,
});
const metric = reflection.semantic?.general?.metrics['general_hallucination_check'];
if (metric !== undefined && !('error' in metric)) metric.confidence.toFixed();
const repair: ToolCallRepair = await repairToolCall({ tools, toolCall: typed, judges: [judge] });
if (repair.status === 'unrepairable') repair.refusal;
const kind: 'judge' | undefined = repair.changes[0]?.kind === 'judge' ? 'judge' : undefined;
const average: number | null = reflection.overall_avg_score;
const hint: 'deterministic' | undefined = reflection.groundedness?.method;

const reflecting = new ReflectionToolCallingMetric({ judges: [judge], maxConcurrency: 4 });
const one: ToolCallReflection = await reflecting.map({ tools, toolCall: typed });
const many: ToolCallReflection[] = await reflecting.map([{ tools, toolCall: typed, conversation: chat }], {});
const scores = reflecting.reduce([one, ...many]);
const score: number | null = scores.static_invalid_tool_call;
const optional: number | null | undefined = scores.semantic_avg_score_parameter;
const syntactic = new ReflectionToolCallingMetricSyntactic();
const share: number | null = syntactic.reduce(syntactic.map([{ tools: undefined, toolCall: '{}' }])).score;
export { kind, average, hint, score, optional, share };
`;

/** Every second statement passes a promise where what it will hold is wanted, and the compiler has to say so. */
const PROMISED = `
import * as toolgauge from 'toolgauge';
import { generateText, streamText, type LanguageModel } from 'ai';
declare const call: Promise<{ name: string; arguments: object }>;
declare const turn: Promise<toolgauge.Turn>;
declare const run: Promise<toolgauge.Trajectory>;
declare const messages: Promise<{ role: string; content: string }[]>;
declare const tools: Promise<toolgauge.ToolSchema[]>;
declare const schema: toolgauge.ToolSchema;
declare const model: LanguageModel;

// @ts-expect-error await the call
toolgauge.validateToolCall(call, schema);
// @ts-expect-error await the call
toolgauge.validateSchema(call, schema);
// @ts-expect-error await the turn
toolgauge.validateTurn(turn, schema);
// @ts-expect-error await the call
toolgauge.validateTurn({ turn_id: 1, role: 'agent', content: '', tool_calls: [call] }, schema);
// @ts-expect-error await the trajectory
toolgauge.validateTrajectory(run, schema);
// @ts-expect-error await the messages
toolgauge.validateTrajectory(messages, schema);
// @ts-expect-error await what the SDK returns
toolgauge.validateTrajectory(generateText({ model, prompt: '' }), schema);
// @ts-expect-error await the trajectory
toolgauge.checkTrajectories(run, schema);
// @ts-expect-error await the messages
toolgauge.checkTrajectories(messages, schema);
// @ts-expect-error await the messages
toolgauge.importTrajectory(messages);
// @ts-expect-error await the call
toolgauge.checkToolCall({ tools: schema, toolCall: call });
// @ts-expect-error await the tools
toolgauge.checkToolCall({ tools, toolCall: {} });
// @ts-expect-error await the call
toolgauge.repairToolCallSync({ tools: schema, toolCall: call });
// @ts-expect-error await the call
toolgauge.reflectToolCall({ tools: schema, toolCall: call });
// @ts-expect-error await the messages
toolgauge.reflectToolCall({ tools: schema, toolCall: {}, conversation: messages });
// @ts-expect-error await the call
toolgauge.repairToolCall({ tools: schema, toolCall: call });
// @ts-expect-error await the call
new toolgauge.ReflectionToolCallingMetric().map([{ tools: schema, toolCall: call }]);
// @ts-expect-error await the trajectory
toolgauge.scoreToolCalls({ expected: [], actual: run });
// @ts-expect-error await the messages
toolgauge.scoreToolCalls({ expected: [], actual: messages });
// @ts-expect-error await the expected calls
toolgauge.scoreToolCalls({ expected: run, actual: [] });
// @ts-expect-error await the trajectory
toolgauge.measureCorrectness({ agentTrajectory: run, expectedTools: [] });
// @ts-expect-error await the call
toolgauge.measureCorrectness({ toolsCalled: [call], expectedTools: [] });
// @ts-expect-error await the call
toolgauge.verifyResult(call, { turn_id: 1, role: 'agent', content: '' });
// @ts-expect-error await the tools
toolgauge.validateToolCall({}, tools);
// @ts-expect-error await the tools
toolgauge.compileTools(tools);
export const stream = streamText({ model, prompt: '' });
`;
