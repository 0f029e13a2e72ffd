import { type CompiledTools, checkToolCall, compileTools, repairToolCallSync, type StaticMetric } from 'toolgauge';
import { reasonOf } from '../../errors.js';
import type { JsonObject } from './json.js';
import type { McpTool } from './tool-list.js';

/** A message shows no more characters of corrected arguments than this. */
const MOST_SHOWN = 2_000;

const compiled = new WeakMap<McpTool, CompiledTools>();

/**
 * Checks arguments against the schema of a tool. Returns `undefined` if they fit, and otherwise what is wrong and what
 * the model should do.
 */
export function refusalOf(tool: McpTool, args: JsonObject): string | undefined {
  const tools = compile(tool);
  if (typeof tools === 'string') return tools;
  try {
    return refusal({ tools, toolCall: { name: tool.name, arguments: args as Record<string, never> } });
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

function refusal(input: Parameters<typeof checkToolCall>[0] & { tools: CompiledTools }): string | undefined {
  const { status, message, name, arguments: repaired } = repairToolCallSync(input);
  if (status === 'valid') return undefined;
  if (status === 'unrepairable') return message ?? 'The arguments do not fit the schema of the tool.';
  const problems = Object.values(checkToolCall(input).metrics).flatMap(explanationOf);
  return [
    `The call of ${JSON.stringify(name)} was not run:`,
    ...problems.map(problem => `- ${problem}`),
    `Call it again with this corrected.${suggestion(repaired)}`,
  ].join('\n');
}

function explanationOf({ valid, explanation }: StaticMetric): string[] {
  return valid || explanation === null ? [] : [explanation];
}

function suggestion(repaired: unknown): string {
  const text = JSON.stringify(repaired);
  return text.length > MOST_SHOWN ? '' : ` These arguments fit the schema: ${text}`;
}
