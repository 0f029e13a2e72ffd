import { detectFormat, importExpectations, importTrajectories } from 'toolgauge';
import { indented } from '../text/indent.ts';
import { check, lintOf } from './check.ts';
import { compareRuns } from './compare-runs.ts';
import type { Answer, DocumentName, Question } from './protocol.ts';
import { report } from './report.ts';
import { search } from './search.ts';

/** Answers one question. Never throws. */
export async function answer(question: Question): Promise<Answer> {
  switch (question.kind) {
    case 'check':
      return check(question);
    case 'report':
      return report(question);
    case 'diff':
      return compareRuns(question);
    case 'lint':
      return { kind: 'linted', lint: lintOf({ tools: question.tools, trajectory: '' }) };
    case 'search':
      return search(question.text);
    case 'detect':
      return { kind: 'detected', document: detect(question.text), ...onLines(question.text) };
    case 'lines':
      return { kind: 'detected', document: beginsWithLines(question.head) ? 'trajectory' : null };
  }
}

/** Programs write JSON on one line, which nobody can read. */
function onLines(text: string): { readonly text?: string } {
  return /\n./.test(text) ? {} : { text: indented(text) };
}

function detect(text: string): DocumentName | null {
  try {
    const detected = detectFormat(text);
    if (detected !== null) return detected.kind;
    importExpectations(text);
    return 'expected';
  } catch {
    return null;
  }
}

/** `true` if each line of the text that begins with `head` is a document of its own, not a piece of one. */
function beginsWithLines(head: string): boolean {
  const [line = '', next] = head.split('\n', 2);
  if (next === undefined) return false;
  try {
    return importTrajectories(line).value.length > 0;
  } catch {
    return false;
  }
}
