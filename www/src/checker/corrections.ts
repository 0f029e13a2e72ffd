import {
  type CompiledTools,
  compileTools,
  repairToolCallSync,
  type ToolCall,
  type ToolUseIssueType,
  type Trajectory,
} from 'toolgauge';
import type { Correction, Finding } from './protocol.ts';

/** The issues that repairing the call may resolve. */
const REPAIRABLE: ReadonlySet<string> = new Set<ToolUseIssueType>([
  'missing_arguments',
  'invalid_arguments',
  'schema_violation',
  'type_mismatch',
  'missing_required_param',
  'unknown_tool',
]);

/** At most this many calls of one trajectory are repaired. */
const MOST_REPAIRS = 200;

/** After this many milliseconds no further call is repaired, because the result of the check waits for the corrections. */
const LONGEST = 1000;

/** Calls with more values than this are not repaired, because that would take too long. */
const MOST_VALUES = 1000;

/**
 * The corrections of the invalid calls, in order. A call has one only if it is clear what the call should have been.
 * Without `tools`, the definitions in the trajectory are used. `findings` are in the order of the calls.
 */
export function correctionsOf(
  trajectory: Trajectory,
  findings: readonly Omit<Finding, 'id'>[],
  tools: CompiledTools | undefined,
): readonly Correction[] {
  const places = invalidCalls(findings);
  if (places.length === 0) return [];
  if (tools !== undefined) return repaired(trajectory, places, tools);
  const own = ownTools(trajectory);
  if (own === undefined) return [];
  try {
    return repaired(trajectory, places, own);
  } finally {
    own[Symbol.dispose]?.();
  }
}

interface Place {
  readonly turn: number;
  readonly call: number;
}

function invalidCalls(findings: readonly Omit<Finding, 'id'>[]): readonly Place[] {
  return findings
    .filter(({ issue }) => REPAIRABLE.has(issue.type))
    .flatMap(({ turn, call }) => (call === undefined ? [] : [{ turn, call }]))
    .filter(({ turn, call }, index, all) => turn !== all[index - 1]?.turn || call !== all[index - 1]?.call)
    .slice(0, MOST_REPAIRS);
}

function ownTools({ tools }: Trajectory): CompiledTools | undefined {
  if (tools === undefined) return undefined;
  try {
    return compileTools(JSON.stringify(tools));
  } catch {
    return undefined;
  }
}

function repaired(trajectory: Trajectory, places: readonly Place[], tools: CompiledTools): readonly Correction[] {
  const corrections: Correction[] = [];
  const end = performance.now() + LONGEST;
  for (const { turn, call } of places) {
    if (performance.now() > end) break;
    const made = trajectory.turns[turn]?.tool_calls?.[call];
    const repair = made && repairOf(made, tools);
    if (repair !== undefined) corrections.push({ turn, call, ...repair });
  }
  return corrections;
}

function repairOf(made: ToolCall, tools: CompiledTools): Omit<Correction, keyof Place> | undefined {
  const { name, arguments: given, rawArguments, incomplete } = made;
  const toolCall = JSON.stringify({ name, arguments: given, rawArguments });
  if (incomplete === true || isLarge(toolCall)) return undefined;
  try {
    const repair = repairToolCallSync({ tools, toolCall });
    if (repair.status !== 'repaired' || repair.name === null) return undefined;
    return { corrected: { name: repair.name, arguments: repair.arguments }, changes: repair.changes };
  } catch {
    // The call is shown without a correction.
    return undefined;
  }
}

/** Counts commas, so that the values of JSON inside a string count as well. */
function isLarge(json: string): boolean {
  return json.split(',', MOST_VALUES + 1).length > MOST_VALUES;
}
