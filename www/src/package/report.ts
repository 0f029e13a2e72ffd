import { type CompiledTools, compileTools, reportTrajectories } from 'toolgauge';
import { checkOptions } from '../judge/options.ts';
import type { Answer, ReportQuestion } from '../judge/protocol.ts';

/** The verdict as a file. Never throws. */
export function report({ documents, options, as, source }: ReportQuestion): Answer {
  const tools = readTools(documents.tools);
  try {
    const { text } = reportTrajectories(documents.trajectory, tools, {
      ...checkOptions(options),
      as,
      ...(source !== undefined && { source }),
    });
    return { kind: 'reported', text };
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return { kind: 'unreadable', problems: [{ document: 'trajectory', code: 'internal', message }] };
  } finally {
    tools?.[Symbol.dispose]?.();
  }
}

/** Tools that cannot be read were told of beside the verdict. */
function readTools(text: string): CompiledTools | undefined {
  try {
    return text.trim() === '' ? undefined : compileTools(text);
  } catch {
    return undefined;
  }
}
