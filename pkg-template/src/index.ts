import * as core from '#glue';
import { guarded } from './boundary/call.js';

export {
  type CallListsReport,
  checkTrajectories,
  type ReportLayout,
  reportCallLists,
  reportTrajectories,
  type TrajectoriesReport,
} from './check.js';
export { type ErrorCode, type ErrorDetails, ToolgaugeError } from './errors.js';
export {
  type DetectedFormat,
  detectFormat,
  type Imported,
  importTools,
  importTrajectories,
  importTrajectory,
} from './formats.js';
export type {
  Extensible,
  JsonInput,
  ScoredToolCallInput,
  ToolCallInput,
  TrajectoryInput,
  TurnInput,
} from './input.js';
export type { AiSdkSchema, ExportsJsonSchema, SchemaSource, StandardJsonSchema } from './json-schema.js';
export { createToolSchema, validateSchema } from './schema.js';
export {
  type AccuracyBreakdown,
  type AccuracyResult,
  type CallList,
  type ScoreInput,
  scoreToolCalls,
} from './score.js';
export type {
  AiSdkTool,
  AnthropicTool,
  McpTool,
  NamedTool,
  OpenAiTool,
  SchemaInput,
  ToolDefinitions,
  ToolRecord,
  ToolSchemaInput,
} from './tool-definitions.js';
export { CompiledTools, compileTools, type ToolsInput } from './tools.js';
export type {
  ArgumentDifference,
  CheckOptions,
  CheckReport,
  CheckSummary,
  CorrectCall,
  Gate,
  ImportOptions,
  ImportWarning,
  IncorrectCall,
  IssueDetails,
  JsonValue,
  Limits,
  MissedCall,
  ParameterSchema,
  SchemaIssue,
  SchemaIssueType,
  SchemaValidationResult,
  ScoredToolCall,
  ScoreOptions,
  Severity,
  ToolCall,
  ToolSchema,
  ToolUseIssue,
  ToolUseIssueType,
  Trajectory,
  TrajectoryFormat,
  TrajectoryReport,
  Turn,
  ValidateOptions,
  ValidationResult,
} from './types.js';
export { validateToolCall, validateTrajectory, validateTurn } from './validate.js';

/**
 * The version of this package.
 *
 * @example
 * version(); // '0.1.0'
 */
export function version(): string {
  return guarded(() => core.version());
}
