// Scorers of tool calls from npm, each as its documentation shows it, on the same calls and expectations. No model is asked.
import { createTrajectoryMatchEvaluator } from 'agentevals';
import { LLMTestCase, metrics, ToolCall, ToolCallParams } from 'deepeval';
import { measureCorrectness, scoreToolCalls } from 'toolgauge';
import { ToolCallJudge } from 'vitest-evals/judges';

/** What a rollout says, as each scorer could start from it: chat messages, calls that were made, calls that were expected. */
export function casesOf(rollouts) {
  return rollouts.map(({ id, task_id, messages, traj, info }) => {
    const said = messages ?? traj;
    return { id: id ?? task_id, messages: said, made: madeCalls(said), expected: expectedCalls(info) };
  });
}

/** Whether all rollouts tell which calls were expected. */
export function haveExpectations(rollouts) {
  return rollouts.every(({ info }) => Array.isArray(info?.task?.actions));
}

function madeCalls(messages) {
  const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []);
  return calls.map(({ function: { name, arguments: text } }) => ({ name, args: readArguments(text) }));
}

function expectedCalls(info) {
  return info.task.actions.map(({ name, kwargs }) => ({ name, args: kwargs }));
}

function readArguments(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Every expected call was made, with equal arguments; further calls don't matter. */
const ALL_EXPECTED = 'all expected calls were made';
/** The calls that were made are those expected, in any order, and no more. */
const NO_OTHERS = 'all expected calls were made, and no others';

/**
 * The scorers: `question` is what their verdict answers, `prepare` makes of a case what the scorer takes, and `judge`
 * answers `{ passes, score }`, or a promise of that.
 */
export const SCORERS = [
  {
    name: 'toolgauge scoreToolCalls, recall',
    does: 'pairs equal calls first, then those of one tool; says of each call what differs, path by path',
    question: ALL_EXPECTED,
    prepare: toCallLists,
    judge: lists => {
      const { recall } = scoreToolCalls(lists);
      return { passes: recall === 1, score: recall };
    },
  },
  {
    name: 'toolgauge measureCorrectness',
    does: 'the best pairing of all, with partial scores for arguments; says in words what differs',
    question: ALL_EXPECTED,
    prepare: ({ made, expected }) => ({
      toolsCalled: made.map(toCalledTool),
      expectedTools: expected.map(toCalledTool),
    }),
    judge: testCase => {
      const { score } = measureCorrectness(testCase, { evaluationParams: ['input_parameters'], threshold: 1 });
      return { passes: score === 1, score };
    },
  },
  {
    name: 'agentevals superset',
    question: ALL_EXPECTED,
    does: 'yes or no, without a reason',
    ...agentevals('superset'),
  },
  {
    name: 'deepeval ToolCorrectnessMetric',
    question: ALL_EXPECTED,
    does: 'partial scores for arguments, each expected call paired in turn with the best one left; a reason that names tools',
    ...deepeval(),
  },
  {
    name: 'vitest-evals ToolCallJudge',
    question: ALL_EXPECTED,
    does: 'yes or no, with a reason that names tools',
    ...vitestEvals({ allowExtras: true }),
  },
  {
    name: 'toolgauge scoreToolCalls, F1',
    does: 'the same, and extra calls lower the score',
    question: NO_OTHERS,
    prepare: toCallLists,
    judge: lists => {
      const { score } = scoreToolCalls(lists);
      return { passes: score === 1, score };
    },
  },
  {
    name: 'agentevals unordered',
    question: NO_OTHERS,
    does: 'yes or no, without a reason',
    ...agentevals('unordered'),
  },
  {
    name: 'vitest-evals ToolCallJudge, no extras',
    question: NO_OTHERS,
    does: 'yes or no, with a reason that names tools; passes where nothing was expected',
    ...vitestEvals({ allowExtras: false }),
  },
];

function agentevals(trajectoryMatchMode) {
  const evaluate = createTrajectoryMatchEvaluator({ trajectoryMatchMode, toolArgsMatchMode: 'exact' });
  return {
    prepare: ({ messages, expected }) => ({
      outputs: messages,
      referenceOutputs: [{ role: 'assistant', content: '', tool_calls: expected }],
    }),
    judge: async trajectories => {
      const { score } = await evaluate(trajectories);
      return { passes: score, score: Number(score) };
    },
  };
}

function deepeval() {
  const evaluationParams = [ToolCallParams.INPUT_PARAMETERS];
  const metric = new metrics.ToolCorrectnessMetric({ evaluationParams, threshold: 1, showIndicator: false });
  return {
    prepare: ({ made, expected }) =>
      new LLMTestCase({
        input: '',
        toolsCalled: made.map(call => new ToolCall(toCalledTool(call))),
        expectedTools: expected.map(call => new ToolCall(toCalledTool(call))),
      }),
    judge: async testCase => {
      const score = await metric.measure(testCase);
      return { passes: metric.success, score };
    },
  };
}

function vitestEvals({ allowExtras }) {
  const judge = ToolCallJudge({ allowExtras, params: 'strict' });
  const toNamed = ({ name, args }) => ({ name, arguments: args });
  return {
    prepare: ({ made, expected }) => ({
      input: '',
      output: '',
      toolCalls: made.map(toNamed),
      expectedTools: expected.map(toNamed),
    }),
    judge: async options => {
      const { score } = await judge.assess(options);
      return { passes: score === 1, score };
    },
  };
}

function toCallLists({ made, expected }) {
  const toCall = ({ name, args }) => ({ tool: name, args });
  return { expected: expected.map(toCall), actual: made.map(toCall) };
}

function toCalledTool({ name, args }) {
  return { name, inputParameters: args };
}

/** The verdicts of a scorer on what it made of the cases; one that throws gives none on that case. */
export async function verdictsOf({ judge }, prepared) {
  const verdicts = [];
  for (const input of prepared) {
    try {
      verdicts.push(await judge(input));
    } catch (error) {
      verdicts.push({ passes: undefined, score: undefined, error });
    }
  }
  return verdicts;
}
