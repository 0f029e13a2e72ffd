import { type CompiledTools, compileTools, reportTrajectories } from 'toolgauge';
import { check } from './check.ts';
import { checkOptions } from './options.ts';
import type { Answer, Case, CheckResult, ReportQuestion, ReportSyntax } from './protocol.ts';

/** The result of a check as the text of a file. Never throws. */
export function report({ as, source, ...asked }: ReportQuestion): Answer {
  return as === 'json' ? reportAsJson(asked) : reportInPackage(asked, as, source);
}

function reportAsJson(asked: Case): Answer {
  const answer = check(asked);
  return answer.kind === 'checked' ? { kind: 'reported', text: jsonOf(answer.result) } : answer;
}

/** The report of the package, and beside it what the page shows of the selected trajectory. */
function jsonOf({ report, selected, inspection }: CheckResult): string {
  const { findings, facts, accuracy } = inspection ?? {};
  const issues = findings?.map(({ issue }) => issue);
  const inspected = { trajectory: selected, issues, unsupportedFacts: facts, accuracy };
  return `${JSON.stringify({ ...report, inspected }, null, 2)}\n`;
}

function reportInPackage({ documents, options }: Case, as: Exclude<ReportSyntax, 'json'>, source?: string): Answer {
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

/** The page shows beside the result that tools cannot be read: a report does without them. */
function readTools(text: string): CompiledTools | undefined {
  try {
    return text.trim() === '' ? undefined : compileTools(text);
  } catch {
    return undefined;
  }
}
