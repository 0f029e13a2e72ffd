import type { ResultIssue, ToolUseIssue, Trajectory, TrajectoryReport } from 'toolgauge';
import {
  type CompiledTools,
  checkTrajectories,
  compileTools,
  detectFormat,
  findUnsupportedFacts,
  importExpectations,
  importTrajectories,
  scoreToolCalls,
  ToolgaugeError,
  version,
} from 'toolgauge/slim';
import { correctionsOf } from './corrections.ts';
import { checkOptions, readingOf } from './options.ts';
import type {
  Answer,
  Case,
  DocumentName,
  Finding,
  Inspection,
  Judged,
  Options,
  Problem,
  Question,
} from './protocol.ts';

type Verdict = Extract<Answer, { readonly kind: 'judged' | 'unreadable' }>;

/** Starts the core, so that the first verdict does not wait for it. */
export function prepare(): void {
  version();
}

/** Answers one question. Never throws. */
export function answer(question: Question): Answer {
  switch (question.kind) {
    case 'detect':
      return { kind: 'detected', document: detect(question.text) };
    case 'lines':
      return lines(question.head);
    case 'tell':
      return tell(question);
    case 'judge':
      return judge(question);
  }
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

/** Whether each of the lines that `head` begins with is a document of its own, not a piece of one. */
function lines(head: string): Answer {
  const [line = '', next] = head.split('\n', 2);
  const { value = [], problems } = attempt('trajectory', () => importTrajectories(line).value);
  if (problems.some(problem => isBeyond(problem, line))) return { kind: 'beyond' };
  return { kind: 'detected', document: next !== undefined && value.length > 0 ? 'trajectory' : null };
}

/** Whether a problem with a text is that the core tells its format, or is told it, but does not read it. */
function isBeyond({ document, code }: Problem, text: string, format: Options['format'] = 'auto'): boolean {
  if (document === 'tools' || code !== 'unknown_format') return false;
  return (document === 'trajectory' && format !== 'auto') || detectFormat(text)?.kind === 'trajectory';
}

/** The verdict as JSON, which also holds what was looked at more closely: the selected trajectory. */
function tell(asked: Case): Answer {
  const answer = judge(asked);
  return answer.kind === 'judged' ? { kind: 'reported', text: jsonReport(answer.judged) } : answer;
}

function jsonReport({ report, selected, inspection }: Judged): string {
  const { findings, facts, accuracy } = inspection ?? {};
  const issues = findings?.map(({ issue }) => issue);
  const inspected = { trajectory: selected, issues, unsupportedFacts: facts, accuracy };
  return `${JSON.stringify({ ...report, inspected }, null, 2)}\n`;
}

function judge(asked: Case): Answer {
  const verdict = verdictOn(asked);
  const { problems } = verdict.kind === 'judged' ? verdict.judged : verdict;
  const { documents, options } = asked;
  return problems.some(problem => isBeyond(problem, documents[problem.document], options.format))
    ? { kind: 'beyond' }
    : verdict;
}

function verdictOn({ documents, options, selected: wanted }: Case): Verdict {
  const start = performance.now();
  const reading = readingOf(options);
  const trajectories = attempt('trajectory', () => importTrajectories(documents.trajectory, reading).value);
  const tools = attempt('tools', () => readTools(documents.tools));
  const problems = [...trajectories.problems, ...tools.problems];
  const compiled = tools.value;
  try {
    if (trajectories.value === undefined) return { kind: 'unreadable', problems };
    const report = attempt('trajectory', () =>
      checkTrajectories(documents.trajectory, compiled, checkOptions(options)),
    );
    problems.push(...report.problems);
    if (report.value === undefined) return { kind: 'unreadable', problems };
    const selected = Math.min(wanted, trajectories.value.length - 1);
    const judged = { report: report.value, selected, problems, time: 0 };
    const trajectory = trajectories.value[selected];
    const checked = report.value.trajectories.find(({ index }) => index === selected);
    if (trajectory === undefined || checked === undefined) return { kind: 'judged', judged };
    const accuracy = attempt('expected', () => score(trajectory, documents.expected));
    const inspection = attempt('trajectory', () => inspect(trajectory, checked, compiled));
    problems.push(...accuracy.problems, ...inspection.problems);
    if (inspection.value === undefined) return { kind: 'unreadable', problems };
    const whole: Judged = {
      ...judged,
      inspection: { ...inspection.value, ...(accuracy.value && { accuracy: accuracy.value }) },
      time: performance.now() - start,
    };
    return { kind: 'judged', judged: whole };
  } finally {
    compiled?.[Symbol.dispose]?.();
  }
}

function readTools(text: string): CompiledTools | undefined {
  return text.trim() === '' ? undefined : compileTools(text);
}

/** Against the calls that are given, or else those that the trajectory says should have been made. */
function score(trajectory: Trajectory, expected: string) {
  if (expected.trim() !== '') return scoreToolCalls({ expected, actual: trajectory });
  return trajectory.expected_calls === undefined ? undefined : scoreToolCalls({ actual: trajectory });
}

function inspect(trajectory: Trajectory, checked: TrajectoryReport, tools: CompiledTools | undefined): Inspection {
  // Validation gives a result for each agent turn that calls tools, in order: numbers of turns need not be unique.
  const calling = trajectory.turns.flatMap((turn, index) =>
    turn.role === 'agent' && (turn.tool_calls?.length ?? 0) > 0 ? [index] : [],
  );
  const byNumber = new Map(trajectory.turns.map((turn, index) => [turn.turn_id, index]));
  const suggestions: Record<number, readonly string[]> = {};
  const found: Omit<Finding, 'id'>[] = [];
  const add = (issue: ToolUseIssue | ResultIssue, turn: number) => {
    const reply = replyOf(issue);
    if (reply === undefined) found.push({ issue, turn, call: issue.details?.callIndex ?? 0 });
    else found.push({ issue, turn: byNumber.get(reply) ?? turn, call: undefined });
  };
  checked.results.forEach((result, place) => {
    const turn = calling[place] ?? 0;
    if (result.suggestions.length > 0) suggestions[turn] = [...new Set(result.suggestions)];
    for (const issue of result.issues) add(issue, turn);
  });
  for (const issue of checked.resultIssues) add(issue, byNumber.get(issue.turnId ?? 0) ?? 0);
  found.sort((a, b) => a.turn - b.turn || (a.call ?? -1) - (b.call ?? -1));
  return {
    trajectory,
    findings: found.map((finding, id) => ({ ...finding, id })),
    suggestions,
    facts: findUnsupportedFacts(trajectory).facts,
    corrections: correctionsOf(trajectory, found, tools),
  };
}

/** The number of the turn of the reply that an issue is about; undefined for an issue about a call. */
function replyOf({ details, turnId }: ToolUseIssue | ResultIssue): number | undefined {
  if (details?.facts?.[0] !== undefined) return details.facts[0].turnId;
  return details !== undefined && 'quote' in details ? turnId : undefined;
}

/** What `read` gives, or else the problem that it has with a document. */
function attempt<T>(
  document: DocumentName,
  read: () => T,
): { readonly value: T | undefined; readonly problems: Problem[] } {
  try {
    return { value: read(), problems: [] };
  } catch (thrown) {
    return { value: undefined, problems: [problemOf(document, thrown)] };
  }
}

function problemOf(document: DocumentName, thrown: unknown): Problem {
  if (!(thrown instanceof ToolgaugeError)) return { document, code: 'internal', message: String(thrown) };
  const { code, message, path } = thrown;
  return { document, code, message, ...(path !== undefined && { path }) };
}
