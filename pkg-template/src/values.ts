// Written by `cargo xtask types` from the Rust types: change those.
import type {
  CallOrder,
  DiffFormat,
  ExpectationFormat,
  ExportFormat,
  FailOn,
  LintIssueType,
  LintProvider,
  ReflectionForm,
  ReflectionIssueType,
  ReportFormat,
  ResultIssueType,
  RuleLevel,
  Severity,
  ToolFormat,
  ToolUseIssueType,
  TrajectoryFormat,
} from './types.js';

/** The formats that trajectories are read from. */
export const TRAJECTORY_FORMATS: readonly TrajectoryFormat[] = [
  'harness',
  'openai-chat',
  'openai-responses',
  'openai-agents',
  'anthropic',
  'ai-sdk-ui',
  'ai-sdk-model',
  'ai-sdk-steps',
  'gemini',
  'bedrock',
  'cohere',
  'tau-bench',
  'tau2',
  'langchain',
  'langsmith',
  'langfuse',
  'otel-genai',
  'openinference',
  'mastra',
  'atif',
  'swe-agent',
  'claude-code',
  'codex',
  'gemini-cli',
  'qwen-code',
  'opencode',
  'pi',
  'mcp',
  'stream',
  'inspect',
  'adk',
  'hermes',
  'tooltalk',
  'bfcl',
  'deepeval',
  'ragas',
  'nemo-gym',
  'pydantic-ai',
  'openhands',
  'autogen',
  'semantic-kernel',
  'xlam',
  'when2call',
  'toucan',
  'toolace',
  'smolagents',
  'toolbench',
  'mini-swe-agent',
  'docent',
  'copilot-chat',
  'deepeval-trace',
  'ai-gateway',
  'batch',
];

/** The formats that trajectories are written in. */
export const EXPORT_FORMATS: readonly ExportFormat[] = [
  'harness',
  'openai-chat',
  'ai-sdk-model',
  'atif',
];

/** The formats that tool definitions are read from. */
export const TOOL_FORMATS: readonly ToolFormat[] = [
  'openai-chat',
  'openai-responses',
  'anthropic',
  'mcp',
  'gemini',
  'ai-sdk',
  'bedrock',
  'bfcl',
  'record',
];

/** The formats that expected calls are read from. */
export const EXPECTATION_FORMATS: readonly ExpectationFormat[] = [
  'expectations',
  'calls',
  'bfcl',
  'trajectory',
];

/** The formats of reports: of a check, of scores and of test cases. */
export const REPORT_FORMATS: readonly ReportFormat[] = [
  'pretty',
  'json',
  'jsonl',
  'junit',
  'sarif',
  'github',
  'markdown',
  'html',
];

/** The formats in which the command line prints what is wrong with tool definitions. */
export const LINT_FORMATS = [
  'pretty',
  'json',
  'jsonl',
  'sarif',
] as const;

/** The formats of the difference of two runs. */
export const DIFF_FORMATS: readonly DiffFormat[] = [
  'pretty',
  'markdown',
  'json',
];

/** Which trajectories a report for people shows: all, those with issues, those that make the check fail, or none. */
export const SHOWN = [
  'all',
  'issues',
  'failing',
  'none',
] as const;

/** How bad an issue is, from low to critical. */
export const SEVERITIES: readonly Severity[] = [
  'low',
  'medium',
  'high',
  'critical',
];

/** The severities that a rule sets for a type of issue; `off` switches the type off. */
export const RULE_LEVELS: readonly RuleLevel[] = [
  'off',
  'low',
  'medium',
  'high',
  'critical',
];

/** The least severity of an issue that makes a check fail. */
export const FAIL_ON: readonly FailOn[] = [
  'low',
  'medium',
  'high',
  'critical',
  'never',
];

/** The types of issues of a call. */
export const TOOL_USE_ISSUE_TYPES: readonly ToolUseIssueType[] = [
  'missing_tool_name',
  'missing_arguments',
  'invalid_arguments',
  'tool_not_found',
  'tool_misuse',
  'missing_result',
  'result_unused',
  'hallucinated_result',
  'schema_violation',
  'type_mismatch',
  'missing_required_param',
  'unknown_tool',
  'deprecated_tool',
];

/** The types of issues of a result, or of what a reply makes of it. */
export const RESULT_ISSUE_TYPES: readonly ResultIssueType[] = [
  'missing_result',
  'empty_result',
  'error_result',
  'hallucinated_content',
  'unused_result',
  'contradicts_response',
  'incomplete_integration',
  'malformed_result',
  'claimed_action',
  'misattributed_value',
  'leaked_call',
];

/** The types of issues of a call by itself. */
export const REFLECTION_ISSUE_TYPES: readonly ReflectionIssueType[] = [
  'non_existent_function',
  'non_existent_parameter',
  'incorrect_parameter_type',
  'missing_required_parameter',
  'allowed_values_violation',
  'json_schema_violation',
  'empty_api_spec',
  'invalid_api_spec',
  'invalid_tool_call',
  'general_hallucination_check',
  'general_value_format_alignment',
  'function_selection_appropriateness',
  'agentic_constraints_satisfaction',
  'parameter_hallucination_check',
  'parameter_value_format_alignment',
];

/** The types of issues of a tool definition. */
export const LINT_ISSUE_TYPES: readonly LintIssueType[] = [
  'invalid_schema',
  'unknown_type',
  'unsupported_draft',
  'unresolved_reference',
  'root_not_object',
  'missing_parameters',
  'required_not_property',
  'invalid_enum_value',
  'empty_enum',
  'contradictory_bounds',
  'invalid_default',
  'invalid_example',
  'misspelled_keyword',
  'untyped_parameter',
  'missing_description',
  'missing_parameter_description',
  'description_repeats_name',
  'description_too_short',
  'description_too_long',
  'identical_descriptions',
  'invalid_name',
  'duplicate_name',
  'ambiguous_name',
  'similar_names',
  'invalid_parameter_name',
  'similar_parameter_names',
  'unsupported_root',
  'missing_items',
  'unsupported_keyword',
  'unsupported_format',
  'strict_mode',
  'too_many_tools',
];

/** The providers whose rules tool definitions are linted by. */
export const LINT_PROVIDERS: readonly LintProvider[] = [
  'openai',
  'anthropic',
  'gemini',
  'bedrock',
  'all',
];

/** How long the questions to judges are. */
export const REFLECTION_FORMS: readonly ReflectionForm[] = [
  'runtime',
  'full',
];

/** Whether the order of expected calls counts. */
export const CALL_ORDERS: readonly CallOrder[] = [
  'any',
  'sequence',
  'strict',
];

/** Members of a turn or of a run that hold what the model used. The first that is there counts. */
export const USAGE_MEMBERS = [
  'totalUsage',
  'final_metrics',
  'usage',
  'usage_metadata',
  'usageMetadata',
  'metrics',
  'token_usage',
  'models_usage',
  'tokens',
] as const;

/** Members that hold the number of tokens read. */
export const INPUT_TOKENS_MEMBERS = [
  'input_tokens',
  'prompt_tokens',
  'inputTokens',
  'promptTokens',
  'promptTokenCount',
  'total_prompt_tokens',
] as const;

/** Members that hold the number of tokens written. */
export const OUTPUT_TOKENS_MEMBERS = [
  'output_tokens',
  'completion_tokens',
  'outputTokens',
  'completionTokens',
  'candidatesTokenCount',
  'total_completion_tokens',
] as const;

/** Members that hold the number of all tokens. */
export const ALL_TOKENS_MEMBERS = [
  'total_tokens',
  'totalTokens',
  'totalTokenCount',
] as const;

/** Members that hold what a turn or a run cost. */
export const COST_MEMBERS = [
  'cost',
  'cost_usd',
  'costUSD',
  'total_cost',
  'total_cost_usd',
  'agent_cost',
] as const;

/** Members that hold when a turn or a call began, beside `timestamp`. */
export const START_MEMBERS = [
  'started_at',
  'startedAt',
  'start_time',
  'startTime',
] as const;

/** Members that hold when a turn or a call ended. */
export const END_MEMBERS = [
  'ended_at',
  'endedAt',
  'end_time',
  'endTime',
  'completed_at',
  'completedAt',
  'completed',
] as const;
