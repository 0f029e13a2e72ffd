/** `Shape`, alone or with fields that this package does not know. */
export type Extensible<Shape> = Shape | (Shape & { readonly [field: string]: unknown });

/** A value, its JSON text, or the UTF-8 bytes of that text. Text and bytes are the fastest: they never become objects. */
export type JsonInput<Value> = Value | string | Uint8Array;

/** A tool call as the functions take it; see {@link ToolCall} for what each field means. */
export type ToolCallInput = Extensible<{
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly arguments?: unknown;
  readonly rawArguments?: string | undefined;
  readonly result?: unknown;
  readonly error?: unknown;
}>;

/** A turn as the functions take it; see {@link Turn} for what each field means. */
export type TurnInput = Extensible<{
  readonly turn_id: number;
  readonly role: 'user' | 'agent' | 'system';
  readonly content: string;
  readonly timestamp?: string | undefined;
  readonly tool_calls?: readonly ToolCallInput[] | undefined;
}>;

/** A trajectory as the functions take it; see {@link Trajectory} for what each field means. */
export type TrajectoryInput = Extensible<{
  readonly trajectory_id?: string | undefined;
  readonly turns: readonly TurnInput[];
}>;

/** An expected or actual call; see {@link ScoredToolCall}. */
export type ScoredToolCallInput = Extensible<{
  readonly tool: string;
  readonly args: unknown;
}>;
