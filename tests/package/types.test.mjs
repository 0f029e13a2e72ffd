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
  ROLLOUT,
  TEST_CASE,
  TOOLS,
  TRAJECTORY,
  VERIFICATIONS,
} from './support/inputs.mjs';
import { mutations } from './support/mutations.mjs';

const toolgauge = await fromConsumer('toolgauge');

/** What each function is declared to return, less what JSON does not show. */
const RETURNS = {
  checkTrajectories: 'CheckReport',
  createToolSchema: 'ToolSchema',
  detectFormat: 'DetectedFormat | null',
  exportTrajectory: 'Exported[ExportFormat]',
  findUnsupportedFacts: 'UnsupportedFacts',
  importExpectations: 'Imported<Expectations, ExpectationFormat>',
  importTools: 'Imported<Record<string, ToolSchema>, ToolFormat>',
  importTrajectories: 'Imported<Trajectory[], TrajectoryFormat>',
  importTrajectory: 'Imported<Trajectory, TrajectoryFormat>',
  lintTools: 'LintResult',
  measureCorrectness: 'CorrectnessResult',
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
  'LintResult',
  'MismatchReason',
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
  return readdirSync(path).map(file => readFileSync(join(path, file)));
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

/** Arguments for each function beside the usual ones. */
const MORE = {
  checkTrajectories: [
    [MESSAGES.slice(0, 1)],
    [readFixture('faulty'), readFixture('tools'), { minScore: 1, failOn: 'low' }],
    [ROLLOUT],
    [{ turns: [VERIFICATIONS.unused_result[1]] }, DECLARED],
  ],
  createToolSchema: [...TOOL_INPUTS, BOOK.parameters, true].map(schema => ['f', schema, 'F']),
  detectFormat: [...TOOL_INPUTS, TRAJECTORY, ROLLOUT, { hello: 1 }, ...FILES].map(input => [input]),
  exportTrajectory: ['openai-chat', 'ai-sdk-model', 'atif'].flatMap(format =>
    [TRAJECTORY, MESSAGES, { turns: [...Object.values(VERIFICATIONS).map(([, turn]) => turn)], tools: [] }].map(
      input => [input, { format }],
    ),
  ),
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

/** The shape of a value: the same for values that no type could tell apart. */
function shapeOf(value) {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].sort()}]`;
  if (typeof value === 'string' && /^[a-z_-]+$/.test(value)) return value;
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
      assert.ok(results.length > 2, `only ${results.length} results`);
      // A literal may have no property that its type does not declare.
      const literals = results.map((result, at) => `export const x${at}: ${type} = ${JSON.stringify(result)};`);
      assert.equal(await compile(t, { 'results.mts': IMPORT + literals.join('\n') }), '');
    });
  }

  test('for every function', () => {
    const functions = Object.keys(toolgauge).filter(name => !/^[A-Z]/.test(name));
    // Those with judges: see judges.test.mjs.
    const judging = ['openAiBatchJudge', 'openAiJudge', 'runJudgeBatch', 'runJudges', 'toolChoiceRequest'];
    // Those for lines: see batch.test.mjs.
    const batch = ['checkLines', 'mergeSummaries'];
    const others = ['compileTools', 'version', ...batch, ...judging];
    assert.deepEqual(functions.sort(), [...Object.keys(RETURNS), ...others].sort());
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
    await sameAs(t, 'ResultIssueType', issueTypes('verifyResult'));
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
// @ts-expect-error a call needs its arguments
toolCallAccuracyScoreTool.execute({ expected: [{ tool: 'f' }], actual: [] });
`;
