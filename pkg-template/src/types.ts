// Written by `cargo xtask types` from the Rust types: change those.
import type {
  ExtraCalls,
  ForbiddenCallInput,
  IgnoredTools,
  RunBudget,
  ToolMatchers,
  ToolThresholds,
} from './expectation-types.js';

/** The type of an issue that a check reports. */
export type IssueTypeName = ToolUseIssueType | ResultIssueType | ReflectionIssueType;

/** Any value that JSON can carry. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** Any JSON Schema, draft 4 to 2020-12; the keywords that tools use most are spelled out. */
export type ParameterSchema = boolean | {
  /** The type of the value, or the types it may have. */
  type?: string | string[];
  /** What the value is, as the model reads it. */
  description?: string;
  /** The values it may have. */
  enum?: unknown[];
  /** The format of a text: `email`, `uri`, `date`, `date-time`, … Always checked. */
  format?: string;
  /** The schema of the items of an array. */
  items?: ParameterSchema | ParameterSchema[];
  /** The schemas of the members of an object. */
  properties?: Record<string, ParameterSchema>;
  /** The members that must be there. */
  required?: string[];
  [keyword: string]: unknown;
};

/** The severity of an issue. */
export type Severity = "low" | "medium" | "high" | "critical";

/** Limits on the work of one call. Exceeding one is an error that names it. */
export type Limits = {
  /** The most bytes of one input, as UTF-8. Default 67,108,864 (64 MiB). */
  maxInputBytes?: number;
  /** The most objects in one input; each turn, call and tool is one. Default 1,000,000. */
  maxObjects?: number;
  /** The most values in one input: numbers, texts, objects and all others. Default 5,000,000. */
  maxValues?: number;
  /** The deepest nesting of arrays and objects in one input, 1 to 1,000. Default 256. */
  maxDepth?: number;
  /** The most schema issues reported for one call; the result says if there are more. Default 100. */
  maxIssuesPerCall?: number;
  /** The most visits to subschemas in the validation of one call, in addition to a hundred per value in its
   * arguments. Stops schemas that take exponential time. Default 20,000.
   */
  maxSchemaVisits?: number;
  /** The most steps of comparing a list of calls with the expected ones. Each compared value and each
   * possible pair takes at least one. Stops lists whose best pairs would take minutes to find. Default
   * 40,000,000.
   */
  maxComparisonSteps?: number;
  /** The most calls that can be expected of one trajectory, counted with their repetitions. Default
   * 1,000,000.
   */
  maxExpectedCalls?: number;
};

/** The kind of an error. It is stable across versions. */
export type ErrorCode = "invalid_json" | "invalid_input" | "invalid_option" | "invalid_schema" | "unknown_format" | "limit_exceeded" | "unsupported_value" | "judge_failed" | "judge_answer_invalid" | "batch_unfinished" | "aborted" | "internal";

/** The speaker of a turn. */
export type Role = "user" | "agent" | "system";

/** A conversation of a user with an agent, including the tool calls. */
export type Trajectory = {
  /** The id from the source. */
  trajectory_id?: string;
  /** The turns, in order. */
  turns: Array<Turn>;
  /** The tool definitions in the source, unchanged. */
  tools?: JsonValue;
  /** The expected calls in the source. */
  expected_calls?: Array<ScoredToolCall>;
  /** Every field that toolgauge does not know, as it was. */
  [key: string]: unknown;
};

/** One turn of a conversation. */
export type Turn = {
  /** The number of the turn. If the source has none, its position in the conversation, from 1. */
  turn_id: number;
  /** The speaker. */
  role: Role;
  /** The text; empty if the turn only calls tools. */
  content: string;
  /** The time, as the source writes it; usually ISO 8601. */
  timestamp?: string;
  /** The tool calls of this turn, in order, with their results. */
  tool_calls?: Array<ToolCall>;
  /** Every field that toolgauge does not know, as it was. */
  [key: string]: unknown;
};

/** A tool call with its result. */
export type ToolCall = {
  /** The id that links the call to its result in the source. */
  id?: string;
  /** The tool's name. If absent, the call has the issue `missing_tool_name`. */
  name?: string;
  /** The arguments; an object in every well-formed call. */
  arguments?: JsonValue;
  /** The text of the arguments, if it was not valid JSON. */
  rawArguments?: string;
  /** Whether the source contains only a part of the call: it was saved during writing, or has only its
   * result. The arguments are then not checked. Default false.
   */
  incomplete?: boolean;
  /** Whether the source may leave out contents of the call: traces record them only if told to. Arguments or a result that are
   * absent are then unknown rather than missing and are not checked. Default false.
   */
  unrecorded?: boolean;
  /** Whether the source says that the call has not run yet: it awaits an approval, or its tool still runs. Unless the agent
   * goes on, it needs no result. Default false.
   */
  pending?: boolean;
  /** What the tool returned: any JSON value. Text that holds a JSON object or array is parsed. */
  result?: JsonValue;
  /** The error that the runtime reported instead of a result. */
  error?: JsonValue;
  /** Every field that toolgauge does not know, as it was. */
  [key: string]: unknown;
};

/** The definition of a tool: its name and the JSON Schema of its arguments. */
export type ToolSchema = {
  /** The tool's name. */
  name: string;
  /** The description of the tool for the model. */
  description?: string;
  /** The JSON Schema of the arguments, draft 4 to 2020-12. `$schema` chooses the draft; without it, the
   * newest draft in which the schema is valid. OpenAPI's `nullable` is supported.
   */
  parameters: ParameterSchema;
  /** The JSON Schema of the result, if declared; for an MCP tool that of `structuredContent`. */
  outputSchema?: ParameterSchema;
  /** Whether agents should no longer call the tool. Default false. */
  deprecated?: boolean;
  /** The name of the tool that replaces it. */
  replacedBy?: string;
  /** Every field that toolgauge does not know, as it was. */
  [key: string]: unknown;
};

/** What validation checks, and how strictly. */
export type ValidateOptions = {
  /** Whether calls of tools without a schema pass silently. Default false. */
  allowUnknownTools?: boolean;
  /** Whether arguments and results are checked against their schemas. Default true. */
  validateSchemas?: boolean;
  /** Whether missing and unused results are reported. Default true. */
  checkResultUsage?: boolean;
  /** Whether unsupported facts in replies and ungrounded arguments are reported. Default true. */
  detectHallucination?: boolean;
  /** The confidence, from 0 to 1, above which unsupported facts of a reply are reported. It combines the
   * confidences of all of them. At 1 nothing is reported. Default 0.3.
   */
  hallucinationThreshold?: number;
  /** Whether any high or critical issue makes the score 0. Unknown tools are then high. Default false. */
  strict?: boolean;
  /** Limits on the work of the call. */
  limits?: Limits;
};

/** How well the tools of one turn were used. */
export type ValidationResult = {
  /** `true` unless an issue is critical. */
  valid: boolean;
  /** All issues, in the order of the calls. */
  issues: Array<ToolUseIssue>;
  /** One suggestion for each call that has a remedy, in the order of the calls. */
  suggestions: Array<string>;
  /** max(0, 1 − Σ weight): critical 1, high 0.7, medium 0.4, low 0.1. When strict, any high or critical
   * issue makes it 0.
   */
  score: number;
  /** The number of the turn. */
  turnId?: number;
  /** Present if a call has more schema issues than `limits.maxIssuesPerCall`. */
  truncated?: true;
};

/** Something wrong with a call or its result. */
export type Issue<Type, Details> = {
  /** The type of the issue. */
  type: Type;
  /** The severity. */
  severity: Severity;
  /** A sentence for people: the path, what was expected, the actual value. */
  description: string;
  /** The number of the turn that made the call. */
  turnId?: number;
  /** The tool's name as it was called; absent if the call has none. */
  toolName?: string;
  /** The position of the call, and the data behind the description. */
  details?: Details;
  /** `true` if the baseline contains this issue, so it does not fail the gate. Otherwise absent. */
  known?: boolean;
};

/** Something that an agent did wrong with a tool. */
export type ToolUseIssue = Issue<ToolUseIssueType, IssueDetails>;

/** The kinds of tool-use issues. */
export type ToolUseIssueType = "missing_tool_name" | "missing_arguments" | "invalid_arguments" | "tool_not_found" | "tool_misuse" | "missing_result" | "result_unused" | "hallucinated_result" | "schema_violation" | "type_mismatch" | "missing_required_param" | "unknown_tool" | "deprecated_tool";

/** The details of an issue. Members that do not apply are absent. */
export type IssueDetails = {
  /** The position of the call among the calls of its turn, from 0. */
  callIndex: number;
  /** The id of the call. */
  callId?: string;
  /** The path of the argument, for example `filters.tags[2]`; empty for the arguments as a whole. */
  path?: string;
  /** Why the call counts as misuse. */
  reason?: MisuseReason;
  /** The loop that this call starts to repeat. A loop is one issue, however long it is. */
  loop?: Loop;
  /** The facts in the reply that the evidence does not support. */
  facts?: Array<UnsupportedFact>;
  /** The name of the tool that replaces a deprecated one. */
  replacedBy?: string;
  /** The JSON Schema keyword that is violated. */
  keyword?: string;
  /** What was expected: a type, the allowed values, a bound, a pattern. */
  expected?: JsonValue;
  /** The actual value. */
  actual?: JsonValue;
  /** Present if the value clearly means one of the right type, for example a number in a string. */
  coercible?: true;
  /** The value of the right type. */
  coerced?: JsonValue;
  /** The known tool, argument or allowed value that is most similar to the given one. */
  suggestion?: string;
};

/** Why a call counts as misuse. */
export type MisuseReason = "repeated_call" | "retried_unchanged" | "repeating_chain" | "ungrounded_argument";

/** A call or a chain of calls that an agent repeats although nothing has changed. */
export type Loop = {
  /** What is repeated. */
  kind: LoopKind;
  /** The calls of one round, in order. */
  chain: Array<LoopStep>;
  /** Every repetition of the chain, including the first time. */
  rounds: Array<LoopRound>;
  /** A sentence that says what is repeated and how often. */
  description: string;
};

/** What is repeated. */
export type LoopKind = "repeated_call" | "retried_unchanged" | "repeating_chain";

/** One call of a chain. */
export type LoopStep = {
  /** The tool's name; absent when the call has none. */
  tool?: string;
  /** The arguments; absent when the call has none. */
  arguments?: JsonValue;
};

/** One repetition of a chain. */
export type LoopRound = {
  /** The locations of its calls, in the order of the chain. */
  calls: Array<CallLocation>;
  /** What changed since the previous round; empty if nothing did. */
  changed: RoundChanges;
};

/** The location of a call in a trajectory. */
export type CallLocation = {
  /** The number of the turn. */
  turnId: number;
  /** The position of the call among the calls of its turn, from 0. */
  callIndex: number;
  /** The id of the call. */
  callId?: string;
};

/** What changed between two rounds of a loop without affecting its outcome. */
export type RoundChanges = {
  /** The members of the results that differ, for example `search: timestamp`. They only say when or how a
   * result was made.
   */
  results: Array<string>;
  /** The tools that were called in between, in order, each listed once. */
  toolsBetween: Array<string>;
};

/** A fact of a reply that the evidence does not hold. */
export type UnsupportedFact = {
  /** The text of the fact, as the reply writes it. */
  text: string;
  /** The kind of the fact. */
  kind: FactKind;
  /** The `turn_id` of the turn that states the fact. */
  turnId: number;
  /** Where the fact starts in the content of that turn, in UTF-16 units. */
  start: number;
  /** Where the fact ends, in UTF-16 units. */
  end: number;
  /** How certain it is that the fact is unsupported, from 0 to 1. */
  confidence: number;
  /** The nearest value of the evidence. */
  closest?: Closest;
};

/** The value of the evidence that is nearest to an unsupported fact. */
export type Closest = {
  /** The value, as the evidence writes it. */
  value: string;
  /** The tool whose arguments or result contain the value. It is absent if the user or the instructions said it. */
  tool?: string;
  /** The path of the value in the result. If the value is in the arguments, the path starts with `arguments`. */
  path?: string;
};

/** A known value of a reply that belongs to a different record than the one that the sentence is about. */
export type Misattributed = {
  /** The value, as the reply writes it. */
  text: string;
  /** The `turn_id` of the turn that states the value. */
  turnId: number;
  /** Where the value starts in the content of that turn, in UTF-16 units. */
  start: number;
  /** Where the value ends, in UTF-16 units. */
  end: number;
  /** The record that the sentence names, in the words of the sentence. */
  record: string;
  /** The value in the record that contains it, and its place. It is absent if no record contains the value. */
  belongsTo?: Closest;
  /** What the named record contains instead, and its place. */
  holds: Closest;
};

/** The kind of a fact. */
export type FactKind = "money" | "number" | "percent" | "date" | "time" | "identifier" | "email" | "url" | "phone" | "quote" | "name";

/** What verification checks. The tools are passed beside it. */
export type VerifySettings = {
  /** Whether unused results and incomplete lists are reported. Default true. */
  checkUsage?: boolean;
  /** Whether facts in the reply that the evidence does not support are reported. Default true. */
  detectHallucination?: boolean;
  /** Whether contradictions between result and reply are reported. Default true. */
  checkContradictions?: boolean;
  /** The hallucination score, from 0 to 1, above which a result counts as hallucinated. Default 0.3. */
  hallucinationThreshold?: number;
  /** Limits on the work of the call. */
  limits?: Limits;
};

/** How faithful the reply is to one result. */
export type ResultVerificationResult = {
  /** `true` if there is a result and no issue is high or critical. */
  valid: boolean;
  /** All issues. */
  issues: Array<ResultIssue>;
  /** max(0, 1 − Σ weight): critical 1, high 0.6, medium 0.3, low 0.1; 0.3 if there is no result. */
  score: number;
  /** Whether the hallucination score is above the threshold. */
  hallucinated: boolean;
  /** Whether the reply or later calls use values of the result. Also true if nobody would miss them, unless the reply
   * says something else that nothing shows.
   */
  integrated: boolean;
};

/** Something wrong with a result, or with what the agent made of it. */
export type ResultIssue = Issue<ResultIssueType, ResultIssueDetails>;

/** Something in a tool's definition that makes models or providers fail with it. */
export type LintIssue = Issue<LintIssueType, LintDetails>;

/** Something wrong with a call by itself. */
export type ReflectionIssue = Issue<ReflectionIssueType, ReflectionIssueDetails>;

/** The kinds of result issues. */
export type ResultIssueType = "missing_result" | "empty_result" | "error_result" | "hallucinated_content" | "unused_result" | "contradicts_response" | "incomplete_integration" | "malformed_result" | "claimed_action" | "misattributed_value" | "leaked_call";

/** The details of a result issue. Members that do not apply are absent. */
export type ResultIssueDetails = {
  /** The position of the call among the calls of its turn, from 0. Absent if the issue is about a reply
   * that belongs to no call.
   */
  callIndex?: number;
  /** The id of the call. */
  callId?: string;
  /** The number of the turn that made the call, if the issue is reported at another turn. */
  callTurnId?: number;
  /** The facts in the reply that the evidence does not support. */
  facts?: Array<UnsupportedFact>;
  /** The values that belong to another record than the one that the sentence is about. */
  misattributed?: Array<Misattributed>;
  /** How certain it is that the reply is not faithful to the evidence, from 0 to 1. */
  hallucinationScore?: number;
  /** What the result says: its error, or the items that the reply leaves out. */
  said?: Array<string>;
  /** The sentence of the reply that the issue is about. */
  quote?: string;
  /** The number of the turn with that sentence, if another turn made the call. */
  replyTurnId?: number;
  /** Where the result differs from the tool's output schema. Paths start at the result and continue into
   * JSON that it holds as text: `structuredContent.rows[2].id`.
   */
  violations?: Array<SchemaIssue>;
  /** Present if there are more violations than `limits.maxIssuesPerCall`. */
  truncated?: true;
};

/** How faithful an agent was to all results of a trajectory. */
export type VerificationSummary = {
  /** How many tools were called. */
  totalTools: number;
  /** How many results are valid. */
  validResults: number;
  /** How many results the replies are not faithful to. */
  hallucinatedResults: number;
  /** How many results were used. */
  integratedResults: number;
  /** The mean of the scores, from 0 to 1, to 3 decimals; 1 if no tools were called. */
  averageScore: number;
  /** All issues, in the order of the calls, followed by those of replies that belong to no call. */
  issues: Array<ResultIssue>;
};

/** The unsupported facts in the replies of a trajectory. */
export type UnsupportedFacts = {
  /** How certain it is that some reply is not faithful to the evidence, from 0 (no unsupported facts) to
   * below 1: the highest confidence among the replies. Other functions report hallucination above 0.3.
   */
  score: number;
  /** All unsupported facts, in the order of the replies. */
  facts: Array<UnsupportedFact>;
};

/** How well the arguments of one call fit one schema. */
export type SchemaValidationResult = {
  /** `true` unless an issue is critical. */
  valid: boolean;
  /** All issues, in the order of the schema. */
  issues: Array<SchemaIssue>;
  /** max(0, 1 − Σ weight): critical 1, high 0.5, medium 0.2, low 0.05. */
  score: number;
  /** Present when there are more issues than `limits.maxIssuesPerCall`. */
  truncated?: true;
};

/** One place where the arguments violate the schema. */
export type SchemaIssue = {
  /** The type of the issue. */
  type: SchemaIssueType;
  /** The severity. */
  severity: Severity;
  /** The path of the value, for example `filters.tags[2]`; empty for the arguments as a whole. */
  path: string;
  /** The reason, with the expected and the actual value. */
  message: string;
  /** The JSON Schema keyword that is violated. */
  keyword?: string;
  /** What was expected: a type, the allowed values, a bound, a pattern. */
  expected?: JsonValue;
  /** The actual value. */
  actual?: JsonValue;
  /** Present if the value clearly means one of the right type, for example a number in a string. */
  coercible?: true;
  /** The value of the right type. */
  coerced?: JsonValue;
  /** The known tool, argument or allowed value that is most similar to the given one. */
  suggestion?: string;
};

/** The kinds of schema issues. */
export type SchemaIssueType = "missing_arguments" | "required_field_missing" | "type_error" | "invalid_number" | "invalid_enum_value" | "invalid_format" | "constraint_violation";

/** A call as scores compare it: a tool and its arguments. */
export type ScoredToolCall = {
  /** The tool's name. */
  tool: string;
  /** The arguments of the call. */
  args: JsonValue;
};

/** How close the actual calls are to the expected ones. */
export type AccuracyResult = {
  /** The F1 score, from 0 to 1, to 3 decimals. 1 if nothing was expected and nothing called; 0 if a
   * forbidden call was made.
   */
  score: number;
  /** The share of the actual calls that are correct, from 0 to 1, to 3 decimals; 1 without actual calls. */
  precision: number;
  /** The share of the expected calls that were made, from 0 to 1, to 3 decimals; 1 without expected calls. */
  recall: number;
  /** The harmonic mean of precision and recall, from 0 to 1, to 3 decimals. */
  f1: number;
  /** How many calls were expected. Each counts its minimum number of times; optional and repeated calls
   * count as often as they were made.
   */
  totalExpected: number;
  /** How many calls were made. */
  totalActual: number;
  /** Expected calls that were made as expected. */
  correctCalls: Array<CorrectCall>;
  /** Expected calls whose tool was called with other arguments, or in the wrong place. */
  incorrectCalls: Array<IncorrectCall>;
  /** Expected calls that were not made. */
  missedCalls: Array<MissedCall>;
  /** Calls that were made but not expected. */
  extraCalls: Array<ScoredToolCall>;
  /** Forbidden calls that were made; absent if there are none. */
  forbiddenCalls?: Array<ForbiddenCall>;
  /** What is not as the expectations say, apart from the calls: a sentence for each fact that no reply states, each
   * limit that is exceeded and each tool whose score is too low. Absent if there is nothing.
   */
  failures?: Array<string>;
  /** What has no effect or could not be checked, a sentence each. Absent if there is nothing. */
  warnings?: Array<string>;
  /** One line for people: the score in percent and the four counts. */
  summary: string;
};

/** An expected call that was made. */
export type CorrectCall = {
  /** The expected call. */
  expected: ScoredToolCall;
  /** The actual call. */
  actual: ScoredToolCall;
  /** Always `correct`. */
  status: 'correct';
  /** Always true. */
  argsMatch: true;
};

/** An expected call that was made with other arguments, or in the wrong place. */
export type IncorrectCall = {
  /** The expected call. */
  expected: ScoredToolCall;
  /** The actual call. */
  actual: ScoredToolCall;
  /** Always `incorrect`. */
  status: 'incorrect';
  /** What is wrong with the call. */
  reason: MismatchReason;
  /** Whether the arguments are as expected. */
  argsMatch: boolean;
  /** The differences as text, joined by `; `: `args.limit: expected 5, got "5"`. */
  details: string;
  /** The differences, path by path. */
  differences: Array<ArgumentDifference>;
};

/** What is wrong with a call of an expected tool. */
export type MismatchReason = "arguments" | "outcome" | "order" | "turn";

/** An expected call that was not made. */
export type MissedCall = {
  /** The expected call. */
  expected: ScoredToolCall;
  /** Always `missed`. */
  status: 'missed';
  /** Always false. */
  argsMatch: false;
  /** What is missing, as text. */
  details: string;
};

/** A forbidden call that was made. */
export type ForbiddenCall = {
  /** The pattern that forbids it. */
  forbidden: ScoredToolCall;
  /** The actual call. */
  actual: ScoredToolCall;
  /** Always `forbidden`. */
  status: 'forbidden';
};

/** One place where the actual arguments, or what came back, differ from what was expected. */
export type ArgumentDifference = {
  /** The path, for example `args.filters.tags[2]` or `result.status`. */
  path: string;
  /** The kind of difference. */
  kind: DifferenceKind;
  /** The expected value; absent if nothing was expected. */
  expected?: JsonValue;
  /** The actual value; absent if there is none. */
  actual?: JsonValue;
  /** The expectation in words, if a matcher expects something other than the plain value: `one of 1, 2`. */
  rule?: string;
  /** The reason that judges give for their answer, if a matcher asks judges. */
  reason?: string;
};

/** How two values differ at a path. */
export type DifferenceKind = "missing" | "unexpected" | "changed";

/** A question about a value that was made, on whose answer a score depends. */
export type OpenQuestion = {
  /** The key of its answer among opinions. The same question about the same values has the same key in every run. */
  key: string;
  /** The question that the matcher asks. */
  question: string;
  /** The tool that was called. */
  tool: string;
  /** The place of the value, for example `args.message` or `result.text`. */
  path: string;
  /** The expected value; absent if there is none. */
  expected?: JsonValue;
  /** The value that was made. */
  actual: JsonValue;
};

/** The answer of judges to a question about a value. */
export type Opinion = {
  /** From 0, a no, to 1, a yes; for several judges what their scores come to. More than 0.5 is a yes. */
  score: number;
  /** The reason that the judges give. */
  reason?: string;
};

/** Whether the order of the calls counts. */
export type CallOrder = "any" | "sequence" | "strict";

/** A call of a tool with its output. */
export type CalledTool = {
  /** The tool's name. */
  name: string;
  /** The arguments; an empty object if there are none. */
  inputParameters: JsonValue;
  /** What the tool returned. */
  output?: JsonValue;
};

/** One step of a trajectory: a call, or a call with its output. */
export type TrajectoryStep = {
  /** The id of the call, shared by all steps of one call. If the source has no id, it is the position of
   * the call in the trajectory: `call_1`.
   */
  toolCallId: string;
  /** The kind of step. */
  kind: StepKind;
  /** The tool's name. */
  name: string;
  /** The arguments. */
  args: JsonValue;
  /** What the tool returned, or its error; absent in the step that is only the call. */
  output?: JsonValue;
};

/** The kind of a step. */
export type StepKind = "tool_call" | "tool_output";

/** How correct the calls are. */
export type CorrectnessResult = {
  /** From 0 to 1: how much of the expected was called. 1 if nothing was expected and nothing called; 0 if
   * nothing was expected but something called.
   */
  score: number;
  /** Whether the score reaches the threshold; in strict mode whether it is 1. */
  success: boolean;
  /** The reason, in sentences; absent with `includeReason: false`. */
  reason?: string;
  /** How the calls were compared. */
  mode: CorrectnessMode;
  /** The share of the calls that agree, before judges and strict mode, from 0 to 1. */
  callingScore: number;
  /** The judges' score for the choice of tools, from 0 to 1; absent if no judge was asked. */
  toolChoiceScore?: number;
  /** Each expected call that has an actual call, in the order of the expected calls. */
  matched: Array<MatchedTool>;
  /** The positions of the expected calls that were not made. */
  missing: Array<number>;
  /** The positions of the actual calls that were not expected. */
  extra: Array<number>;
};

/** How calls are compared with the expected ones. */
export type CorrectnessMode = "exact" | "ordering" | "default";

/** An expected call and its actual call. */
export type MatchedTool = {
  /** The position of the expected call, from 0. */
  expected: number;
  /** The position of the actual call, from 0. */
  called: number;
  /** How far they agree, from 0 to 1. */
  score: number;
};

/** What is compared besides the name of the tool. */
export type ToolCallParam = "input_parameters" | "output";

/** The formats that expectations are read from. */
export type ExpectationFormat = "expectations" | "calls" | "bfcl" | "trajectory";

/** How calls are scored and when the score fails. */
export type ScoreOptions = {
  /** Whether the order of the calls counts. Default: as the expectations say, or else `any`. */
  order?: CallOrder;
  /** How arguments are compared, by tool (`*` for all) and path. If several matchers apply, the last wins:
   * matchers of an expected call override these, and these override those of an expectation file.
   */
  matchers?: ToolMatchers;
  /** Forbidden calls, in addition to those of the expectations. */
  forbidden?: readonly ForbiddenCallInput[];
  /** Whether calls that are not expected lower the score. Default: as the expectations say, or else `forbid`. */
  extra?: ExtraCalls;
  /** The only tools that may be called, by names or patterns. A call of another tool is forbidden. */
  only?: readonly string[];
  /** The tools whose calls do not count: names, patterns, and `{readOnly: true}` for those that only read by their
   * definitions.
   */
  ignoreTools?: readonly IgnoredTools[];
  /** Which attempts count. Default: as the expectations say, or else `all`. */
  attempts?: 'all' | 'successful';
  /** The facts that the replies must state. */
  states?: readonly string[];
  /** The most that a run may cost. */
  budget?: RunBudget;
  /** The lowest scores of tools, by names or patterns, from 0 to 1. */
  thresholds?: ToolThresholds;
  /** Whether an argument that is null and one that is left out are the same, at every depth of objects. Default: as
   * the expectations say, or else false.
   */
  nullIsAbsent?: boolean;
  /** Whether an argument that is left out has the default of the tool's JSON Schema, in the expected calls and the
   * actual calls, in nested objects, too. Needs `tools`, or tools in the trajectory. Default: as the expectations
   * say, or else false.
   */
  schemaDefaults?: boolean;
  /** What judges say about values, by the keys of open questions. Default: no judge was asked, and a matcher that asks
   * judges is an error.
   */
  opinions?: Readonly<Record<string, Opinion>>;
  /** The lowest score that passes, from 0 to 1; for several trajectories their mean. Default: any. */
  minScore?: number;
  /** Limits on the work of the call. */
  limits?: Limits;
};

/** The scores of all trajectories of one input. */
export type ScoreReport = {
  /** The format that the input was read from. */
  format: TrajectoryFormat;
  /** A score for each trajectory that carries expected calls, in the order of the input. */
  trajectories: Array<TrajectoryScore>;
  /** The mean of their scores, from 0 to 1, to 3 decimals. */
  score: number;
  /** Whether the input passes. */
  gate: Gate;
  /** What several trials of one task show; absent if each task has only one. A trial passes with a score of at least
   * `minScore` or else 1.
   */
  trials?: Trials;
  /** What could not be read or scored. */
  warnings: Array<ImportWarning>;
};

/** The score of one trajectory. */
export type TrajectoryScore = {
  /** The position of the trajectory in the input, from 0. */
  index: number;
  /** The id from the source. */
  id?: string;
  /** How close its calls are to the expected ones. */
  accuracy: AccuracyResult;
};

/** How the scores of several judges are combined. */
export type AggregationMethod = "average" | "median" | "majority_vote" | "average_rounded";

/** How judges are asked, how often failures are retried, and how their scores are combined. */
export type JudgeOptions = {
  /** How the scores of several judges are combined. Default `average`. */
  aggregationMethod?: AggregationMethod;
  /** How many judges are asked at the same time. Default null, which means all. */
  maxConcurrentJudges?: number | null;
  /** The most seconds that one attempt may take, above 0. Default 60. */
  timeout?: number;
  /** How often a judge is asked again after a failure or an invalid answer, before the fallback judges are
   * asked. Default 2.
   */
  maxRetries?: number;
  /** Seconds before the first retry after a failure. They double with each further retry, and up to half is
   * randomly subtracted. An invalid answer is retried immediately, with the reasons. Default 1.
   */
  retryDelay?: number;
  /** The most seconds between two attempts. A judge that asks for a longer pause counts as failed. Default
   * 60.
   */
  maxRetryDelay?: number;
  /** Seconds between two status checks of a batch. Default 30. */
  batchStatusCheckInterval?: number;
  /** How many status checks a batch gets before it counts as unfinished, from 1. Default 120. */
  batchMaxIterations?: number;
};

/** The scores that a judge may give. */
export type ScoreScale = {
  /** The lowest score. */
  min: number;
  /** The highest score. */
  max: number;
  /** All scores, in order, if the schema has an `enum`. */
  values?: Array<number>;
  /** The number that all scores are multiples of, if the schema has `multipleOf`; 1 for an `integer`. */
  step?: number;
};

/** The results of all static checks of one call. */
export type ToolCallCheck = {
  /** Each check. */
  metrics: StaticMetrics;
  /** Whether the call passes all of them. */
  overall_valid: boolean;
  /** 1 if it does, else 0. */
  score: number;
};

/** The static checks by name. */
export type StaticMetrics = {
  /** No tool has the name of the call. */
  non_existent_function: StaticMetric;
  /** The call has an argument that the tool does not declare. */
  non_existent_parameter: StaticMetric;
  /** A value has the wrong type. */
  incorrect_parameter_type: StaticMetric;
  /** A required argument is missing. */
  missing_required_parameter: StaticMetric;
  /** A value is not one of the allowed ones (`enum`, `const`). */
  allowed_values_violation: StaticMetric;
  /** The arguments violate any other rule of the schema. */
  json_schema_violation: StaticMetric;
  /** No tools are given. */
  empty_api_spec: StaticMetric;
  /** The tool definitions can't be used. */
  invalid_api_spec: StaticMetric;
  /** The input is not a call that could run. */
  invalid_tool_call: StaticMetric;
};

/** The result of one check. */
export type StaticMetric = {
  /** Whether the call passes the check. Checks that could not run because an earlier one failed pass, too. */
  valid: boolean;
  /** What the check requires. */
  description: string;
  /** Why the call fails: each path with the reason. `null` if it passes. */
  explanation: string | null;
  /** The corrected call, if dropping, converting or filling in arguments makes it valid. */
  correction?: ToolCallCorrection;
};

/** The static checks. */
export type StaticCheckName = "non_existent_function" | "non_existent_parameter" | "incorrect_parameter_type" | "missing_required_parameter" | "allowed_values_violation" | "json_schema_violation" | "empty_api_spec" | "invalid_api_spec" | "invalid_tool_call";

/** A valid call in place of one that is not. */
export type ToolCallCorrection = {
  /** The corrected arguments. */
  correctedArguments: JsonValue;
  /** The corrected call, in the form of the given one. */
  toolCall: JsonValue;
};

/** A call to run, or the reasons not to run it. */
export type ToolCallRepair = {
  /** The outcome. */
  status: RepairStatus;
  /** The call to run, in the form of the given one: repaired, or else unchanged. */
  toolCall: JsonValue;
  /** The name of the called tool; `null` if the call names none. */
  name: string | null;
  /** The corrected arguments. */
  arguments: JsonValue;
  /** What was changed, in order. Empty unless the call was repaired. */
  changes: Array<RepairChange>;
  /** What is wrong with the given call. Empty unless it is unrepairable. */
  problems: Array<RepairProblem>;
  /** A message for the model: what was changed, or what is wrong and what to do. Absent for a valid call. */
  message?: string;
  /** The message as a result of the call, in the provider's form, to append to the conversation. Only for
   * an unrepairable call.
   */
  refusal?: JsonValue;
};

/** The outcome of a repair. */
export type RepairStatus = "valid" | "repaired" | "unrepairable";

/** One change that makes a call valid. */
export type RepairChange = {
  /** What was done. */
  kind: RepairChangeKind;
  /** The path of the argument, for example `filters.tags[2]`; empty for the arguments as a whole and for
   * the tool's name.
   */
  path: string;
  /** The old value; absent if there was none. */
  from?: JsonValue;
  /** The new value, for `renamed` the new path; absent if there is none. */
  to?: JsonValue;
  /** The change as a phrase. */
  description: string;
};

/** The kinds of changes. */
export type RepairChangeKind = "tool_name" | "unwrapped" | "parsed_json" | "converted" | "dropped" | "renamed" | "filled" | "judge";

/** One problem of a call. */
export type RepairProblem = {
  /** The path of the argument; empty if the problem is about the call. */
  path: string;
  /** What is wrong, without the path. */
  message: string;
};

/** Whether the values of a call that look like identifiers appear in the conversation before it. This is a
 * hint without a model, in addition to the semantic hallucination check.
 */
export type Groundedness = {
  /** The method: comparing values, not asking a judge. */
  method: 'deterministic';
  /** Whether every such value appears earlier. Other values are not checked. */
  grounded: boolean;
  /** The values that do not appear earlier, in order. */
  ungrounded: Array<UngroundedValue>;
};

/** A value of a call that does not appear earlier. */
export type UngroundedValue = {
  /** The path of the argument. */
  path: string;
  /** The value. */
  value: string;
  /** The most similar value in the conversation. */
  closest?: string;
};

/** The results of judges on a call, by kind of metric. */
export type SemanticResult = {
  /** Whether the values are right: grounded and in the expected format. Absent if not asked. */
  general?: SemanticCategory;
  /** Whether the tool is right and may be called now. Absent if not asked. */
  function_selection?: SemanticCategory;
  /** Whether single arguments are right, by name. Absent if not asked. */
  parameter?: Record<string, SemanticCategory>;
};

/** The metrics of one kind. */
export type SemanticCategory = {
  /** Each metric by name. */
  metrics: Record<string, SemanticMetric>;
  /** The mean of the scores that count, from 0 to 1; `null` if none counts. */
  avg_score: number | null;
};

/** The result of one metric: the answers of the judges, or the reason why there are none. */
export type SemanticMetric = JudgedMetric | UnjudgedMetric;

/** The answers of the judges to one metric. */
export type JudgedMetric = {
  /** The evidence that the judge cites; for several judges, that of the one whose output is nearest to the
   * combined one.
   */
  evidence: string;
  /** The explanation of that judge. */
  explanation: string;
  /** How valid the call is, from 1 to 5. */
  output: number;
  /** How certain the judge is, from 0 to 1; for several judges the mean. */
  confidence: number;
  /** The corrected call; `null` if nothing is wrong. */
  correction: JsonValue;
  /** The output scaled to 0 to 1. */
  score: number;
  /** Whether the confidence is high enough for the metric to count. */
  counts: boolean;
  /** Whether the metric finds the call right. A metric that does not count finds nothing wrong. */
  valid: boolean;
  /** Whether the metric counts and finds the call wrong. */
  isIssue: boolean;
  /** How far several judges agree, from 0 to 1; absent for a single judge. */
  agreement?: number;
};

/** A metric without a valid answer. The call is not valid by it, and there is no made-up score. */
export type UnjudgedMetric = {
  /** The reason, with what the judge said. */
  error: JudgeFailure;
  /** Always false. */
  counts: boolean;
  /** Always false. */
  valid: boolean;
  /** Always false, because nothing is known to be wrong. */
  isIssue: boolean;
};

/** The reason why a judge gave no answer: a `JudgeError` as plain data. */
export type JudgeFailure = {
  /** `judge_failed`, or `judge_answer_invalid` if the answer does not fit. */
  code: ErrorCode;
  /** What happened. */
  message: string;
  /** The judge's name. */
  judge?: string;
  /** What the judge said, as text. */
  rawAnswer?: string;
  /** The HTTP status. */
  status?: number;
};

/** The types of reflection issues: the static checks, and the semantic metrics of judges. */
export type ReflectionIssueType = "non_existent_function" | "non_existent_parameter" | "incorrect_parameter_type" | "missing_required_parameter" | "allowed_values_violation" | "json_schema_violation" | "empty_api_spec" | "invalid_api_spec" | "invalid_tool_call" | "general_hallucination_check" | "general_value_format_alignment" | "function_selection_appropriateness" | "agentic_constraints_satisfaction" | "parameter_hallucination_check" | "parameter_value_format_alignment";

/** The details of a reflection issue. Members that do not apply are absent. */
export type ReflectionIssueDetails = {
  /** The position of the call among the calls of its turn, from 0. */
  callIndex: number;
  /** The id of the call. */
  callId?: string;
  /** The path of the argument; empty for the call as a whole. */
  path?: string;
  /** Present if calls are repaired and this one was: the issue is then low. */
  repaired?: true;
};

/** The repair of one call of a log. */
export type CallRepair = {
  /** The number of the turn that made the call. */
  turnId: number;
  /** The position of the call among the calls of its turn, from 0. */
  callIndex: number;
  /** The id of the call. */
  callId?: string;
  /** The outcome: it was repaired, or could not be. */
  status: RepairStatus;
  /** The name of its tool. */
  name?: string;
  /** The corrected arguments. */
  arguments: JsonValue;
  /** What was changed. */
  changes: Array<RepairChange>;
  /** The message for the model: what was changed, or what is wrong and what to do. */
  message: string;
};

/** The options of reflection, except the judges. */
export type ReflectOptions = {
  /** Whether judges get short prompts, for calls about to run, or long ones, with recommendations for the
   * maintainers of the agent. Default `runtime`.
   */
  form?: ReflectionForm;
  /** The metrics about the whole call. Default all four. */
  metrics?: Array<SemanticMetricName>;
  /** The metrics about each argument. Default none. */
  parameterMetrics?: Array<ParameterMetricName>;
  /** The lowest confidence at which the answer of a judge counts, from 0 to 1. Default 0.5. */
  minConfidence?: number;
  /** Whether judges are also asked about calls that fail the static checks. Default false. */
  continueOnStatic?: boolean;
  /** The most concurrent questions, at least 1. Default 8. */
  maxConcurrency?: number;
};

/** The length of the prompts for judges. */
export type ReflectionForm = "runtime" | "full";

/** The metrics about a whole call. */
export type SemanticMetricName = "general_hallucination_check" | "general_value_format_alignment" | "function_selection_appropriateness" | "agentic_constraints_satisfaction";

/** The metrics about a single argument. */
export type ParameterMetricName = "parameter_hallucination_check" | "parameter_value_format_alignment";

/** The destination of a call. */
export type Route = { "kind": "agent";
/** The part after the prefix, for example `spawn`. */
action: string, } | { "kind": "todo";
/** The part after the prefix, for example `add`. */
action: string, } | { "kind": "user";
/** The part after the prefix, for example `ask`. */
action: string, } | { "kind": "mcp";
/** The request to the server. */
action: McpAction;
/** The name of the server. */
server: string, } | { "kind": "function" };

/** A request to an MCP server. */
export type McpAction = "invoke" | "search" | "describe";

/** The state of a tracker. It is plain data, so it can be saved and restored between rounds. */
export type TrackerState = {
  /** How often in a row the same call or chain of calls may be made, from 1. Default 2. */
  maxRepeats: number;
  /** The longest chain to detect, in calls, from 1. Default 3. */
  chainLength: number;
  /** How many calls were recorded so far. */
  recorded: number;
  /** How often in a row the latest call was made. 0 before the first call. */
  repeats: number;
  /** The latest calls, oldest first: at most `maxRepeats` × `chainLength`. */
  calls: Array<TrackedCall>;
};

/** A call that a tracker remembers. */
export type TrackedCall = {
  /** The call as warnings show it, for example `search({"q":"news"})`, shortened. */
  call: string;
  /** The hash of name and arguments, in hexadecimal. The order of object members does not matter. */
  key: string;
  /** The hash of the output, in hexadecimal; `null` before there is one. */
  output: string | null;
};

/** A warning about a call that would be one repetition too many. */
export type LoopWarning = {
  /** What is repeated: `repeated_call` or `repeating_chain`. */
  kind: LoopKind;
  /** The calls of one repetition, in order, for example `search({"q":"news"})`, shortened. */
  chain: Array<string>;
  /** How often the chain was made in a row before this call. */
  repetitions: number;
  /** The warning as a message for the model. It names the chain. */
  message: string;
};

/** The options of linting. */
export type LintOptions = {
  /** The provider whose rules apply. Default: for definitions in the format of a provider, that provider;
   * for other formats (MCP, AI SDK, records), whatever at least two providers reject.
   */
  provider?: LintProvider;
  /** Documents that a `$ref` may name, by their URI. Nothing is fetched. Default: none. */
  schemas?: Readonly<Record<string, JsonValue>>;
  /** Limits on the input and the work. */
  limits?: Limits;
};

/** The provider whose rules are applied to tool definitions. */
export type LintProvider = "openai" | "anthropic" | "gemini" | "bedrock" | "all";

/** The result of linting tool definitions. */
export type LintResult = {
  /** `true` unless an issue is critical. */
  valid: boolean;
  /** The mean over the tools of max(0, 1 − Σ weight), from 0 to 1, to 3 decimals. Weights: critical 1, high
   * 0.5, medium 0.2, low 0.05. Issues of the list as a whole lower the score in the same way. 1 without
   * any tools.
   */
  score: number;
  /** How many tools are defined. */
  tools: number;
  /** All issues, in the order of the tools. */
  issues: Array<LintIssue>;
  /** The counts. */
  summary: LintSummary;
  /** The errors of definitions that can't be read; absent if all can be. */
  errors?: Array<ErrorReport>;
};

/** The kinds of issues of tool definitions. Rules of a provider name its public documentation, or the error
 * of its API.
 */
export type LintIssueType = "invalid_schema" | "unknown_type" | "unsupported_draft" | "unresolved_reference" | "root_not_object" | "missing_parameters" | "required_not_property" | "invalid_enum_value" | "empty_enum" | "contradictory_bounds" | "invalid_default" | "invalid_example" | "misspelled_keyword" | "untyped_parameter" | "missing_description" | "missing_parameter_description" | "description_repeats_name" | "description_too_short" | "description_too_long" | "identical_descriptions" | "invalid_name" | "duplicate_name" | "ambiguous_name" | "similar_names" | "invalid_parameter_name" | "similar_parameter_names" | "unsupported_root" | "missing_items" | "unsupported_keyword" | "unsupported_format" | "strict_mode" | "too_many_tools";

/** The details of an issue of a tool definition. Members that do not apply are absent. */
export type LintDetails = {
  /** The path in the linted document, for example `tools[2].function.parameters.required[0]`; empty for the
   * whole document.
   */
  path: string;
  /** The remedy. */
  hint: string;
  /** The providers that reject it. */
  providers?: Array<ModelProvider>;
  /** The schema keyword that the issue is about. */
  keyword?: string;
  /** The actual value as JSON, shortened if it is long. */
  actual?: string;
  /** The value that was probably meant. */
  closest?: string;
  /** The name of the other tool or parameter. */
  other?: string;
  /** How many places of the tool have this issue, if more than the named one. */
  places?: number;
};

/** Counts of the issues of tool definitions. */
export type LintSummary = {
  /** How many tools have no issue. */
  clean: number;
  /** The number of issues of each type; types that do not occur are absent. */
  issuesByType: Partial<Record<LintIssueType, number>>;
  /** The number of issues of each severity; severities that do not occur are absent. */
  issuesBySeverity: Partial<Record<Severity, number>>;
};

/** The providers whose rules for tools are known. */
export type ModelProvider = "openai" | "anthropic" | "gemini" | "bedrock";

/** The options of a check and its gate. */
export type CheckOptions = {
  /** The format of the input. Default: detected. */
  format?: TrajectoryFormat;
  /** The field of a trajectory that names its task, such as `metadata.task_id`. Trajectories of one task are
   * its trials. Default: `task_id`, or else the id of the trajectory.
   */
  taskKey?: string;
  /** Whether calls of tools without a schema pass silently. Default false. */
  allowUnknownTools?: boolean;
  /** Whether arguments and results are checked against their schemas. Default true. */
  validateSchemas?: boolean;
  /** Whether missing and unused results are reported. Default true. */
  checkResultUsage?: boolean;
  /** Whether unsupported facts in replies and ungrounded arguments are reported. Default true. */
  detectHallucination?: boolean;
  /** The confidence, from 0 to 1, above which unsupported facts of a reply are reported. It combines the
   * confidences of all of them. At 1 nothing is reported. Default 0.3.
   */
  hallucinationThreshold?: number;
  /** Whether any high or critical issue makes the score 0. Unknown tools are then high. Default false. */
  strict?: boolean;
  /** Limits on the work of the call. */
  limits?: Limits;
  /** The lowest mean score that passes, from 0 to 1. Default: any. */
  minScore?: number;
  /** The mean score of a baseline, from 0 to 1. A score that is not below it passes `minScore`. Default:
   * none.
   */
  baselineScore?: number;
  /** The lowest severity that fails, or `never`. Default `high`. */
  failOn?: FailOn;
  /** Whether an input without tool calls passes. Default false. */
  allowEmpty?: boolean;
  /** Whether the gate passes although documents could not be read. Default false. */
  allowErrors?: boolean;
  /** The lowest share of trajectories that have to pass, from 0 to 1. If it is given, a trajectory that fails
   * does not fail the gate by itself. Default: all of them.
   */
  minPassRate?: number;
  /** The lowest pass^k (the probability that all of k trials of a task pass), from 0 to 1, by k from 1 to
   * 1000. If it is given, a trajectory that fails does not fail the gate by itself. Default: any.
   */
  minPassHat?: Readonly<Record<number, number>>;
  /** The severity of each issue type, or `off`. Default: the severity of the type. */
  rules?: Partial<Record<IssueTypeName, RuleLevel>>;
  /** Findings that are not reported, each with a reason. The summary counts them. Default: none. */
  ignore?: Array<IgnoredFinding>;
};

/** The level of a rule. */
export type RuleLevel = "off" | "low" | "medium" | "high" | "critical";

/** The explanation of a type of issue, with its remedy. */
export type IssueExplanation = {
  /** The type, as reports write it. */
  type: IssueTypeName;
  /** Its severity, unless a rule sets another. */
  severity: Severity;
  /** Returns the meaning of the type. */
  meaning: string;
  /** An example, in a sentence. */
  example: string;
  /** The remedy. */
  remedy: string;
};

/** A pattern of findings that are not reported. Missing members match everything; `*` in a text matches any
 * text.
 */
export type IgnoredFinding = {
  /** The id of the trajectory. */
  trajectory?: string;
  /** The type of the issue. */
  type?: string;
  /** The name of the tool. */
  tool?: string;
  /** The path in the arguments or the result, for example `filters.tags[2]`. */
  path?: string;
  /** Why the findings are ignored, for readers of the configuration. Required. */
  reason: string;
};

/** Why a part of a trajectory could not be checked. */
export type Unjudged = "no_results" | "no_request" | "hidden_results" | "not_run" | "unrecorded_contents";

/** The lowest severity of an issue that fails a check. */
export type FailOn = "low" | "medium" | "high" | "critical" | "never";

/** The formats of reports of a check. */
export type ReportFormat = "pretty" | "json" | "jsonl" | "junit" | "sarif" | "github" | "markdown" | "html";

/** The results for all trajectories of one input. */
export type CheckReport = {
  /** The format that the input was read from. */
  format: TrajectoryFormat;
  /** A report for each trajectory, in the order of the input. */
  trajectories: Array<TrajectoryReport>;
  /** The counts. */
  summary: CheckSummary;
  /** Whether the input passes. */
  gate: Gate;
  /** What several trials of one task show; absent if each task has only one. */
  trials?: Trials;
  /** Warnings about unreadable parts of the input and about options without effect. */
  warnings: Array<ImportWarning>;
};

/** The report on one trajectory. */
export type TrajectoryReport = {
  /** Its position in the input, from 0; for JSON lines its position in its line. */
  index: number;
  /** The id from the source. */
  id?: string;
  /** Its task, if a field names one that is not the id. */
  task?: string;
  /** `true` unless an issue is critical. */
  valid: boolean;
  /** `true` if all issues are below `failOn`. */
  passed: boolean;
  /** The mean score of the turns that call tools, from 0 to 1, to 3 decimals; `null` if there are none. */
  score: number | null;
  /** Whether it was checked against tool definitions, given ones or its own. */
  hasTools: boolean;
  /** The number of turns. */
  turns: number;
  /** The number of tool calls. */
  calls: number;
  /** One result for each agent turn that calls tools. */
  results: Array<ValidationResult>;
  /** The issues of results and of the replies to them. An issue about a reply names the turn of the reply
   * and quotes its sentence. These issues count in the summary and the gate but not in the score.
   */
  resultIssues: Array<ResultIssue>;
  /** The issues of calls checked by themselves. If calls are reflected on, all other issues are empty. */
  reflectionIssues?: Array<ReflectionIssue>;
  /** The repairs of invalid calls, if calls are repaired. */
  repairs?: Array<CallRepair>;
  /** How many findings the option `ignore` left out. */
  ignored?: number;
  /** What could not be checked; each reason once. */
  unjudged?: Array<Unjudged>;
};

/** Totals over many trajectories. Summaries can be merged: those of the parts of an input, in any order, give
 * the summary of the whole.
 */
export type CheckSummary = {
  /** The version of the layout, 1. */
  version: number;
  /** How many documents were read: files, or lines of files with one document per line. */
  documents: number;
  /** How many documents could not be read. */
  unread: number;
  /** The number of trajectories. */
  trajectories: number;
  /** How many trajectories have no critical issue. */
  valid: number;
  /** How many trajectories have only issues below `failOn`. */
  passed: number;
  /** How many trajectories have no issues. */
  clean: number;
  /** How many trajectories were checked against tool definitions, given ones or their own. */
  withTools: number;
  /** The number of turns. */
  turns: number;
  /** The number of tool calls. */
  calls: number;
  /** How many calls have a result or an error of the runtime. */
  results: number;
  /** How many turns have a text. */
  texts: number;
  /** The number of issues. */
  issues: number;
  /** The number of issues of each type; types that do not occur are absent. */
  issuesByType: Partial<Record<ToolUseIssueType | ResultIssueType, number>>;
  /** The number of issues of each severity. */
  issuesBySeverity: Record<Severity, number>;
  /** How many issues of each severity the baseline contains; without a baseline none. */
  knownBySeverity: Record<Severity, number>;
  /** How many findings the option `ignore` left out. */
  ignored: number;
  /** In how many trajectories something could not be checked, by reason; reasons that do not occur are
   * absent.
   */
  unjudged: Partial<Record<Unjudged, number>>;
  /** How many trajectories were read from each format. */
  formats: Partial<Record<TrajectoryFormat, number>>;
  /** Counts for each tool, by the name of the calls, cut at 128 characters. Calls without a name are under
   * the empty name.
   */
  tools: Record<string, ToolTally>;
  /** How many warnings the import gave. */
  warnings: number;
  /** The distribution of the scores of the trajectories that call tools. */
  scores: ScoreTally;
  /** The mean of the scores, from 0 to 1, to 3 decimals; `null` if there are none. */
  score: number | null;
  /** The counts by task, from which `trials` follows when summaries are merged; absent unless `taskKey` or
   * `minPassHat` is given.
   */
  tasks?: Tasks;
  /** What several trials of one task show; absent if each task has only one, or without `tasks`. */
  trials?: Trials;
};

/** Counts for one tool. */
export type ToolTally = {
  /** The number of calls. */
  calls: number;
  /** How many calls failed: the runtime reported an error or, if results are checked, the result is one. */
  errors: number;
  /** The number of issues of its calls and results. */
  issues: number;
};

/** The distribution of scores. */
export type ScoreTally = {
  /** The number of scores. */
  count: number;
  /** Their sum in thousandths, an integer. */
  thousandths: number;
  /** How many scores are from 0 to below 0.1, from 0.1 to below 0.2, and so on. The last number counts
   * scores of 1.
   */
  histogram: number[];
};

/** Counts by task. Those of the parts of an input, merged in any order, are those of the whole.
 *
 * At most 4,000 tasks are counted one by one: those whose hashes are the smallest. They are a random sample of all
 * tasks and always the same one. Of the others only the trials and passes are counted.
 */
export type Tasks = {
  /** How many trajectories were looked at, with or without a task. */
  trajectories: number;
  /** The number of trials of all tasks. */
  trials: number;
  /** How many of them pass. */
  passed: number;
  /** The counts of at most 4,000 tasks. Of more tasks, these are a random sample, always the same one. A
   * name with more than 128 characters is cut.
   */
  byTask: Record<string, TaskTally>;
};

/** Counts for one task, all of them integers. Of a task with one trial, only that trial is written. */
export type TaskTally = {
  /** The number of trials. Default 1. */
  trials?: number;
  /** How many of them pass. */
  passed?: number;
  /** How many of them have a score. */
  scored?: number;
  /** The sum of the scores in thousandths. */
  thousandths?: number;
  /** The sum of the squares of the scores in thousandths. */
  squares?: number;
  /** The trial that did worst. */
  worst: WorstTrial;
};

/** What several trials of tasks show. */
export type Trials = {
  /** How many tasks are counted one by one, at most 4,000. Of more tasks, these are a random sample, and
   * all figures except `trials` and `passed` and `passRate` are about them.
   */
  tasks: number;
  /** How many of them have more than one trial. */
  repeated: number;
  /** The number of trials of all tasks. */
  trials: number;
  /** How many trials pass. */
  passed: number;
  /** The share of the trials that pass, from 0 to 1, to 3 decimals. */
  passRate: number;
  /** How many tasks pass in all trials. */
  always: number;
  /** How many tasks pass in some, but not all trials. */
  flaky: number;
  /** How many tasks pass in no trial. */
  never: number;
  /** How many trials are of tasks that are not counted one by one. */
  leftOut: number;
  /** How many trajectories are in merged summaries that did not keep their tasks, and are no trials here. */
  unknown: number;
  /** The mean standard deviation (n − 1) of the scores of a task, from 0 to 1, to 3 decimals; `null` if no
   * task has two scores.
   */
  spread: number | null;
  /** pass@k and pass^k for each k from 1 to the most trials of a task, at most 10. */
  estimates: Array<PassEstimate>;
  /** Up to 100 tasks with several trials, some of which fail: flaky ones first, then those with the
   * smallest share of passes.
   */
  worst: Array<TaskTrials>;
};

/** What the outcomes of trials show. */
export type MeasuredTrials = {
  /** The figures; absent if each task has only one trial. */
  trials?: Trials;
  /** Whether enough of them pass. */
  gate: Gate;
};

/** The unbiased estimates for k trials, as means over the tasks with at least k trials. */
export type PassEstimate = {
  /** The number of trials. */
  k: number;
  /** How many tasks have at least that many. */
  tasks: number;
  /** pass@k: the probability that at least one of k trials passes, from 0 to 1, to 3 decimals. */
  passAt: number;
  /** pass^k: the probability that all of k trials pass, from 0 to 1, to 3 decimals. */
  passHat: number;
};

/** The trials of one task. */
export type TaskTrials = {
  /** The task. A name with more than 128 characters is cut. */
  task: string;
  /** The number of trials. */
  trials: number;
  /** How many of them pass. */
  passed: number;
  /** Whether some, but not all of them pass. */
  flaky: boolean;
  /** The mean score, from 0 to 1, to 3 decimals; `null` without scores. */
  score: number | null;
  /** The standard deviation (n − 1) of the scores, to 3 decimals; `null` with less than two scores. */
  spread: number | null;
  /** The trial that did worst. */
  worst: WorstTrial;
};

/** The trial of a task that did worst. */
export type WorstTrial = {
  /** Whether it passes nevertheless. */
  passed: boolean;
  /** Its score, from 0 to 1; `null` if it has none. */
  score: number | null;
  /** The name of its file. */
  source?: string;
  /** The line of its document, from 1, if each line is a document. */
  line?: number;
  /** Its position in its document, from 0. */
  index: number;
  /** The id of the trajectory, if the id is not the task. */
  id?: string;
};

/** The report on one trajectory of a batch: a line of `toolgauge check --format jsonl`. */
export type TrajectoryVerdict = {
  /** The format that it was read from. */
  format: TrajectoryFormat;
  /** The import warnings of its document, with the first of its trajectories. */
  warnings?: Array<ImportWarning>;
  /** Returns the name of the file. */
  source?: string;
  /** The line of the document, from 1, if each line is a document. */
  line?: number;
  /** Its position in the input, from 0; for JSON lines its position in its line. */
  index: number;
  /** The id from the source. */
  id?: string;
  /** Its task, if a field names one that is not the id. */
  task?: string;
  /** `true` unless an issue is critical. */
  valid: boolean;
  /** `true` if all issues are below `failOn`. */
  passed: boolean;
  /** The mean score of the turns that call tools, from 0 to 1, to 3 decimals; `null` if there are none. */
  score: number | null;
  /** Whether it was checked against tool definitions, given ones or its own. */
  hasTools: boolean;
  /** The number of turns. */
  turns: number;
  /** The number of tool calls. */
  calls: number;
  /** One result for each agent turn that calls tools. */
  results: Array<ValidationResult>;
  /** The issues of results and of the replies to them. An issue about a reply names the turn of the reply
   * and quotes its sentence. These issues count in the summary and the gate but not in the score.
   */
  resultIssues: Array<ResultIssue>;
  /** The issues of calls checked by themselves. If calls are reflected on, all other issues are empty. */
  reflectionIssues?: Array<ReflectionIssue>;
  /** The repairs of invalid calls, if calls are repaired. */
  repairs?: Array<CallRepair>;
  /** How many findings the option `ignore` left out. */
  ignored?: number;
  /** What could not be checked; each reason once. */
  unjudged?: Array<Unjudged>;
};

/** A document of a batch that could not be read: a line of `toolgauge check --format jsonl`. */
export type UnreadDocument = {
  /** The reason. */
  error: ErrorReport;
  /** Returns the name of the file. */
  source?: string;
  /** The line of the document, from 1, if each line is a document. */
  line?: number;
};

/** An error as plain data. */
export type ErrorReport = {
  /** The kind of error. */
  code: ErrorCode;
  /** A sentence for people. */
  message: string;
  /** The path, for example `turns[2].tool_calls[0].name`; absent for the whole input. */
  path?: string;
  /** What was expected at that path. */
  expected?: string;
};

/** The options of the gate of a check. */
export type GateOptions = {
  /** The lowest mean score that passes, from 0 to 1. Default: any. */
  minScore?: number;
  /** The mean score of a baseline, from 0 to 1. A score that is not below it passes `minScore`. Default:
   * none.
   */
  baselineScore?: number;
  /** The lowest severity that fails, or `never`. Default `high`. */
  failOn?: FailOn;
  /** Whether an input without tool calls passes. Default false. */
  allowEmpty?: boolean;
  /** Whether the gate passes although documents could not be read. Default false. */
  allowErrors?: boolean;
  /** The lowest share of trajectories that have to pass, from 0 to 1. If it is given, a trajectory that fails
   * does not fail the gate by itself. Default: all of them.
   */
  minPassRate?: number;
  /** The lowest pass^k (the probability that all of k trials of a task pass), from 0 to 1, by k from 1 to
   * 1000. If it is given, a trajectory that fails does not fail the gate by itself. Default: any.
   */
  minPassHat?: Readonly<Record<number, number>>;
};

/** The result of a gate. */
export type Gate = {
  /** Whether it passes. */
  passed: boolean;
  /** A sentence for each reason to fail. */
  failures: Array<string>;
};

/** The result of an import: the value, its format, and warnings. */
export type Imported<T, F> = {
  /** The imported value. */
  value: T;
  /** The format of the input. */
  format: F;
  /** What was lost or doubtful, in the order of the document. */
  warnings: Array<ImportWarning>;
};

/** A part of an imported document that was lost or is doubtful. */
export type ImportWarning = {
  /** The path in the document, such as `messages[3]`. Empty for the whole document. */
  path: string;
  /** What is wrong there. */
  message: string;
};

/** The formats that trajectories are read from. */
export type TrajectoryFormat = "harness" | "openai-chat" | "openai-responses" | "openai-agents" | "anthropic" | "ai-sdk-ui" | "ai-sdk-model" | "ai-sdk-steps" | "gemini" | "bedrock" | "cohere" | "tau-bench" | "tau2" | "langchain" | "langsmith" | "langfuse" | "otel-genai" | "openinference" | "mastra" | "atif" | "swe-agent" | "claude-code" | "codex" | "gemini-cli" | "qwen-code" | "opencode" | "pi" | "mcp" | "stream" | "inspect" | "adk" | "hermes" | "tooltalk" | "bfcl" | "deepeval" | "ragas" | "nemo-gym" | "pydantic-ai" | "openhands" | "autogen" | "semantic-kernel" | "xlam" | "when2call" | "toucan" | "toolace" | "smolagents" | "toolbench" | "mini-swe-agent" | "docent" | "copilot-chat" | "deepeval-trace" | "ai-gateway" | "batch";

/** The formats that tool definitions are read from. */
export type ToolFormat = "openai-chat" | "openai-responses" | "anthropic" | "mcp" | "gemini" | "ai-sdk" | "bedrock" | "bfcl" | "record";

/** What a document holds. */
export type DetectedFormat = { "kind": "trajectory";
/** Their format. */
format: TrajectoryFormat, } | { "kind": "tools";
/** Their format. */
format: ToolFormat;
};

/** The formats that trajectories are written in. */
export type ExportFormat = "harness" | "openai-chat" | "ai-sdk-model" | "atif";

/** One OpenAI chat message. */
export type OpenAiMessage = { "role": "system";
/** The text. */
content: string, } | { "role": "user";
/** The text. */
content: string, } | { "role": "assistant";
/** The text. `null` if the agent only calls tools. */
content: string | null;
/** The calls. */
tool_calls?: Array<OpenAiToolCall>, } | { "role": "tool";
/** The result or the error, as text. */
content: string;
/** The id of the answered call. */
tool_call_id: string;
};

/** A call in a chat message. */
export type OpenAiToolCall = {
  /** The id that links the call to its result. */
  id: string;
  /** Always `function`. */
  type: OpenAiToolCallType;
  /** The function that is called. */
  function: OpenAiFunction;
};

/** The kind of a call in a chat message. */
export type OpenAiToolCallType = "function";

/** The function that a chat message calls. */
export type OpenAiFunction = {
  /** The tool's name. */
  name: string;
  /** The arguments as JSON text. Empty if there were none. */
  arguments: string;
};

/** One model message of the AI SDK. */
export type AiSdkMessage = { "role": "system";
/** The text. */
content: string, } | { "role": "user";
/** The text. */
content: string, } | { "role": "assistant";
/** The text and the calls. */
content: Array<AiSdkPart>, } | { "role": "tool";
/** One part for each answered call. */
content: Array<AiSdkToolResult>;
};

/** One part of an agent's model message. */
export type AiSdkPart = { "type": "text";
/** The text. */
text: string, } | { "type": "tool-call";
/** The id that links the call to its result. */
toolCallId: string;
/** The tool's name. */
toolName: string;
/** The arguments. A text if they were not valid JSON. */
input: JsonValue;
};

/** The outcome of a call in a model message. */
export type AiSdkToolResult = { "type": "tool-result";
/** The id of the answered call. */
toolCallId: string;
/** The tool's name. */
toolName: string;
/** The result or the error. */
output: AiSdkToolOutput;
};

/** The result or the error of a call in a model message. */
export type AiSdkToolOutput = { "type": "text";
/** The text. */
value: string, } | { "type": "json";
/** The value. */
value: JsonValue, } | { "type": "error-text";
/** The text. */
value: string, } | { "type": "error-json";
/** The value. */
value: JsonValue;
};

/** A trajectory in the Agent Trajectory Interchange Format. */
export type AtifTrajectory = {
  /** The version of the format. */
  schema_version: string;
  /** The id of the trajectory. */
  session_id?: string;
  /** The agent. */
  agent: AtifAgent;
  /** The steps, in order. */
  steps: Array<AtifStep>;
};

/** The agent of an ATIF trajectory. */
export type AtifAgent = {
  /** Its name; `unknown` when the trajectory names none. */
  name: string;
  /** Its version; `unknown` when the trajectory names none. */
  version: string;
  /** The model that the agent uses. */
  model_name?: string;
  /** The agent's tools as the trajectory has them, if that is a list. */
  tool_definitions?: JsonValue;
};

/** One step of an ATIF trajectory. */
export type AtifStep = {
  /** The number of the step, from 1. */
  step_id: number;
  /** The time of the step, in ISO 8601. */
  timestamp?: string;
  /** Who acts in the step. */
  source: AtifSource;
  /** The text of the step. */
  message: string;
  /** The calls of the step. */
  tool_calls?: Array<AtifToolCall>;
  /** The outcomes of the calls. */
  observation?: AtifObservation;
};

/** Who acts in a step of an ATIF trajectory. */
export type AtifSource = "system" | "user" | "agent";

/** A call in an ATIF trajectory. */
export type AtifToolCall = {
  /** The id that links the call to its result. */
  tool_call_id: string;
  /** The tool's name. */
  function_name: string;
  /** The arguments. Empty if they were not an object. */
  arguments: { [key: string]: JsonValue };
  /** Holds arguments that were not an object. */
  extra?: AtifToolCallExtra;
};

/** The additional members of a call in an ATIF trajectory. */
export type AtifToolCallExtra = {
  /** The arguments as JSON text, or the text itself if it was not valid JSON. */
  raw_arguments: string;
};

/** The outcomes of the calls of an ATIF step. */
export type AtifObservation = {
  /** One result for each answered call. */
  results: Array<AtifResult>;
};

/** The outcome of one call of an ATIF step. */
export type AtifResult = {
  /** The id of the answered call. */
  source_call_id: string;
  /** The result or the error, as text. */
  content: string;
  /** Marks an error. */
  extra?: AtifResultExtra;
};

/** The additional members of a result in an ATIF trajectory. */
export type AtifResultExtra = {
  /** Whether the call failed. */
  is_error: boolean;
};

/** The difference of two runs of the same tasks. */
export type RunDiff = {
  /** The first run. */
  before: RunTotals;
  /** The second run. */
  after: RunTotals;
  /** The difference of the pass rates over the tasks that both runs have. A task counts once, with the share of its
   * trials that pass. `null` if there is no such task.
   */
  passRate: RunComparison | null;
  /** The difference of the mean scores over the tasks that have scores in both runs. A task counts once, with the mean
   * of its trials. `null` if there is no such task.
   */
  score: RunComparison | null;
  /** The tasks that both runs have, the most changed first. */
  tasks: Array<TaskChange>;
  /** The tasks that only the first run has. */
  onlyBefore: Array<string>;
  /** The tasks that only the second run has. */
  onlyAfter: Array<string>;
  /** The issues that no trial of their task had in the first run, the worst first. */
  newIssues: Array<IssueChange>;
  /** The issues that no trial of their task has in the second run, the worst first. */
  goneIssues: Array<IssueChange>;
  /** Warnings about options without effect and what was left out. */
  warnings: Array<string>;
  /** Whether the second run passes. */
  gate: Gate;
};

/** The size of a run. */
export type RunTotals = {
  /** The number of tasks. */
  tasks: number;
  /** The number of trials: trajectories. */
  trials: number;
  /** How many trials pass. */
  passed: number;
  /** How many documents could not be read. */
  unread: number;
};

/** The difference of a mean over tasks. */
export type RunComparison = {
  /** The number of tasks. */
  tasks: number;
  /** The mean of the first run, from 0 to 1, to 4 decimals. */
  before: number;
  /** The mean of the second run, from 0 to 1, to 4 decimals. */
  after: number;
  /** The second mean minus the first, from -1 to 1, to 4 decimals. */
  difference: number;
  /** The ends of the 95% confidence interval of the difference, from -1 to 1, to 4 decimals; `null` for a single task. */
  interval: [number, number] | null;
  /** The two-sided p-value of the paired permutation test, from 0.0001 to 1, to 4 decimals. */
  pValue: number;
  /** What follows from the p-value. */
  conclusion: RunConclusion;
};

/** What follows from a p-value. */
export type RunConclusion = "better" | "worse" | "unclear";

/** A task that both runs have. */
export type TaskChange = {
  /** The task. */
  task: string;
  /** How it changed: by the share of trials that pass or, if that is the same, by the mean score. */
  direction: TaskDirection;
  /** Whether its trials agree now, or no longer; absent if nothing changed in this, or a run has a single trial. */
  stability?: TaskStability;
  /** Its trials in the first run. */
  before: TaskResult;
  /** Its trials in the second run. */
  after: TaskResult;
};

/** How a task changed. */
export type TaskDirection = "better" | "worse" | "same";

/** How the agreement of the trials of a task changed. */
export type TaskStability = "flaky" | "stable";

/** The trials of a task in one run. */
export type TaskResult = {
  /** How many there are. */
  trials: number;
  /** How many of them pass. */
  passed: number;
  /** The mean of their scores, from 0 to 1, to 4 decimals; `null` if none has a score. */
  score: number | null;
};

/** An issue that only one of the runs has. */
export type IssueChange = {
  /** The task. */
  task: string;
  /** The type of the issue; of calls that are not as expected `incorrect_call`, `missed_call`, `extra_call` or
   * `forbidden_call`.
   */
  type: string;
  /** The tool's name; absent if there is none. */
  toolName?: string;
  /** Its worst severity; absent for calls that are not as expected. */
  severity?: Severity;
  /** How many trials of the task have it. */
  trials: number;
};

/** The formats of the difference of two runs. */
export type DiffFormat = "pretty" | "markdown" | "json";
