/** JSON Schema of the arguments, or the structured result, of a tool. Both are objects. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

/** The arguments of a call, as the client sent them. */
export type Arguments = Readonly<Record<string, unknown>>;

/** What a tool answers: a text for the model, and the same as data. */
export interface ToolAnswer {
  readonly text: string;
  readonly structured: object;
}

/** What a tool may use while it runs. */
export interface ToolContext {
  /** Aborted when the client cancels the call. */
  readonly signal: AbortSignal;
  /** Reports how many bytes of how many are done, if the client wants to know; `total` is left out if it is not known. */
  report(done: number, total: number | undefined): void;
  /** The folders that the client names as its roots. Empty if it names none. */
  roots(): Promise<readonly string[]>;
}

/** A tool of the server. */
export interface ServedTool {
  /** The name by which clients call it, in snake_case. */
  readonly name: string;
  /** The name for people. */
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  /** Answers a call. What it throws becomes a result with `isError`. */
  run(args: Arguments, context: ToolContext): Promise<ToolAnswer>;
}

/** A text that clients can read. */
export interface ServedResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  read(): string;
}

/** An argument of a prompt. */
export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

/** A prompt that a user can choose in their client. */
export interface ServedPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** The message of the user. */
  write(args: Readonly<Record<string, string>>): string;
}

/** What a server offers, without the protocol. */
export interface Service {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** How a model should use the tools. */
  readonly instructions: string;
  readonly tools: readonly ServedTool[];
  readonly resources: readonly ServedResource[];
  /** The pattern of the addresses of the resources. */
  readonly resourceTemplate: { readonly uriTemplate: string; readonly name: string; readonly description: string };
  readonly prompts: readonly ServedPrompt[];
  /** Describes an error for the model: what is wrong and what to do. */
  describe(error: unknown): string;
}
