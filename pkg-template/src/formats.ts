import * as core from '#glue';
import { read } from './bridge.js';
import type { JsonInput, JsonObject } from './input.js';
import { type ToolDefinitions, toPlainDefinitions } from './tool-definitions.js';
import type {
  AiSdkMessage,
  AtifTrajectory,
  DetectedFormat,
  ExportFormat,
  Imported,
  Limits,
  OpenAiMessage,
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

/** How a trajectory is written. */
export interface ExportOptions<Format extends ExportFormat = ExportFormat> extends LimitOptions {
  /** The format to write. Default `harness`, toolgauge's own shape. */
  readonly format?: Format;
  /** Read the input as this format instead of detecting it. */
  readonly from?: TrajectoryFormat;
}

/** What each format is written as. */
export interface Exported {
  /** toolgauge's own shape. */
  readonly harness: Trajectory;
  /** Messages of OpenAI's chat completions. */
  readonly 'openai-chat': OpenAiMessage[];
  /** Messages of the AI SDK, as models take them. */
  readonly 'ai-sdk-model': AiSdkMessage[];
  /** A trajectory of ATIF. */
  readonly atif: AtifTrajectory;
}

/** How much an input may ask for. */
export interface LimitOptions {
  /** Limits on the work of the call. */
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
  input: JsonInput<JsonObject>,
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
  input: JsonInput<JsonObject>,
  options?: ImportOptions,
): Imported<Trajectory[], TrajectoryFormat> {
  return read(core.importTrajectories, { value: input, name: 'the input' }, options);
}

/**
 * Writes a trajectory, which may be in any known format, in another one. What that format has no place for is left
 * out: OpenAI chat messages do not distinguish errors from results. Calls without an id get one.
 *
 * Throws as {@link importTrajectory} does.
 *
 * @example
 * exportTrajectory([{ turn_id: 1, role: 'agent', content: 'Hello' }], { format: 'openai-chat' });
 * // [{ role: 'assistant', content: 'Hello' }]
 */
export function exportTrajectory<Format extends ExportFormat = 'harness'>(
  input: JsonInput<JsonObject>,
  options?: ExportOptions<Format>,
): Exported[Format] {
  return read(core.exportTrajectory, { value: input, name: 'the trajectory' }, options);
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
export function detectFormat(input: JsonInput<JsonObject>, options?: LimitOptions): DetectedFormat | null {
  return read(core.detectFormat, { value: input, name: 'the input' }, options);
}
