import type { ParameterSchema, ToolSchema } from '../types.js';
import { type Arguments, listed, quoted } from './arguments.js';
import { type CallContext, type RoutedCall, ToolCallFailure, type Toolkit } from './toolkit.js';

/** A tool, under what follows the prefix in its name. */
export interface ToolEntry {
  /** What the tool does, as the model reads it. */
  readonly description: string;
  /** The schemas of its arguments, by name. */
  readonly parameters: Readonly<Record<string, ParameterSchema>>;
  /** The arguments that a call may leave out. Default none. */
  readonly optional?: readonly string[];
  /** Runs a call; see `Toolkit.run`. */
  run(args: Arguments, context: CallContext): unknown;
}

/** The toolkit whose tools have the names `<prefix>__<action>`. A call of any other tool throws a `ToolCallFailure`. */
export function createToolkit(
  prefix: 'agent' | 'todo' | 'user',
  entries: Readonly<Record<string, ToolEntry>>,
): Toolkit {
  const tools = new Map(Object.entries(entries));
  const definitions = Array.from(tools, ([action, tool]) => define(`${prefix}__${action}`, tool));
  return {
    definitions,
    run: ({ name, arguments: args, route }: RoutedCall, context: CallContext) => {
      const tool = route.kind === prefix ? tools.get(route.action) : undefined;
      if (tool !== undefined) return tool.run(args, context);
      const known = listed(definitions.map(definition => definition.name));
      throw new ToolCallFailure(`There is no tool ${quoted(String(name))}. The ${prefix} tools are ${known}.`);
    },
  };
}

function define(name: string, { description, parameters, optional = [] }: ToolEntry): ToolSchema {
  const required = Object.keys(parameters).filter(parameter => !optional.includes(parameter));
  const properties = { ...parameters };
  return { name, description, parameters: { type: 'object', properties, required, additionalProperties: false } };
}
