import { checkTrajectories, type TrajectoryReport } from 'toolgauge';
import { type ModelTool, modelTool } from '../model-tool.js';
import {
  CALL_THAT_RAN,
  type ModelCallThatRan,
  type ModelToolDefinition,
  objectOf,
  TOOLS,
  toPlainCall,
} from './schemas.js';

/** What the tool takes: a conversation with the calls of an agent, and the tools that it has. */
export interface TrajectoryCheckInput {
  /** The conversation, in order. */
  readonly turns: readonly {
    /** Who speaks. */
    readonly role: 'user' | 'agent' | 'system';
    /** What was said; empty if the turn only calls tools. */
    readonly content: string;
    /** The calls that the agent made in this turn, in order. Default: none. */
    readonly calls?: readonly ModelCallThatRan[] | undefined;
  }[];
  /** The tools that the agent has. Default: arguments are not checked against a schema. */
  readonly tools?: readonly ModelToolDefinition[] | undefined;
}

/** An AI SDK tool whose `execute` may also be called by itself, with the input alone. */
export type TrajectoryCheckTool = ModelTool<TrajectoryCheckInput, TrajectoryReport>;

const TURN = objectOf(
  {
    role: { type: 'string', enum: ['user', 'agent', 'system'], description: 'Who speaks' },
    content: { type: 'string', description: 'What was said; empty if the turn has nothing but calls' },
    calls: { type: 'array', description: 'The calls that the agent made in this turn, in order', items: CALL_THAT_RAN },
  },
  ['role', 'content'],
);

/**
 * Checks how an agent used its tools in a conversation, as a tool for a model and as a function. The result is the
 * report of `checkTrajectories` on it.
 *
 * @example
 * const { passed, results, resultIssues } = await checkTrajectoryTool.execute({ turns, tools });
 */
export const checkTrajectoryTool: TrajectoryCheckTool = modelTool<TrajectoryCheckInput, TrajectoryReport>({
  description:
    'Checks how an agent used its tools in a conversation: whether its calls fit the definitions, whether it repeats ' +
    'itself, and whether its replies are true to the results. Returns whether it passed, and all issues: those of ' +
    'calls in results, those of results and replies in resultIssues.',
  parameters: objectOf(
    { turns: { type: 'array', description: 'The conversation, in order', minItems: 1, items: TURN }, tools: TOOLS },
    ['turns'],
  ),
  expected: 'turns, [{role, content, calls}], and tools, [{name, parameters}]',
  run: ({ turns, tools }) => {
    const trajectory = turns.map(({ calls, ...turn }, at) => ({
      turn_id: at + 1,
      ...turn,
      ...(calls && { tool_calls: calls.map(toPlainCall) }),
    }));
    return checkTrajectories({ turns: trajectory }, tools).trajectories[0] as TrajectoryReport;
  },
});
