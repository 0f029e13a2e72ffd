import { readingCaller } from './boundary/caller.js';
import { isBinary } from './boundary/json.js';
import { refuseUnsettled } from './boundary/not-yet.js';
import { ToolgaugeError } from './errors.js';
import { exportJsonSchema, isSchemaSource, ownerOf, resolveLazySchema, type SchemaSource } from './json-schema.js';

/** JSON Schema of arguments or results, or a schema object of another library that exports it. */
export type SchemaInput = object | boolean;

/** A tool as this package knows it; `parameters` may be a zod, Standard Schema or AI SDK schema object. */
export interface ToolSchemaInput {
  /** The tool's name. */
  readonly name: string;
  /** What the tool does, for the model. */
  readonly description?: string | undefined;
  /** The schema of the arguments. */
  readonly parameters: SchemaInput;
  /** Whether agents should no longer call the tool. Default false. */
  readonly deprecated?: boolean | undefined;
  /** The name of the tool that replaces it. */
  readonly replacedBy?: string | undefined;
  /** The schema of the result. Default: results are not checked against a schema. */
  readonly outputSchema?: SchemaInput | undefined;
}

/** A tool of the OpenAI chat API. */
export interface OpenAiTool {
  /** The type of the tool: `function`. */
  readonly type: string;
  /** The function that the tool calls. */
  readonly function: {
    /** The tool's name. */
    readonly name: string;
    /** What the tool does, for the model. */
    readonly description?: string | undefined;
    /** The schema of the arguments. Default: no arguments. */
    readonly parameters?: SchemaInput | undefined;
  };
}

/** A tool of the OpenAI Responses API, or one that the platform runs, which has a type alone. */
export interface OpenAiResponsesTool {
  /** The type of the tool: `function`, or that of a tool that the platform runs. */
  readonly type: string;
  /** The tool's name. Absent for tools that the platform runs. */
  readonly name?: string | undefined;
  /** What the tool does, for the model. */
  readonly description?: string | null | undefined;
  /** The schema of the arguments. */
  readonly parameters?: SchemaInput | null | undefined;
}

/** Tools of the Gemini API; their types may be in upper case. */
export interface GeminiTools {
  /** The functions that the model may call. */
  readonly functionDeclarations?: readonly {
    /** The function's name. */
    readonly name: string;
    /** What the function does, for the model. */
    readonly description?: string | undefined;
    /** The schema of the arguments, as OpenAPI writes it. */
    readonly parameters?: SchemaInput | undefined;
    /** The JSON Schema of the arguments, in place of `parameters`. */
    readonly parametersJsonSchema?: SchemaInput | undefined;
  }[];
  /** The code execution of the platform, if it is on. */
  readonly codeExecution?: object;
  /** The search of the platform, if it is on. */
  readonly googleSearch?: object;
  /** The page reader of the platform, if it is on. */
  readonly urlContext?: object;
}

/** A tool of the Bedrock Converse API. */
export interface BedrockTool {
  /** The definition of the tool. */
  readonly toolSpec: {
    /** The tool's name. */
    readonly name: string;
    /** What the tool does, for the model. */
    readonly description?: string | undefined;
    /** The holder of the schema. */
    readonly inputSchema: {
      /** The schema of the arguments. */
      readonly json: SchemaInput;
    };
  };
}

/** A tool of the Anthropic messages API. */
export interface AnthropicTool {
  /** The tool's name. */
  readonly name: string;
  /** What the tool does, for the model. */
  readonly description?: string | undefined;
  /** The schema of the arguments. */
  readonly input_schema: SchemaInput;
}

/** A tool as an MCP server lists it. */
export interface McpTool {
  /** The tool's name. */
  readonly name: string;
  /** What the tool does, for the model. */
  readonly description?: string | undefined;
  /** The schema of the arguments. */
  readonly inputSchema: SchemaInput;
  /** The schema of `structuredContent` in the result. */
  readonly outputSchema?: SchemaInput | undefined;
}

/** A tool of the AI SDK, named by its key in the record of tools. */
export interface AiSdkTool {
  /** What the tool does, for the model. From version 7 on it may be a function, which is not read. */
  readonly description?: unknown;
  /** The schema of the arguments. */
  readonly inputSchema: SchemaInput;
  /** The schema of the result. Default: results are not checked against a schema. */
  readonly outputSchema?: SchemaInput | undefined;
}

/** One tool that carries its name, or a group of such tools. */
export type NamedTool =
  | ToolSchemaInput
  | OpenAiTool
  | OpenAiResponsesTool
  | AnthropicTool
  | McpTool
  | GeminiTools
  | BedrockTool;

/** Tools by name: definitions, AI SDK tools, or just the schema objects of their arguments. */
export interface ToolRecord {
  readonly [name: string]: NamedTool | AiSdkTool | SchemaSource;
}

/** The tools of a trajectory: by name, as a list, as an MCP server lists them, or one alone. */
export type ToolDefinitions =
  | ToolRecord
  | readonly NamedTool[]
  | {
      /** The tools, in the order in which the server lists them. */
      readonly tools: readonly NamedTool[];
    }
  | NamedTool;

type Fields = Readonly<Record<string, unknown>>;

/** The members that may hold a schema, in any of the known shapes. */
const SCHEMA_MEMBERS = ['parameters', 'inputSchema', 'input_schema', 'outputSchema'] as const;

/** Replaces the schema objects of other libraries in tool definitions by their JSON Schema and leaves all else alone. */
export function toPlainDefinitions(tools: unknown): unknown {
  return readingCaller('the tool definitions', () => {
    if (isBinary(tools)) return tools;
    // Their members are taken below, and of a promise there would be none.
    refuseUnsettled(tools, 'the tool definitions', 'tool definitions, JSON text or a Uint8Array');
    return plainDefinitions(hasToJson(tools) ? tools.toJSON('') : tools);
  });
}

function plainDefinitions(tools: unknown): unknown {
  if (Array.isArray(tools)) return plainList(tools);
  if (isSchemaSource(tools)) throw unnamedSchema();
  if (!isFields(tools)) return tools;
  if (Array.isArray(tools.tools)) return { ...tools, tools: plainList(tools.tools) };
  if (isNamed(tools)) return toPlainTool(tools, '');
  // fromEntries keeps a tool named __proto__, which an assignment would lose.
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [name, readTool(name, () => toPlainEntry(tool, name))]),
  );
}

function plainList(tools: readonly unknown[]): unknown {
  return tools.map((tool, index) => readTool(`[${index}]`, () => toPlainTool(tool, `[${index}]`)));
}

function readTool(label: string, body: () => unknown): unknown {
  return readingCaller(`tool ${JSON.stringify(label)}`, body);
}

function hasToJson(tools: unknown): tools is { toJSON(key: string): unknown } {
  return isFields(tools) && !isSchemaSource(tools) && typeof tools.toJSON === 'function';
}

/** The JSON Schema of `schema`, for a tool called `tool`. */
export function toPlainSchema(schema: unknown, tool: string): unknown {
  return toPlain(schema, ownerOf(tool));
}

function toPlain(schema: unknown, owner: string): unknown {
  return isSchemaSource(schema) ? exportJsonSchema(schema as object, owner) : schema;
}

/** The JSON Schema of a member of `tool`, which may also be a function that makes one. */
function plainMember(tool: Fields, member: string, name: string): unknown {
  const owner = ownerOf(name, member);
  return toPlain(resolveLazy(tool[member], owner), owner);
}

function toPlainEntry(tool: unknown, name: string): unknown {
  if (isSchemaSource(tool)) return { name, parameters: toPlainSchema(tool, name) };
  refuseUnsettled(tool, `tool ${JSON.stringify(name)}`, 'a tool definition', name);
  if (!isFields(tool) || isNamed(tool)) return toPlainTool(tool, name);
  return isSchemaObject(tool.inputSchema) ? fromAiSdkTool(tool, name) : toPlainTool(tool, name);
}

/** Takes what describes the tool: the rest of an AI SDK tool is functions and settings. */
function fromAiSdkTool(tool: Fields, name: string): unknown {
  return {
    name,
    ...(typeof tool.description === 'string' ? { description: tool.description } : {}),
    parameters: plainMember(tool, 'inputSchema', name),
    ...(tool.outputSchema === undefined ? {} : { outputSchema: plainMember(tool, 'outputSchema', name) }),
  };
}

function toPlainTool(tool: unknown, label: string): unknown {
  if (!isFields(tool)) return tool;
  if (isFields(tool.function)) return { ...tool, function: toPlainTool(tool.function, label) };
  const foreign = SCHEMA_MEMBERS.filter(member => isSchemaObject(tool[member]));
  if (foreign.length === 0) return tool;
  const name = typeof tool.name === 'string' ? tool.name : label;
  const exported = foreign.map(member => [member, plainMember(tool, member, name)] as const);
  return { ...tool, ...Object.fromEntries(exported) };
}

/** Schema objects and the functions by which the AI SDK defers making one. */
function isSchemaObject(value: unknown): boolean {
  return isSchemaSource(value) || typeof value === 'function';
}

function resolveLazy(schema: unknown, owner: string): unknown {
  if (typeof schema !== 'function' || isSchemaSource(schema)) return schema;
  return resolveLazySchema(schema as () => unknown, owner);
}

function isNamed(tool: Fields): boolean {
  if (typeof tool.name === 'string') return true;
  return isFields(tool.function) && typeof tool.function.name === 'string';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function unnamedSchema(): ToolgaugeError {
  const message =
    'the tools are one schema without a tool name; use createToolSchema(name, schema), or { name: schema }';
  return new ToolgaugeError('invalid_schema', message, { expected: 'tools with their names' });
}
