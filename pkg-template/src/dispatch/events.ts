import type { JsonValue, LoopWarning, RepairChange, Route } from '../types.js';
import type { AgentIdentity } from './toolkit.js';

/** What happens while calls run, for a terminal or a page that shows a run as it goes. */
export interface DispatchEvents {
  /** Called when a call starts to run. */
  readonly onCall?: ((event: CallEvent) => void) | undefined;
  /** Called when a call has its output, whether it ran or was refused. */
  readonly onResult?: ((event: ResultEvent) => void) | undefined;
  /** Called for what a developer should know: loops, repairs, refused calls, duplicates. */
  readonly onWarning?: ((warning: DispatchWarning) => void) | undefined;
}

/** A call that starts to run. */
export interface CallEvent {
  /** The number of the round, from 1. */
  readonly round: number;
  /** The place of the call among those given to `evalToolCalls`, from 0. */
  readonly index: number;
  /** The id that the provider gave the call. */
  readonly id?: string;
  /** The name of the tool, after a repair the repaired one. Empty if the call names none. */
  readonly name: string;
  /** The arguments, after a repair the repaired ones. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Where the call leads. */
  readonly route: Route;
  /** The agent that makes the call. Absent at depth 0. */
  readonly agent?: AgentIdentity;
  /** When the call started, in milliseconds since 1970. */
  readonly startedAt: number;
}

/** A call with its output. */
export interface ResultEvent extends CallEvent {
  /** The output, as `evalToolCalls` returns it; null where that returns `"DONE"`. */
  readonly output: JsonValue;
  /** `refused` is a call that was not run: it is not valid, or a repetition too many. */
  readonly status: 'success' | 'failed' | 'refused';
  /** How long the call ran, in milliseconds; 0 for a refused one. Waiting for a free place does not count. */
  readonly durationMs: number;
}

/** Something that a developer should know about a run. */
export type DispatchWarning = CallWarning | NameWarning | ObserverWarning;

/** A warning about a call. */
export interface CallWarning {
  /**
   * `loop`: the call is one repetition too many. `repaired_call`: it was not valid and was repaired. `invalid_call`: it
   * is not valid and was refused. `duplicate_call`: it was left out, because a later call has the same id or a call of
   * that id is still running.
   */
  readonly kind: 'loop' | 'repaired_call' | 'invalid_call' | 'duplicate_call';
  /** The warning as a sentence. */
  readonly message: string;
  /** The number of the round, from 1. */
  readonly round: number;
  /** The place of the call among those given to `evalToolCalls`, from 0. */
  readonly index: number;
  /** The name of the tool. Empty if the call names none. */
  readonly name: string;
  /** The id that the provider gave the call. */
  readonly id?: string;
  /** What is repeated. Only of `loop`. */
  readonly loop?: LoopWarning;
  /** What was changed. Only of `repaired_call`. */
  readonly changes?: readonly RepairChange[];
}

/** A name in the role that enables nothing. */
export interface NameWarning {
  /** What the warning is about. */
  readonly kind: 'unknown_name';
  /** The warning as a sentence. */
  readonly message: string;
}

/** `onCall` or `onResult` threw. The run goes on. */
export interface ObserverWarning {
  /** What the warning is about. */
  readonly kind: 'observer_failed';
  /** The warning as a sentence, with what was thrown. */
  readonly message: string;
}
