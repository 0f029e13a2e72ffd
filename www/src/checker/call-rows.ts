import type { ToolCall, Trajectory } from 'toolgauge';
import { brief } from '../view/labels.ts';
import type { CallRow } from './protocol.ts';

/** Longer outcomes are cut, in characters. */
const LONGEST_OUTCOME = 160;

/** A result that is longer as JSON, in characters, is sent as text: that takes the page no time until it is opened. */
const LONGEST_VALUE = 2_000;

/** The rows of the calls, by turn. */
export function callRows({ turns }: Trajectory): readonly (readonly CallRow[])[] {
  return turns.map(({ tool_calls = [] }) => tool_calls.map(rowOf));
}

function rowOf(call: ToolCall): CallRow {
  const { error, result } = call;
  const json = result === undefined ? '' : JSON.stringify(result);
  return {
    given: brief(call.arguments) || (call.rawArguments ?? '').slice(0, LONGEST_OUTCOME),
    outcome: brief(error ?? result, LONGEST_OUTCOME),
    isFailed: error !== undefined,
    size: json.length,
    ...(json.length > LONGEST_VALUE && { longResult: json }),
  };
}

/** What the page shows of a trajectory: without long results, which the rows hold, and without members that it never shows. */
export function shownPart({ trajectory_id, turns }: Trajectory, rows: readonly (readonly CallRow[])[]): Trajectory {
  return {
    ...(trajectory_id !== undefined && { trajectory_id }),
    turns: turns.map(({ turn_id, role, content, timestamp, tool_calls }, turn) => ({
      turn_id,
      role,
      content,
      ...(timestamp !== undefined && { timestamp }),
      ...(tool_calls && { tool_calls: tool_calls.map((call, place) => shownCall(call, rows[turn]?.[place])) }),
    })),
  };
}

function shownCall(call: ToolCall, row: CallRow | undefined): ToolCall {
  const { id, name, arguments: given, rawArguments, error, result } = call;
  return {
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(given !== undefined && { arguments: given }),
    ...(rawArguments !== undefined && { rawArguments }),
    ...(error !== undefined && { error }),
    ...(result !== undefined && row?.longResult === undefined && { result }),
  };
}
