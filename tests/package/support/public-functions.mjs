// The public functions of the package, each with what it does with an input, and with what can grow in that input.
import { encode, GROWING, times } from './scenes.mjs';
import { counted } from './work.mjs';

export const toolgauge = await counted('toolgauge');
export const dispatch = await counted('toolgauge/dispatch');
export const dispatchNode = await counted('toolgauge/dispatch/node');
export const aiSdk = await counted('toolgauge/ai-sdk');
const { jsonSchema } = await counted('ai');
export const { matchers } = await counted('toolgauge/matchers');

/** What is exported and stands in no table below, and why. */
export const EXCEPTIONS = {
  CompiledTools: 'made by compileTools',
  JudgeError: 'an error',
  ToolgaugeError: 'an error',
  ToolCallFailure: 'an error',
  observeRun: 'checks the steps so far after each step, as checkTrajectories does',
  dispatchCore: 'for toolgauge/dispatch, which has rows',
  explainIssues: 'takes no data',
  version: 'takes no data',
  visible: 'takes a text that is shown',
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

export const conversations = { ...turns, ...calls, ...parts, ...replies };
const verdicts = { ...conversations, ...tools, ...calledTools };
const turn = { ...calls, ...parts, ...replies };
const checked = { ...parts, ...tools };

const argumentParts = Object.fromEntries(Object.entries(parts).filter(([what]) => what.includes('argument')));

const t = toolgauge;

/** A call as tools for models take it. */
const withPlainNames = ({ name: tool, arguments: args, result }) => ({
  tool,
  args,
  ...(result !== undefined && { result }),
});

/** What each function does with a scene, and what grows in it. */
export const OF_SCENES = {
  validateTrajectory: [verdicts, s => t.validateTrajectory(s.trajectory, s.tools)],
  summarizeResultVerification: [conversations, s => t.summarizeResultVerification(s.trajectory, { tools: s.tools })],
  findUnsupportedFacts: [conversations, s => t.findUnsupportedFacts(s.trajectory)],
  findLoops: [conversations, s => t.findLoops(s.trajectory)],
  checkTrajectories: [{ ...verdicts, ...lists }, s => t.checkTrajectories(s.trajectories, s.tools)],
  'reportTrajectories: pretty': [{ ...turns, ...calls, ...lists }, s => t.reportTrajectories(s.trajectories, s.tools)],
  ...Object.fromEntries(
    t.REPORT_FORMATS.filter(as => as !== 'pretty').map(as => [
      `reportTrajectories: ${as}`,
      [
        { 'calls of a turn, all failed': calls['calls of a turn, all failed'], ...lists },
        s => t.reportTrajectories(s.trajectories, s.tools, { as }),
      ],
    ]),
  ),
  checkLines: [
    // Up to 500 tasks are passed from chunk to chunk. From then on, the work per line stays the same.
    { ...turns, ...calls, ...lists, trajectories: { ...lists.trajectories, short: 2000 } },
    s => drain(t.checkLines(s.lines, s.tools)),
  ],
  diffRuns: [{ ...turns, ...calls, ...lists }, s => t.diffRuns(s.trajectories, s.trajectories, { tools: s.tools })],
  reportRunDiff: [lists, s => t.reportRunDiff(t.diffRuns(s.trajectories, s.trajectories))],
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
  openQuestions: [{ ...turns, ...calls }, s => t.openQuestions({ expected: s.expected, actual: s.actual })],
  scoreToolCallsAsync: [
    { ...turns, ...calls },
    s => t.scoreToolCallsAsync({ expected: s.expected, actual: s.actual }, { judges: [agreeing] }),
  ],
  scoreTrajectoriesAsync: [{ ...turns, ...calls }, s => t.scoreTrajectoriesAsync(s.expecting, { judges: [agreeing] })],
  valueRequest: [calls, s => t.valueRequest({ key: 'k', question: 'Why?', tool: 'f', path: 'args', actual: s.calls })],
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
  validateToolCallTool: [
    checked,
    s => aiSdk.validateToolCallTool.execute({ call: withPlainNames(s.calls[0]), tools: s.definitions }),
  ],
  verifyResultTool: [
    { ...parts, ...replies },
    s =>
      aiSdk.verifyResultTool.execute({
        call: withPlainNames(s.calls[0]),
        request: s.conversation[0].content,
        reply: s.conversation.at(-1).content,
      }),
  ],
  reflectToolCallTool: [
    checked,
    s => {
      const { tool, args } = withPlainNames(s.calls[0]);
      return aiSdk.reflectToolCallTool().execute({ call: { tool, args }, tools: s.definitions });
    },
  ],
  checkTrajectoryTool: [
    conversations,
    s => {
      const turns = s.conversation.map(({ role, content, toolCalls: calls = [] }) => ({
        role,
        content,
        calls: calls.map(withPlainNames),
      }));
      return aiSdk.checkTrajectoryTool.execute({ turns, tools: s.definitions });
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
  'matchers: toHaveHonestReplies': [
    { ...turns, ...replies },
    s => matchers.toHaveHonestReplies.call({}, s.trajectory, { tools: s.tools }),
  ],
  'matchers: toHaveNoLoops': [{ ...turns, ...calls }, s => matchers.toHaveNoLoops.call({}, s.trajectory)],
};

function reflectionCase({ definitions, calls: [toolCall], conversation }) {
  return { tools: definitions, toolCall, conversation };
}

/** Functions that take something else, with what grows in it. */
export const OTHERS = {
  'createToolSchema: properties': {
    short: 400,
    make: count => ({
      properties: Object.fromEntries(times(count, at => [`p${1000 + at}`, { type: 'string', minLength: 1 }])),
    }),
    run: schema => t.createToolSchema('f', schema),
  },
  ...argumentsToRepair(),
  'lintTools: properties': propertiesToLint(500, {}),
  // Few: defaults are slow to check, and after some thousands the check stops, which would hide its growth.
  'lintTools: properties with wrong defaults': propertiesToLint(100, { default: 5 }),
  measureTrials: {
    short: 1000,
    make: count => encode(times(count, at => ({ task: `t${1000 + (at % 50)}`, passed: at % 3 > 0, score: 0.5 }))),
    run: outcomes => t.measureTrials(outcomes, { minPassHat: { 5: 0.5 } }),
  },
  'matchers: toPassTrials': {
    short: 200,
    make: count => times(count, at => at),
    run: runs =>
      matchers.toPassTrials.call({}, runs, at => {
        if (at % 3 === 0) throw new Error('it failed');
      }),
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

function argumentsToRepair() {
  const parameters = { properties: { need: { type: 'string' }, list: { type: 'array', items: { type: 'integer' } } } };
  const unknown = count => Object.fromEntries(times(count, at => [`argument_${10_000 + at}`, at]));
  const given = {
    'unknown arguments': [parameters, unknown],
    'unknown arguments, where another one is missing': [{ ...parameters, required: ['need'] }, unknown],
    'items that could be converted': [parameters, count => ({ list: Array(count).fill('5') })],
    'items that mean nothing': [parameters, count => ({ list: Array(count).fill('x') })],
    'items that are null': [parameters, count => ({ list: Array(count).fill(null) })],
  };
  const rows = Object.entries(given).map(([what, [schema, argumentsOf]]) => {
    const tools = t.compileTools([{ name: 'f', parameters: schema }]);
    const make = count => encode({ name: 'f', arguments: argumentsOf(count) });
    const run = toolCall => t.repairToolCallSync({ tools, toolCall });
    return [`repairToolCallSync: ${what}`, { short: 1500, make, run }];
  });
  return Object.fromEntries(rows);
}

function propertiesToLint(short, given) {
  const schema = { type: 'string', $ref: '#/$defs/a', ...given };
  const make = count => {
    const properties = Object.fromEntries(times(count, at => [`p${10_000 + at}`, schema]));
    return encode([{ name: 'walk', parameters: { type: 'object', properties, $defs: { a: {} } } }]);
  };
  return { short, make, run: tools => t.lintTools(tools) };
}

/** A judge who says yes to everything. */
const agreeing = async () => ({ reason: 'Yes.', score: 1 });

const choice = () => t.toolChoiceRequest({ input: 'Where is it?', toolsCalled: [{ name: 'f' }] }, [{ name: 'f' }]);
