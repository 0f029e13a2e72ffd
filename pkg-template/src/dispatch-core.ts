import * as core from '#glue';
import { optionsToPayload, toPayload } from './boundary/json.js';
import { answer } from './bridge.js';
import type { JsonValue, Limits, LoopWarning, Route, TrackerState } from './types.js';

/** A call of a round, whoever wrote it. */
export interface RoundCall {
  /** Its place among the given calls, from 0. */
  readonly place: number;
  readonly id?: string;
  readonly name?: string;
  readonly arguments?: Record<string, JsonValue>;
  /** Why it can't be run as it is. */
  readonly problem?: string;
}

/** The calls of a round that are to be run, and the places of those left out. */
export interface Round {
  readonly calls: readonly RoundCall[];
  readonly duplicates: readonly number[];
}

/** What a tracker says of a round. */
export interface TrackedRound {
  readonly warnings: readonly (LoopWarning | null)[];
  readonly numbers: readonly (number | null)[];
  readonly state: TrackerState;
}

/** From what functions are selected; see `selectFunctions`. */
export interface SelectionRequest {
  readonly names: readonly string[];
  readonly enabledTools?: string | readonly string[] | undefined;
  readonly enabledMcpServers?: string | readonly string[] | undefined;
  readonly aliases?: Readonly<Record<string, string | readonly string[]>> | undefined;
  readonly mcpAliases?: Readonly<Record<string, string | readonly string[]>> | undefined;
  readonly agent?: readonly string[] | undefined;
}

/** The places of the selected functions, and the names that enable nothing. */
export interface Selection {
  readonly agent: readonly number[];
  readonly functions: readonly number[];
  readonly unknown: readonly {
    readonly name: string;
    readonly list: 'enabled_tools' | 'enabled_mcp_servers';
    readonly suggestion?: string;
  }[];
}

/** What the core decides for a dispatcher. `toolgauge/dispatch` gets it from here, so that there is one core. */
export interface DispatchCore {
  routeOf(name: string): Route;
  readRound(calls: readonly unknown[], running: readonly string[], limits: Limits | undefined): Round;
  readTrackerState(state: unknown): TrackerState;
  trackCalls(state: TrackerState, calls: readonly unknown[], refuses: boolean): TrackedRound;
  recordOutputs(state: TrackerState, outputs: readonly (readonly [number, unknown])[]): TrackerState;
  selectFunctions(request: SelectionRequest): Selection;
  rankTools(query: string, tools: readonly object[]): number[];
}

/** @internal */
export const dispatchCore: DispatchCore = {
  routeOf: name => answer(() => core.routeOf(name), [], undefined),
  readRound: (calls, running, limits) => {
    const options = limits === undefined ? undefined : { limits };
    const payloads = [toPayload(calls, 'the calls'), optionsToPayload(options)] as const;
    return answer((given, settings) => core.readRound(given, JSON.stringify(running), settings), payloads, options);
  },
  readTrackerState: state => answer(core.readTrackerState, [toPayload(state, 'the state')] as const, undefined),
  trackCalls: (state, calls, refuses) =>
    answer(given => core.trackCalls(JSON.stringify(state), given, refuses), [toPayload(calls, 'the calls')], undefined),
  recordOutputs: (state, outputs) =>
    answer(
      given => core.recordOutputs(JSON.stringify(state), given),
      [toPayload(outputs, 'the outputs')] as const,
      undefined,
    ),
  selectFunctions: request => answer(() => core.selectFunctions(JSON.stringify(request)), [], undefined),
  rankTools: (query, tools) => answer(() => core.rankTools(query, JSON.stringify(tools)), [], undefined),
};
