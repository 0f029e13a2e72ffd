import type { Limits, ToolDefinitions } from 'toolgauge';
import type { InvalidCalls } from './check.js';
import type { EscalationQueue } from './escalations.js';
import type { DispatchEvents } from './events.js';
import type { Handler } from './functions.js';
import type { EnabledNames, Role } from './select.js';
import type { AgentRun, Supervisor } from './supervisor.js';
import type { TodoList } from './todo.js';
import type { Toolkit } from './toolkit.js';
import type { ToolCallTracker, TrackerOptions } from './tracker.js';
import type { UserChannel } from './user-channel.js';

/** The agent that is active, with the functions of its own. */
export interface ActiveAgent {
  /** Its name, for messages. */
  readonly name: string;
  /** Definitions of its own functions, in any known form. They replace other functions of the same name. */
  readonly functions?: ToolDefinitions | undefined;
  /** What runs its own functions, by name. */
  readonly handlers?: Readonly<Record<string, Handler>> | undefined;
}

/** What decides which functions are enabled. */
export interface DispatchContext {
  /** What is enabled. Default: everything. */
  readonly role?: Role | undefined;
  /** The active agent. Without one, `agent__*` and `todo__*` are not available. Default: none; in an agent, that one. */
  readonly agent?: ActiveAgent | undefined;
}

/** How a dispatcher runs calls. */
export interface DispatcherOptions extends DispatchContext, DispatchEvents {
  /** Definitions of your functions, in any known form. */
  readonly functions?: ToolDefinitions | undefined;
  /** What runs your functions, by name. One without a definition takes any arguments. */
  readonly handlers?: Readonly<Record<string, Handler>> | undefined;
  /** Scripts in a folder: `shellTools(…)` of `toolgauge/dispatch/node`. Runs what has no handler. */
  readonly shell?: Toolkit | undefined;
  /** MCP servers: `mcpServers(…)`, or `connectMcpServers(…)` of `toolgauge/dispatch/node`. */
  readonly mcp?: Toolkit | undefined;
  /** The to-do list of the active agent, or false for none. Default: a new one. */
  readonly todo?: TodoList | false | undefined;
  /** Runs agents in the background: `createSupervisor(…)`. Default: in an agent, the one that runs it. */
  readonly supervisor?: Supervisor | undefined;
  /** Who answers `user__*` at depth 0: for example `terminalUser()` of `toolgauge/dispatch/node`. Default: nobody. */
  readonly user?: UserChannel | undefined;
  /** The agent that this dispatcher works for: the `run` that a supervisor passes. Sets the depth. Default: none. */
  readonly agentRun?: AgentRun | undefined;
  /** How deep below the user the agent stands. Default 0; in an agent, its depth. */
  readonly depth?: number | undefined;
  /** Takes the questions of agents that can't reach the user. Default: that of the supervisor. */
  readonly escalations?: EscalationQueue | undefined;
  /** Names that stand for several functions in `enabled_tools`. */
  readonly aliases?: Readonly<Record<string, EnabledNames>> | undefined;
  /** Names that stand for several servers in `enabled_mcp_servers`. */
  readonly mcpAliases?: Readonly<Record<string, EnabledNames>> | undefined;
  /** Notices loops: a tracker, for example a restored one, its options, or false for none. Default: a new tracker. */
  readonly tracker?: ToolCallTracker | TrackerOptions | false | undefined;
  /**
   * What happens with a call that is one repetition too many. `refuse`: it is not run, and its output is the warning.
   * `warn`: it runs, and only `onWarning` is called. Default `refuse`.
   */
  readonly onLoop?: 'refuse' | 'warn' | undefined;
  /** What happens with calls that are not valid. Default `refuse`. */
  readonly invalidCalls?: InvalidCalls | undefined;
  /** How many calls run at the same time, from 1; those of `agent__*` and `user__*` do not count. Default 8. */
  readonly concurrency?: number | undefined;
  /** How long a call may run, in milliseconds; those of `agent__*` and `user__*` may take any time. Default 120,000. */
  readonly timeoutMs?: number | undefined;
  /** The largest output, in bytes of JSON. Default 1,048,576. */
  readonly maxOutputBytes?: number | undefined;
  /** Whether rounds are recorded for {@link Dispatcher.trajectory}. Default true. */
  readonly record?: boolean | undefined;
  /** How much reading the calls may ask for. */
  readonly limits?: Limits | undefined;
}
