/** `Shape`, alone or with fields that this package does not know. */
export type Extensible<Shape> = Shape | (Shape & { readonly [field: string]: unknown });

/** A value, its JSON text, or the UTF-8 bytes of that text. Text and bytes are the fastest: they never become objects. */
export type JsonInput<Value> = Value | string | Uint8Array;

/** What a value has that is there already: a promise of it is refused where the value is wanted. */
interface Settled {
  readonly then?: never;
}

/** Any object but a promise. */
export type JsonObject = (object & Settled) | (Settled & { readonly [field: string]: unknown });

/** A tool call in toolgauge's own shape; see {@link ToolCall} for what each field means. */
export type PlainCall = Extensible<
  Settled & {
    readonly id?: string | undefined;
    readonly name?: string | undefined;
    readonly arguments?: unknown;
    readonly rawArguments?: string | undefined;
    readonly result?: unknown;
    readonly error?: unknown;
  }
>;

/** A call of OpenAI's chat completions, and of all who write the same: Mistral, Groq, Ollama, vLLM, … */
export type OpenAiChatCall = Extensible<
  Settled & {
    readonly id?: string | undefined;
    readonly function: { readonly name: string; readonly arguments?: unknown };
  }
>;

/** A call of OpenAI's Responses API, or of the Agents SDK. */
export type OpenAiResponsesCall = Extensible<
  Settled & { readonly type: 'function_call'; readonly name: string; readonly arguments: string }
>;

/** A call of Anthropic's messages. */
export type AnthropicCall = Extensible<
  Settled & { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown }
>;

/** A call of the AI SDK: of a step, a message or a stream. Version 4 has `args` in place of `input`. */
export type AiSdkCall = Extensible<
  Settled & {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly input?: unknown;
    readonly args?: unknown;
  }
>;

/** A part of a UI message of the AI SDK that holds a call. */
export type AiSdkUiCall = Extensible<
  Settled & { readonly type: `tool-${string}` | 'dynamic-tool'; readonly toolCallId: string; readonly input?: unknown }
>;

/** A part of Gemini's contents that holds a call. */
export type GeminiCall = Extensible<
  Settled & { readonly functionCall: { readonly name?: string | undefined; readonly args?: unknown } }
>;

/** A block of Bedrock's Converse that holds a call. */
export type BedrockCall = Extensible<
  Settled & {
    readonly toolUse: {
      readonly toolUseId?: string | undefined;
      readonly name?: string | undefined;
      readonly input?: unknown;
    };
  }
>;

/** A request of MCP that calls a tool. */
export type McpCall = Extensible<
  Settled & { readonly method: 'tools/call'; readonly params: { readonly name: string; readonly arguments?: unknown } }
>;

/** A call as whoever made it writes it: toolgauge, a provider, or a framework. */
export type ToolCallInput =
  | PlainCall
  | OpenAiChatCall
  | OpenAiResponsesCall
  | AnthropicCall
  | AiSdkCall
  | AiSdkUiCall
  | GeminiCall
  | BedrockCall
  | McpCall;

/** A turn as the functions take it; see {@link Turn} for what each field means. */
export type TurnInput = Extensible<
  Settled & {
    readonly turn_id: number;
    readonly role: 'user' | 'agent' | 'system';
    readonly content: string;
    readonly timestamp?: string | undefined;
    readonly tool_calls?: readonly ToolCallInput[] | undefined;
  }
>;

/** A trajectory as the functions take it; see {@link Trajectory} for what each field means. */
export type TrajectoryInput = Extensible<
  Settled & {
    readonly trajectory_id?: string | undefined;
    readonly turns: readonly TurnInput[];
  }
>;

/** A call as scores compare it, `{tool, args}`, or as whoever made it writes it; see {@link ScoredToolCall}. */
export type ScoredToolCallInput =
  | Extensible<Settled & { readonly tool: string; readonly args: unknown }>
  | ToolCallInput;
