import { dispatchCore, type LoopWarning, type TrackerState } from 'toolgauge';
import { readingOptions } from './check-options.js';

/** When a repetition is one too many. */
export interface TrackerOptions {
  /** How often in a row the same call, or the same chain of calls, may be made: 1 to 100. Default 2. */
  readonly maxRepeats?: number | undefined;
  /** The longest chain that is looked for, in calls: 1 to 100. Default 3. */
  readonly chainLength?: number | undefined;
}

/** A call as the tracker sees it. */
export interface TrackableCall {
  /** The tool's name. */
  readonly name: string;
  /** The arguments. Default: none. */
  readonly arguments?: unknown;
}

/** A call as it was recorded. */
export interface TrackedRun {
  /** Why the call is one repetition too many; undefined if it is not. */
  readonly warning: LoopWarning | undefined;
  /** The number under which its output is recorded; undefined if the call is not recorded. */
  readonly number: number | undefined;
}

/**
 * Notices when an agent goes round in circles: the same call too often in a row, or the same chain of calls, such as
 * A B A B A. Calls are the same when their names and arguments are; the order of object members does not matter. A call
 * whose outputs differ is no repetition.
 *
 * The state is kept across rounds. It is plain data: `JSON.stringify(tracker)` saves it, {@link ToolCallTracker.from}
 * restores it.
 *
 * @example
 * const tracker = new ToolCallTracker({ maxRepeats: 2 });
 * const call = { name: 'search', arguments: { q: 'news' } };
 * tracker.record(call);
 * tracker.record(call);
 * tracker.check(call)?.chain; // ['search({"q":"news"})']
 */
export class ToolCallTracker {
  #state: TrackerState;

  /** Throws `invalid_option` for a number out of range. */
  constructor(options: TrackerOptions = {}) {
    const { maxRepeats, chainLength } = readingOptions(options, it => ({ ...it }));
    const given = Object.entries({ maxRepeats, chainLength }).filter(([, value]) => value !== undefined);
    this.#state = dispatchCore.readTrackerState(Object.fromEntries(given));
  }

  /** The tracker that `state`, saved by {@link ToolCallTracker.toJSON}, describes. Throws `invalid_option`. */
  static from(state: TrackerState): ToolCallTracker {
    const tracker = new ToolCallTracker();
    tracker.#state = dispatchCore.readTrackerState(state);
    return tracker;
  }

  /** How often in a row the latest call was made. 0 before the first call. */
  get repeats(): number {
    return this.#state.repeats;
  }

  /** The latest calls, oldest first, at most `maxRepeats` × `chainLength`, as warnings show them. */
  get chain(): readonly string[] {
    return this.#state.calls.map(({ call }) => call);
  }

  /** Says whether a call would be one repetition too many. Does not record it. */
  check(call: TrackableCall): LoopWarning | undefined {
    return dispatchCore.trackCalls(this.#state, [call], true).warnings[0] ?? undefined;
  }

  /** Records a call that is made, and its output if there is one already. */
  record(call: TrackableCall, output?: unknown): void {
    const [tracked] = this.track([call], false);
    if (output !== undefined && tracked?.number !== undefined) this.recordOutputs([[tracked.number, output]]);
  }

  /** What the tracker knows, to be saved. */
  toJSON(): TrackerState {
    return structuredClone(this.#state);
  }

  /**
   * Checks and records the calls of one round, in order. If `refuses`, those with a warning are not recorded.
   * @internal
   */
  track(calls: readonly TrackableCall[], refuses: boolean): TrackedRun[] {
    const { warnings, numbers, state } = dispatchCore.trackCalls(this.#state, calls, refuses);
    this.#state = state;
    return warnings.map((warning, at) => ({ warning: warning ?? undefined, number: numbers[at] ?? undefined }));
  }

  /**
   * Records the outputs of calls by their numbers. Outputs of calls that are no longer remembered are ignored.
   * @internal
   */
  recordOutputs(outputs: readonly (readonly [number, unknown])[]): void {
    const { recorded, calls } = this.#state;
    const remembered = outputs.filter(([number]) => number >= recorded - calls.length);
    if (remembered.length > 0) this.#state = dispatchCore.recordOutputs(this.#state, remembered);
  }
}
