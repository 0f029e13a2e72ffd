import { type CompiledTools, compileTools } from 'toolgauge';
import { describe, Failure, reading, remedyFor } from './failure.js';
import type { Source } from './files.js';
import type { ReadingFlags } from './problems.js';
import { forTools } from './remedies.js';

/** Compiles the tools of a file, and reports those that can't be used. Calls of the others are checked. */
export function compileSound(file: Source): CompiledTools {
  const tools = reading(file, forTools, () => compileTools(file.bytes, { allowErrors: true }));
  for (const error of tools.errors) {
    process.stderr.write(describe(new Failure(`${file.name}: ${error.message}`, remedyFor(error, forTools))));
  }
  return tools;
}

/** Whether tools that can't be used fail the command. */
export function hasFatalErrors(tools: CompiledTools | undefined, { allowErrors }: ReadingFlags): boolean {
  return tools !== undefined && tools.errors.length > 0 && allowErrors !== true;
}
