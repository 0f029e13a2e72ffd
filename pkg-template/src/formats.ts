import * as core from '#glue';
import type { JsonInput } from './input.js';
import { read } from './judge.js';
import { type ToolDefinitions, toPlainDefinitions } from './tool-definitions.js';
import type {
  DetectedFormat,
  Imported,
  Limits,
  ToolFormat,
  ToolSchema,
  Trajectory,
  TrajectoryFormat,
} from './types.js';

/** How trajectories are read. */
export interface ImportOptions extends LimitOptions {
  /** Read the input as this format instead of detecting it. */
  readonly format?: TrajectoryFormat;
}

/** How much an input may ask for. */
export interface LimitOptions {
  readonly limits?: Limits;
}

/**
 * Reads one trajectory from any known format, which is detected unless `options.format` forces it.
 *
 * Throws `unknown_format` when none fits, `invalid_input` when there is not exactly one trajectory, and
 * `invalid_json`, `invalid_option`, `limit_exceeded` or `unsupported_value`.
 *
 * @example
 * importTrajectory([{ role: 'user', content: 'Hello' }]);
 * // { value: { turns: [{ turn_id: 1, role: 'user', content: 'Hello' }] }, format: 'openai-chat', warnings: [] }
 */
export function importTrajectory(
  input: JsonInput<object>,
  options?: ImportOptions,
): Imported<Trajectory, TrajectoryFormat> {
  return read(core.importTrajectory, { value: input, name: 'the input' }, options);
}

/**
 * Reads all trajectories of an input that may hold several, as {@link importTrajectory} reads one.
 *
 * @example
 * importTrajectories(readFileSync('rollouts.json')).value.length; // 30
 */
export function importTrajectories(
  input: JsonInput<object>,
  options?: ImportOptions,
): Imported<Trajectory[], TrajectoryFormat> {
  return read(core.importTrajectories, { value: input, name: 'the input' }, options);
}

/**
 * Reads tool definitions from any known format, by name. Throws as {@link importTrajectory} does, and `invalid_schema`.
 *
 * @example
 * importTools([{ name: 'send', input_schema: { type: 'object' } }]);
 * // { value: { send: { name: 'send', parameters: { type: 'object' } } }, format: 'anthropic', warnings: [] }
 */
export function importTools(
  input: JsonInput<ToolDefinitions>,
  options?: LimitOptions,
): Imported<Record<string, ToolSchema>, ToolFormat> {
  return read(core.importTools, { value: toPlainDefinitions(input), name: 'the tool definitions' }, options);
}

/**
 * Says what an input holds and in which format, or null when no known format fits.
 * Throws `invalid_json`, `limit_exceeded` or `unsupported_value`.
 *
 * @example
 * detectFormat('[{"role": "user", "content": "Hello"}]'); // { kind: 'trajectory', format: 'openai-chat' }
 */
export function detectFormat(input: JsonInput<object>, options?: LimitOptions): DetectedFormat | null {
  return read(core.detectFormat, { value: input, name: 'the input' }, options);
}
