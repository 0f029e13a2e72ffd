import {
  type CheckOptions,
  type CheckReport,
  checkTrajectories,
  compileTools,
  importTrajectory,
  type Loop,
  type ResultIssue,
  type ResultIssueType,
  SEVERITIES,
  type Severity,
  type ToolsInput,
  type ToolUseIssue,
  type ToolUseIssueType,
} from 'toolgauge';
import { isReply, type ObservedStep, RunRecord, type RunRequest } from './run-record.js';

/** An issue of a call, of a result or of a reply. */
export type RunIssue = ToolUseIssue | ResultIssue;

/** A call as the SDK has it. */
export interface ObservedToolCall {
  /** The id of the call. */
  readonly toolCallId: string;
  /** The tool's name. */
  readonly toolName: string;
  /** The arguments. */
  readonly input: unknown;
}

/** Where in a run an issue is. */
export interface IssuePlace {
  /** The number of the step, from 0, as the SDK counts. */
  readonly stepNumber: number;
  /** The call that the issue is about. Absent if it is about a reply. */
  readonly toolCall?: ObservedToolCall | undefined;
}

/** How {@link observeRun} checks a run: the options of `checkTrajectories`, and what it calls. */
export interface ObserveRunOptions extends RunRequest, Omit<CheckOptions, 'format'> {
  /** The tools of the agent. Default: in ai 6 and 7 those of the run, in ai 5 none. */
  readonly tools?: ToolsInput | undefined;
  /**
   * Called once with each issue, of any severity, as soon as it is found. Only a loop may turn out to be no issue: if a
   * later call has another result, the agent was waiting for it, and the report does not contain the loop.
   */
  readonly onIssue?: ((issue: RunIssue, place: IssuePlace) => unknown) | undefined;
  /** Called with the report when the SDK calls `onFinish`: at the end of a run, except by `generateText` of ai 5. */
  readonly onReport?: ((report: CheckReport) => unknown) | undefined;
  /**
   * Called with each error that occurs while the run is checked, such as a result that is not JSON, or an error of
   * `onIssue`. The run goes on. `report` throws the first error; if there is an `onError`, it does not throw errors of
   * `onIssue` and `onReport`.
   */
  readonly onError?: ((error: unknown) => unknown) | undefined;
}

/** The members that are read of the event that begins a run. */
export interface RunStartEvent extends RunRequest {
  /** The tools that the model may call. */
  readonly tools?: unknown;
}

/** Callbacks for `generateText`, `streamText` and agents. A version of the SDK ignores those that it does not know. */
export interface RunCallbacks {
  /** Begins a run (ai 7). */
  readonly onStart: (event: RunStartEvent) => void;
  /** The same in ai 6. */
  readonly experimental_onStart: (event: RunStartEvent) => void;
  /** Checks a step. */
  readonly onStepFinish: (step: ObservedStep) => Promise<void>;
  /** Checks the whole run. */
  readonly onFinish: (event: { readonly steps: readonly ObservedStep[] }) => Promise<void>;
}

/** A condition for `stopWhen`. */
export type IssueStopCondition = (options: { readonly steps: readonly ObservedStep[] }) => Promise<boolean>;

/** What {@link observeRun} returns. */
export interface RunObserver {
  /** To spread into the settings of `generateText` or `streamText`, or into those of an agent or its `generate`. */
  readonly callbacks: RunCallbacks;
  /**
   * A condition for `stopWhen`: stops the run after a step with an issue of this severity or worse, or of this type.
   * Issues of results and replies are only known at the end of a run, so they stop nothing.
   */
  hasIssue(which: Severity | ToolUseIssueType | ResultIssueType): IssueStopCondition;
  /**
   * A condition for `stopWhen`: stops the run when the agent has made the same calls this many times, each time with the
   * same results. Default 3.
   */
  hasLoop(rounds?: number): IssueStopCondition;
  /**
   * The report on the run so far: what `checkTrajectories` returns for its request and its steps. Throws the errors of
   * `checkTrajectories`, and the first error that occurred while the run was checked.
   */
  report(): CheckReport;
}

/**
 * Observes one run of the AI SDK (v5 to v7) and checks each step when it ends: issues of calls and loops are reported at
 * once, issues of results and replies when the agent has replied. Make an observer for each run.
 *
 * Throws `invalid_schema` if the tools can't be used. The callbacks never throw.
 *
 * @example
 * const observer = observeRun({ onIssue: (issue, { stepNumber }) => console.warn(stepNumber, issue.description) });
 * await generateText({
 *   ...{ model, tools, prompt, ...observer.callbacks },
 *   stopWhen: [stepCountIs(20), observer.hasIssue('critical'), observer.hasLoop()],
 * });
 * observer.report().gate.passed; // true
 */
export function observeRun(options: ObserveRunOptions = {}): RunObserver {
  const observation = new Observation(options);
  const onStart = (event: RunStartEvent) => observation.start(event);
  const stopOn = (isMet: () => boolean): IssueStopCondition => {
    return async ({ steps }) => {
      await observation.take(steps);
      return isMet();
    };
  };
  return {
    callbacks: {
      onStart,
      experimental_onStart: onStart,
      onStepFinish: step => observation.take([step]),
      onFinish: ({ steps }) => observation.finish(steps),
    },
    hasIssue: which => stopOn(() => observation.issues.some(matcherOf(which))),
    hasLoop: (rounds = 3) => stopOn(() => observation.loops.some(loop => loop.rounds.length >= rounds)),
    report: () => observation.report(),
  };
}

function matcherOf(which: string): (issue: RunIssue) => boolean {
  const least = (SEVERITIES as readonly string[]).indexOf(which);
  return least < 0 ? ({ type }) => type === which : ({ severity }) => SEVERITIES.indexOf(severity) >= least;
}

function loopOf({ details }: RunIssue): Loop | undefined {
  return details !== undefined && 'loop' in details ? details.loop : undefined;
}

/** A run while it is checked. */
class Observation {
  /** The issues that were reported. */
  readonly issues: RunIssue[] = [];
  /** The loops as they are now. */
  loops: Loop[] = [];

  readonly #options: ObserveRunOptions;
  readonly #checks: CheckOptions;
  readonly #reported = new Set<string>();
  readonly #failures: unknown[] = [];
  #tools: ToolsInput | undefined;
  #record: RunRecord;
  /** The report on the steps so far; undefined until they are checked as a whole. */
  #whole: CheckReport | undefined;

  constructor(options: ObserveRunOptions) {
    const { tools, onIssue, onReport, onError, instructions, system, prompt, messages, ...checks } = options;
    this.#options = options;
    this.#checks = { ...checks, format: 'ai-sdk-steps' };
    this.#tools = tools && compileTools(tools);
    this.#record = new RunRecord(options);
  }

  /** Begins a run. Options override what the event contains. */
  start(event: RunStartEvent): void {
    this.#guarded(() => {
      const { instructions, system, prompt, messages } = this.#options;
      const isAsked = prompt !== undefined || messages !== undefined;
      this.#record = new RunRecord({
        instructions: instructions ?? system ?? event.instructions ?? event.system,
        prompt: isAsked ? prompt : event.prompt,
        messages: isAsked ? messages : event.messages,
      });
      this.#whole = undefined;
      this.issues.length = 0;
      this.loops = [];
      this.#reported.clear();
      this.#failures.length = 0;
      if (event.tools != null && this.#options.tools === undefined)
        this.#tools = compileTools(event.tools as ToolsInput);
    });
  }

  /** Checks the steps that are new. */
  async take(steps: readonly ObservedStep[]): Promise<void> {
    for (const step of steps) {
      if (!this.#guarded(() => this.#record.add(step))) continue;
      this.#whole = undefined;
      await this.#notifyOfNew(isReply(step));
    }
  }

  /** Checks the whole run. */
  async finish(steps: readonly ObservedStep[]): Promise<void> {
    await this.take(steps);
    await this.#notifyOfNew(true);
    const { onReport } = this.#options;
    if (onReport === undefined || this.#failures.length > 0) return;
    await this.#callUser(() => onReport(this.#checkWhole()));
  }

  report(): CheckReport {
    if (this.#failures.length > 0) throw this.#failures[0];
    const report = this.#checkWhole();
    for (const notify of this.#addNew(report, true)) void notify();
    return report;
  }

  /** Checks the steps so far as a whole, once. */
  #checkWhole(): CheckReport {
    this.#whole ??= checkTrajectories(this.#record.toJson(), this.#tools, this.#checks);
    return this.#whole;
  }

  /** While a run goes on, results and replies are left alone: they may still come, and checking them takes most time. */
  #check(isOver: boolean): CheckReport {
    if (isOver) return this.#checkWhole();
    return checkTrajectories(this.#record.toJson(), this.#tools, { ...this.#checks, checkResultUsage: false });
  }

  async #notifyOfNew(isOver: boolean): Promise<void> {
    const notifications = this.#guarded(() => this.#addNew(this.#check(isOver), isOver));
    for (const notify of notifications ?? []) await notify();
  }

  /** Adds the issues that are new. Returns a function for each that calls `onIssue` with it. */
  #addNew({ trajectories: [trajectory] }: CheckReport, isOver: boolean): (() => Promise<void>)[] {
    const ofCalls = trajectory?.results.flatMap(({ issues }) => issues) ?? [];
    this.loops = ofCalls.flatMap(issue => loopOf(issue) ?? []);
    const certain: RunIssue[] = isOver
      ? [...ofCalls, ...(trajectory?.resultIssues ?? [])]
      : ofCalls.filter(({ type }) => type !== 'hallucinated_result');
    const unseen = certain.filter(issue => !this.#reported.has(identityOf(issue)));
    if (unseen.length === 0) return [];
    const steps = stepsOfTurns(this.#record.toJson());
    return unseen.flatMap(issue => {
      this.#reported.add(identityOf(issue));
      const stepNumber = steps.get(issue.turnId);
      // Without a step it belongs to the messages before the run.
      if (stepNumber === undefined) return [];
      this.issues.push(issue);
      const toolCall = this.#record.callOf(issue.details?.callId) as ObservedToolCall | undefined;
      return [() => this.#callUser(() => this.#options.onIssue?.(issue, { stepNumber, toolCall }))];
    });
  }

  /** Runs a function of the user. */
  async #callUser(run: () => unknown): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (this.#options.onError === undefined) this.#failures.push(error);
      this.#reportError(error);
    }
  }

  #guarded<Value>(body: () => Value): Value | undefined {
    try {
      return body();
    } catch (error) {
      // A run that was not checked as a whole has no report, even if the caller handles the error.
      this.#failures.push(error);
      this.#reportError(error);
      return undefined;
    }
  }

  #reportError(error: unknown): void {
    try {
      Promise.resolve(this.#options.onError?.(error)).catch(() => {});
    } catch {
      // If the function that handles errors throws, nobody is left to handle that.
    }
  }
}

/** The same issue has the same identity in each check of a run. The description of a loop changes while it goes on. */
function identityOf(issue: RunIssue): string {
  const { type, turnId, description, details } = issue;
  return JSON.stringify([type, turnId, details?.callIndex, loopOf(issue) ? 'loop' : description]);
}

/** The number of the step of each turn, by the number of the turn. A step may be several turns. */
function stepsOfTurns(run: string): Map<number | undefined, number | undefined> {
  let stepNumber: number | undefined;
  const { turns } = importTrajectory(run, { format: 'ai-sdk-steps' }).value;
  return new Map(
    turns.map(turn => {
      stepNumber = (turn as { readonly stepNumber?: number }).stepNumber ?? stepNumber;
      return [turn.turn_id, stepNumber];
    }),
  );
}
