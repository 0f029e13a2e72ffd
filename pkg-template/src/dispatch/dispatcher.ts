import type { ToolCallInput, ToolSchema, Trajectory } from 'toolgauge';
import type { JsonValue, Role as Speaker } from '../types.js';
import type { EscalationQueue } from './escalations.js';
import type { DispatchContext } from './options.js';
import type { TodoList } from './todo.js';
import type { ToolCallTracker } from './tracker.js';

/** A call with what came of it. */
export interface ToolCallResult<Call = ToolCallInput> {
  /** The call as it was given. Of a notification, a call of `user__notification` that nobody made. */
  readonly call: Call;
  /** What the tool returned, as JSON; `"DONE"` if it returned nothing; `{ tool_call_error: message }` if it failed. */
  readonly output: JsonValue;
  /** True for a result that no call asked for: it holds the questions of agents, `{ pending_escalations }`. */
  readonly notification?: true;
}

/** How the calls of one round are run. */
export interface EvalOptions {
  /** Ends the round: calls that still run are aborted, and their output says so. */
  readonly signal?: AbortSignal | undefined;
  /** What the model said beside the calls, for the trajectory. Default: nothing. */
  readonly content?: string | undefined;
}

/** Runs the tool calls of a model. Made by `createDispatcher`. */
export interface Dispatcher {
  /**
   * Runs the calls that a model made in one message, at the same time as far as `concurrency` allows, and resolves to
   * one result for each call, in the order of the calls.
   *
   * - Of several calls with the same id the last is run. Calls whose id is still running are left out.
   * - A call that fails, is not valid or is one repetition too many has the output `{ tool_call_error: message }`. The
   *   promise does not reject because of a call.
   * - A call that returns nothing has the output `"DONE"`. If all calls return nothing, the list is empty.
   * - At depth 0, a last result with `notification: true` follows while agents wait for answers.
   *
   * Rejects with `invalid_input` if `calls` is no list, or if no call is left after removing duplicates.
   */
  evalToolCalls<Call extends ToolCallInput>(
    calls: readonly Call[],
    options?: EvalOptions,
  ): Promise<ToolCallResult<Call>[]>;
  /** The functions that are available now, as they are to be declared to the model. */
  readonly functions: readonly ToolSchema[];
  /** Switches to another role or agent. Functions that are no longer available are refused. */
  use(context: DispatchContext): void;
  /** The tracker that notices loops. Undefined if there is none. */
  readonly tracker: ToolCallTracker | undefined;
  /** The to-do list. Undefined if there is none. */
  readonly todo: TodoList | undefined;
  /** The questions of agents that wait for an answer. Undefined without a supervisor and a queue. */
  readonly escalations: EscalationQueue | undefined;
  /** How deep below the user the agent stands: 0 for the one that talks to the user. */
  readonly depth: number;
  /** Records what the user, the agent or the instructions said, for the trajectory. */
  addMessage(role: Speaker, content: string): void;
  /**
   * What was said and called so far, to be checked and scored. Its tools are the functions that were available in its
   * rounds. Throws `invalid_option` if the option `record` is false.
   */
  trajectory(id?: string): Trajectory;
  /** Forgets what was recorded. */
  clear(): void;
}
