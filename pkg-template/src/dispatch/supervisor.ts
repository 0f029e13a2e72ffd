import { ToolgaugeError } from 'toolgauge';
import { readingOptions } from './check-options.js';
import { EscalationQueue } from './escalations.js';
import { type Agent, AgentPool } from './supervisor/agents.js';
import type { Inbox } from './supervisor/inbox.js';
import { callerOf, reportOf, supervisorTools } from './supervisor/tools.js';
import { createToolkit } from './tool-table.js';
import type { AgentIdentity, Toolkit } from './toolkit.js';

export type { AgentMessage, Inbox } from './supervisor/inbox.js';

/** How agents are run. */
export interface SupervisorOptions {
  /** The agents that can be spawned, by name: letters, digits, `_`, `-` and `.`, at most 64. */
  readonly agents: Readonly<Record<string, AgentDefinition>>;
  /** How many agents run at the same time; the others wait for their turn. Agents that wait for another one, or for a message, do not count. Default 4. */
  readonly maxRunning?: number | undefined;
  /** How many agents are kept, also those that have ended. The one that ended first is forgotten first. Default 100. */
  readonly maxAgents?: number | undefined;
  /** How deep agents may be nested. At 1, an agent can't spawn others. Default 3. */
  readonly maxDepth?: number | undefined;
  /** After how many milliseconds the question of an agent that nobody answered fails. Default 300,000. */
  readonly escalationTimeoutMs?: number | undefined;
}

/** An agent that can be spawned. */
export interface AgentDefinition {
  /** What the agent is good for, as the model reads it. */
  readonly description: string;
  /**
   * Does the work. What it returns, as JSON, is the result; if it throws, the agent has failed. If its signal is
   * aborted, the agent has ended, and what it returns does not count any more.
   */
  run(task: AgentTask): unknown;
}

/** What an agent has to do. */
export interface AgentTask {
  /** What the model that spawned it wrote. */
  readonly prompt: string;
  /** Aborted when the agent is cancelled, and when it has ended. */
  readonly signal: AbortSignal;
  /** Who the agent is: the option `agentRun` of `createDispatcher`. */
  readonly run: AgentRun;
}

/** A running agent. */
export interface AgentRun extends AgentIdentity {
  /** 1 for an agent that the one at depth 0 spawned, and so on. */
  readonly depth: number;
  /** Aborted when the agent is cancelled, and when it has ended. */
  readonly signal: AbortSignal;
  /** The supervisor that runs it. */
  readonly supervisor: Supervisor;
  /** The messages that other agents sent it. */
  readonly inbox: Inbox;
}

/**
 * How far an agent is. `cancelled` is one that was stopped before it ended, by `agent__cancel`, by the host, or because
 * the agent that spawned it ended.
 */
export type AgentStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';

/** An agent, as models and hosts read it. */
export interface AgentReport {
  /** The id of the agent, such as `researcher-1`. */
  readonly id: string;
  /** The name under which it is registered. */
  readonly agent: string;
  /** How far the agent is. */
  readonly status: AgentStatus;
  /** The id of the agent that spawned it. Absent for those that the agent at depth 0 spawned. */
  readonly spawned_by?: string;
  /** What it returned, if it is completed. */
  readonly result?: unknown;
  /** Why it failed or was cancelled. */
  readonly error?: string;
}

/** Runs agents in the background; a toolkit for {@link createSupervisor}'s tools. */
export interface Supervisor extends Toolkit {
  /** The questions of agents that can't reach the user. */
  readonly escalations: EscalationQueue;
  /** The agents that are kept, in the order in which they were spawned. */
  list(): AgentReport[];
  /** Cancels all agents. New ones may be spawned. */
  cancelAll(): void;
  /**
   * Cancels all agents for good. Resolves when their functions have returned; those that do not listen to their signal
   * are left to themselves after a second.
   */
  close(): Promise<void>;
}

/**
 * Creates a supervisor: it runs agents in the background, which a model spawns, checks, collects, lists and cancels
 * with the tools `agent__*`. Agents send each other messages, share a list of tasks that depend on each other, and ask
 * the agent at depth 0 where they can't ask the user. An agent reaches the agents below it, and the one above it by
 * messages; when it ends, those below it are cancelled.
 *
 * Throws a {@link ToolgaugeError} with `invalid_option` if there is no agent or an option is out of range.
 *
 * @example
 * const supervisor = createSupervisor({
 *   agents: {
 *     researcher: {
 *       description: 'Looks things up',
 *       run: async ({ prompt, run }) => answer(prompt, createDispatcher({ handlers, agentRun: run })),
 *     },
 *   },
 * });
 * const dispatcher = createDispatcher({ supervisor, agent: { name: 'lead' } });
 * await supervisor.close();
 */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  const settings = readingOptions(options, it => ({ ...it, agents: toDefinitions(it.agents) }));
  const { agents, maxRunning = 4, maxAgents = 100, maxDepth = 3, escalationTimeoutMs } = settings;
  const escalations = new EscalationQueue({ timeoutMs: escalationTimeoutMs });
  const runOf = (agent: Agent, signal: AbortSignal): AgentRun => {
    const { id, name, depth } = agent;
    const inbox: Inbox = {
      read: () => agent.inbox.read(),
      // The message may have to come from an agent that is queued.
      next: inner => pool.whileWaiting(agent, () => agent.inbox.next(inner)),
    };
    return { id, name, depth, signal, supervisor, inbox };
  };
  const pool = new AgentPool({
    definitions: agents,
    maxRunning: positive('maxRunning', maxRunning),
    maxAgents: positive('maxAgents', maxAgents),
    maxDepth: positive('maxDepth', maxDepth),
    runOf,
  });
  const tools = createToolkit('agent', supervisorTools({ pool, escalations, agents }));
  const supervisor: Supervisor = {
    definitions: tools.definitions,
    run: (call, context) => {
      // An agent that was cancelled may go on; its calls must not count any more.
      callerOf(pool, context);
      return tools.run(call, context);
    },
    escalations,
    list: () => pool.below(undefined).map(reportOf),
    cancelAll: () => pool.cancelAll('the host cancelled all agents'),
    close: () => pool.close(),
  };
  return supervisor;
}

function toDefinitions(agents: SupervisorOptions['agents']): ReadonlyMap<string, AgentDefinition> {
  const definitions = new Map(Object.entries(agents ?? {}));
  if (definitions.size === 0) throw invalidOption('agents', 'at least one agent');
  for (const [name, definition] of definitions) {
    const path = `agents.${name}`;
    if (!/^[\w.-]{1,64}$/.test(name)) throw invalidOption(path, 'a name of at most 64 letters, digits, _, - and .');
    if (typeof definition?.description !== 'string') throw invalidOption(`${path}.description`, 'a text');
    if (typeof definition.run !== 'function') throw invalidOption(`${path}.run`, 'a function');
  }
  return definitions;
}

function positive(name: string, value: number): number {
  if (Number.isInteger(value) && value > 0) return value;
  throw invalidOption(name, 'a whole number above 0');
}

function invalidOption(name: string, expected: string): ToolgaugeError {
  const path = `options.${name}`;
  return new ToolgaugeError('invalid_option', `${path}: expected ${expected}`, { path, expected });
}
