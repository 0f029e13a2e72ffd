export {
  checkLines,
  type LineCheck,
  type LineSource,
  type LineStream,
  type LineVerdict,
  mergeSummaries,
} from './batch.js';
export { type CheckReportOptions, checkTrajectories, reportTrajectories } from './check.js';
export {
  type CalledToolInput,
  type CorrectnessOptions,
  measureCorrectness,
  ToolCallParser,
  type ToolTestCase,
  type ToToolCallsOptions,
  TrajectoryParser,
  type TrajectoryStepInput,
} from './correctness.js';
export { type DiffReportOptions, type DiffRunsOptions, diffRuns, type RunInput, reportRunDiff } from './diff.js';
/** @internal */
export { dispatchCore } from './dispatch-core.js';
export { type ErrorDetails, ToolgaugeError } from './errors.js';
export type {
  AlternativeGroups,
  CallAloneInput,
  CallAlternatives,
  CallGroupInput,
  CallPatternInput,
  Expectations,
  ExpectationTerms,
  ExpectedCallInput,
  ExpectedTurn,
  ExtraCalls,
  ForbiddenCallInput,
  IgnoredTools,
  JsonTypeName,
  Matcher,
  MatcherName,
  MatcherPresence,
  Matchers,
  Occurrence,
  PathMatchers,
  RunBudget,
  ToolMatchers,
  ToolThresholds,
} from './expectation-types.js';
export { type Comparator, type Comparators, type ComparedPlace, importExpectations } from './expectations.js';
export { explainIssues } from './explain.js';
export {
  detectFormat,
  type Exported,
  type ExportOptions,
  exportTrajectory,
  type ImportOptions,
  importTools,
  importTrajectories,
  importTrajectory,
  type LimitOptions,
} from './formats.js';
export type {
  AiSdkCall,
  AiSdkUiCall,
  AnthropicCall,
  BedrockCall,
  Extensible,
  GeminiCall,
  JsonInput,
  JsonObject,
  McpCall,
  OpenAiChatCall,
  OpenAiResponsesCall,
  PlainCall,
  ScoredToolCallInput,
  ToolCallInput,
  TrajectoryInput,
  TurnInput,
} from './input.js';
export type { AiSdkSchema, ExportsJsonSchema, SchemaSource, StandardJsonSchema } from './json-schema.js';
export {
  type JudgedAccuracyResult,
  type JudgedScoreReport,
  type JudgedScoringOptions,
  openQuestions,
  scoreToolCallsAsync,
  scoreTrajectoriesAsync,
} from './judged-score.js';
export {
  type BatchAnswer,
  type BatchJudge,
  type BatchProgress,
  type BatchRequest,
  type BatchStatus,
  type JudgeBatchItem,
  type RunJudgeBatchOptions,
  runJudgeBatch,
} from './judges/batch.js';
export { JudgeError, type JudgeErrorDetails } from './judges/error.js';
export { openAiJudge } from './judges/openai.js';
export { type OpenAiBatchJudgeOptions, openAiBatchJudge } from './judges/openai-batch.js';
export type { ChatModel, OpenAiConnection, OpenAiJudgeOptions } from './judges/openai-options.js';
export type { JudgedValue, Opinions } from './judges/opinions.js';
export {
  parameterRequest,
  type ReflectionCase,
  type ReflectionPastCall,
  type ReflectionTurn,
  reflectionRequest,
} from './judges/prompts/reflection.js';
export {
  type AvailableTool,
  type ChosenCall,
  type ToolChoiceCase,
  toolChoiceRequest,
} from './judges/prompts/tool-choice.js';
export { valueRequest } from './judges/prompts/value.js';
export type { Judge, JudgeContext, JudgeRequest, Signal } from './judges/request.js';
export {
  type JudgeAnswered,
  type JudgeResult,
  type JudgeUnanswered,
  type JudgeVerdict,
  type RunJudgesOptions,
  runJudges,
} from './judges/run.js';
export { type LintReportOptions, lintTools, reportToolLint } from './lint.js';
export { findLoops } from './loops.js';
export {
  type Conversation,
  reflectToolCall,
  repairToolCall,
  type ToolCallReflection,
  type ToolCallReflectionInput,
  type ToolCallRepairInput,
} from './reflect.js';
export {
  type ReflectionContext,
  type ReflectionMetricOptions,
  type ReflectionScores,
  ReflectionToolCallingMetric,
  ReflectionToolCallingMetricSyntactic,
  type StaticScores,
  type ToolCallCase,
} from './reflection-metrics.js';
export type { Report, ReportLayout } from './report.js';
export { createToolSchema, type ObjectToolSchema, validateSchema } from './schema.js';
export {
  type AccuracyBreakdown,
  type AccuracyResult,
  type CallList,
  type ExpectedCalls,
  reportCallLists,
  reportTrajectoryScores,
  type ScoreInput,
  type ScoringOptions,
  scoreToolCalls,
  scoreTrajectories,
  type TrajectoryScoringOptions,
} from './score.js';
export { checkToolCall, repairToolCallSync, type ToolCallCheckInput } from './tool-call-check.js';
export {
  type MeasureContext,
  ToolCorrectnessMetric,
  type ToolCorrectnessOptions,
  type ToolCorrectnessResult,
} from './tool-correctness-metric.js';
export type {
  AiSdkTool,
  AnthropicTool,
  BedrockTool,
  GeminiTools,
  McpTool,
  NamedTool,
  OpenAiResponsesTool,
  OpenAiTool,
  SchemaInput,
  ToolDefinitions,
  ToolRecord,
  ToolSchemaInput,
} from './tool-definitions.js';
export { CompiledTools, type CompileOptions, compileTools, type ToolsInput } from './tools.js';
export { measureTrials, type TrialOptions, type TrialOutcome } from './trials.js';
export type * from './types.js';
export { validateToolCall, validateTrajectory, validateTurn } from './validate.js';
export {
  CALL_ORDERS,
  DIFF_FORMATS,
  EXPECTATION_FORMATS,
  EXPORT_FORMATS,
  FAIL_ON,
  LINT_ISSUE_TYPES,
  LINT_PROVIDERS,
  REFLECTION_FORMS,
  REFLECTION_ISSUE_TYPES,
  REPORT_FORMATS,
  RESULT_ISSUE_TYPES,
  RULE_LEVELS,
  SEVERITIES,
  TOOL_FORMATS,
  TOOL_USE_ISSUE_TYPES,
  TRAJECTORY_FORMATS,
} from './values.js';
export {
  findUnsupportedFacts,
  summarizeResultVerification,
  type VerifyOptions,
  verifyResult,
  verifyTurnResults,
} from './verify.js';
export { version } from './version.js';
/** @internal */
export { visible } from './visible.js';
