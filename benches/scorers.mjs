// Scorers of tool calls from npm, each used as in its documentation, on the same calls and expectations, without a model.
import { createTrajectoryMatchEvaluator } from 'agentevals';
import { LLMTestCase, metrics, ToolCall, ToolCallParams } from 'deepeval';
import { measureCorrectness, scoreToolCalls } from 'toolgauge';
import { ToolCallJudge } from 'vitest-evals/judges';

/** Converts a rollout to what scorers start from: chat messages, actual calls and expected calls. */
export function casesOf(rollouts) {
  return rollouts.map(({ id, task_id, messages, traj, info }) => {
    const said = messages ?? traj;
    return { id: id ?? task_id, messages: said, made: madeCalls(said), expected: expectedCalls(info) };
  });
}

/** Returns whether all rollouts have expected calls. */
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

/** Is every expected call made, with equal arguments? Other calls do not matter. */
const ALL_EXPECTED = 'all expected calls were made';
/** Are exactly the expected calls made, in any order? */
const NO_OTHERS = 'all expected calls were made, and no others';

/**
 * The scorers. `question` is the question that their verdict answers, `prepare` converts a case to the input of the scorer,
 * and `judge` returns `{ passes, score }`, or a promise of it.
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

/** Returns the verdicts of a scorer on its prepared cases; none for a case on which it throws. */
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
