export type { InvalidCalls } from './dispatch/check.js';
export { createDispatcher } from './dispatch/create-dispatcher.js';
export type { Dispatcher, EvalOptions, ToolCallResult } from './dispatch/dispatcher.js';
export { type Escalation, type EscalationOptions, EscalationQueue } from './dispatch/escalations.js';
export type {
  CallEvent,
  CallWarning,
  DispatchEvents,
  DispatchWarning,
  NameWarning,
  ObserverWarning,
  ResultEvent,
} from './dispatch/events.js';
export type { Handler } from './dispatch/functions.js';
export {
  type McpClient,
  type McpRequestOptions,
  type McpSearchResult,
  type McpServers,
  type McpServersOptions,
  mcpServers,
} from './dispatch/mcp.js';
export type { ActiveAgent, DispatchContext, DispatcherOptions } from './dispatch/options.js';
export {
  type EnabledNames,
  type Role,
  type SelectFunctionsOptions,
  selectFunctions,
  type UnknownNameWarning,
} from './dispatch/select.js';
export {
  type AgentDefinition,
  type AgentMessage,
  type AgentReport,
  type AgentRun,
  type AgentStatus,
  type AgentTask,
  createSupervisor,
  type Inbox,
  type Supervisor,
  type SupervisorOptions,
} from './dispatch/supervisor.js';
export { type TodoItem, TodoList, type TodoListJson, type TodoListView } from './dispatch/todo.js';
export {
  type AgentIdentity,
  type CallContext,
  type RoutedCall,
  ToolCallFailure,
  type Toolkit,
} from './dispatch/toolkit.js';
export { ToolCallTracker, type TrackableCall, type TrackerOptions } from './dispatch/tracker.js';
export { userToolkit } from './dispatch/user.js';
export type { QuestionContext, UserAnswer, UserChannel, UserQuestion } from './dispatch/user-channel.js';
