import { type CompiledTools, compileTools, repairToolCallSync } from 'toolgauge';
import { reasonOf } from '../../errors.js';
import { refusalOf } from '../refusal.js';
import type { JsonObject } from './json.js';
import type { McpTool } from './tool-list.js';

const compiled = new WeakMap<McpTool, CompiledTools>();

/**
 * Checks arguments against the schema of a tool. Returns `undefined` if they fit, and otherwise what is wrong and what
 * the model should do.
 */
export function refusalOfArguments(tool: McpTool, args: JsonObject): string | undefined {
  const tools = compile(tool);
  if (typeof tools === 'string') return tools;
  try {
    const input = { tools, toolCall: { name: tool.name, arguments: args as Record<string, never> } };
    const repair = repairToolCallSync(input);
    return repair.status === 'valid' ? undefined : refusalOf(input, repair);
  } catch (error) {
    // The arguments are too large or too deep.
    return `The call of ${JSON.stringify(tool.name)} was not run: ${reasonOf(error)}`;
  }
}

/** The compiled schema, or a message if it is invalid. */
function compile(tool: McpTool): CompiledTools | string {
  const known = compiled.get(tool);
  if (known !== undefined) return known;
  try {
    // MCP requires a schema, but not every server obeys.
    const parameters = (tool.inputSchema ?? { type: 'object' }) as object;
    const tools = compileTools([{ name: tool.name, parameters }]);
    compiled.set(tool, tools);
    return tools;
  } catch (error) {
    return `The tool ${JSON.stringify(tool.name)} can't be called, because its server declares an invalid schema for its arguments: ${reasonOf(error)}. Use another tool.`;
  }
}
