/** A tool with one argument of each kind of rule. */
export const BOOK = {
  name: 'book_table',
  parameters: {
    type: 'object',
    properties: {
      guests: { type: 'integer', minimum: 1 },
      area: { type: 'string', enum: ['garden', 'hall'] },
      mail: { type: 'string', format: 'email' },
      wishes: {
        type: 'array',
        items: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      },
    },
    required: ['guests'],
    additionalProperties: false,
  },
};

export const TOOLS = { book_table: BOOK, list_tables: { name: 'list_tables', parameters: { type: 'object' } } };

/** A call with two mistakes, and the same without. */
export const CALL = { id: 'c1', name: 'book_table', arguments: { guests: '2', area: 'roof' }, result: { ok: true } };
export const GOOD_CALL = { ...CALL, arguments: { guests: 2 } };

export const TURN = { turn_id: 4, role: 'agent', content: 'Done.', tool_calls: [CALL] };
export const TRAJECTORY = { trajectory_id: 'dinner', turns: [{ turn_id: 3, role: 'user', content: 'A table!' }, TURN] };

export const MESSAGES = [
  { role: 'user', content: 'A table for two, please.' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'book_table', arguments: '{"guests": 2}' } }],
  },
  { role: 'tool', tool_call_id: 'c1', content: '{"ok": true}' },
];

export const EXPECTED = [{ tool: 'book_table', args: { guests: 2 } }];
export const ACTUAL = [{ tool: 'book_table', args: { guests: 3 } }];

export const ROLLOUT = {
  task_id: 1,
  info: { task: { actions: [{ name: 'list_tables', kwargs: {} }] } },
  traj: MESSAGES.slice(0, 1),
};

/** A benchmark's answer: the values that are acceptable for each argument. */
export const ANSWER = { id: 'table_1', ground_truth: [{ book_table: { guests: [2], area: ['garden', 'hall', ''] } }] };

export const TEST_CASE = {
  input: 'A table for two, please.',
  agentTrajectory: MESSAGES,
  expectedTools: [{ name: 'book_table', inputParameters: { guests: 3 } }, { name: 'list_tables' }],
};

/** A call and its turn for each kind of issue that a result can have. */
export const VERIFICATIONS = {
  missing_result: verification({}, 'Here you are.'),
  empty_result: verification({ result: {} }, 'Here you are.'),
  error_result: verification({ error: 'timeout' }, 'The search timed out.'),
  hallucinated_content: verification({ result: { order: 'R1234567' } }, 'Your order is R1234568.'),
  unused_result: verification({ result: { order: 'R1234567' } }, 'What else can I do for you?'),
  contradicts_response: verification({ error: 'timeout' }, 'I found your order R1234567.'),
  incomplete_integration: verification(
    { result: ['Anna', 'Berta', 'Clara', 'Dora'].map(name => ({ name })) },
    'We have the following roses: Anna, Berta and Clara.',
  ),
  malformed_result: verification({ result: '{"order": "R12' }, 'Here you are.'),
};

function verification(outcome, content) {
  const call = { id: 'v1', name: 'find_order', arguments: {}, ...outcome };
  return [call, { turn_id: 1, role: 'agent', content, tool_calls: [call] }];
}

/** Trials of two tasks. */
export const OUTCOMES = [{ passed: true }, { passed: false, score: 0.5 }, { task: 'refund', passed: true, score: 1 }];

/** Valid arguments for every public function that reads JSON, by name; text and bytes may stand for each of them. */
export const INPUTS = {
  checkTrajectories: [TRAJECTORY, TOOLS],
  compileTools: [TOOLS],
  detectFormat: [MESSAGES],
  diffRuns: [TRAJECTORY, TRAJECTORY],
  exportTrajectory: [TRAJECTORY],
  findLoops: [TRAJECTORY],
  findUnsupportedFacts: [TRAJECTORY],
  importExpectations: [ANSWER],
  importTools: [[BOOK]],
  importTrajectories: [MESSAGES],
  importTrajectory: [MESSAGES],
  lintTools: [[BOOK]],
  measureCorrectness: [TEST_CASE],
  measureTrials: [OUTCOMES],
  reportCallLists: [EXPECTED, ACTUAL],
  reportToolLint: [[BOOK]],
  reportTrajectories: [TRAJECTORY, TOOLS],
  reportTrajectoryScores: [ROLLOUT],
  scoreToolCalls: [{ expected: EXPECTED, actual: ACTUAL }],
  scoreTrajectories: [ROLLOUT],
  summarizeResultVerification: [TRAJECTORY],
  validateSchema: [CALL, BOOK],
  validateToolCall: [CALL, TOOLS],
  validateTrajectory: [TRAJECTORY, TOOLS],
  validateTurn: [TURN, TOOLS],
  verifyResult: [CALL, TURN, TRAJECTORY],
  verifyTurnResults: [TURN, TRAJECTORY],
};

/**
 * Valid inputs for every public function that takes one object with the JSON as its members. Text and bytes may stand
 * for each member. Those that ask judges do without them here.
 */
export const NAMED_INPUTS = {
  checkToolCall: { tools: TOOLS, toolCall: CALL },
  reflectToolCall: { tools: TOOLS, toolCall: CALL },
  repairToolCall: { tools: TOOLS, toolCall: CALL },
  openQuestions: { expected: EXPECTED, actual: ACTUAL },
  repairToolCallSync: { tools: TOOLS, toolCall: CALL },
};
