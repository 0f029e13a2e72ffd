import { type CompiledTools, compileTools, repairToolCallSync } from 'toolgauge';
import { Failure } from '../cli/failure.js';
import { refusalOf } from '../dispatch/refusal.js';
import type { Arguments, ServedTool } from './service.js';

/** The same tool, which refuses arguments that do not fit its schema, and says what would fit. */
export function withCheckedArguments(tool: ServedTool): ServedTool {
  let compiled: CompiledTools | undefined;
  return {
    ...tool,
    run: async (args, context) => {
      // The definition that clients get lacks this keyword, because Gemini rejects it.
      const parameters = { ...tool.inputSchema, additionalProperties: false };
      compiled ??= compileTools([{ name: tool.name, parameters }]);
      refuseUnfit(tool.name, args, compiled);
      return tool.run(args, context);
    },
  };
}

function refuseUnfit(name: string, args: Arguments, tools: CompiledTools): void {
  const input = { tools, toolCall: { name, arguments: args as Record<string, never> } };
  const repair = repairToolCallSync(input);
  if (repair.status !== 'valid') throw new Failure(refusalOf(input, repair));
}
