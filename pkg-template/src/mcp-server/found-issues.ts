import {
  type IssueDetails,
  type LineVerdict,
  type ResultIssue,
  type ResultIssueDetails,
  SEVERITIES,
  type Severity,
  type ToolUseIssue,
  type TrajectoryVerdict,
} from 'toolgauge';
import { shortened } from '../texts.js';

/** An issue with its place, as the server reports it. */
export interface FoundIssue {
  readonly type: string;
  readonly severity: Severity;
  readonly description: string;
  readonly toolName?: string;
  readonly turnId?: number;
  /** The position of the call in its turn, from 0. */
  readonly callIndex?: number;
  /** The number of the turn whose reply the issue is about, if another turn made the call. */
  readonly replyTurnId?: number;
  /** The file, if a path was checked. */
  readonly source?: string;
  /** The line of the document, from 1, if each line is a document. */
  readonly line?: number;
  /** The id of the trajectory. */
  readonly trajectoryId?: string;
  /** The position of the trajectory in its document, from 0. */
  readonly index: number;
}

/** An issue, and how many of its severity, type and tool were found before it. */
interface Ranked {
  readonly issue: FoundIssue;
  readonly before: number;
}

type VerdictIssue = ToolUseIssue | ResultIssue;

/** The issues are sorted and cut when this many times the requested number are held. */
const HELD = 8;

const MOST_DESCRIBED = 600;

/** The most combinations of severity, type and tool that are counted. */
const MOST_KINDS = 10_000;

/**
 * Keeps the worst issues of any number of verdicts. Among issues of one severity, the first of each type and tool come
 * before repeated ones.
 */
export class WorstIssues {
  readonly #most: number;
  readonly #counts = new Map<string, number>();
  #held: Ranked[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  add(verdict: LineVerdict): void {
    if ('error' in verdict) return;
    const { results, resultIssues } = verdict;
    for (const issue of [...results.flatMap(({ issues }) => issues), ...resultIssues]) this.#hold(issue, verdict);
    if (this.#held.length > this.#most * HELD) this.#held = this.#worst();
  }

  /** The worst issues, in their order. */
  list(): FoundIssue[] {
    return this.#worst().map(({ issue }) => issue);
  }

  #hold(issue: VerdictIssue, verdict: TrajectoryVerdict): void {
    const kind = JSON.stringify([issue.severity, issue.type, issue.toolName]);
    const before = this.#counts.get(kind) ?? 0;
    if (before > 0 || this.#counts.size < MOST_KINDS) this.#counts.set(kind, before + 1);
    if (before < this.#most) this.#held.push({ issue: placed(issue, verdict), before });
  }

  #worst(): Ranked[] {
    return this.#held.toSorted(byRank).slice(0, this.#most);
  }
}

function byRank(a: Ranked, b: Ranked): number {
  const severity = SEVERITIES.indexOf(b.issue.severity) - SEVERITIES.indexOf(a.issue.severity);
  return severity === 0 ? a.before - b.before : severity;
}

function placed(
  { type, severity, description, toolName, turnId, details }: VerdictIssue,
  { source, line, id, index }: TrajectoryVerdict,
): FoundIssue {
  const callIndex = details?.callIndex;
  const replyTurnId = details === undefined ? undefined : replyTurnOf(details);
  return {
    type,
    severity,
    description: shortened(description, MOST_DESCRIBED),
    ...(toolName !== undefined && { toolName: shortened(toolName, 200) }),
    ...(turnId !== undefined && { turnId }),
    ...(callIndex !== undefined && { callIndex }),
    ...(replyTurnId !== undefined && replyTurnId !== turnId && { replyTurnId }),
    ...(source !== undefined && { source }),
    ...(line !== undefined && { line }),
    ...(id !== undefined && { trajectoryId: shortened(id, 200) }),
    index,
  };
}

/** The turn whose reply states what the issue is about. */
function replyTurnOf(details: Partial<IssueDetails & ResultIssueDetails>): number | undefined {
  const [stated] = [...(details.facts ?? []), ...(details.misattributed ?? [])];
  return details.replyTurnId ?? stated?.turnId;
}
