import type { PlainCall } from 'toolgauge';

/** The members of a call in the input of a tool: `{tool, args}`. */
const CALL_MEMBERS = {
  tool: { type: 'string', description: 'Name of the called tool, exactly as it is defined' },
  args: { type: 'object', description: 'The arguments of the call, by name', additionalProperties: true },
} as const;

/** The schema of an object that has no other members. */
export function objectOf(
  properties: Readonly<Record<string, object>>,
  required: readonly string[],
  description?: string,
): object {
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties,
    required,
    additionalProperties: false,
  };
}

/** A call, as it was made or should be made. */
export const CALL: object = objectOf(CALL_MEMBERS, ['tool', 'args'], 'A call of a tool');

/** A call that may have run: with what it returned, or why it failed. */
export const CALL_THAT_RAN: object = objectOf(
  {
    ...CALL_MEMBERS,
    result: { description: 'What the call returned, as it was returned; absent if it has not run or failed' },
    error: { type: 'string', description: 'Why the call failed; absent if it did not' },
  },
  ['tool', 'args'],
  'A call of a tool, with what came of it',
);

/** The tools that an agent has. */
export const TOOLS: object = {
  type: 'array',
  description: 'The definitions of the tools that the agent has',
  items: objectOf(
    {
      name: { type: 'string', description: 'The name of the tool' },
      description: { type: 'string', description: 'What the tool does' },
      parameters: { type: 'object', description: 'The JSON Schema of its arguments', additionalProperties: true },
    },
    ['name', 'parameters'],
  ),
};

/** A call in the input of a tool for a model. */
export interface ModelCall {
  /** The tool's name. */
  readonly tool: string;
  /** The arguments, by name. */
  readonly args: { readonly [name: string]: unknown };
}

/** A call that may have run. */
export interface ModelCallThatRan extends ModelCall {
  /** What the call returned. Absent if it has not run, or failed. */
  readonly result?: unknown;
  /** Why the call failed. Absent if it did not. */
  readonly error?: string | undefined;
}

/** A definition of a tool. */
export interface ModelToolDefinition {
  /** The tool's name. */
  readonly name: string;
  /** What the tool does, for the model. */
  readonly description?: string | undefined;
  /** The JSON Schema of the arguments. */
  readonly parameters: { readonly [keyword: string]: unknown };
}

/** The call in toolgauge's own shape. */
export function toPlainCall({ tool, args, ...outcome }: ModelCallThatRan): PlainCall {
  return { name: tool, arguments: args, ...outcome };
}
