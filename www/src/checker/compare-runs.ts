import { type CompiledTools, compileTools, diffRuns } from 'toolgauge';
import { checkOptions } from './options.ts';
import { problemOf } from './problem.ts';
import type { Answer, DiffQuestion, DocumentName } from './protocol.ts';

/** A longer file is not compared, because both runs are read as a whole, in bytes. */
const MOST_BYTES = 256_000_000;

/** Compares a run with the run before. Never throws. */
export async function compareRuns({ documents, file, options }: DiffQuestion): Promise<Answer> {
  const { tools: definitions, expected, before } = documents;
  if (file !== undefined && file.size > MOST_BYTES) return unreadable(new Error(TOO_LONG));
  let tools: CompiledTools | undefined;
  try {
    const after = file === undefined ? documents.trajectory : new Uint8Array(await file.arrayBuffer());
    tools = definitions.trim() === '' ? undefined : compileTools(definitions);
    const { minScore: _, ...settings } = checkOptions(options);
    const diff = diffRuns(before, after, {
      ...settings,
      ...(tools !== undefined && { tools }),
      ...(expected.trim() !== '' && { expected }),
    });
    return { kind: 'compared', diff };
  } catch (thrown) {
    return unreadable(thrown);
  } finally {
    tools?.[Symbol.dispose]?.();
  }
}

const TOO_LONG = 'The file is too long to be compared here: toolgauge diff compares files of any length.';

function unreadable(thrown: unknown): Answer {
  const document: DocumentName = 'before';
  return { kind: 'unreadable', problems: [problemOf(document, thrown)] };
}
