import {
  type CheckReport,
  type CompiledTools,
  checkTrajectories,
  compileTools,
  detectFormat,
  findUnsupportedFacts,
  importTrajectories,
  lintTools,
  type ResultIssue,
  scoreToolCalls,
  scoreTrajectories,
  type ToolTally,
  type ToolUseIssue,
  type Trajectory,
  type TrajectoryReport,
  type TrajectoryScore,
} from 'toolgauge';
import { callRows, shownPart } from './call-rows.ts';
import { correctionsOf } from './corrections.ts';
import { figuresOf } from './figures.ts';
import { checkOptions, readingOf } from './options.ts';
import { problemOf } from './problem.ts';
import type {
  Answer,
  Case,
  CheckResult,
  DocumentName,
  Documents,
  Finding,
  Inspection,
  Lint,
  Options,
  Problem,
  Scores,
} from './protocol.ts';
import { makeSearchable } from './search.ts';
import { toolTotals } from './tool-totals.ts';

/** Checks the trajectories of a case, and inspects the selected one. Never throws. */
export function check({
  documents,
  options,
  selected: wanted,
}: Case): Extract<Answer, { kind: 'checked' | 'unreadable' }> {
  const start = performance.now();
  const reading = readingOf(options);
  const trajectories = attempt('trajectory', () => importTrajectories(documents.trajectory, reading).value);
  const tools = attempt('tools', () => readTools(documents.tools));
  const problems = [...trajectories.problems, ...tools.problems];
  const compiled = tools.value;
  try {
    if (trajectories.value === undefined) {
      return { kind: 'unreadable', problems: problems.map(problem => withKind(problem, documents.trajectory)) };
    }
    const report = attempt('trajectory', () =>
      checkTrajectories(documents.trajectory, compiled, checkOptions(options)),
    );
    problems.push(...report.problems);
    if (report.value === undefined) return { kind: 'unreadable', problems };
    const selected = Math.min(wanted, trajectories.value.length - 1);
    const result = { report: report.value, selected, problems, time: 0 };
    const all = trajectories.value;
    const trajectory = all[selected];
    const checked = report.value.trajectories.find(({ index }) => index === selected);
    if (trajectory === undefined || checked === undefined) return { kind: 'checked', result };
    const scores = scoresOf(trajectories.value, documents, options);
    const known = scores.value?.trajectories.find(({ index }) => index === selected)?.accuracy;
    const accuracy = attempt('expected', () => known ?? score(trajectory, documents.expected));
    const tallies = attempt('trajectory', () => talliesOf(report.value, trajectory, compiled, options)).value ?? {};
    const inspection = attempt('trajectory', () => inspect(trajectory, checked, compiled, tallies));
    // What is wrong with expected calls is wrong for all trajectories: it is reported once.
    const unscored = accuracy.problems.length > 0 ? accuracy.problems : scores.problems;
    problems.push(...unscored, ...inspection.problems);
    if (inspection.value === undefined) return { kind: 'unreadable', problems };
    makeSearchable(trajectory);
    const carriesTools = all.some(({ tools }) => tools !== undefined);
    const lint = carriesTools || documents.tools.trim() !== '' ? lintOf(documents) : undefined;
    const earlier = attempt('before', () => earlierCalls(trajectory, all, documents.before, options)).value;
    const whole: CheckResult = {
      ...result,
      ...(lint && { lint }),
      ...(earlier && { earlier }),
      ...(scores.value && { scores: scores.value }),
      inspection: { ...inspection.value, ...(accuracy.value && { accuracy: accuracy.value }) },
      time: performance.now() - start,
    };
    return { kind: 'checked', result: whole };
  } finally {
    compiled?.[Symbol.dispose]?.();
  }
}

/** Tells a problem of a text that holds tool definitions from others. */
function withKind(problem: Problem, text: string): Problem {
  if (problem.document !== 'trajectory' || problem.code !== 'unknown_format') return problem;
  return detectFormat(text)?.kind === 'tools' ? { ...problem, areTools: true } : problem;
}

function readTools(text: string): CompiledTools | undefined {
  return text.trim() === '' ? undefined : compileTools(text);
}

/** Scores each of several trajectories: by the calls in `expected`, or else by those that it carries. */
function scoresOf(trajectories: readonly Trajectory[], { trajectory, expected }: Documents, options: Options) {
  const none = { value: undefined, problems: [] };
  if (trajectories.length < 2) return none;
  if (expected.trim() !== '') return attempt('expected', () => scoresBy(expected, trajectories));
  const isCarried = trajectories.some(({ expected_calls }) => expected_calls !== undefined);
  if (!isCarried) return none;
  const { taskKey } = options;
  const settings = { ...readingOf(options), ...(taskKey !== '' && { taskKey }) };
  return attempt('trajectory', (): Scores => scoreTrajectories(trajectory, settings));
}

function scoresBy(expected: string, trajectories: readonly Trajectory[]): Scores {
  const scored = trajectories.map((actual, index) => ({ index, accuracy: scoreToolCalls({ expected, actual }) }));
  return { trajectories: scored };
}

/** Compares with the calls in `expected`, or else with the calls that the trajectory itself expects. */
function score(trajectory: Trajectory, expected: string) {
  if (expected.trim() !== '') return scoreToolCalls({ expected, actual: trajectory });
  return trajectory.expected_calls === undefined ? undefined : scoreToolCalls({ actual: trajectory });
}

/** The counts by tool of one trajectory: if the report is of several, it is checked on its own. */
function talliesOf(
  report: CheckReport | undefined,
  trajectory: Trajectory,
  tools: CompiledTools | undefined,
  options: Options,
): Readonly<Record<string, ToolTally>> {
  if (report === undefined || report.trajectories.length === 1) return report?.summary.tools ?? {};
  const { format: _, ...rest } = checkOptions(options);
  return checkTrajectories(trajectory, tools, rest).summary.tools;
}

/** The issues of the tool definitions in `tools`, or else of those that the trajectory carries. */
export function lintOf({ tools, trajectory }: Pick<Documents, 'tools' | 'trajectory'>): Lint | undefined {
  const document = tools.trim() === '' ? 'trajectory' : 'tools';
  const text = document === 'tools' ? tools : trajectory;
  if (text.trim() === '') return undefined;
  const result = attempt(document, () => lintTools(text)).value;
  return result === undefined || result.tools === 0 ? undefined : { result, document };
}

function inspect(
  trajectory: Trajectory,
  checked: TrajectoryReport,
  tools: CompiledTools | undefined,
  tallies: Readonly<Record<string, ToolTally>>,
): Inspection {
  // There is one result for each agent turn that calls tools, in order. The numbers of turns need not be unique.
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
  const rows = callRows(trajectory);
  const figures = figuresOf(trajectory);
  return {
    trajectory: shownPart(trajectory, rows),
    rows,
    ...(figures && { figures }),
    tools: toolTotals(trajectory, rows, found, tallies, figures),
    findings: found.map((finding, id) => ({ ...finding, id })),
    suggestions,
    facts: findUnsupportedFacts(trajectory).facts,
    corrections: correctionsOf(trajectory, found, tools),
  };
}

/** The number of the turn whose reply an issue is about; undefined for an issue about a call. */
function replyOf({ details, turnId }: ToolUseIssue | ResultIssue): number | undefined {
  if (details?.facts?.[0] !== undefined) return details.facts[0].turnId;
  return details !== undefined && 'quote' in details ? turnId : undefined;
}

/** How the calls differ from those of the same trial of the task in the run before. */
function earlierCalls(
  trajectory: Trajectory,
  run: readonly Trajectory[],
  before: string,
  { taskKey }: Options,
): TrajectoryScore['accuracy'] | undefined {
  if (before.trim() === '') return undefined;
  const task = taskOf(trajectory, taskKey);
  const trials = (all: readonly Trajectory[]) => all.filter(one => taskOf(one, taskKey) === task);
  const earlier = importTrajectories(before).value;
  const isPair = run.length === 1 && earlier.length === 1;
  const counterpart = isPair ? earlier[0] : trials(earlier)[trials(run).indexOf(trajectory)];
  return counterpart && scoreToolCalls({ expected: callsOf(counterpart), actual: trajectory });
}

function taskOf(trajectory: Trajectory, key: string): unknown {
  return trajectory[key === '' ? 'task_id' : key] ?? trajectory.trajectory_id;
}

function callsOf({ turns }: Trajectory) {
  return turns.flatMap(({ tool_calls = [] }) =>
    tool_calls.map(({ name = '', arguments: given = {} }) => ({ tool: name, args: given })),
  );
}

/** The result of `read`, or else the problem that it has with a document. */
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
