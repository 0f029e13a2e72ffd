import { type CompiledTools, type RepairChange, repairToolCallSync, type ToolCallInput } from 'toolgauge';
import type { RoundCall } from '../dispatch-core.js';
import { reasonOf } from '../errors.js';
import type { JsonValue, Limits, ToolCallRepair } from '../types.js';
import { refusalOf } from './refusal.js';

/**
 * What happens with calls that are not valid. `refuse`: the model gets a message that says what is wrong. `repair`: they
 * are repaired where what they should be is clear, and refused otherwise. `run`: they run as they are.
 */
export type InvalidCalls = 'refuse' | 'repair' | 'run';

/** A call that may run. */
export interface RunnableCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, JsonValue>>;
  /** What was changed to make it valid. */
  readonly changes: readonly RepairChange[];
}

/** A call that may not run. */
export interface RefusedCall {
  readonly name: string;
  readonly arguments: JsonValue;
  /** Why, and what to do, for the model. */
  readonly refusal: string;
}

/** The tools that calls are checked against. */
export interface AvailableTools {
  readonly compiled: CompiledTools;
  /** Whether a tool exists, but is not enabled. */
  isDisabled(name: string): boolean;
  readonly limits: Limits | undefined;
}

/** Checks a call before it runs. `given` is the call as the provider wrote it. */
export function checkCall(
  call: RoundCall,
  given: unknown,
  mode: InvalidCalls,
  tools: AvailableTools,
): RunnableCall | RefusedCall {
  const { name = '', arguments: args = {} } = call;
  const refuse = (refusal: string): RefusedCall => ({ name, arguments: args, refusal });
  if (tools.isDisabled(name)) return refuse(`The tool ${JSON.stringify(name)} is not enabled. ${listOf(tools)}`);
  if (mode === 'run') return call.problem === undefined ? { name, arguments: args, changes: [] } : refuse(call.problem);
  try {
    const input = toInput(given, tools);
    const repair = repairToolCallSync(input);
    const mayRun = repair.status === 'valid' || (repair.status === 'repaired' && mode === 'repair');
    return mayRun ? toRunnable(repair) : refuse(refusalOf(input, repair));
  } catch (error) {
    return refuse(`The call can't be checked: ${reasonOf(error)}`);
  }
}

/** Whether a call may run. */
export function isRunnable(call: RunnableCall | RefusedCall): call is RunnableCall {
  return 'changes' in call;
}

function toInput(given: unknown, { compiled, limits }: AvailableTools) {
  return { tools: compiled, toolCall: given as ToolCallInput, limits };
}

function toRunnable({ name, arguments: args, changes }: ToolCallRepair): RunnableCall {
  return { name: name ?? '', arguments: args as Record<string, JsonValue>, changes };
}

function listOf({ compiled }: AvailableTools): string {
  return `Enabled tools: ${compiled.names.join(', ') || 'none'}.`;
}
