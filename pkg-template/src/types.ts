// Written by `cargo xtask types` from the Rust types: change those.
import type { ForbiddenCallInput, ToolMatchers } from './expectations.js';

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

/** How bad an issue is. */
export type Severity = "low" | "medium" | "high" | "critical";

/** Bounds on what one call may cost. Passing one is an error that names it. */
export type Limits = {
  /** Most bytes of one input, as UTF-8. Default 67,108,864 (64 MiB). */
  maxInputBytes?: number;
  /** Most objects in one input, where each turn, call and tool is one. Default 1,000,000. */
  maxObjects?: number;
  /** Most values in one input: numbers, texts, objects and all others. Default 5,000,000. */
  maxValues?: number;
  /** Deepest nesting of arrays and objects in one input, 1 to 1,000. Default 256. */
  maxDepth?: number;
  /** Most schema issues reported for one call; the result says when there were more. Default 100. */
  maxIssuesPerCall?: number;
  /** Most visits of subschemas in the validation of one call, besides a hundred for each value in
   * its arguments. It stops schemas that take time exponential in the arguments. Default 20,000.
   */
  maxSchemaVisits?: number;
  /** Most steps of comparing a list of calls with the expected ones. Each value that is compared is one
   * or more, and so is each pair that is weighed. It stops lists whose best pairs would take minutes
   * to find. Default 40,000,000.
   */
  maxComparisonSteps?: number;
  /** Most calls that can be expected of one trajectory, each as often as it must be made. Default
   * 1,000,000.
   */
  maxExpectedCalls?: number;
};

/** The kind of an error, stable across versions. */
export type ErrorCode = "invalid_json" | "invalid_input" | "invalid_option" | "invalid_schema" | "unknown_format" | "limit_exceeded" | "unsupported_value" | "judge_failed" | "judge_answer_invalid" | "batch_unfinished" | "aborted" | "internal";

/** Whose turn it is. */
export type Role = "user" | "agent" | "system";

/** One conversation of a user with an agent, and what the agent called in it. */
export type Trajectory = {
  /** The id that the source gives it. */
  trajectory_id?: string;
  /** Who said and did what, in order. */
  turns: Array<Turn>;
  /** The tool definitions that the source carries, in the shape it has them. */
  tools?: JsonValue;
  /** The calls that the source says should have been made. */
  expected_calls?: Array<ScoredToolCall>;
  /** Every field that toolgauge does not know, as it was. */
  [key: string]: unknown;
};

/** One contribution to a conversation. */
export type Turn = {
  /** The turn's number. Where the source has none: its place in the conversation, from 1. */
  turn_id: number;
  /** Whose turn it is. */
  role: Role;
  /** What was said, as plain text; empty when only tools were called. */
  content: string;
  /** When, as the source writes it; ISO 8601 in most. */
  timestamp?: string;
  /** The tools called in this turn, in order; their results stand with them. */
  tool_calls?: Array<ToolCall>;
  /** Every field that toolgauge does not know, as it was. */
  [key: string]: unknown;
};

/** One call of a tool, with what came back. */
export type ToolCall = {
  /** The id that ties the call to its result in the source. */
  id?: string;
  /** The tool's name. Absent, it is the issue `missing_tool_name`. */
  name?: string;
  /** The arguments, an object in all that is well formed. */
  arguments?: JsonValue;
  /** The text of the arguments, when it was not valid JSON. */
  rawArguments?: string;
  /** Whether the source holds the call in part: it was saved while the call was still being written;
   * or has only its result. The arguments are not judged. Default false.
   */
  incomplete?: boolean;
  /** What the tool returned: any JSON value. Text that holds a JSON object or array is read. */
  result?: JsonValue;
  /** What the runtime reported instead of a result. */
  error?: JsonValue;
  /** Every field that toolgauge does not know, as it was. */
  [key: string]: unknown;
};

/** The definition of a tool: its name and the JSON Schema of its arguments. */
export type ToolSchema = {
  /** The tool's name. */
  name: string;
  /** What the tool does, as the model reads it. */
  description?: string;
  /** The JSON Schema of the arguments, draft 4 to 2020-12. `$schema` chooses the draft; without it
   * the newest draft that the schema is valid in counts. OpenAPI's `nullable` is understood.
   */
  parameters: ParameterSchema;
  /** The JSON Schema of the result, where one is declared: that of `structuredContent` for a tool of MCP. */
  outputSchema?: ParameterSchema;
  /** Whether the tool should no longer be called. Default false. */
  deprecated?: boolean;
  /** The name of the tool to call instead. */
  replacedBy?: string;
  /** Every field that toolgauge does not know, as it was. */
  [key: string]: unknown;
};

/** What validation looks for, and how strictly. */
export type ValidateOptions = {
  /** Whether calls of tools that have no schema pass in silence. Default false. */
  allowUnknownTools?: boolean;
  /** Whether arguments are checked against their schemas, and results by a check. Default true. */
  validateSchemas?: boolean;
  /** Whether results are looked for, and their use in the response. Default true. */
  checkResultUsage?: boolean;
  /** Whether responses and arguments are searched for what nothing said before. Default true. */
  detectHallucination?: boolean;
  /** How sure it must be that nothing shows what a response states, from 0 to 1, before it is reported: the
   * confidences of its unsupported facts together are above it. At 1 nothing is reported. Default 0.3.
   */
  hallucinationThreshold?: number;
  /** Whether any high or critical issue makes the score 0; unknown tools are high then. Default false. */
  strict?: boolean;
  /** Bounds on what the call may cost. */
  limits?: Limits;
};

/** How the tools of one turn were used. */
export type ValidationResult = {
  /** Whether no issue is critical. */
  valid: boolean;
  /** All issues, in the order of the calls. */
  issues: Array<ToolUseIssue>;
  /** What would mend them, a sentence for each call that has a remedy, in the order of the calls. */
  suggestions: Array<string>;
  /** max(0, 1 − Σ weight): critical 1, high 0.7, medium 0.4, low 0.1. When strict, 0 as soon as one
   * issue is high or critical.
   */
  score: number;
  /** The number of the turn. */
  turnId?: number;
  /** Present when a call has more schema issues than `limits.maxIssuesPerCall`. */
  truncated?: true;
};

/** Something that is wrong with a call, or with what came of it. */
export type Issue<Type, Details> = {
  /** What is wrong. */
  type: Type;
  /** How bad it is. */
  severity: Severity;
  /** A sentence for people: the place, what was expected, what stands there. */
  description: string;
  /** The number of the turn that made the call. */
  turnId?: number;
  /** The tool's name as it was called; absent when the call has none. */
  toolName?: string;
  /** Which call it is, and the facts that the description is made of. */
  details?: Details;
  /** Whether the baseline that a check is held to has it, too: then it makes nothing fail. Absent when it
   * has not, or there is none.
   */
  known?: boolean;
};

/** Something that an agent did wrong with a tool. */
export type ToolUseIssue = Issue<ToolUseIssueType, IssueDetails>;

/** The kinds of tool-use issues. */
export type ToolUseIssueType = "missing_tool_name" | "missing_arguments" | "invalid_arguments" | "tool_not_found" | "tool_misuse" | "missing_result" | "result_unused" | "hallucinated_result" | "schema_violation" | "type_mismatch" | "missing_required_param" | "unknown_tool" | "deprecated_tool";

/** The facts behind an issue. Those that do not apply are absent. */
export type IssueDetails = {
  /** The place of the call among the turn's calls, from 0. */
  callIndex: number;
  /** The id of the call. */
  callId?: string;
  /** The argument, as in `filters.tags[2]`; empty for the arguments as a whole. */
  path?: string;
  /** Why the call counts as misuse. */
  reason?: MisuseReason;
  /** The loop that the call is the first repetition of. A loop is one issue, whatever its length. */
  loop?: Loop;
  /** The facts of the response that the evidence does not hold. */
  facts?: Array<UnsupportedFact>;
  /** The name of the tool to call instead of a deprecated one. */
  replacedBy?: string;
  /** The JSON Schema keyword that is violated. */
  keyword?: string;
  /** What was expected: a type, the allowed values, a bound, a pattern. */
  expected?: JsonValue;
  /** What stands there. */
  actual?: JsonValue;
  /** Present when the value clearly means one of the right type: a number in a string, say. */
  coercible?: true;
  /** The value of the right type. */
  coerced?: JsonValue;
  /** The known name of a tool or an argument, or the allowed value, that the given one is most like. */
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
  /** Each time that the chain was made, the first included. */
  rounds: Array<LoopRound>;
  /** What is repeated and how often, as a sentence. */
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

/** One time that a chain was made. */
export type LoopRound = {
  /** Where its calls stand, in the order of the chain. */
  calls: Array<CallLocation>;
  /** What changed since the round before: empty when nothing did. */
  changed: RoundChanges;
};

/** Where a call stands in a trajectory. */
export type CallLocation = {
  /** The number of the turn. */
  turnId: number;
  /** The place of the call among the turn's calls, from 0. */
  callIndex: number;
  /** The id of the call. */
  callId?: string;
};

/** What changed between two rounds of a loop, without a bearing on what the calls came to. */
export type RoundChanges = {
  /** The members of the results that differ, such as `search: timestamp`: only such as say when or how a
   * result was made.
   */
  results: Array<string>;
  /** The tools that were called in between, in order, each once. */
  toolsBetween: Array<string>;
};

/** A fact of a reply that the evidence does not hold. */
export type UnsupportedFact = {
  /** As it is written. */
  text: string;
  /** What kind of fact it is. */
  kind: FactKind;
  /** The number of the turn that states it. */
  turnId: number;
  /** Where it starts in that turn's content, in UTF-16 units. */
  start: number;
  /** Where it ends, in UTF-16 units. */
  end: number;
  /** How sure it is that nothing shows it, from 0 to 1. */
  confidence: number;
  /** The nearest value of the evidence. */
  closest?: Closest;
};

/** The value of the evidence that is nearest to an unsupported fact. */
export type Closest = {
  /** As it is written. */
  value: string;
  /** The tool whose arguments or result hold it; absent when the user or the instructions said it. */
  tool?: string;
  /** Where it is in the result, or with `arguments` in front, in the arguments. */
  path?: string;
};

/** A known value of a reply that belongs to another record than the one that the sentence is about. */
export type Misattributed = {
  /** The value as it is written. */
  text: string;
  /** The number of the turn that states it. */
  turnId: number;
  /** Where it starts in that turn's content, in UTF-16 units. */
  start: number;
  /** Where it ends, in UTF-16 units. */
  end: number;
  /** The record that the sentence names, as it names it. */
  record: string;
  /** The value as the other record holds it, and where; absent when no record has it. */
  belongsTo?: Closest;
  /** What the named record holds instead, and where. */
  holds: Closest;
};

/** The kinds of facts. */
export type FactKind = "money" | "number" | "percent" | "date" | "time" | "identifier" | "email" | "url" | "phone" | "quote" | "name";

/** What verification looks for; the tools come beside it. */
export type VerifySettings = {
  /** Whether the use of the result in the response is looked for. Default true. */
  checkUsage?: boolean;
  /** Whether the response is searched for what the evidence does not hold. Default true. */
  detectHallucination?: boolean;
  /** Whether result and response are searched for contradictions. Default true. */
  checkContradictions?: boolean;
  /** The hallucination score above which a result counts as hallucinated, from 0 to 1. Default 0.3. */
  hallucinationThreshold?: number;
  /** Bounds on what the call may cost. */
  limits?: Limits;
};

/** How true the agent was to one result. */
export type ResultVerificationResult = {
  /** Whether something came back and no issue is high or critical. */
  valid: boolean;
  /** All issues. */
  issues: Array<ResultIssue>;
  /** max(0, 1 − Σ weight): critical 1, high 0.6, medium 0.3, low 0.1; 0.3 when nothing came back. */
  score: number;
  /** Whether the hallucination score is above the threshold. */
  hallucinated: boolean;
  /** Whether values of the result appear in the response, or in later calls. */
  integrated: boolean;
};

/** Something wrong with a result, or with what the agent made of it. */
export type ResultIssue = Issue<ResultIssueType, ResultIssueDetails>;

/** Something in a tool's definition that makes models or providers fail with it. */
export type LintIssue = Issue<LintIssueType, LintDetails>;

/** Something wrong with a call by itself. */
export type ReflectionIssue = Issue<ReflectionIssueType, ReflectionIssueDetails>;

/** The kinds of result issues. */
export type ResultIssueType = "missing_result" | "empty_result" | "error_result" | "hallucinated_content" | "unused_result" | "contradicts_response" | "incomplete_integration" | "malformed_result" | "claimed_action" | "misattributed_value";

/** The facts behind a result issue. Those that do not apply are absent. */
export type ResultIssueDetails = {
  /** The place of the call among the turn's calls, from 0. Absent when the issue is about a reply that no
   * call belongs to.
   */
  callIndex?: number;
  /** The id of the call. */
  callId?: string;
  /** The number of the turn that made the call, where that is another than the turn of the issue. */
  callTurnId?: number;
  /** The facts that the evidence does not hold. */
  facts?: Array<UnsupportedFact>;
  /** The values that belong to another record than the one that the sentence is about. */
  misattributed?: Array<Misattributed>;
  /** How sure it is that the response is not true to the evidence, from 0 to 1. */
  hallucinationScore?: number;
  /** What the result says: the error, or the items that are left out. */
  said?: Array<string>;
  /** The sentence of the response that the issue is about. */
  quote?: string;
  /** The number of the turn that says it, when another turn made the call. */
  replyTurnId?: number;
  /** Where the result differs from the tool's output schema. Paths start at the result, and lead into
   * JSON that stands there as text: `structuredContent.rows[2].id`.
   */
  violations?: Array<SchemaIssue>;
  /** Present when there are more of them than `limits.maxIssuesPerCall`. */
  truncated?: true;
};

/** How true an agent was to all results of a trajectory. */
export type VerificationSummary = {
  /** How many tools were called. */
  totalTools: number;
  /** How many results are valid. */
  validResults: number;
  /** How many results the agent is not true to. */
  hallucinatedResults: number;
  /** How many results were used. */
  integratedResults: number;
  /** The mean of the scores, from 0 to 1, to 3 decimals; 1 when no tool was called. */
  averageScore: number;
  /** All issues, in the order of the calls; then those of replies that no call belongs to. */
  issues: Array<ResultIssue>;
};

/** What the replies of a trajectory state and nothing shows. */
export type UnsupportedFacts = {
  /** How sure it is that one of the replies is not true to the evidence, from 0 (no unsupported fact) to
   * below 1: that of the reply of which it is surest. Above 0.3 it counts as hallucinated elsewhere.
   */
  score: number;
  /** All such facts, in the order of the replies. */
  facts: Array<UnsupportedFact>;
};

/** How the arguments of one call fit one schema. */
export type SchemaValidationResult = {
  /** Whether no issue is critical. */
  valid: boolean;
  /** All issues, in the order of the schema. */
  issues: Array<SchemaIssue>;
  /** max(0, 1 − Σ weight): critical 1, high 0.5, medium 0.2, low 0.05. */
  score: number;
  /** Present when there are more issues than `limits.maxIssuesPerCall`. */
  truncated?: true;
};

/** One place where arguments do not fit their schema. */
export type SchemaIssue = {
  /** What is wrong. */
  type: SchemaIssueType;
  /** How bad it is. */
  severity: Severity;
  /** The value, as in `filters.tags[2]`; empty for the arguments as a whole. */
  path: string;
  /** The reason, with what was expected and what stands there. */
  message: string;
  /** The JSON Schema keyword that is violated. */
  keyword?: string;
  /** What was expected: a type, the allowed values, a bound, a pattern. */
  expected?: JsonValue;
  /** What stands there. */
  actual?: JsonValue;
  /** Present when the value clearly means one of the right type: a number in a string, say. */
  coercible?: true;
  /** The value of the right type. */
  coerced?: JsonValue;
  /** The known name of a tool or an argument, or the allowed value, that the given one is most like. */
  suggestion?: string;
};

/** The kinds of schema issues. */
export type SchemaIssueType = "missing_arguments" | "required_field_missing" | "type_error" | "invalid_number" | "invalid_enum_value" | "invalid_format" | "constraint_violation";

/** A call as scores compare it: a tool and its arguments. */
export type ScoredToolCall = {
  /** The tool's name. */
  tool: string;
  /** Its arguments. */
  args: JsonValue;
};

/** How close actual calls are to the expected ones. */
export type AccuracyResult = {
  /** The F1 score, from 0 to 1, to 3 decimals. Nothing expected and nothing called is 1; a forbidden
   * call makes it 0.
   */
  score: number;
  /** The share of the actual calls that are correct, from 0 to 1, to 3 decimals; without actual
   * calls 1.
   */
  precision: number;
  /** The share of the expected calls that were made, from 0 to 1, to 3 decimals; without expected
   * calls 1.
   */
  recall: number;
  /** The harmonic mean of precision and recall, from 0 to 1, to 3 decimals. */
  f1: number;
  /** How many calls were expected: each the least number of times, and those that may be made as often
   * as they were.
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
  /** Calls that were made and not expected. */
  extraCalls: Array<ScoredToolCall>;
  /** Calls that were made although they are forbidden; absent when there are none. */
  forbiddenCalls?: Array<ForbiddenCall>;
  /** One line for people, with the score in percent and the four counts. */
  summary: string;
};

/** An expected call that was made. */
export type CorrectCall = {
  /** The call as expected. */
  expected: ScoredToolCall;
  /** The call as made. */
  actual: ScoredToolCall;
  /** Always `correct`. */
  status: 'correct';
  /** Always true. */
  argsMatch: true;
};

/** An expected call that was made with other arguments, or in the wrong place. */
export type IncorrectCall = {
  /** The call as expected. */
  expected: ScoredToolCall;
  /** The call as made. */
  actual: ScoredToolCall;
  /** Always `incorrect`. */
  status: 'incorrect';
  /** What is wrong with it. */
  reason: MismatchReason;
  /** Whether the arguments are as expected: only where the order is what is wrong. */
  argsMatch: boolean;
  /** What differs, as text: `args.limit: expected 5, got "5"`; several are parted by `; `. */
  details: string;
  /** What differs, path by path. */
  differences: Array<ArgumentDifference>;
};

/** What is wrong with a call of an expected tool. */
export type MismatchReason = "arguments" | "order";

/** An expected call that was not made. */
export type MissedCall = {
  /** The call as expected. */
  expected: ScoredToolCall;
  /** Always `missed`. */
  status: 'missed';
  /** Always false. */
  argsMatch: false;
  /** What is missing, as text. */
  details: string;
};

/** A call that was made although it is forbidden. */
export type ForbiddenCall = {
  /** What forbids it. */
  forbidden: ScoredToolCall;
  /** The call as made. */
  actual: ScoredToolCall;
  /** Always `forbidden`. */
  status: 'forbidden';
};

/** One place where the actual arguments differ from the expected ones. */
export type ArgumentDifference = {
  /** The place, as in `args.filters.tags[2]`. */
  path: string;
  /** How they differ there. */
  kind: DifferenceKind;
  /** The expected value; absent when nothing was expected there. */
  expected?: JsonValue;
  /** The actual value; absent when there is none. */
  actual?: JsonValue;
  /** What was asked for in words, where a matcher asks for more than the expected value: `one of 1, 2`. */
  rule?: string;
};

/** How two values differ at a place. */
export type DifferenceKind = "missing" | "unexpected" | "changed";

/** Whether the order of the calls counts. */
export type CallOrder = "any" | "sequence" | "strict";

/** A call of a tool with what came back. */
export type CalledTool = {
  /** The tool's name. */
  name: string;
  /** The arguments; the empty object when there are none. */
  inputParameters: JsonValue;
  /** What the tool returned. */
  output?: JsonValue;
};

/** One step of a trajectory: a call, or a call with its output. */
export type TrajectoryStep = {
  /** The id of the call: steps of one call share it. Where the source has none it is the call's place
   * in the trajectory: `call_1`.
   */
  toolCallId: string;
  /** What the step is. */
  kind: StepKind;
  /** The tool's name. */
  name: string;
  /** The arguments. */
  args: JsonValue;
  /** What the tool returned, or the error; absent in the step that is only the call. */
  output?: JsonValue;
};

/** What a step of a trajectory is. */
export type StepKind = "tool_call" | "tool_output";

/** How correct the calls are. */
export type CorrectnessResult = {
  /** From 0 to 1: how much of what was expected was called. Nothing expected and nothing called is 1;
   * nothing expected and something called is 0.
   */
  score: number;
  /** Whether the score reaches the threshold; in strict mode whether it is 1. */
  success: boolean;
  /** Why, in sentences; absent with `includeReason: false`. */
  reason?: string;
  /** How the calls were compared. */
  mode: CorrectnessMode;
  /** The share of the calls that agrees, before judges and strict mode, from 0 to 1. */
  callingScore: number;
  /** What judges say of the choice of tools, from 0 to 1; absent when none was asked. */
  toolChoiceScore?: number;
  /** Each expected call that some call was made for, in the order of the expected calls. */
  matched: Array<MatchedTool>;
  /** The places of the expected calls that none was made for. */
  missing: Array<number>;
  /** The places of the calls that were not expected, among those called. */
  extra: Array<number>;
};

/** How calls are compared with the expected ones. */
export type CorrectnessMode = "exact" | "ordering" | "default";

/** An expected call and the call that was made for it. */
export type MatchedTool = {
  /** The place of the expected call, from 0. */
  expected: number;
  /** The place of the call that was made, from 0. */
  called: number;
  /** How far they agree, from 0 to 1. */
  score: number;
};

/** Which parts of a call are compared besides the tool's name. */
export type ToolCallParam = "input_parameters" | "output";

/** Where expectations are read from. */
export type ExpectationFormat = "expectations" | "calls" | "bfcl" | "trajectory";

/** How calls are scored, what makes the score fail, and what the call may cost. */
export type ScoreOptions = {
  /** Whether the order of the calls counts. Default: that of the expectations, or else `any`. */
  order?: CallOrder;
  /** How arguments are compared, by tool (`*` for all) and path. Of the matchers for one argument the
   * last counts: those of an expected call after these, and these after those of an expectation file.
   */
  matchers?: ToolMatchers;
  /** Calls that must not be made, besides those that the expectations forbid. */
  forbidden?: readonly ForbiddenCallInput[];
  /** The least score that passes, from 0 to 1; of several trajectories their mean. Default: any. */
  minScore?: number;
  /** Bounds on what the call may cost. */
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
  /** What could not be read or scored. */
  warnings: Array<ImportWarning>;
};

/** The score of one trajectory. */
export type TrajectoryScore = {
  /** Its place in the input, from 0. */
  index: number;
  /** The id that the source gives it. */
  id?: string;
  /** How close its calls are to the expected ones. */
  accuracy: AccuracyResult;
};

/** How the scores of several judges become one. */
export type AggregationMethod = "average" | "median" | "majority_vote" | "average_rounded";

/** How judges are asked, how often again, and how their scores become one. */
export type JudgeOptions = {
  /** How the scores of several judges become one. Default `average`. */
  aggregationMethod?: AggregationMethod;
  /** How many judges are asked at the same time. Default: all, as null. */
  maxConcurrentJudges?: number | null;
  /** Seconds that one attempt may take, from above 0. Default 60. */
  timeout?: number;
  /** How often a judge is asked again after a failure or a wrong answer, before the fallback judges
   * are. Default 2.
   */
  maxRetries?: number;
  /** Seconds up to the first attempt after a failure; they double with each further one, and a random
   * part of up to half is taken off. A wrong answer is told to the judge at once. Default 1.
   */
  retryDelay?: number;
  /** The most seconds between two attempts. A judge that asks for a longer pause has failed.
   * Default 60.
   */
  maxRetryDelay?: number;
  /** Seconds between two looks at a batch. Default 30. */
  batchStatusCheckInterval?: number;
  /** How often a batch is looked at before it counts as unfinished, from 1. Default 120. */
  batchMaxIterations?: number;
};

/** The scores that a judge may give. */
export type ScoreScale = {
  /** The lowest. */
  min: number;
  /** The highest. */
  max: number;
  /** All of them, in order, where the schema has an `enum`. */
  values?: Array<number>;
  /** What they are multiples of, where the schema has `multipleOf`; 1 for an `integer`. */
  step?: number;
};

/** What the static checks of one call came to. */
export type ToolCallCheck = {
  /** Each check. */
  metrics: StaticMetrics;
  /** Whether the call passes all of them. */
  overall_valid: boolean;
  /** 1 when it does, else 0. */
  score: number;
};

/** The static checks by name. */
export type StaticMetrics = {
  /** No tool has the name that is called. */
  non_existent_function: StaticMetric;
  /** The call has an argument that the tool does not declare. */
  non_existent_parameter: StaticMetric;
  /** A value has the wrong type. */
  incorrect_parameter_type: StaticMetric;
  /** A required argument is missing. */
  missing_required_parameter: StaticMetric;
  /** A value is not one of those allowed (`enum`, `const`). */
  allowed_values_violation: StaticMetric;
  /** The arguments violate any other rule of the schema. */
  json_schema_violation: StaticMetric;
  /** No tools are given. */
  empty_api_spec: StaticMetric;
  /** The tool definitions can't be used. */
  invalid_api_spec: StaticMetric;
  /** What was given is no call that could be run. */
  invalid_tool_call: StaticMetric;
};

/** What one check came to. */
export type StaticMetric = {
  /** Whether the call passes the check. Checks that could not be made, since an earlier one failed, pass. */
  valid: boolean;
  /** What the check looks for. */
  description: string;
  /** Why the call fails: each place with the reason. `null` when it passes. */
  explanation: string | null;
  /** The call as it should be, where dropping, converting or filling in arguments makes all of it valid. */
  correction?: ToolCallCorrection;
};

/** The static checks. */
export type StaticCheckName = "non_existent_function" | "non_existent_parameter" | "incorrect_parameter_type" | "missing_required_parameter" | "allowed_values_violation" | "json_schema_violation" | "empty_api_spec" | "invalid_api_spec" | "invalid_tool_call";

/** A call that is valid, in place of one that is not. */
export type ToolCallCorrection = {
  /** Its arguments. */
  correctedArguments: JsonValue;
  /** The call, written as the given one. */
  toolCall: JsonValue;
};

/** A call as it should run, or why it should not. */
export type ToolCallRepair = {
  /** What became of the call. */
  status: RepairStatus;
  /** The call to run, written as the given one: repaired, or else as it was. */
  toolCall: JsonValue;
  /** The name of the called tool; `null` if the call names none. */
  name: string | null;
  /** Its arguments. */
  arguments: JsonValue;
  /** What was changed, in order. Empty unless the call was repaired. */
  changes: Array<RepairChange>;
  /** What is wrong with the call as it was given. Empty unless it is unrepairable. */
  problems: Array<RepairProblem>;
  /** What the model should know: what was changed, or what is wrong and what to do. Absent for a valid call. */
  message?: string;
  /** The message as the result of the call, in the way of whoever wrote the call, to append to the
   * conversation. Only of an unrepairable call.
   */
  refusal?: JsonValue;
};

/** What became of a call. */
export type RepairStatus = "valid" | "repaired" | "unrepairable";

/** One change that makes a call valid. */
export type RepairChange = {
  /** What was done. */
  kind: RepairChangeKind;
  /** The argument, as in `filters.tags[2]`; empty for the arguments as a whole and for the tool's name. */
  path: string;
  /** What stood there; absent when nothing did. */
  from?: JsonValue;
  /** What stands there now, for `renamed` the new place; absent when nothing does. */
  to?: JsonValue;
  /** The change as a phrase. */
  description: string;
};

/** The kinds of changes. */
export type RepairChangeKind = "tool_name" | "unwrapped" | "parsed_json" | "converted" | "dropped" | "renamed" | "filled" | "judge";

/** One thing that is wrong with a call. */
export type RepairProblem = {
  /** The argument; empty where it is about the call. */
  path: string;
  /** What is wrong, without the place. */
  message: string;
};

/** Whether the values of a call that look like identifiers stand in the conversation before it: a hint without a
 * model, beside the semantic hallucination check.
 */
export type Groundedness = {
  /** How it was found out: by comparing values, not by asking a judge. */
  method: 'deterministic';
  /** Whether every such value stands somewhere before. Values of other kinds are not looked at. */
  grounded: boolean;
  /** Those that stand nowhere before, in order. */
  ungrounded: Array<UngroundedValue>;
};

/** A value of a call that stands nowhere before it. */
export type UngroundedValue = {
  /** The argument. */
  path: string;
  /** What it says. */
  value: string;
  /** The value in the conversation that is nearest to it. */
  closest?: string;
};

/** What judges say of a call, by kind of metric. */
export type SemanticResult = {
  /** Whether the values are right: grounded, and in the format that is wanted. Absent when not asked. */
  general?: SemanticCategory;
  /** Whether the tool is right, and may be called now. Absent when not asked. */
  function_selection?: SemanticCategory;
  /** Whether single arguments are right, by name. Absent when not asked. */
  parameter?: Record<string, SemanticCategory>;
};

/** The metrics of one kind. */
export type SemanticCategory = {
  /** Each metric by name. */
  metrics: Record<string, SemanticMetric>;
  /** The mean of the scores that count, from 0 to 1; `null` when none does. */
  avg_score: number | null;
};

/** What one metric came to: what the judges said, or why none did. */
export type SemanticMetric = JudgedMetric | UnjudgedMetric;

/** What judges said of a call by one metric. */
export type JudgedMetric = {
  /** Where in the case the judge looked; of several judges, the one whose output is nearest to the common one. */
  evidence: string;
  /** Why it judged so. */
  explanation: string;
  /** How valid the call is, from 1 to 5. */
  output: number;
  /** How sure the judge is, from 0 to 1; of several judges the mean. */
  confidence: number;
  /** What the call should be instead, `null` when nothing is wrong. */
  correction: JsonValue;
  /** The output from 0 to 1. */
  score: number;
  /** Whether the confidence is high enough for the metric to count. */
  counts: boolean;
  /** Whether the call is right by this metric. A metric that does not count finds nothing wrong. */
  valid: boolean;
  /** Whether the metric counts and the call is not right by it. */
  isIssue: boolean;
  /** How far several judges agree, from 0 to 1; absent for one. */
  agreement?: number;
};

/** A metric that no judge gave a valid answer to. The call is not valid by it, and no score is made up. */
export type UnjudgedMetric = {
  /** Why, with what the judge said. */
  error: JudgeFailure;
  /** Always false. */
  counts: boolean;
  /** Always false. */
  valid: boolean;
  /** Always false: nothing is known to be wrong. */
  isIssue: boolean;
};

/** Why a judge gave no answer: a `JudgeError` as plain data. */
export type JudgeFailure = {
  /** `judge_failed`, or `judge_answer_invalid` when what it said does not fit. */
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

/** The kinds of reflection issues: the static checks, and the semantic metrics that judges are asked by. */
export type ReflectionIssueType = "non_existent_function" | "non_existent_parameter" | "incorrect_parameter_type" | "missing_required_parameter" | "allowed_values_violation" | "json_schema_violation" | "empty_api_spec" | "invalid_api_spec" | "invalid_tool_call" | "general_hallucination_check" | "general_value_format_alignment" | "function_selection_appropriateness" | "agentic_constraints_satisfaction" | "parameter_hallucination_check" | "parameter_value_format_alignment";

/** The facts behind a reflection issue. Those that do not apply are absent. */
export type ReflectionIssueDetails = {
  /** The place of the call among the turn's calls, from 0. */
  callIndex: number;
  /** The id of the call. */
  callId?: string;
  /** The argument; empty for the call as a whole. */
  path?: string;
  /** Present when calls are repaired and this one could be: the issue is low then. */
  repaired?: true;
};

/** What became of one call of a log. */
export type CallRepair = {
  /** The number of the turn that made the call. */
  turnId: number;
  /** The place of the call among the turn's calls, from 0. */
  callIndex: number;
  /** The id of the call. */
  callId?: string;
  /** What became of it: it was repaired, or could not be. */
  status: RepairStatus;
  /** The name of its tool. */
  name?: string;
  /** Its arguments. */
  arguments: JsonValue;
  /** What was changed. */
  changes: Array<RepairChange>;
  /** What was changed, or what is wrong and what to do, as the model should know it. */
  message: string;
};

/** How a call is reflected on, besides who judges it. */
export type ReflectOptions = {
  /** Whether judges are asked in few words, before a call runs, or at length, with recommendations for whoever
   * maintains the agent. Default `runtime`.
   */
  form?: ReflectionForm;
  /** What judges are asked about the call. Default all four. */
  metrics?: Array<SemanticMetricName>;
  /** What judges are asked about each argument. Default nothing. */
  parameterMetrics?: Array<ParameterMetricName>;
  /** The least confidence of a judge with which its answer counts, from 0 to 1. Default 0.5. */
  minConfidence?: number;
  /** Whether judges are asked about calls that fail the static checks, too. Default false. */
  continueOnStatic?: boolean;
  /** How many questions are asked at a time, at least 1. Default 8. */
  maxConcurrency?: number;
};

/** How much judges are told and asked for. */
export type ReflectionForm = "runtime" | "full";

/** What judges are asked about a whole call. */
export type SemanticMetricName = "general_hallucination_check" | "general_value_format_alignment" | "function_selection_appropriateness" | "agentic_constraints_satisfaction";

/** What judges are asked about a single argument. */
export type ParameterMetricName = "parameter_hallucination_check" | "parameter_value_format_alignment";

/** Where a call leads. */
export type Route = { "kind": "agent";
/** What follows the prefix, such as `spawn`. */
action: string, } | { "kind": "todo";
/** What follows the prefix, such as `add`. */
action: string, } | { "kind": "user";
/** What follows the prefix, such as `ask`. */
action: string, } | { "kind": "mcp";
/** What the server is asked for. */
action: McpAction;
/** The name of the server. */
server: string, } | { "kind": "function" };

/** What an MCP server is asked for. */
export type McpAction = "invoke" | "search" | "describe";

/** What a tracker knows. It is plain data, so it can be saved and restored between rounds. */
export type TrackerState = {
  /** How often in a row the same call, or the same chain of calls, may be made. From 1. Default 2. */
  maxRepeats: number;
  /** How long a chain may be, in calls. From 1. Default 3. */
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
  /** The call as warnings show it, such as `search({"q":"news"})`, shortened. */
  call: string;
  /** What the name and the arguments hash to, in hexadecimal. The order of object members does not matter. */
  key: string;
  /** What its output hashes to, in hexadecimal; `null` before it has one. */
  output: string | null;
};

/** A call that would be one repetition too many. */
export type LoopWarning = {
  /** What is repeated: `repeated_call` or `repeating_chain`. */
  kind: LoopKind;
  /** The calls of one repetition, in order, as `search({"q":"news"})`, shortened. */
  chain: Array<string>;
  /** How often the chain was made in a row before this call. */
  repetitions: number;
  /** The warning as a message for the model. It names the chain. */
  message: string;
};

/** How tool definitions are linted. */
export type LintOptions = {
  /** Whose rules count. Default: for definitions in the format of a provider that provider's; for those
   * of no provider's (MCP, AI SDK, records) what at least two of the providers reject.
   */
  provider?: LintProvider;
  /** Documents that a `$ref` may name, by their URI. Nothing is ever fetched. Default: none. */
  schemas?: Readonly<Record<string, JsonValue>>;
  /** Limits of the input and the work. */
  limits?: Limits;
};

/** Whose rules tool definitions are held to. */
export type LintProvider = "openai" | "anthropic" | "gemini" | "bedrock" | "all";

/** What is wrong with tool definitions. */
export type LintResult = {
  /** Whether no issue is critical. */
  valid: boolean;
  /** The mean over the tools of max(0, 1 − Σ weight), from 0 to 1, to 3 decimals. Weights: critical 1, high
   * 0.5, medium 0.2, low 0.05. What is wrong with the list as a whole is taken off in the same way. 1 without
   * any tool.
   */
  score: number;
  /** How many tools are defined. */
  tools: number;
  /** All issues, in the order of the tools. */
  issues: Array<LintIssue>;
  /** The totals. */
  summary: LintSummary;
};

/** The kinds of issues of tool definitions. Where a provider's rule stands behind one, its public
 * documentation, or the error that its API answers with, is named.
 */
export type LintIssueType = "invalid_schema" | "unknown_type" | "unsupported_draft" | "unresolved_reference" | "root_not_object" | "missing_parameters" | "required_not_property" | "invalid_enum_value" | "empty_enum" | "contradictory_bounds" | "invalid_default" | "invalid_example" | "misspelled_keyword" | "untyped_parameter" | "missing_description" | "missing_parameter_description" | "description_repeats_name" | "description_too_short" | "description_too_long" | "identical_descriptions" | "invalid_name" | "duplicate_name" | "ambiguous_name" | "similar_names" | "invalid_parameter_name" | "similar_parameter_names" | "unsupported_root" | "missing_items" | "unsupported_keyword" | "unsupported_format" | "strict_mode" | "too_many_tools";

/** The facts behind an issue of a tool definition. Those that do not apply are absent. */
export type LintDetails = {
  /** The place in the document that was linted, as in `tools[2].function.parameters.required[0]`; empty
   * for the whole of it.
   */
  path: string;
  /** How to mend it. */
  hint: string;
  /** The providers that reject it. */
  providers?: Array<ModelProvider>;
  /** The keyword of the schema that it is about. */
  keyword?: string;
  /** What stands there, as JSON that is cut when it is long. */
  actual?: string;
  /** What may have been meant. */
  closest?: string;
  /** The name of the other tool, or of the other parameter. */
  other?: string;
  /** How many places of the tool this is about, when it is more than the one that is named. */
  places?: number;
};

/** How many issues tool definitions have. */
export type LintSummary = {
  /** How many tools have no issue. */
  clean: number;
  /** How many issues there are of each type; types that do not occur are absent. */
  issuesByType: Partial<Record<LintIssueType, number>>;
  /** How many of each severity; those that do not occur are absent. */
  issuesBySeverity: Partial<Record<Severity, number>>;
};

/** The providers whose rules for tools are known. */
export type ModelProvider = "openai" | "anthropic" | "gemini" | "bedrock";

/** What a check looks for, and what makes it fail. */
export type CheckOptions = {
  /** The format of the input. Default: the one that it looks like. */
  format?: TrajectoryFormat;
  /** Whether calls of tools that have no schema pass in silence. Default false. */
  allowUnknownTools?: boolean;
  /** Whether arguments are checked against their schemas, and results by a check. Default true. */
  validateSchemas?: boolean;
  /** Whether results are looked for, and their use in the response. Default true. */
  checkResultUsage?: boolean;
  /** Whether responses and arguments are searched for what nothing said before. Default true. */
  detectHallucination?: boolean;
  /** How sure it must be that nothing shows what a response states, from 0 to 1, before it is reported: the
   * confidences of its unsupported facts together are above it. At 1 nothing is reported. Default 0.3.
   */
  hallucinationThreshold?: number;
  /** Whether any high or critical issue makes the score 0; unknown tools are high then. Default false. */
  strict?: boolean;
  /** Bounds on what the call may cost. */
  limits?: Limits;
  /** The least mean score that passes, from 0 to 1. Default: any. */
  minScore?: number;
  /** The mean score of a baseline, from 0 to 1: what is not below it passes `minScore`. Default: none. */
  baselineScore?: number;
  /** The least severity that fails, or `never`. Default `high`. */
  failOn?: FailOn;
  /** Whether an input in which no tool is called passes. Default false. */
  allowEmpty?: boolean;
  /** The severity of the issues of each type, or `off`. Default: that of the type. */
  rules?: Partial<Record<IssueTypeName, RuleLevel>>;
  /** Findings that are not reported, each with the reason. The summary counts them. Default: none. */
  ignore?: Array<IgnoredFinding>;
};

/** How severe the issues of one type are. */
export type RuleLevel = "off" | "low" | "medium" | "high" | "critical";

/** What a type of issue means, and what to do about it. */
export type IssueExplanation = {
  /** The type, as reports write it. */
  type: IssueTypeName;
  /** Its severity, unless a rule sets another. */
  severity: Severity;
  /** What it means. */
  meaning: string;
  /** Where it is found, in a sentence. */
  example: string;
  /** What to do about it. */
  remedy: string;
};

/** Findings that are not reported. What is left out matches everything; `*` in a text stands for any text. */
export type IgnoredFinding = {
  /** The id of the trajectory. */
  trajectory?: string;
  /** The type of the issue. */
  type?: string;
  /** The name of the tool. */
  tool?: string;
  /** The place in the arguments or in the result, such as `filters.tags[2]`. */
  path?: string;
  /** Why the finding is ignored, for readers of the configuration. Required. */
  reason: string;
};

/** Why something of a trajectory could not be judged. */
export type Unjudged = "no_results" | "no_request" | "hidden_results";

/** The least severity of an issue that makes a check fail. */
export type FailOn = "low" | "medium" | "high" | "critical" | "never";

/** The formats of the report of a check. */
export type ReportFormat = "pretty" | "json" | "jsonl" | "junit" | "sarif" | "github" | "markdown" | "html";

/** The results of all trajectories of one input. */
export type CheckReport = {
  /** The format that the input was read from. */
  format: TrajectoryFormat;
  /** A report for each trajectory, in the order of the input. */
  trajectories: Array<TrajectoryReport>;
  /** The totals. */
  summary: CheckSummary;
  /** Whether the input passes. */
  gate: Gate;
  /** What could not be read, or was not found at all. */
  warnings: Array<ImportWarning>;
};

/** The results of one trajectory. */
export type TrajectoryReport = {
  /** Its place in the input, from 0; of lines, its place in its line. */
  index: number;
  /** The id that the source gives it. */
  id?: string;
  /** Whether no issue is critical. */
  valid: boolean;
  /** Whether no issue is of `failOn` or worse. */
  passed: boolean;
  /** The mean score of the turns that call tools, from 0 to 1, to 3 decimals; `null` without any. */
  score: number | null;
  /** Whether it was held to tool definitions: those that were given, or its own. */
  hasTools: boolean;
  /** How many turns it has. */
  turns: number;
  /** How many tools it calls. */
  calls: number;
  /** A result for each agent turn that calls tools. */
  results: Array<ValidationResult>;
  /** What is wrong with results, and with what replies make of them. An issue about a reply has the turn of the
   * reply and quotes its sentence. These issues count in the summary and the gate, not in the score.
   */
  resultIssues: Array<ResultIssue>;
  /** What is wrong with the calls by themselves: instead of all else, where calls are reflected on. */
  reflectionIssues?: Array<ReflectionIssue>;
  /** What became of the calls that are not valid, where calls are repaired. */
  repairs?: Array<CallRepair>;
  /** How many findings were ignored, as the option `ignore` asks for. */
  ignored?: number;
  /** What could not be judged, and why: each reason once. */
  unjudged?: Array<Unjudged>;
};

/** Totals over many trajectories. Summaries merge: those of the parts of an input, in any order, make
 * the summary of the whole.
 */
export type CheckSummary = {
  /** The layout of this summary, 1. */
  version: number;
  /** How many documents were read: files, or lines of files that hold one document a line. */
  documents: number;
  /** How many documents could not be read. */
  unread: number;
  /** How many trajectories there are. */
  trajectories: number;
  /** How many of them have no critical issue. */
  valid: number;
  /** How many of them have no issue of `failOn` or worse. */
  passed: number;
  /** How many of them have no issue at all. */
  clean: number;
  /** How many of them were held to tool definitions, given or their own. */
  withTools: number;
  /** How many turns they have. */
  turns: number;
  /** How many tools they call. */
  calls: number;
  /** How many issues were found. */
  issues: number;
  /** How many of each type; types that do not occur are absent. */
  issuesByType: Partial<Record<ToolUseIssueType | ResultIssueType, number>>;
  /** How many of each severity. */
  issuesBySeverity: Record<Severity, number>;
  /** How many of each severity the baseline has, too; without a baseline none. */
  knownBySeverity: Record<Severity, number>;
  /** How many findings were ignored, as the option `ignore` asks for. */
  ignored: number;
  /** In how many trajectories something could not be judged, by the reason; reasons that do not occur are absent. */
  unjudged: Partial<Record<Unjudged, number>>;
  /** How many trajectories were read from each format. */
  formats: Partial<Record<TrajectoryFormat, number>>;
  /** How each tool fared, by the name it was called by, which is cut at 128 characters; calls without
   * a name stand under the empty one.
   */
  tools: Record<string, ToolTally>;
  /** How many warnings the import gave. */
  warnings: number;
  /** The scores of the trajectories that call tools. */
  scores: ScoreTally;
  /** Their mean, from 0 to 1, to 3 decimals; `null` without any. */
  score: number | null;
};

/** How one tool fared. */
export type ToolTally = {
  /** How often it was called. */
  calls: number;
  /** How many of the calls failed: the runtime reported an error, or the result is one, where results are judged. */
  errors: number;
  /** How many issues its calls and results have. */
  issues: number;
};

/** Scores, added up. */
export type ScoreTally = {
  /** How many there are. */
  count: number;
  /** Their sum in thousandths, which is a whole number. */
  thousandths: number;
  /** How many are from 0 to under 0.1, from 0.1 to under 0.2, and so on; the last are those of 1. */
  histogram: number[];
};

/** What was found in one trajectory of a batch: a line of `toolgauge check --format jsonl`. */
export type TrajectoryVerdict = {
  /** The format that it was read from. */
  format: TrajectoryFormat;
  /** What of its document could not be brought over; told with the first of its trajectories. */
  warnings?: Array<ImportWarning>;
  /** The name of the file that it is, or stands in. */
  source?: string;
  /** The line that it is, from 1, when each line is a document. */
  line?: number;
  /** Its place in the input, from 0; of lines, its place in its line. */
  index: number;
  /** The id that the source gives it. */
  id?: string;
  /** Whether no issue is critical. */
  valid: boolean;
  /** Whether no issue is of `failOn` or worse. */
  passed: boolean;
  /** The mean score of the turns that call tools, from 0 to 1, to 3 decimals; `null` without any. */
  score: number | null;
  /** Whether it was held to tool definitions: those that were given, or its own. */
  hasTools: boolean;
  /** How many turns it has. */
  turns: number;
  /** How many tools it calls. */
  calls: number;
  /** A result for each agent turn that calls tools. */
  results: Array<ValidationResult>;
  /** What is wrong with results, and with what replies make of them. An issue about a reply has the turn of the
   * reply and quotes its sentence. These issues count in the summary and the gate, not in the score.
   */
  resultIssues: Array<ResultIssue>;
  /** What is wrong with the calls by themselves: instead of all else, where calls are reflected on. */
  reflectionIssues?: Array<ReflectionIssue>;
  /** What became of the calls that are not valid, where calls are repaired. */
  repairs?: Array<CallRepair>;
  /** How many findings were ignored, as the option `ignore` asks for. */
  ignored?: number;
  /** What could not be judged, and why: each reason once. */
  unjudged?: Array<Unjudged>;
};

/** A document of a batch that could not be read: a line of `toolgauge check --format jsonl`. */
export type UnreadDocument = {
  /** Why. */
  error: ErrorReport;
  /** The name of the file that it is, or stands in. */
  source?: string;
  /** The line that it is, from 1, when each line is a document. */
  line?: number;
};

/** An error as plain data. */
export type ErrorReport = {
  /** The kind of error. */
  code: ErrorCode;
  /** A sentence for people. */
  message: string;
  /** The place, as in `turns[2].tool_calls[0].name`; absent for the whole input. */
  path?: string;
  /** What was expected at that place. */
  expected?: string;
};

/** What makes a check fail. */
export type GateOptions = {
  /** The least mean score that passes, from 0 to 1. Default: any. */
  minScore?: number;
  /** The mean score of a baseline, from 0 to 1: what is not below it passes `minScore`. Default: none. */
  baselineScore?: number;
  /** The least severity that fails, or `never`. Default `high`. */
  failOn?: FailOn;
  /** Whether an input in which no tool is called passes. Default false. */
  allowEmpty?: boolean;
};

/** Whether an input passes, and why not. */
export type Gate = {
  /** Whether it passes. */
  passed: boolean;
  /** A sentence for each reason why not. */
  failures: Array<string>;
};

/** What was read, from which format, and what was noticed on the way. */
export type Imported<T, F> = {
  /** What was read. */
  value: T;
  /** The format it was read from. */
  format: F;
  /** What could not be brought over, in the order of the document. */
  warnings: Array<ImportWarning>;
};

/** Something in an imported document that has no place in the result. */
export type ImportWarning = {
  /** The place in the document, as in `messages[3]`; empty for the whole of it. */
  path: string;
  /** What was noticed there. */
  message: string;
};

/** The formats that trajectories are read from. */
export type TrajectoryFormat = "harness" | "openai-chat" | "openai-responses" | "openai-agents" | "anthropic" | "ai-sdk-ui" | "ai-sdk-model" | "ai-sdk-steps" | "gemini" | "bedrock" | "tau-bench" | "tau2" | "langchain" | "langsmith" | "langfuse" | "otel-genai" | "openinference" | "mastra" | "atif" | "swe-agent" | "claude-code" | "inspect" | "adk" | "hermes" | "tooltalk" | "bfcl";

/** The formats that tool definitions are read from. */
export type ToolFormat = "openai-chat" | "openai-responses" | "anthropic" | "mcp" | "gemini" | "ai-sdk" | "bedrock" | "bfcl" | "record";

/** What a document is. */
export type DetectedFormat = { "kind": "trajectory";
/** In which format. */
format: TrajectoryFormat, } | { "kind": "tools";
/** In which format. */
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
/** The text; null when it only calls tools. */
content: string | null;
/** The calls. */
tool_calls?: Array<OpenAiToolCall>, } | { "role": "tool";
/** The result or the error, as text. */
content: string;
/** The call that it answers. */
tool_call_id: string;
};

/** A call in a chat message. */
export type OpenAiToolCall = {
  /** What ties the call to its result. */
  id: string;
  /** Always `function`. */
  type: OpenAiToolCallType;
  /** What is called. */
  function: OpenAiFunction;
};

/** The kind of a call in a chat message. */
export type OpenAiToolCallType = "function";

/** What a call in a chat message calls. */
export type OpenAiFunction = {
  /** The tool's name. */
  name: string;
  /** The arguments as JSON text; empty when there were none. */
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

/** One part of what the agent says in a model message. */
export type AiSdkPart = { "type": "text";
/** What. */
text: string, } | { "type": "tool-call";
/** What ties the call to its result. */
toolCallId: string;
/** The tool's name. */
toolName: string;
/** The arguments; their text, when that was not JSON. */
input: JsonValue;
};

/** What came of a call in a model message. */
export type AiSdkToolResult = { "type": "tool-result";
/** The call that it answers. */
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
  /** Whose trajectory it is. */
  agent: AtifAgent;
  /** Who said and did what, in order. */
  steps: Array<AtifStep>;
};

/** The agent of an ATIF trajectory. */
export type AtifAgent = {
  /** Its name; `unknown` when the trajectory names none. */
  name: string;
  /** Its version; `unknown` when the trajectory names none. */
  version: string;
  /** The model that it asks. */
  model_name?: string;
  /** The tools that it may call, in the shape the trajectory has them, when that is a list. */
  tool_definitions?: JsonValue;
};

/** One step of an ATIF trajectory. */
export type AtifStep = {
  /** Its place, from 1. */
  step_id: number;
  /** When, as an ISO 8601 time. */
  timestamp?: string;
  /** Whose it is. */
  source: AtifSource;
  /** What is said. */
  message: string;
  /** The tools called. */
  tool_calls?: Array<AtifToolCall>;
  /** What came of the calls. */
  observation?: AtifObservation;
};

/** Whose step of an ATIF trajectory it is. */
export type AtifSource = "system" | "user" | "agent";

/** A call in an ATIF trajectory. */
export type AtifToolCall = {
  /** What ties the call to its result. */
  tool_call_id: string;
  /** The tool's name. */
  function_name: string;
  /** The arguments; empty when they were no object. */
  arguments: { [key: string]: JsonValue };
  /** Holds the arguments that were no object. */
  extra?: AtifToolCallExtra;
};

/** What is said besides of a call in an ATIF trajectory. */
export type AtifToolCallExtra = {
  /** The arguments as JSON text, or as the text that was not JSON. */
  raw_arguments: string;
};

/** What came of the calls of an ATIF step. */
export type AtifObservation = {
  /** One for each answered call. */
  results: Array<AtifResult>;
};

/** What came of one call of an ATIF step. */
export type AtifResult = {
  /** The call that it answers. */
  source_call_id: string;
  /** The result or the error, as text. */
  content: string;
  /** Says when it is an error. */
  extra?: AtifResultExtra;
};

/** What is said besides of a result in an ATIF trajectory. */
export type AtifResultExtra = {
  /** Whether the call failed. */
  is_error: boolean;
};
