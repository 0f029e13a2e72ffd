import { type CheckSummary, explainIssues, type Unjudged } from 'toolgauge';
import { counted } from '../texts.js';
import type { CheckedLogs } from './check-logs.js';
import type { FoundIssue } from './found-issues.js';
import type { ToolAnswer } from './service.js';
import { scoreText, sections } from './texts.js';

/** What is not checked, and why. */
const UNJUDGED: Readonly<Record<Unjudged, string>> = {
  no_results: 'results and replies, because the log contains no results',
  no_request: 'facts in replies, because the log contains no user message and no instructions',
  hidden_results: 'facts in some replies, because the log lacks what tools of the platform returned',
  not_run: 'all but the arguments of the expected calls, because nobody ran them',
  unrecorded_contents: 'calls whose arguments or results the log does not record',
};

/** What `check_trajectory` answers. If `namesTrajectory` is true, issues name their file and trajectory. */
export function checkAnswer(checked: CheckedLogs, namesTrajectory: boolean): ToolAnswer {
  const { summary, gate, issues, unread, warnings } = checked;
  const leftOut = summary.issues - issues.length;
  const remedies = remediesFor(issues);
  const structured = {
    passed: gate.passed,
    failures: gate.failures,
    score: summary.score,
    trajectories: summary.trajectories,
    clean: summary.clean,
    failed: summary.trajectories - summary.passed,
    calls: summary.calls,
    withTools: summary.withTools,
    formats: summary.formats,
    issuesByType: summary.issuesByType,
    issuesBySeverity: summary.issuesBySeverity,
    issues,
    leftOut,
    remedies,
    unread,
    warnings,
    ignored: summary.ignored,
    notChecked: notCheckedTexts(summary),
  };
  const text = sections(
    headOf(checked),
    issues.map(issue => issueText(issue, namesTrajectory)),
    leftOutTexts(leftOut, summary),
    remedyTexts(remedies),
    unread.map(reason => `Not read: ${reason}`),
    warnings.map(warning => `Warning: ${warning}`),
  );
  return { text, structured };
}

function headOf({ summary, gate }: CheckedLogs): string[] {
  const verdict = gate.passed ? 'PASSED' : `FAILED: ${gate.failures.join('; ')}`;
  const formats = Object.keys(summary.formats).join(', ');
  const what = `${counted(summary.trajectories, 'trajectory', 'trajectories')} (${formats})`;
  const issues = summary.issues === 0 ? 'no issues' : counted(summary.issues, 'issue');
  const ignored = summary.ignored === 0 ? '' : `, ${summary.ignored} more ignored by the settings`;
  const counts = `${what}, ${counted(summary.calls, 'call')}, ${issues}${ignored}`;
  const notChecked = notCheckedTexts(summary).map(reason => `Not checked: ${reason}`);
  return [`${verdict}. Score ${scoreText(summary.score)}; ${counts}.`, ...notChecked];
}

/** What was not checked, so that a pass does not cover it. */
function notCheckedTexts({ trajectories, withTools, calls, unjudged }: CheckSummary): string[] {
  const without = trajectories - withTools;
  const of = (count: number) => (count === trajectories ? '' : ` of ${counted(count, 'trajectory', 'trajectories')}`);
  const tools = `names and arguments${of(without)}, because there are no tool definitions: give tools or toolsPath`;
  const reasons = Object.entries(unjudged).map(([reason, count]) => `${UNJUDGED[reason as Unjudged]}${of(count)}`);
  return [...(without > 0 && calls > 0 ? [tools] : []), ...reasons];
}

function leftOutTexts(leftOut: number, summary: CheckSummary): string[] {
  if (leftOut === 0) return [];
  const counts = countsText(summary);
  return [`${counted(leftOut, 'more issue')} not listed (maxIssues lists more). All by type: ${counts}.`];
}

/** An issue on one line. Calls are counted from 1 here, as in all reports for people. */
function issueText(issue: FoundIssue, namesTrajectory: boolean): string {
  const { severity, type, description } = issue;
  const place = [...(namesTrajectory ? [trajectoryText(issue)] : []), ...placeTexts(issue)].join(', ');
  return `- ${severity} ${type}${place === '' ? '' : ` at ${place}`}: ${description.replaceAll(/\s+/g, ' ')}`;
}

function placeTexts({ turnId, callIndex, toolName, replyTurnId }: FoundIssue): string[] {
  const call = [
    ...(turnId === undefined ? [] : [`turn ${turnId}`]),
    ...(callIndex === undefined ? [] : [`call ${callIndex + 1}`]),
    ...(toolName === undefined ? [] : [toolName]),
  ];
  return replyTurnId === undefined ? call : [`turn ${replyTurnId} (reply about ${call.join(', ')})`];
}

function trajectoryText({ source, line, trajectoryId, index }: FoundIssue): string {
  const place = source === undefined ? [] : [source];
  if (line !== undefined) return [...place, `line ${line}`].join(' ');
  return [...place, trajectoryId === undefined ? `#${index}` : JSON.stringify(trajectoryId)].join(' ');
}

function countsText({ issuesByType }: CheckSummary): string {
  return Object.entries(issuesByType)
    .toSorted(([, a], [, b]) => (b ?? 0) - (a ?? 0))
    .map(([type, count]) => `${type} ${count}`)
    .join(', ');
}

/** What to do about each type of issue. */
function remediesFor(issues: readonly FoundIssue[]): Record<string, string> {
  const types = new Set(issues.map(({ type }) => type));
  const known = explainIssues().filter(({ type }) => types.has(type));
  return Object.fromEntries(known.map(({ type, remedy }) => [type, remedy]));
}

/** The remedies; types with the same one share a line. */
function remedyTexts(remedies: Readonly<Record<string, string>>): string[] {
  const types = new Map<string, string[]>();
  for (const [type, remedy] of Object.entries(remedies)) types.set(remedy, [...(types.get(remedy) ?? []), type]);
  return [...types].map(([remedy, types]) => `To fix ${types.join(', ')}: ${remedy}`);
}
