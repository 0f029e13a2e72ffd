/** Any value that JSON can carry. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** How bad an issue is, mildest first. */
export type Severity = 'low' | 'medium' | 'high' | 'critical';

/** What can be wrong with the use of a tool. */
export type ToolUseIssueType =
  | 'missing_tool_name'
  | 'missing_arguments'
  | 'invalid_arguments'
  | 'tool_not_found'
  | 'tool_misuse'
  | 'missing_result'
  | 'result_unused'
  | 'hallucinated_result'
  | 'schema_violation'
  | 'type_mismatch'
  | 'missing_required_param'
  | 'unknown_tool'
  | 'deprecated_tool';

/** Where an issue is and what was expected there. */
export interface IssueDetails {
  /** Position of the call in its turn, from 0. */
  callIndex: number;
  /** The call's own id, when it has one. */
  callId?: string;
  /** Place inside the arguments, such as `items[2].price`. */
  path?: string;
  /** The JSON Schema keyword that failed, such as `required`. */
  keyword?: string;
  /** What the schema asks for. */
  expected?: JsonValue;
  /** What the call has. */
  actual?: JsonValue;
  /** True when a plain conversion would make the value valid. */
  coercible?: true;
  /** The value after that conversion. It is never applied. */
  coerced?: JsonValue;
  /** The nearest known tool name. */
  suggestion?: string;
  /** The tool that replaces a deprecated one. */
  replacedBy?: string;
}

/** One thing that is wrong with a tool call. */
export interface ToolUseIssue {
  /** What kind of mistake it is. */
  type: ToolUseIssueType;
  /** How bad it is. */
  severity: Severity;
  /** The mistake in words. */
  description: string;
  /** `turn_id` of the turn that made the call. */
  turnId?: number;
  /** Name of the called tool, when the call has one. */
  toolName?: string;
  /** Where it is and what was expected. */
  details?: IssueDetails;
}

/** The verdict on one turn or one call. */
export interface ValidationResult {
  /** True when no issue is critical. */
  valid: boolean;
  /** All issues, in the order of the calls. */
  issues: ToolUseIssue[];
  /** What would repair them, in words. */
  suggestions: string[];
  /** 0 to 1: 1 less the weights of the issues (critical 1, high 0.7, medium 0.4, low 0.1). */
  score: number;
  /** `turn_id` of the judged turn. */
  turnId?: number;
  /** Present when there are more issues than `limits.maxIssuesPerCall`. */
  truncated?: true;
}

/** What can be wrong with the arguments of a call. */
export type SchemaIssueType =
  | 'missing_arguments'
  | 'required_field_missing'
  | 'type_error'
  | 'invalid_number'
  | 'invalid_enum_value'
  | 'invalid_format'
  | 'constraint_violation';

/** One place where arguments break their schema. */
export interface SchemaIssue {
  /** What kind of mistake it is. */
  type: SchemaIssueType;
  /** How bad it is. */
  severity: Severity;
  /** Place inside the arguments, such as `a.b[2].c`; empty for the arguments themselves. */
  path: string;
  /** The mistake in words. */
  message: string;
  /** The JSON Schema keyword that failed. */
  keyword?: string;
  /** What the schema asks for. */
  expected?: JsonValue;
  /** What the call has. */
  actual?: JsonValue;
  /** True when a plain conversion would make the value valid. */
  coercible?: true;
  /** The value after that conversion. It is never applied. */
  coerced?: JsonValue;
}

/** The verdict on the arguments of one call. */
export interface SchemaValidationResult {
  /** True when no issue is critical. */
  valid: boolean;
  /** All issues, in the order of the schema. */
  issues: SchemaIssue[];
  /** 0 to 1: 1 less the weights of the issues (critical 1, high 0.5, medium 0.2, low 0.05). */
  score: number;
  /** Present when there are more issues than `limits.maxIssuesPerCall`. */
  truncated?: true;
}

/** The JSON Schema of a tool's arguments: any draft from 4 to 2020-12, all keywords. */
export interface ParameterSchema {
  /** The JSON type, or a list of those allowed. */
  type?: string | string[];
  /** What the value means. */
  description?: string;
  /** The only values allowed. */
  enum?: JsonValue[];
  /** A named format, such as `email` or `date-time`. */
  format?: string;
  /** Schema of an array's items. */
  items?: JsonValue;
  /** Schemas of an object's properties. */
  properties?: { [name: string]: ParameterSchema | boolean };
  /** Names that must be present. */
  required?: string[];
  /** Every other keyword. */
  [keyword: string]: unknown;
}

/** A tool as this package knows it. */
export interface ToolSchema {
  /** The name by which it is called. */
  name: string;
  /** What it does. */
  description?: string;
  /** JSON Schema of its arguments. */
  parameters: ParameterSchema;
  /** True when it should no longer be called. */
  deprecated?: boolean;
  /** The tool to call instead. */
  replacedBy?: string;
  /** JSON Schema of its result. */
  outputSchema?: JsonValue;
  /** Fields this package does not know are kept. */
  [field: string]: unknown;
}

/** One tool call, with what came back. */
export interface ToolCall {
  /** The id that pairs a call with its result. */
  id?: string;
  /** Name of the called tool. */
  name?: string;
  /** The arguments, decoded. */
  arguments?: JsonValue;
  /** The arguments as the model wrote them, when that was not valid JSON. */
  rawArguments?: string;
  /** What the tool gave back. */
  result?: JsonValue;
  /** What the tool failed with. */
  error?: JsonValue;
  /** Fields this package does not know are kept. */
  [field: string]: unknown;
}

/** One turn of a conversation. */
export interface Turn {
  /** Number of the turn. */
  turn_id: number;
  /** Who speaks. */
  role: 'user' | 'agent' | 'system';
  /** What is said. */
  content: string;
  /** When, as the source writes it. */
  timestamp?: string;
  /** The calls made in this turn, in order. */
  tool_calls?: ToolCall[];
  /** Fields this package does not know are kept. */
  [field: string]: unknown;
}

/** One conversation with its tool calls. */
export interface Trajectory {
  /** The source's own id. */
  trajectory_id?: string;
  /** The turns, in order. */
  turns: Turn[];
  /** Tool definitions that the source carries, as it has them. */
  tools?: JsonValue;
  /** The calls that the source says are right. */
  expected_calls?: ScoredToolCall[];
  /** Fields this package does not know are kept. */
  [field: string]: unknown;
}

/** A call to compare: a tool and its arguments. */
export interface ScoredToolCall {
  /** Name of the tool. */
  tool: string;
  /** Its arguments. */
  args: JsonValue;
}

/** One place where two argument objects differ. */
export interface ArgumentDifference {
  /** Place inside the arguments, such as `args.limit`. */
  path: string;
  /** Whether the value is missing, was not expected, or is another one. */
  kind: 'missing' | 'unexpected' | 'changed';
  /** The expected value, unless it was not expected. */
  expected?: JsonValue;
  /** The actual value, unless it is missing. */
  actual?: JsonValue;
}

/** An expected call that was made exactly. */
export interface CorrectCall {
  expected: ScoredToolCall;
  actual: ScoredToolCall;
  status: 'correct';
  argsMatch: true;
}

/** An expected call that was made with other arguments. */
export interface IncorrectCall {
  expected: ScoredToolCall;
  actual: ScoredToolCall;
  status: 'incorrect';
  argsMatch: false;
  /** What differs, in words. */
  details: string;
  /** What differs, place by place. */
  differences: ArgumentDifference[];
}

/** An expected call that was not made. */
export interface MissedCall {
  expected: ScoredToolCall;
  status: 'missed';
  argsMatch: false;
  /** What is missing, in words. */
  details: string;
}

/** How close the actual calls are to the expected ones. */
export interface AccuracyResult {
  /** The same as `f1`. */
  score: number;
  /** Correct calls among the actual ones, 0 to 1, three decimals. */
  precision: number;
  /** Correct calls among the expected ones, 0 to 1, three decimals. */
  recall: number;
  /** Harmonic mean of precision and recall, 0 to 1, three decimals; 1 when nothing was expected and nothing called. */
  f1: number;
  /** Number of expected calls. */
  totalExpected: number;
  /** Number of actual calls. */
  totalActual: number;
  /** Calls with the right tool and the right arguments. */
  correctCalls: CorrectCall[];
  /** Calls with the right tool and other arguments. */
  incorrectCalls: IncorrectCall[];
  /** Expected calls that nothing was paired with. */
  missedCalls: MissedCall[];
  /** Actual calls that nothing was paired with. */
  extraCalls: ScoredToolCall[];
  /** The counts and the score in one line. */
  summary: string;
}

/** Something an importer could not take over as it was. */
export interface ImportWarning {
  /** Place in the input. */
  path: string;
  /** What is wrong there and what was done. */
  message: string;
}

/** The verdicts on one trajectory. */
export interface TrajectoryReport {
  /** Position in the input, from 0. */
  index: number;
  /** The trajectory's own id. */
  id?: string;
  /** True when every turn is valid. */
  valid: boolean;
  /** Mean score of its turns, 0 to 1; null when it has no call. */
  score: number | null;
  /** Number of turns. */
  turns: number;
  /** Number of calls. */
  calls: number;
  /** One verdict per agent turn that makes calls. */
  results: ValidationResult[];
}

/** Counts over all trajectories. */
export interface CheckSummary {
  trajectories: number;
  /** Trajectories without a critical issue. */
  valid: number;
  /** Trajectories without any issue. */
  clean: number;
  turns: number;
  calls: number;
  issues: number;
  issuesByType: Partial<Record<ToolUseIssueType, number>>;
  issuesBySeverity: Record<Severity, number>;
  /** Mean score, 0 to 1; null when nothing was called. */
  score: number | null;
}

/** Whether the demands were met. */
export interface Gate {
  /** True when every demand was met. */
  passed: boolean;
  /** The demands that were not, in words. */
  failures: string[];
}

/** The verdicts on all trajectories of an input. */
export interface CheckReport {
  /** The format that was read. */
  format: TrajectoryFormat;
  trajectories: TrajectoryReport[];
  summary: CheckSummary;
  gate: Gate;
  /** What the importer could not take over as it was. */
  warnings: ImportWarning[];
}

/** Bounds on what is read, so that hostile input can't exhaust memory or time. */
export interface Limits {
  /** Bytes of one input. Default 67108864 (64 MiB). */
  maxInputBytes?: number;
  /** Nesting of JSON values. Default 256. */
  maxDepth?: number;
  /** Issues reported for one call. Default 100. */
  maxIssuesPerCall?: number;
}

/** What to judge, and how strictly. */
export interface ValidateOptions {
  /** Say nothing about calls of tools that have no schema. Default false. */
  allowUnknownTools?: boolean;
  /** Judge arguments by their schemas. Default true. */
  validateSchemas?: boolean;
  /** Report results that the answer does not use. Default true. */
  checkResultUsage?: boolean;
  /** Report answers that state what no result says. Default true. */
  detectHallucination?: boolean;
  /** Score 0 as soon as an issue is high or critical. Default false. */
  strict?: boolean;
  limits?: Limits;
}

/** The formats that trajectories are read from. */
export type TrajectoryFormat = 'harness' | 'openai-chat' | 'tau-bench';

/** The formats that tool definitions are read from. */
export type ToolFormat = 'openai-chat' | 'anthropic' | 'mcp' | 'record';

/** The mildest severity that fails a check, or `never`. */
export type FailOn = Severity | 'never';

/** What to judge, and what makes the gate fail. */
export interface CheckOptions extends ValidateOptions {
  /** The least mean score that passes, 0 to 1. Default: none. */
  minScore?: number;
  /** The mildest severity that fails the gate. Default `critical`. */
  failOn?: FailOn;
  /** Read the input as this format instead of detecting it. */
  format?: TrajectoryFormat;
}

/** What was read, and from which format. */
export interface Imported<T, F> {
  value: T;
  /** The format that was detected or forced. */
  format: F;
  /** What could not be taken over as it was. */
  warnings: ImportWarning[];
}

/** What an input holds, and in which format. */
export type DetectedFormat =
  | { kind: 'trajectory'; format: TrajectoryFormat }
  | { kind: 'tools'; format: ToolFormat };

/**
 * What went wrong, for a program to decide on:
 * - `invalid_json`: text or bytes that are not JSON
 * - `invalid_input`: JSON of another shape than the function reads
 * - `invalid_option`: an option that does not exist, or a value it can't have
 * - `invalid_schema`: a tool's schema that is no JSON Schema, or that can't be turned into one
 * - `unknown_format`: no known format fits
 * - `limit_exceeded`: larger or deeper than the limits allow
 * - `unsupported_value`: a value that JSON has no form for (a BigInt, a cycle)
 * - `internal`: a defect of this package, or WebAssembly could not be started
 */
export type ErrorCode =
  | 'invalid_json'
  | 'invalid_input'
  | 'invalid_option'
  | 'invalid_schema'
  | 'unknown_format'
  | 'limit_exceeded'
  | 'unsupported_value'
  | 'internal';
