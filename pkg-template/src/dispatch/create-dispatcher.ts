import { readingOptions } from './check-options.js';
import type { Dispatcher } from './dispatcher.js';
import type { DispatcherOptions } from './options.js';
import { ToolDispatcher } from './tool-dispatcher.js';

/**
 * Creates a dispatcher: it takes the tool calls of a model, routes each by the prefix of its name, checks it, runs it
 * and returns the outputs. `agent__*` leads to the supervisor, `todo__*` to the to-do list, `user__*` to the user, or
 * below depth 0 to the agent above, `mcp_invoke_*`, `mcp_search_*` and `mcp_describe_*` to an MCP server, and any other
 * name to a function or a shell tool.
 *
 * Throws `invalid_option` for options that can't be used, and `invalid_schema` for such definitions.
 *
 * @example
 * const dispatcher = createDispatcher({
 *   functions: [{ name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } }],
 *   handlers: { get_weather: async ({ city }) => ({ city, celsius: 21 }) },
 * });
 * await dispatcher.evalToolCalls([{ id: 'a', name: 'get_weather', arguments: { city: 'Oslo' } }]);
 * // [{ call: { id: 'a', name: 'get_weather', … }, output: { city: 'Oslo', celsius: 21 } }]
 */
export function createDispatcher(options: DispatcherOptions = {}): Dispatcher {
  return readingOptions(options, readable => new ToolDispatcher(readable));
}
