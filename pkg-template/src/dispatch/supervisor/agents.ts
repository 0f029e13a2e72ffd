import { reasonOf } from '../../errors.js';
import { bounded } from '../../timing.js';
import { listed, quoted } from '../arguments.js';
import type { AgentDefinition, AgentRun, AgentStatus } from '../supervisor.js';
import { ToolCallFailure } from '../toolkit.js';
import { Mailbox } from './inbox.js';
import { WakeUp } from './wake-up.js';

/** An agent that was spawned. */
export interface Agent {
  readonly id: string;
  readonly name: string;
  readonly definition: AgentDefinition;
  /** 1 for an agent that the one at depth 0 spawned. */
  readonly depth: number;
  readonly prompt: string;
  /** The agent that spawned it; `undefined` for the one at depth 0. */
  readonly parent: Agent | undefined;
  /** The agents that it spawned and that have not ended. */
  readonly children: Set<Agent>;
  readonly inbox: Mailbox;
  readonly controller: AbortController;
  /** Rings when it ends. */
  readonly end: WakeUp;
  readonly onEnd: (agent: Agent) => void;
  /** How many of its calls wait for other agents. */
  waits: number;
  status: AgentStatus;
  result?: unknown;
  error?: string;
}

/** How an agent ended. */
interface Outcome {
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly result?: unknown;
  readonly error?: string;
}

/** What an {@link AgentPool} is made of. */
export interface PoolOptions {
  readonly definitions: ReadonlyMap<string, AgentDefinition>;
  readonly maxRunning: number;
  readonly maxAgents: number;
  readonly maxDepth: number;
  /** What an agent gets to know about itself. */
  readonly runOf: (agent: Agent, signal: AbortSignal) => AgentRun;
}

/** How long closing waits for agents that do not listen to their signal. */
const CLOSING_SECONDS = 1;

/** Runs agents in the background, a limited number at a time, and keeps how they ended. */
export class AgentPool {
  readonly #options: PoolOptions;
  /** By id, in the order in which they were spawned. */
  readonly #agents = new Map<string, Agent>();
  readonly #queue = new Set<Agent>();
  /** The agents that count as running: those that run and do not wait for others. */
  readonly #active = new Set<Agent>();
  /** The agents that ended, in this order. */
  readonly #ended = new Set<Agent>();
  readonly #spawned = new Map<string, number>();
  readonly #unsettled = new Set<Promise<void>>();
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** The definition of an agent. Throws a `ToolCallFailure` if there is none, or if `parent` can't spawn it. */
  definitionFor(name: string, parent: Agent | undefined): AgentDefinition {
    const { definitions, maxDepth } = this.#options;
    const definition = definitions.get(name);
    if (definition === undefined) {
      throw new ToolCallFailure(
        `There is no agent ${quoted(name)}. The agents are: ${listed([...definitions.keys()])}.`,
      );
    }
    if (depthBelow(parent) <= maxDepth) return definition;
    throw new ToolCallFailure(`Agents can't be nested more than ${maxDepth} deep. Do this work yourself.`);
  }

  /**
   * Starts an agent, or queues it. `onEnd` is called once, when it has ended.
   * Throws a `ToolCallFailure` if it can't be spawned.
   */
  spawn(name: string, prompt: string, parent: Agent | undefined, onEnd: (agent: Agent) => void = () => {}): Agent {
    const definition = this.definitionFor(name, parent);
    if (this.#closed) throw new ToolCallFailure('No more agents can be spawned: the supervisor was closed.');
    if (parent !== undefined && hasEnded(parent)) {
      throw new ToolCallFailure(`${parent.id}, for which it would work, has ended.`);
    }
    this.#makeRoom();
    const agent: Agent = {
      id: this.#nextId(name),
      name,
      definition,
      depth: depthBelow(parent),
      prompt,
      parent,
      children: new Set(),
      inbox: new Mailbox(),
      controller: new AbortController(),
      end: new WakeUp(),
      onEnd,
      waits: 0,
      status: 'queued',
    };
    this.#agents.set(agent.id, agent);
    this.#queue.add(agent);
    parent?.children.add(agent);
    this.#startNext();
    return agent;
  }

  /** The agent with this id. */
  get(id: string): Agent | undefined {
    return this.#agents.get(id);
  }

  /** The agents that are kept below `parent`: all if that is `undefined`. */
  below(parent: Agent | undefined): Agent[] {
    return [...this.#agents.values()].filter(agent => isBelow(agent, parent));
  }

  /** True for the id of an agent that was spawned and is no longer kept. */
  wasForgotten(id: string): boolean {
    const [, name = '', number] = /^(.*)-([1-9]\d*)$/.exec(id) ?? [];
    return !this.#agents.has(id) && Number(number) <= (this.#spawned.get(name) ?? 0);
  }

  /** Ends an agent and those below it, unless it has ended. `reason` says why. */
  cancel(agent: Agent, reason: string): void {
    this.#end(agent, { status: 'cancelled', error: reason });
  }

  /** Ends all agents. */
  cancelAll(reason: string): void {
    this.#queue.clear();
    for (const agent of this.below(undefined)) this.cancel(agent, reason);
  }

  /** Ends all agents for good and waits for their functions to return, but no longer than a second. */
  async close(): Promise<void> {
    this.#closed = true;
    this.cancelAll('the supervisor was closed');
    // Functions that do not listen to their signal are left to themselves.
    await bounded(undefined, CLOSING_SECONDS, () => Promise.all(this.#unsettled)).catch(() => {});
  }

  /**
   * Runs `work`, in which an agent waits for others. Meanwhile it does not count as running, or the agents that it
   * waits for might never start. Afterwards it goes on at once, even if that makes one too many.
   */
  async whileWaiting<Result>(agent: Agent | undefined, work: () => Promise<Result>): Promise<Result> {
    if (agent === undefined) return work();
    agent.waits += 1;
    this.#active.delete(agent);
    this.#startNext();
    try {
      return await work();
    } finally {
      agent.waits -= 1;
      if (agent.waits === 0 && !hasEnded(agent)) this.#active.add(agent);
    }
  }

  #startNext(): void {
    for (const agent of this.#queue) {
      if (this.#active.size >= this.#options.maxRunning) return;
      this.#queue.delete(agent);
      this.#active.add(agent);
      agent.status = 'running';
      void this.#work(agent);
    }
  }

  async #work(agent: Agent): Promise<void> {
    try {
      const { signal } = agent.controller;
      const result = await bounded(signal, undefined, inner => this.#tracked(this.#run(agent, inner)));
      this.#end(agent, { status: 'completed', result: jsonOf(result) });
    } catch (error) {
      this.#end(agent, { status: 'failed', error: reasonOf(error) || 'it gave no reason' });
    }
  }

  async #run(agent: Agent, signal: AbortSignal): Promise<unknown> {
    return agent.definition.run({ prompt: agent.prompt, signal, run: this.#options.runOf(agent, signal) });
  }

  #tracked(work: Promise<unknown>): Promise<unknown> {
    const forget = () => {
      this.#unsettled.delete(settled);
    };
    const settled = work.then(forget, forget);
    this.#unsettled.add(settled);
    return work;
  }

  #end(agent: Agent, outcome: Outcome): void {
    if (hasEnded(agent)) return;
    const reason = `${agent.id}, an agent above it, has ended`;
    // They go first: the end of `agent` may start other agents, and none of these must take its place.
    for (const other of runningBelow(agent)) this.#settle(other, { status: 'cancelled', error: reason });
    this.#settle(agent, outcome);
    this.#startNext();
  }

  #settle(agent: Agent, outcome: Outcome): void {
    Object.assign(agent, outcome);
    this.#queue.delete(agent);
    this.#active.delete(agent);
    this.#ended.add(agent);
    agent.parent?.children.delete(agent);
    agent.controller.abort(new ToolCallFailure(`${agent.id} has ended: ${outcome.error ?? outcome.status}`));
    agent.inbox.read();
    agent.end.ring();
    agent.onEnd(agent);
  }

  /** Forgets the agent that ended first if there are too many. */
  #makeRoom(): void {
    const { maxAgents } = this.#options;
    if (this.#agents.size < maxAgents) return;
    const [oldest] = this.#ended;
    if (oldest === undefined) {
      throw new ToolCallFailure(`${maxAgents} agents run or are queued already. Collect or cancel one of them first.`);
    }
    this.#ended.delete(oldest);
    this.#agents.delete(oldest.id);
  }

  #nextId(name: string): string {
    const number = (this.#spawned.get(name) ?? 0) + 1;
    this.#spawned.set(name, number);
    return `${name}-${number}`;
  }
}

/** True for an agent that neither runs nor waits to run. */
export function hasEnded({ status }: Agent): boolean {
  return status !== 'queued' && status !== 'running';
}

/** True if `agent` was spawned by `other` or by an agent below that; all agents are below the one at depth 0. */
function isBelow(agent: Agent, other: Agent | undefined): boolean {
  if (other === undefined) return true;
  for (let above = agent.parent; above !== undefined; above = above.parent) if (above === other) return true;
  return false;
}

/** The agents below one that have not ended. Those that have do not have such agents below them. */
function runningBelow(agent: Agent): Agent[] {
  return [...agent.children].flatMap(child => [child, ...runningBelow(child)]);
}

function depthBelow(parent: Agent | undefined): number {
  return (parent?.depth ?? 0) + 1;
}

/** What JSON keeps of a result. Throws if that can't be written. */
function jsonOf(result: unknown): unknown {
  if (['bigint', 'symbol', 'function'].includes(typeof result)) return String(result);
  try {
    return JSON.parse(JSON.stringify(result) ?? 'null');
  } catch (error) {
    throw new Error(`its result can't be written as JSON: ${reasonOf(error)}`);
  }
}
