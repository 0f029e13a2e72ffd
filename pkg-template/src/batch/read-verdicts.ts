import type { TrajectoryVerdict, UnreadDocument } from '../types.js';
import type { CheckedChunk } from './check-chunk.js';

/** The verdicts of a chunk whose first report is written as `jsonl`. */
export function readVerdicts({ reports: [text = ''] }: CheckedChunk): (TrajectoryVerdict | UnreadDocument)[] {
  return JSON.parse(`[${text.replaceAll('\n', ',')}]`);
}
