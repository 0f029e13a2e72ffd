import {
  compileTools,
  dispatchCore,
  type ToolCallInput,
  ToolgaugeError,
  type ToolSchema,
  type Trajectory,
} from 'toolgauge';
import { kindOf } from '../boundary/kind-of.js';
import type { Round, RoundCall } from '../dispatch-core.js';
import { reasonOf } from '../errors.js';
import { bounded, type Limiter, limiter, TimeUp } from '../timing.js';
import type { JsonValue, LoopWarning, Role as Speaker } from '../types.js';
import { type AvailableTools, checkCall, isRunnable, type RefusedCall, type RunnableCall } from './check.js';
import { type DeclaredTool, declareTools } from './declared.js';
import type { Dispatcher, EvalOptions, ToolCallResult } from './dispatcher.js';
import type { EscalationQueue } from './escalations.js';
import type { CallEvent, CallWarning, DispatchEvents, DispatchWarning, ResultEvent } from './events.js';
import { functionToolkit } from './functions.js';
import type { ActiveAgent, DispatchContext, DispatcherOptions } from './options.js';
import { toOutput } from './output.js';
import { Recorder } from './recorder.js';
import { selectFunctions } from './select.js';
import { checkChoice, toTracker, wholeNumber } from './settings.js';
import { TodoList } from './todo.js';
import { type AgentIdentity, type CallContext, type RoutedCall, ToolCallFailure, type Toolkit } from './toolkit.js';
import type { ToolCallTracker } from './tracker.js';
import { userToolkit } from './user.js';

/** What depends on the role and the agent. */
interface Available extends AvailableTools {
  readonly functions: readonly ToolSchema[];
  readonly tools: ReadonlyMap<string, DeclaredTool>;
}

/** A call of a round, checked and tracked. */
interface PreparedCall {
  readonly read: RoundCall;
  readonly verdict: RunnableCall | RefusedCall;
  /** Under which number the tracker takes the output. */
  readonly tracked: number | undefined;
}

/** What came of a call. */
interface Settled {
  readonly output: JsonValue;
  readonly failed: boolean;
}

const LONGEST_TIMEOUT = 2_147_483_647;

/** The dispatcher that `createDispatcher` makes. */
export class ToolDispatcher implements Dispatcher {
  readonly tracker: ToolCallTracker | undefined;
  readonly todo: TodoList | undefined;
  readonly escalations: EscalationQueue | undefined;
  readonly depth: number;
  readonly #options: DispatcherOptions;
  readonly #events: DispatchEvents;
  readonly #identity: AgentIdentity | undefined;
  readonly #declared: ReadonlyMap<string, DeclaredTool>;
  readonly #limit: Limiter;
  readonly #timeoutMs: number;
  readonly #maxOutputBytes: number;
  readonly #recorder: Recorder | undefined;
  readonly #running = new Set<string>();
  #rounds = 0;
  #context: DispatchContext;
  #available: Available;

  constructor(options: DispatcherOptions) {
    const { agentRun, record = true } = options;
    this.#options = options;
    this.#events = options;
    this.#identity = agentRun === undefined ? undefined : { id: agentRun.id, name: agentRun.name };
    this.depth = wholeNumber('depth', options.depth ?? agentRun?.depth ?? 0, 0);
    this.#limit = limiter(wholeNumber('concurrency', options.concurrency ?? 8, 1));
    this.#timeoutMs = Math.min(wholeNumber('timeoutMs', options.timeoutMs ?? 120_000, 1), LONGEST_TIMEOUT);
    this.#maxOutputBytes = wholeNumber('maxOutputBytes', options.maxOutputBytes ?? 1_048_576, 1);
    checkChoice('onLoop', options.onLoop, ['refuse', 'warn']);
    checkChoice('invalidCalls', options.invalidCalls, ['refuse', 'repair', 'run']);
    this.tracker = toTracker(options.tracker);
    this.todo = options.todo === false ? undefined : (options.todo ?? new TodoList());
    this.escalations = options.escalations ?? (options.supervisor ?? agentRun?.supervisor)?.escalations;
    this.#recorder = record ? new Recorder() : undefined;
    this.#declared = declareTools(this.#toolkits());
    this.#context = { role: options.role, agent: options.agent ?? this.#identity };
    this.#available = this.#select();
  }

  get functions(): readonly ToolSchema[] {
    return this.#available.functions;
  }

  use(context: DispatchContext): void {
    this.#context = { ...this.#context, ...context };
    this.#available = this.#select();
  }

  addMessage(role: Speaker, content: string): void {
    this.#recorder?.addMessage(role, content);
  }

  trajectory(id?: string): Trajectory {
    if (this.#recorder === undefined) {
      throw new ToolgaugeError('invalid_option', 'options.record: nothing was recorded, since this option is false');
    }
    return this.#recorder.toTrajectory(id);
  }

  clear(): void {
    this.#recorder?.clear();
  }

  async evalToolCalls<Call extends ToolCallInput>(
    calls: readonly Call[],
    options: EvalOptions = {},
  ): Promise<ToolCallResult<Call>[]> {
    if (!Array.isArray(calls)) {
      throw new ToolgaugeError('invalid_input', `expected a list of tool calls, got ${kindOf(calls)}`);
    }
    if (calls.length === 0) return [];
    const round = this.#readRound(calls);
    if (round.calls.length === 0) throw allRunning(round.duplicates.length);
    this.#rounds += 1;
    const number = this.#rounds;
    for (const place of round.duplicates) this.#warnOfDuplicate(place, number);
    const prepared = this.#prepare(round.calls, calls, number);
    const signals = [options.signal, this.#options.agentRun?.signal].flatMap(signal => signal ?? []);
    const settled = await this.#runAll(prepared, number, signals);
    this.#record(prepared, settled, options.content ?? '');
    const results = prepared.map(({ read }, at) => toResult(calls[read.place], settled[at]));
    const answered = settled.every(({ output }) => output === null) ? [] : results;
    return [...answered, ...(this.#notification(settled) as ToolCallResult<Call>[])];
  }

  #toolkits(): Parameters<typeof declareTools>[0] {
    const { functions, handlers, shell, mcp, user, agentRun } = this.#options;
    const supervisor = this.#options.supervisor ?? agentRun?.supervisor;
    const asked = this.depth === 0 ? user : this.escalations;
    return {
      function: [functionToolkit({ functions, handlers }), ...listOf(shell)],
      mcp: listOf(mcp),
      agent: listOf(supervisor),
      todo: listOf(this.todo),
      user: asked === undefined ? [] : [userToolkit(asked)],
    };
  }

  #select(): Available {
    const { role, agent } = this.#context;
    const own = agent === undefined ? undefined : declareOwn(agent);
    const { aliases, mcpAliases, limits } = this.#options;
    const functions = selectFunctions<ToolSchema>({
      functions: [...this.#declared.values()].map(({ definition }) => definition),
      role,
      agent: own && { functions: [...own.values()].map(({ definition }) => definition) },
      aliases,
      mcpAliases,
      onWarning: this.#events.onWarning && (({ kind, message }) => this.#warn({ kind, message })),
    });
    const tools = new Map(
      functions.map(({ name }) => [name, (own?.get(name) ?? this.#declared.get(name)) as DeclaredTool]),
    );
    const compiled = compileTools([...functions], limits === undefined ? {} : { limits });
    const isDisabled = (name: string) => this.#declared.has(name) && !tools.has(name);
    return { functions, tools, compiled, isDisabled, limits };
  }

  /** If the calls can't be read together, each is read by itself, so that one of them does not stop the others. */
  #readRound(calls: readonly unknown[]): Round {
    const { limits } = this.#options;
    const running = [...this.#running];
    try {
      return dispatchCore.readRound(calls, running, limits);
    } catch {
      return { calls: calls.map((call, place) => readAlone(call, place, limits)), duplicates: [] };
    }
  }

  /** Checks the calls, then tracks those that may run. */
  #prepare(read: readonly RoundCall[], given: readonly unknown[], round: number): PreparedCall[] {
    const mode = this.#options.invalidCalls ?? 'refuse';
    const verdicts = read.map(call => checkCall(call, given[call.place], mode, this.#available));
    const runnable = verdicts.filter(isRunnable);
    const refuses = this.#options.onLoop !== 'warn';
    const tracked = (runnable.length > 0 && this.tracker?.track(runnable, refuses)) || [];
    let next = 0;
    return read.map((call, at) => {
      const verdict = verdicts[at] as RunnableCall | RefusedCall;
      if (!isRunnable(verdict)) {
        this.#warnOf(call, round, { kind: 'invalid_call', name: verdict.name, message: verdict.refusal });
        return { read: call, verdict, tracked: undefined };
      }
      if (verdict.changes.length > 0) this.#warnOfRepair(call, round, verdict);
      const { warning: loop, number } = tracked[next++] ?? {};
      if (loop !== undefined) this.#warnOfLoop(call, round, verdict, loop);
      const isRefused = loop !== undefined && refuses;
      return {
        read: call,
        verdict: isRefused ? { ...refusedOf(verdict), refusal: loop.message } : verdict,
        tracked: number,
      };
    });
  }

  async #runAll(
    prepared: readonly PreparedCall[],
    round: number,
    signals: readonly AbortSignal[],
  ): Promise<readonly Settled[]> {
    const ids = prepared.flatMap(({ read }) => read.id ?? []);
    for (const id of ids) this.#running.add(id);
    try {
      return await Promise.all(prepared.map(call => this.#settle(call, round, signals)));
    } finally {
      for (const id of ids) this.#running.delete(id);
    }
  }

  async #settle({ read, verdict }: PreparedCall, round: number, signals: readonly AbortSignal[]): Promise<Settled> {
    const route = dispatchCore.routeOf(verdict.name);
    const started = (): CallEvent => ({
      round,
      index: read.place,
      ...(read.id === undefined ? {} : { id: read.id }),
      name: verdict.name,
      arguments: verdict.arguments as CallEvent['arguments'],
      route,
      ...(this.#identity === undefined ? {} : { agent: this.#identity }),
      startedAt: Date.now(),
    });
    if (!isRunnable(verdict)) {
      const output = { tool_call_error: verdict.refusal };
      this.#observe('onResult', { ...started(), output, status: 'refused', durationMs: 0 });
      return { output, failed: true };
    }
    const { name, arguments: args } = verdict;
    const call: RoutedCall = { ...(read.id === undefined ? {} : { id: read.id }), name, arguments: args, route };
    const isWaiting = route.kind === 'agent' || route.kind === 'user';
    const run = async () => {
      const event = started();
      this.#observe('onCall', event);
      const before = performance.now();
      const settled = await this.#run(call, isWaiting ? undefined : this.#timeoutMs, signals);
      const durationMs = performance.now() - before;
      this.#observe('onResult', { ...event, ...toEventOutcome(settled), durationMs });
      return settled;
    };
    return isWaiting ? run() : this.#limit(run);
  }

  async #run(call: RoutedCall, timeoutMs: number | undefined, signals: readonly AbortSignal[]): Promise<Settled> {
    const tool = this.#available.tools.get(call.name);
    try {
      if (tool === undefined) throw new ToolCallFailure(`There is no tool ${JSON.stringify(call.name)}.`);
      const seconds = timeoutMs === undefined ? undefined : timeoutMs / 1000;
      const returned = await bounded(signals, seconds, async inner => tool.toolkit.run(call, this.#contextOf(inner)));
      return { output: toOutput(returned, this.#maxOutputBytes), failed: false };
    } catch (error) {
      return { output: { tool_call_error: messageOf(error, timeoutMs, signals) }, failed: true };
    }
  }

  #contextOf(signal: AbortSignal): CallContext {
    return { signal, depth: this.depth, ...(this.#identity === undefined ? {} : { agent: this.#identity }) };
  }

  #record(prepared: readonly PreparedCall[], settled: readonly Settled[], content: string): void {
    const outputs = prepared.flatMap(({ tracked }, at) => {
      const output = settled[at]?.output;
      return tracked === undefined || output === undefined ? [] : [[tracked, output] as const];
    });
    this.tracker?.recordOutputs(outputs);
    if (this.#recorder === undefined) return;
    const calls = prepared.map(({ read, verdict }, at) => ({
      ...(read.id === undefined ? {} : { id: read.id }),
      name: verdict.name,
      arguments: verdict.arguments,
      output: settled[at]?.output ?? 'DONE',
      failed: settled[at]?.failed ?? true,
    }));
    this.#recorder.addRound(content, calls, this.functions);
  }

  #notification(settled: readonly Settled[]): ToolCallResult[] {
    if (this.depth > 0 || this.escalations === undefined || this.escalations.size === 0) return [];
    // `agent__collect` returns them, too.
    if (settled.some(({ output }) => Object.hasOwn(Object(output), 'pending_escalations'))) return [];
    const pending = this.escalations.pending() as unknown as JsonValue;
    const output = { pending_escalations: pending };
    this.#recorder?.addMessage('system', JSON.stringify(output));
    return [{ call: { name: 'user__notification', arguments: {} }, output, notification: true }];
  }

  #warnOfDuplicate(index: number, round: number): void {
    const message = `call ${index} was left out: a later call has the same id, or a call of that id is running`;
    this.#warn({ kind: 'duplicate_call', message, round, index, name: '' });
  }

  #warnOfRepair(read: RoundCall, round: number, { name, changes }: RunnableCall): void {
    const message = `the call of ${name} was repaired: ${changes.map(({ description }) => description).join('; ')}`;
    this.#warnOf(read, round, { kind: 'repaired_call', name, message, changes });
  }

  #warnOfLoop(read: RoundCall, round: number, { name }: RunnableCall, loop: LoopWarning): void {
    this.#warnOf(read, round, { kind: 'loop', name, message: loop.message, loop });
  }

  #warnOf({ id, place }: RoundCall, round: number, warning: Omit<CallWarning, 'round' | 'index' | 'id'>): void {
    this.#warn({ ...warning, round, index: place, ...(id === undefined ? {} : { id }) });
  }

  #observe(name: 'onCall' | 'onResult', event: CallEvent | ResultEvent): void {
    try {
      this.#events[name]?.(event as ResultEvent);
    } catch (error) {
      this.#warn({ kind: 'observer_failed', message: `${name} threw: ${reasonOf(error)}` });
    }
  }

  /** There is nobody to report to when it throws. */
  #warn(warning: DispatchWarning): void {
    try {
      this.#events.onWarning?.(warning);
    } catch {}
  }
}

function declareOwn({ functions, handlers }: ActiveAgent): ReadonlyMap<string, DeclaredTool> {
  return declareTools({
    function: [functionToolkit({ functions, handlers })],
    agent: [],
    todo: [],
    user: [],
    mcp: [],
  });
}

function readAlone(call: unknown, place: number, limits: DispatcherOptions['limits']): RoundCall {
  try {
    const [read] = dispatchCore.readRound([call], [], limits).calls;
    return { ...read, place };
  } catch (error) {
    return { place, problem: reasonOf(error) };
  }
}

function refusedOf({ name, arguments: args }: RunnableCall): Omit<RefusedCall, 'refusal'> {
  return { name, arguments: args };
}

function toResult<Call>(call: Call | undefined, settled: Settled | undefined): ToolCallResult<Call> {
  return { call: call as Call, output: settled?.output ?? 'DONE' };
}

function toEventOutcome({ output, failed }: Settled): Pick<ResultEvent, 'output' | 'status'> {
  return { output, status: failed ? 'failed' : 'success' };
}

function messageOf(error: unknown, timeoutMs: number | undefined, signals: readonly AbortSignal[]): string {
  if (signals.some(({ aborted }) => aborted)) return 'The call was aborted before it had a result.';
  if (error instanceof TimeUp) return `The call had no result within ${(timeoutMs ?? 0) / 1000} s and was stopped.`;
  return shortened(reasonOf(error));
}

/** Messages of tools may be of any length, and a model has to read them. */
const LONGEST_MESSAGE = 10_000;

function shortened(message: string): string {
  if (message.length <= LONGEST_MESSAGE) return message;
  return `${message.slice(0, LONGEST_MESSAGE)}… (${message.length - LONGEST_MESSAGE} more characters)`;
}

function allRunning(calls: number): ToolgaugeError {
  const message = `no call is left to run: ${calls === 1 ? 'the call is' : `all ${calls} calls are`} running already`;
  return new ToolgaugeError('invalid_input', message, { expected: 'calls that are not running' });
}

function listOf(toolkit: Toolkit | undefined): Toolkit[] {
  return toolkit === undefined ? [] : [toolkit];
}
