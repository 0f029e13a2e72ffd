import type { JsonValue, ToolCall, ToolSchema, Trajectory, Turn } from '../types.js';

/** A call as it was run, with its output. */
export interface RecordedCall {
  readonly id?: string;
  readonly name: string;
  readonly arguments: JsonValue;
  readonly output: JsonValue;
  readonly failed: boolean;
}

/** Keeps what was said and called, as a trajectory. */
export class Recorder {
  readonly #turns: Turn[] = [];
  /** All tools that were available in a round, by name. */
  readonly #tools = new Map<string, ToolSchema>();

  addMessage(role: Turn['role'], content: string): void {
    this.#turns.push({ turn_id: this.#turns.length + 1, role, content, timestamp: new Date().toISOString() });
  }

  addRound(content: string, calls: readonly RecordedCall[], tools: readonly ToolSchema[]): void {
    for (const tool of tools) this.#tools.set(tool.name, tool);
    this.addMessage('agent', content);
    const turn = this.#turns.at(-1);
    if (turn !== undefined) turn.tool_calls = calls.map(toToolCall);
  }

  clear(): void {
    this.#turns.length = 0;
    this.#tools.clear();
  }

  /** A copy, so that what is recorded later does not change it. */
  toTrajectory(id: string | undefined): Trajectory {
    return structuredClone({
      ...(id === undefined ? {} : { trajectory_id: id }),
      turns: this.#turns,
      tools: [...this.#tools.values()] as unknown as JsonValue,
    });
  }
}

function toToolCall({ id, name, arguments: args, output, failed }: RecordedCall): ToolCall {
  const outcome = failed ? { error: messageOf(output) } : { result: output };
  return { ...(id === undefined ? {} : { id }), name, arguments: args, ...outcome };
}

function messageOf(output: JsonValue): JsonValue {
  const failure = output as { tool_call_error?: JsonValue };
  return failure.tool_call_error ?? output;
}
