import { importTrajectories } from '../formats.js';
import type { ToolCallReflectionInput } from '../reflect.js';
import { concludeOn } from '../reflection/conclude.js';
import type { Limiter } from '../timing.js';
import type { ToolsInput } from '../tools.js';
import type {
  JsonValue,
  JudgeFailure,
  SemanticResult,
  ToolCall,
  Trajectory,
  TrajectoryFormat,
  Turn,
} from '../types.js';
import type { LineShape } from './check-chunk.js';
import type { Chunk } from './chunks.js';

/** The answers of judges about one call, and its place. */
export interface JudgedCall {
  readonly line?: number;
  readonly trajectory: number;
  readonly turn: number;
  readonly call: number;
  readonly objections: readonly object[];
  readonly correction: JsonValue;
}

/** The answers of judges about the calls of a chunk. */
export interface JudgedChunk {
  readonly judged: readonly JudgedCall[];
  /** Why questions had no answer. */
  readonly failures: readonly JudgeFailure[];
}

/** Who judges, and how. */
export type JudgeSetting = Omit<ToolCallReflectionInput, 'tools' | 'toolCall' | 'conversation'>;

/** A document of a chunk. */
interface Document {
  readonly line?: number;
  readonly bytes: Uint8Array;
}

/**
 * Asks judges about every call of a chunk of a file, each with what was said and called before it. What can't be read is
 * left out here: the check reports it.
 */
export async function judgeChunk(
  chunk: Chunk,
  shape: LineShape,
  tools: ToolsInput | undefined,
  format: TrajectoryFormat | undefined,
  setting: JudgeSetting,
  limit: Limiter,
): Promise<JudgedChunk> {
  const failures: JudgeFailure[] = [];
  const calls = documentsOf(chunk, shape).flatMap(document =>
    trajectoriesOf(document, format).flatMap((trajectory, index) =>
      callsOf(trajectory).map(async ({ turn, call, toolCall, conversation }): Promise<JudgedCall[]> => {
        const input = { ...setting, tools: tools ?? (trajectory.tools as ToolsInput), toolCall, conversation };
        const { conclusion } = await concludeOn(input, limit);
        if (conclusion === null) return [];
        failures.push(...failuresIn(conclusion.semantic));
        const { objections, correction } = conclusion;
        const line = document.line === undefined ? {} : { line: document.line };
        return objections.length === 0 ? [] : [{ ...line, trajectory: index, turn, call, objections, correction }];
      }),
    ),
  );
  return { judged: (await Promise.all(calls)).flat(), failures };
}

function failuresIn({ general, function_selection, parameter = {} }: SemanticResult): JudgeFailure[] {
  const categories = [general, function_selection, ...Object.values(parameter)];
  const metrics = categories.flatMap(category => Object.values(category?.metrics ?? {}));
  return metrics.flatMap(metric => ('error' in metric ? [metric.error] : []));
}

function trajectoriesOf({ bytes }: Document, format: TrajectoryFormat | undefined): Trajectory[] {
  try {
    return importTrajectories(bytes, format === undefined ? {} : { format }).value;
  } catch {
    return [];
  }
}

/** The calls of the agent, each with the turns before it. Calls of one turn don't know of each other. */
function callsOf({ turns }: Trajectory): {
  turn: number;
  call: number;
  toolCall: ToolCall;
  conversation: { turns: Turn[] };
}[] {
  return turns.flatMap((made, turn) => {
    if (made.role !== 'agent') return [];
    const { tool_calls = [], ...said } = made;
    const conversation = { turns: [...turns.slice(0, turn), said] };
    return tool_calls.map((toolCall, call) => ({ turn, call, toolCall, conversation }));
  });
}

function documentsOf({ bytes, line }: Chunk, shape: LineShape): Document[] {
  if (shape !== 'lines') return [{ bytes }];
  const documents: Document[] = [];
  let [number, start] = [line, 0];
  while (start < bytes.length) {
    const end = bytes.indexOf(0x0a, start);
    documents.push({ line: number, bytes: bytes.subarray(start, end < 0 ? bytes.length : end) });
    start = end < 0 ? bytes.length : end + 1;
    number += 1;
  }
  return documents;
}
