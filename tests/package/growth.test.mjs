// The work of every public function grows with its input, and not with the square of it. Work is counted, not timed.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { encode, GROWING, times } from './support/scenes.mjs';
import { counted, measureWork } from './support/work.mjs';

/** How many times as long the longer input is. */
const SCALE = 10;

/** How many times as much work it may be. */
const MOST = 11;

/** Less work than this for the longer input says nothing about growth. */
const LEAST = 2_000;

const toolgauge = await counted('toolgauge');
const dispatch = await counted('toolgauge/dispatch');
const dispatchNode = await counted('toolgauge/dispatch/node');
const aiSdk = await counted('toolgauge/ai-sdk');
const { jsonSchema } = await counted('ai');
const { matchers } = await counted('toolgauge/matchers');

/** What is exported and has no row below, and why. */
const EXCEPTIONS = {
  CompiledTools: 'made by compileTools',
  JudgeError: 'an error',
  ToolgaugeError: 'an error',
  ToolCallFailure: 'an error',
  dispatchCore: 'for toolgauge/dispatch, which has rows',
  explainIssues: 'takes no data',
  version: 'takes no data',
  openAiJudge: 'sends one request to a server',
  openAiBatchJudge: 'sends one request to a server',
  aiSdkJudge: 'sends one request by the AI SDK',
  EscalationQueue: 'holds a bounded number of questions',
  TodoList: 'holds a bounded number of items',
  createSupervisor: 'runs a bounded number of agents',
  userToolkit: 'passes on one question',
  connectMcpServers: 'starts processes, and passes on to mcpServers',
  shellTools: 'starts processes',
  terminalUser: 'asks one question',
};

const { turns, calls, tools, calledTools, lists, parts, replies } = GROWING;

const PAIRS = 'each call is compared with each other one';
const SORTED = 'calls are sorted, or found by a tree';

/** Rows that grow faster than they may, and why. A row that no longer does fails, and is to be removed here. */
const FASTER = {
  'reportTrajectories: github: calls of a turn, all failed': 'the rank of all findings is worked out for each of them',
  'measureCorrectness: turns': PAIRS,
  'measureCorrectness: turns after one question, with invented facts': PAIRS,
  'ToolCorrectnessMetric: turns': PAIRS,
  'ToolCorrectnessMetric: turns after one question, with invented facts': PAIRS,
  'matchers: toHaveCalledTool: calls of a turn': PAIRS,
  'selectFunctions: tools': 'each name is looked for among all',
  'mergeSummaries: tools of a summary': SORTED,
  ...Object.fromEntries(
    ['scoreTrajectories', 'reportTrajectoryScores'].flatMap(name =>
      [...Object.keys(turns), ...Object.keys(calls)]
        .filter(what => what !== 'calls of a turn, all the same')
        .map(what => [`${name}: ${what}`, SORTED]),
    ),
  ),
};

/** The same for what is compared pair by pair. */
const UNBOUNDED = {
  'scoreToolCalls: expected × made, none alike': PAIRS,
  'scoreToolCalls: expected × made, none alike, in sequence': PAIRS,
  'scoreToolCalls: expected × made, none alike, in strict order': PAIRS,
  'scoreToolCalls: optional × made': PAIRS,
  'scoreToolCalls: one call, as often as wanted': PAIRS,
  'scoreToolCalls: alternatives × made': PAIRS,
  'scoreToolCalls: forbidden × made': PAIRS,
  'scoreToolCalls: expected × made, by a matcher': PAIRS,
  'scoreToolCalls: matchers of one call': 'each matcher is tried on each argument',
  'scoreToolCalls: tools with matchers': 'each tool is looked for among all',
  'measureCorrectness: expected × called, none alike': PAIRS,
  'measureCorrectness: expected × called, none alike, in order': PAIRS,
  'validateTrajectory: unknown tools × tools': 'each unknown name is compared with all known ones',
};

const drain = async items => {
  for await (const _ of items);
};

/** A judge who finds a call fine, and one who finds the choice of tools fine. */
const judge = async () => ({
  evidence: 'the user said so',
  explanation: 'It fits.',
  output: 5,
  confidence: 0.9,
  correction: null,
});
const choiceJudge = async () => ({ score: 1, reason: 'It fits.' });

const batchJudge = {
  name: 'batch',
  submit: async requests => {
    batchJudge.requests = requests;
    return 'b1';
  },
  poll: async () => ({ state: 'ended' }),
  results: async () =>
    await Promise.all(batchJudge.requests.map(async ({ customId }) => ({ customId, answer: await choiceJudge() }))),
};

const conversations = { ...turns, ...calls, ...parts, ...replies };
const verdicts = { ...conversations, ...tools, ...calledTools };
const turn = { ...calls, ...parts, ...replies };
const checked = { ...parts, ...tools };

const argumentParts = Object.fromEntries(Object.entries(parts).filter(([what]) => what.includes('argument')));

const t = toolgauge;

/** What each function does with a scene, and what grows in it. */
const OF_SCENES = {
  validateTrajectory: [verdicts, s => t.validateTrajectory(s.trajectory, s.tools)],
  summarizeResultVerification: [conversations, s => t.summarizeResultVerification(s.trajectory, { tools: s.tools })],
  findUnsupportedFacts: [conversations, s => t.findUnsupportedFacts(s.trajectory)],
  findLoops: [conversations, s => t.findLoops(s.trajectory)],
  checkTrajectories: [{ ...verdicts, ...lists }, s => t.checkTrajectories(s.trajectories, s.tools)],
  'reportTrajectories: pretty': [{ ...turns, ...calls, ...lists }, s => t.reportTrajectories(s.trajectories, s.tools)],
  ...Object.fromEntries(
    ['markdown', 'html', 'junit', 'sarif', 'github'].map(as => [
      `reportTrajectories: ${as}`,
      [
        { 'calls of a turn, all failed': calls['calls of a turn, all failed'], ...lists },
        s => t.reportTrajectories(s.trajectories, s.tools, { as }),
      ],
    ]),
  ),
  checkLines: [{ ...turns, ...calls, ...lists }, s => drain(t.checkLines(s.lines, s.tools))],
  validateTurn: [{ ...turn, ...tools, ...calledTools }, s => t.validateTurn(s.turn, s.tools)],
  verifyTurnResults: [{ ...turn, ...turns }, s => t.verifyTurnResults(s.turn, s.trajectory)],
  verifyResult: [{ ...turn, ...turns }, s => t.verifyResult(s.call, s.turn, s.trajectory)],
  validateToolCall: [checked, s => t.validateToolCall(s.call, s.tools)],
  validateSchema: [parts, s => t.validateSchema(s.call, s.tool)],
  checkToolCall: [checked, s => t.checkToolCall({ toolCall: s.call, tools: s.tools })],
  repairToolCallSync: [checked, s => t.repairToolCallSync({ toolCall: s.call, tools: s.tools })],
  repairToolCall: [
    { ...checked, ...turns },
    s => t.repairToolCall({ toolCall: s.call, tools: s.tools, conversation: s.trajectory, judges: [judge] }),
  ],
  reflectToolCall: [
    { ...checked, ...turns },
    s => t.reflectToolCall({ toolCall: s.call, tools: s.tools, conversation: s.trajectory, judges: [judge] }),
  ],
  compileTools: [tools, s => t.compileTools(s.tools).free()],
  importTools: [tools, s => t.importTools(s.tools)],
  lintTools: [tools, s => t.lintTools(s.tools)],
  reportToolLint: [tools, s => t.reportToolLint(s.tools)],
  importTrajectory: [conversations, s => t.importTrajectory(s.trajectory)],
  importTrajectories: [{ ...turns, ...lists }, s => t.importTrajectories(s.trajectories)],
  ...Object.fromEntries(
    ['harness', 'openai-chat', 'ai-sdk-model', 'atif'].map(format => [
      `exportTrajectory: ${format}`,
      [{ ...turns, ...calls }, s => t.exportTrajectory(s.trajectory, { format })],
    ]),
  ),
  detectFormat: [{ ...turns, ...calls }, s => t.detectFormat(s.trajectory)],
  importExpectations: [{ ...turns, ...calls }, s => t.importExpectations(s.expected)],
  scoreToolCalls: [
    { ...turns, ...calls, ...argumentParts },
    s => t.scoreToolCalls({ expected: s.expected, actual: s.actual }),
  ],
  reportCallLists: [{ ...turns, ...calls }, s => t.reportCallLists(s.expected, s.actual)],
  scoreTrajectories: [{ ...turns, ...calls, ...lists }, s => t.scoreTrajectories(s.expecting)],
  reportTrajectoryScores: [{ ...turns, ...calls, ...lists }, s => t.reportTrajectoryScores(s.expecting)],
  measureCorrectness: [{ ...turns, ...calls }, s => t.measureCorrectness(s.testCase)],
  'TrajectoryParser: parse': [conversations, s => new t.TrajectoryParser().parse(s.trajectory)],
  'TrajectoryParser: convertTrajectoryToSteps': [
    { ...turns, ...calls },
    s => new t.TrajectoryParser().convertTrajectoryToSteps(s.trajectory),
  ],
  'ToolCallParser: parse': [{ ...turns, ...calls }, s => t.ToolCallParser.parse(encode(s.calls))],
  'ToolCallParser: toToolCalls': [{ ...turns, ...calls }, s => t.ToolCallParser.toToolCalls(encode(s.calls))],
  'ToolCallParser: fromTrajectorySteps': [
    { ...turns, ...calls },
    s => t.ToolCallParser.fromTrajectorySteps(new t.TrajectoryParser().parse(s.trajectory)),
  ],
  ToolCorrectnessMetric: [
    { ...turns, ...calls },
    s => new t.ToolCorrectnessMetric().measure(JSON.parse(Buffer.from(s.testCase))),
  ],
  ReflectionToolCallingMetricSyntactic: [
    calls,
    s => {
      const metric = new t.ReflectionToolCallingMetricSyntactic();
      metric.reduce(metric.map(s.calls.map(toolCall => ({ toolCall, tools: s.tools }))));
    },
  ],
  reflectionRequest: [
    { ...turns, ...tools },
    s => t.reflectionRequest('general_hallucination_check', reflectionCase(s), 'runtime'),
  ],
  parameterRequest: [
    { ...turns, ...tools },
    s => t.parameterRequest('parameter_hallucination_check', reflectionCase(s), 'id', 'runtime'),
  ],
  toolChoiceRequest: [
    { ...calls, ...tools },
    s => t.toolChoiceRequest({ input: 'Where is it?', toolsCalled: s.calls }, s.definitions),
  ],
  createDispatcher: [
    { ...calls, tools: tools.tools },
    s => {
      const handlers = Object.fromEntries(s.definitions.map(({ name }) => [name, async () => ({ ok: true })]));
      return dispatch.createDispatcher({ functions: s.definitions, handlers }).evalToolCalls(s.calls);
    },
  ],
  ToolCallTracker: [
    calls,
    s => {
      const tracker = new dispatch.ToolCallTracker();
      for (const call of s.calls) tracker.record(call);
    },
  ],
  selectFunctions: [
    { tools: { ...tools.tools, short: 200 } },
    s => {
      const enabled_tools = s.definitions.map(({ name }) => name);
      return dispatch.selectFunctions({ functions: s.definitions, role: { enabled_tools } });
    },
  ],
  mcpServers: [
    tools,
    s => {
      const listed = s.definitions.map(({ name, description, parameters: inputSchema }) => ({
        name,
        description,
        inputSchema,
      }));
      const client = { listTools: async () => ({ tools: listed }), callTool: async () => ({ content: [] }) };
      const dispatcher = dispatch.createDispatcher({ mcp: dispatch.mcpServers({ s: client }) });
      return dispatcher.evalToolCalls([{ id: 'c1', name: 'mcp_search_s', arguments: { query: 'gets an order' } }]);
    },
  ],
  'repairToolCall: by the AI SDK': [
    { ...argumentParts, ...turns },
    s => {
      const [{ name: toolName, arguments: input }] = s.calls;
      return aiSdk.repairToolCall()({
        toolCall: { toolCallId: 'c1', toolName, input: JSON.stringify(input) },
        tools: { [toolName]: {} },
        inputSchema: async () => s.definitions[0].parameters,
        messages: s.conversation.map(({ role, content }) => ({ role: role === 'agent' ? 'assistant' : role, content })),
      });
    },
  ],
  guardTools: [
    argumentParts,
    s => {
      const inputSchema = jsonSchema(s.definitions[0].parameters);
      const guarded = aiSdk.guardTools({ f: { inputSchema, execute: async () => 'done' } });
      return guarded.f.inputSchema.validate(s.calls[0].arguments);
    },
  ],
  dispatcherTools: [
    tools,
    s => {
      const handlers = Object.fromEntries(s.definitions.map(({ name }) => [name, async () => 'done']));
      return aiSdk.dispatcherTools(dispatch.createDispatcher({ functions: s.definitions, handlers }));
    },
  ],
  toolCallAccuracyScoreTool: [
    { ...turns, ...calls },
    s => {
      const made = s.calls.map(({ name: tool, arguments: args }) => ({ tool, args }));
      return aiSdk.toolCallAccuracyScoreTool.execute({ expected: made, actual: made });
    },
  ],
  'matchers: toHaveCalledTool': [
    { 'calls of a turn': { ...calls['calls of a turn'], short: 100 } },
    s => matchers.toHaveCalledTool.call({}, s.trajectory, 'get_100000', { id: 'R-1' }),
  ],
  'matchers: toHaveCalledTools': [
    { ...turns, ...calls },
    s => matchers.toHaveCalledTools.call({}, s.trajectory, s.expected),
  ],
  'matchers: toHaveToolScore': [
    { ...turns, ...calls },
    s => matchers.toHaveToolScore.call({}, s.trajectory, 1, s.expected),
  ],
  'matchers: toHaveValidToolCalls': [
    { ...turns, ...calls, ...tools },
    s => matchers.toHaveValidToolCalls.call({}, s.trajectory, s.tools),
  ],
  'matchers: toHaveGroundedReplies': [
    { ...turns, ...replies },
    s => matchers.toHaveGroundedReplies.call({}, s.trajectory),
  ],
};

function reflectionCase({ definitions, calls: [toolCall], conversation }) {
  return { tools: definitions, toolCall, conversation };
}

/** Functions that take something else, with what grows in it. */
const OTHERS = {
  'createToolSchema: properties': {
    short: 400,
    make: count => ({
      properties: Object.fromEntries(times(count, at => [`p${1000 + at}`, { type: 'string', minLength: 1 }])),
    }),
    run: schema => t.createToolSchema('f', schema),
  },
  'mergeSummaries: summaries': {
    short: 100,
    make: count => times(count, () => t.checkTrajectories(GROWING.lists.trajectories.make(2).trajectories).summary),
    run: summaries => t.mergeSummaries(...summaries),
  },
  'mergeSummaries: tools of a summary': {
    short: 40,
    make: count => {
      const { trajectories, tools } = calledTools['tools, all called'].make(count);
      return t.checkTrajectories(trajectories, tools).summary;
    },
    run: summary => t.mergeSummaries(summary, summary),
  },
  'ToolCorrectnessMetric: test cases': {
    short: 40,
    make: count => times(count, () => JSON.parse(Buffer.from(calls['calls of a turn'].make(2).testCase))),
    run: cases => new t.ToolCorrectnessMetric().measureAll(cases),
  },
  'ReflectionToolCallingMetric: calls': {
    short: 20,
    make: count => calls['calls of a turn'].make(count),
    run: async s => {
      const metric = new t.ReflectionToolCallingMetric({ judges: [judge] });
      const cases = s.calls.map(toolCall => ({ toolCall, tools: s.tools, conversation: 'Where is R-100000?' }));
      metric.reduce(await metric.map(cases));
    },
  },
  'ToolCallParser: the length of a name': {
    short: 1000,
    make: count => `get_${'a1'.repeat(count)}`,
    run: name => t.ToolCallParser.normalizeToolName(name),
  },
  'runJudges: judges': {
    short: 40,
    make: count => times(count, () => choiceJudge),
    run: judges => t.runJudges(choice(), { judges }),
  },
  'runJudgeBatch: requests': {
    short: 100,
    make: count => times(count, choice),
    run: requests => t.runJudgeBatch(requests, { judges: [batchJudge] }),
  },
};

const choice = () => t.toolChoiceRequest({ input: 'Where is it?', toolsCalled: [{ name: 'f' }] }, [{ name: 'f' }]);

/** One row for each function and each thing that grows. */
const ROWS = [
  ...Object.entries(OF_SCENES).flatMap(([name, [growing, run]]) =>
    Object.entries(growing).map(([what, { short, make }]) => ({ name: `${name}: ${what}`, short, make, run })),
  ),
  ...Object.entries(OTHERS).map(([name, row]) => ({ name, ...row })),
];

/** Scenes that several functions get. */
const scenes = new Map();

/** The package keeps tools that it compiled: scenes that are about tools are made anew for each function. */
function sceneOf(make, count) {
  if (!SHARED.has(make)) return make(count);
  const key = `${[...SHARED].indexOf(make)} ${count}`;
  if (!scenes.has(key)) scenes.set(key, make(count));
  return scenes.get(key);
}

const SHARED = new Set(Object.values({ ...conversations, ...lists }).map(({ make }) => make));

/** How much more of each kind of work the input of `SCALE` times the length takes; 1 where it takes next to none. */
async function growth({ short, make, run }) {
  const [few, many] = [short, short * SCALE].map(count => sceneOf(make, count));
  const less = await measureWork(() => run(few));
  const more = await measureWork(() => run(many));
  return Math.max(...Object.keys(more).map(kind => (more[kind] < LEAST ? 1 : more[kind] / less[kind])));
}

/** Lists that are compared pair by pair, and what is bounded by a budget of the core: both sides grow. */
const PAIRED = {
  'scoreToolCalls: expected × made, none alike': {
    run: score(n => ({ expected: distinct(n, 0), actual: distinct(n, n) })),
  },
  'scoreToolCalls: expected × made, none alike, in sequence': {
    run: score(n => ({ expected: distinct(n, 0), actual: distinct(n, n), order: 'sequence' })),
  },
  'scoreToolCalls: expected × made, none alike, in strict order': {
    run: score(n => ({ expected: distinct(n, 0), actual: distinct(n, n), order: 'strict' })),
  },
  'scoreToolCalls: optional × made': {
    run: score(n => ({ expected: distinct(n, 0).map(call => ({ ...call, optional: true })), actual: distinct(n, n) })),
  },
  'scoreToolCalls: one call, as often as wanted': {
    run: score(n => ({
      expected: [{ tool: 'f', matchers: 'ignore', optional: true, times: {} }],
      actual: distinct(n, 0),
    })),
  },
  'scoreToolCalls: alternatives × made': {
    run: score(n => ({ expected: [{ anyOf: distinct(n, 0) }], actual: distinct(n, n) })),
  },
  'scoreToolCalls: forbidden × made': {
    run: score(n => ({ expected: [], actual: distinct(n, n), forbidden: distinct(n, 0) })),
  },
  'scoreToolCalls: expected × made, by a matcher': {
    run: score(n => ({
      expected: distinct(n, 0),
      actual: distinct(n, 0).toReversed(),
      matchers: { f: { n: 'caseInsensitive' } },
    })),
  },
  'scoreToolCalls: matchers of one call': {
    run: score(n => {
      const args = record(n, at => `text ${at}`);
      return {
        expected: [{ tool: 'f', args }],
        actual: [{ tool: 'f', args }],
        matchers: { f: record(n, () => 'caseInsensitive') },
      };
    }),
  },
  'scoreToolCalls: tools with matchers': {
    run: score(n => {
      const calls = times(n, at => ({ tool: `f${at}`, args: { text: 'A text' } }));
      const matchers = Object.fromEntries(calls.map(({ tool }) => [tool, { text: 'caseInsensitive' }]));
      return { expected: calls, actual: calls, matchers };
    }),
  },
  'scoreToolCalls: items of an unordered list': {
    run: score(n => unordered(n, at => at)),
  },
  'scoreToolCalls: objects of an unordered list': {
    run: score(n => unordered(n, at => ({ id: at, name: `name ${at}` }))),
  },
  'scoreToolCalls: unordered lists in an unordered list': {
    run: score(n => {
      const side = Math.ceil(Math.sqrt(n));
      const given = unordered(side, at => ({ inner: times(side, inner => ({ id: at * side + inner })) }));
      return { ...given, matchers: { f: { list: 'unordered', 'list[*].inner': 'unordered' } } };
    }),
  },
  'measureCorrectness: expected × called, none alike': { run: correctness({}) },
  'measureCorrectness: expected × called, none alike, in order': { run: correctness({ shouldConsiderOrdering: true }) },
  'measureCorrectness: expected × called, none alike, exactly': { run: correctness({ shouldExactMatch: true }) },
  'validateTrajectory: unknown tools × tools': {
    run: n => {
      const turns = [
        {
          turn_id: 1,
          role: 'agent',
          content: '',
          tool_calls: times(n, at => ({ name: `got_${1000 + at}`, arguments: {} })),
        },
      ];
      const tools = Object.fromEntries(times(n, at => [`get_${1000 + at}`, { name: `get_${1000 + at}` }]));
      const given = [encode({ turns }), encode(tools)];
      return () => t.validateTrajectory(...given);
    },
  },
};

function distinct(count, from) {
  return times(count, at => ({ tool: 'f', args: { n: `N${100_000 + from + at}` } }));
}

function record(count, value) {
  return Object.fromEntries(times(count, at => [`p${1000 + at}`, value(at)]));
}

/** A list of so many items, to be compared with its reverse. */
function unordered(count, item) {
  const list = times(count, item);
  return {
    expected: [{ tool: 'f', args: { list } }],
    actual: [{ tool: 'f', args: { list: list.toReversed() } }],
    matchers: { f: { list: 'unordered' } },
  };
}

function score(make) {
  return count => {
    const { expected, actual, ...options } = make(count);
    const given = { expected: encode(expected), actual: encode(actual), ...options };
    return () => t.scoreToolCalls(given);
  };
}

function correctness(options) {
  return count => {
    const called = from =>
      distinct(count, from).map(({ tool: name, args: inputParameters }) => ({ name, inputParameters }));
    const testCase = encode({ toolsCalled: called(0), expectedTools: called(count) });
    return () => t.measureCorrectness(testCase, { ...options, evaluationParams: ['input_parameters'] });
  };
}

/** One row for each of them. */
const PAIRED_ROWS = Object.entries(PAIRED).map(([name, { run }]) => ({
  name,
  short: 100,
  make: run,
  run: work => work(),
}));

function assertAllGrow(rows, exceptions) {
  for (const row of rows) {
    const reason = exceptions[row.name];
    test(reason === undefined ? row.name : `${row.name} grows faster for now: ${reason}`, async () => {
      const times = await growth(row);
      const told = `${SCALE} times the input is ${times.toFixed(1)} times the work`;
      if (reason === undefined) assert.ok(times <= MOST, told);
      else assert.ok(times > MOST, `${told}: it is an exception no more`);
    });
  }
  for (const name of Object.keys(exceptions))
    assert.ok(
      rows.some(row => row.name === name),
      `${name} is no row`,
    );
}

test('every exported function has a row, or a reason why it has none', () => {
  const rows = new Set([...ROWS, ...PAIRED_ROWS].map(({ name }) => name.split(':')[0]));
  const exported = [...[toolgauge, dispatch, dispatchNode, aiSdk].flatMap(Object.keys), 'matchers'];
  assert.deepEqual(
    exported.filter(name => !rows.has(name) && !(name in EXCEPTIONS)),
    [],
  );
  assert.deepEqual(
    Object.keys(EXCEPTIONS).filter(name => rows.has(name) || !exported.includes(name)),
    [],
  );
  const matched = [...ROWS].filter(({ name }) => name.startsWith('matchers: ')).map(({ name }) => name.split(': ')[1]);
  assert.deepEqual(
    Object.keys(matchers).filter(name => !matched.includes(name)),
    [],
  );
});

suite(`${SCALE} times the input is at most ${MOST} times the work`, () => assertAllGrow(ROWS, FASTER));

suite('what is compared pair by pair is bounded', () => assertAllGrow(PAIRED_ROWS, UNBOUNDED));
