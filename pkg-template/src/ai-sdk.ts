export { type DispatcherTools, dispatcherTools } from './ai-sdk/dispatcher.js';
export { type GuardableTools, type GuardToolsOptions, guardTools } from './ai-sdk/guard.js';
export type { ModelTool } from './ai-sdk/model-tool.js';
export {
  type IssuePlace,
  type IssueStopCondition,
  type ObservedToolCall,
  type ObserveRunOptions,
  observeRun,
  type RunCallbacks,
  type RunIssue,
  type RunObserver,
  type RunStartEvent,
} from './ai-sdk/observe.js';
export {
  type FailedToolCall,
  type RepairToolCallOptions,
  repairToolCall,
  type ToolCallRepairer,
  type UnparsedToolCall,
} from './ai-sdk/repair.js';
export type { ObservedStep, RunRequest } from './ai-sdk/run-record.js';
export { type AccuracyInput, type AccuracyTool, toolCallAccuracyScoreTool } from './ai-sdk/tools/accuracy.js';
export {
  type ReflectionToolOptions,
  reflectToolCallTool,
  type ToolCallReflectionTool,
  type ToolCallReflectionToolInput,
} from './ai-sdk/tools/reflection.js';
export type { ModelCall, ModelCallThatRan, ModelToolDefinition } from './ai-sdk/tools/schemas.js';
export { checkTrajectoryTool, type TrajectoryCheckInput, type TrajectoryCheckTool } from './ai-sdk/tools/trajectory.js';
export {
  type ToolCallValidationInput,
  type ToolCallValidationTool,
  validateToolCallTool,
} from './ai-sdk/tools/validation.js';
export {
  type ResultVerificationInput,
  type ResultVerificationTool,
  verifyResultTool,
} from './ai-sdk/tools/verification.js';
export { type AiSdkJudgeOptions, aiSdkJudge } from './judges/ai-sdk.js';
