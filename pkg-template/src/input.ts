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
    /** The id that links the call to its result in the source. */
    readonly id?: string | undefined;
    /** The tool's name. If it is absent, the call has the issue `missing_tool_name`. */
    readonly name?: string | undefined;
    /** The arguments: an object, or the JSON text of one. */
    readonly arguments?: unknown;
    /** The text of the arguments, if it was not valid JSON. */
    readonly rawArguments?: string | undefined;
    /** What the tool returned: any JSON value. */
    readonly result?: unknown;
    /** The error that the call ended with instead of a result. */
    readonly error?: unknown;
  }
>;

/** A call of OpenAI's chat completions, and of all who write the same: Mistral, Groq, Ollama, vLLM, … */
export type OpenAiChatCall = Extensible<
  Settled & {
    /** The id that the provider gave the call. */
    readonly id?: string | undefined;
    /** What is called. */
    readonly function: {
      /** The tool's name. */
      readonly name: string;
      /** The JSON text of the arguments, or, as Ollama writes them, an object. */
      readonly arguments?: unknown;
    };
  }
>;

/** A call of OpenAI's Responses API, or of the Agents SDK. */
export type OpenAiResponsesCall = Extensible<
  Settled & {
    /** What the item is. */
    readonly type: 'function_call';
    /** The tool's name. */
    readonly name: string;
    /** The JSON text of the arguments. */
    readonly arguments: string;
  }
>;

/** A call of Anthropic's messages. */
export type AnthropicCall = Extensible<
  Settled & {
    /** What the block is. */
    readonly type: 'tool_use';
    /** The id that the provider gave the call. */
    readonly id: string;
    /** The tool's name. */
    readonly name: string;
    /** The arguments. */
    readonly input: unknown;
  }
>;

/** A call of the AI SDK: of a step, a message or a stream. Version 4 has `args` in place of `input`. */
export type AiSdkCall = Extensible<
  Settled & {
    /** The id of the call. */
    readonly toolCallId: string;
    /** The tool's name. */
    readonly toolName: string;
    /** The arguments, from version 5 on. */
    readonly input?: unknown;
    /** The arguments in version 4. */
    readonly args?: unknown;
  }
>;

/** A part of a UI message of the AI SDK that holds a call. */
export type AiSdkUiCall = Extensible<
  Settled & {
    /** What the part is: `tool-` and the name of the tool, or `dynamic-tool`. */
    readonly type: `tool-${string}` | 'dynamic-tool';
    /** The id of the call. */
    readonly toolCallId: string;
    /** The arguments. */
    readonly input?: unknown;
  }
>;

/** A part of Gemini's contents that holds a call. */
export type GeminiCall = Extensible<
  Settled & {
    /** The call in the part. */
    readonly functionCall: {
      /** The tool's name. */
      readonly name?: string | undefined;
      /** The arguments. Default: none. */
      readonly args?: unknown;
    };
  }
>;

/** A block of Bedrock's Converse that holds a call. */
export type BedrockCall = Extensible<
  Settled & {
    /** The call in the block. */
    readonly toolUse: {
      /** The id of the call. */
      readonly toolUseId?: string | undefined;
      /** The tool's name. */
      readonly name?: string | undefined;
      /** The arguments. */
      readonly input?: unknown;
    };
  }
>;

/** A request of MCP that calls a tool. */
export type McpCall = Extensible<
  Settled & {
    /** The method of the request. */
    readonly method: 'tools/call';
    /** What is called. */
    readonly params: {
      /** The tool's name. */
      readonly name: string;
      /** The arguments. Default: none. */
      readonly arguments?: unknown;
    };
  }
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
    /** The number of the turn. */
    readonly turn_id: number;
    /** Who speaks. */
    readonly role: 'user' | 'agent' | 'system';
    /** The text; empty if the turn only calls tools. */
    readonly content: string;
    /** When the turn was written, usually in ISO 8601. */
    readonly timestamp?: string | undefined;
    /** The tool calls of the turn, in order, with their results. Default: none. */
    readonly tool_calls?: readonly ToolCallInput[] | undefined;
  }
>;

/** A trajectory as the functions take it; see {@link Trajectory} for what each field means. */
export type TrajectoryInput = Extensible<
  Settled & {
    /** The id of the trajectory, by which reports name it. */
    readonly trajectory_id?: string | undefined;
    /** The turns, in order. */
    readonly turns: readonly TurnInput[];
  }
>;

/** A call as scores compare it, `{tool, args}`, or as whoever made it writes it; see {@link ScoredToolCall}. */
export type ScoredToolCallInput =
  | Extensible<
      Settled & {
        /** The tool's name. */
        readonly tool: string;
        /** The arguments of the call. */
        readonly args: unknown;
      }
    >
  | ToolCallInput;
