import type { Route, ToolSchema } from '../types.js';

/** Tools that one part runs: a to-do list, agents, the user, MCP servers, or scripts in a folder. */
export interface Toolkit {
  /** The tools as the model sees them. */
  readonly definitions: readonly ToolSchema[];
  /**
   * Runs one call. The value it returns is the output of the call; null and undefined become `"DONE"`. An error that
   * it throws becomes `{ tool_call_error: message }`.
   */
  run(call: RoutedCall, context: CallContext): unknown;
}

/** A call that is about to run. */
export interface RoutedCall {
  /** The id that the provider gave it. */
  readonly id?: string;
  /** The name of the tool. */
  readonly name: string;
  /** The arguments; an empty object if the call has none. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Where the name leads. */
  readonly route: Route;
}

/** Who makes a call, and when it has to end. */
export interface CallContext {
  /** Aborted when time is up, or when the caller of `evalToolCalls` gives up. */
  readonly signal: AbortSignal;
  /** How deep the agent that makes the call stands below the user: 0 for the one that talks to the user. */
  readonly depth: number;
  /** The agent that makes the call. Absent at depth 0. */
  readonly agent?: AgentIdentity;
}

/** A running agent. */
export interface AgentIdentity {
  /** Its id, such as `researcher-1`, unique in its supervisor. */
  readonly id: string;
  /** The name under which it is registered, such as `researcher`. */
  readonly name: string;
}

/** A failure of a call that the model sees. Its message becomes `tool_call_error`. */
export class ToolCallFailure extends Error {
  /** The name of the class, as errors have it. */
  override readonly name = 'ToolCallFailure';
}
