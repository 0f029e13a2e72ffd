import type {
  AccuracyResult,
  CheckReport,
  FailOn,
  IssueTypeName,
  JsonValue,
  RepairChange,
  ResultIssue,
  RuleLevel,
  ToolUseIssue,
  Trajectory,
  TrajectoryFormat,
  UnsupportedFact,
} from 'toolgauge';

/** The three texts that a person gives. */
export type DocumentName = 'trajectory' | 'tools' | 'expected';

/** The texts, empty where none is given. */
export type Documents = Readonly<Record<DocumentName, string>>;

/** What a person can choose; named as in the package. */
export interface Options {
  readonly format: TrajectoryFormat | 'auto';
  readonly strict: boolean;
  readonly allowUnknownTools: boolean;
  readonly failOn: FailOn;
  /** From 0 to 1. */
  readonly minScore: number;
  /** From 0 to 1. */
  readonly hallucinationThreshold: number;
  /** The severity of types of issues, where it is not the usual one. */
  readonly rules: Rules;
}

export type Rules = { readonly [Type in IssueTypeName]?: RuleLevel };

/** As a record, so that a level that the package adds is missed by the compiler. */
export const RULE_LEVELS = Object.keys({
  off: 0,
  low: 0,
  medium: 0,
  high: 0,
  critical: 0,
} satisfies Record<RuleLevel, 0>) as readonly RuleLevel[];

/** As a record, so that a format that the package adds is missed by the compiler. */
export const FORMATS = Object.keys({
  harness: 0,
  'openai-chat': 0,
  'openai-responses': 0,
  'openai-agents': 0,
  anthropic: 0,
  'ai-sdk-ui': 0,
  'ai-sdk-model': 0,
  'ai-sdk-steps': 0,
  gemini: 0,
  bedrock: 0,
  'tau-bench': 0,
  tau2: 0,
  langchain: 0,
  langsmith: 0,
  langfuse: 0,
  'otel-genai': 0,
  openinference: 0,
  mastra: 0,
  atif: 0,
  'swe-agent': 0,
  'claude-code': 0,
  inspect: 0,
  adk: 0,
  hermes: 0,
  tooltalk: 0,
  bfcl: 0,
} satisfies Record<TrajectoryFormat, 0>) as readonly TrajectoryFormat[];

export const FAIL_ON: readonly FailOn[] = ['low', 'medium', 'high', 'critical', 'never'];

export const DEFAULT_OPTIONS: Options = {
  format: 'auto',
  strict: false,
  allowUnknownTools: false,
  failOn: 'high',
  minScore: 0,
  hallucinationThreshold: 0.3,
  rules: {},
};

/** What is judged. */
export interface Case {
  readonly documents: Documents;
  readonly options: Options;
  /** The place of the trajectory that is looked at, from 0. */
  readonly selected: number;
}

/** How the package writes reports for the page. */
export type ReportSyntax = 'markdown' | 'html';

/** Asks for a report of a case. */
export interface ReportQuestion extends Case {
  readonly kind: 'report';
  readonly as: ReportSyntax;
  /** The name of the file that the trajectory is from. */
  readonly source?: string;
}

/**
 * Asks for the verdict on a case, for the same as JSON, for what a text is, or whether the lines of a long one are
 * trajectories by themselves.
 */
export type Question =
  | (Case & { readonly kind: 'judge' | 'tell' })
  | { readonly kind: 'detect'; readonly text: string }
  | { readonly kind: 'lines'; readonly head: string };

/** A question with the number that its answer carries. */
export type Numbered<T> = T & { readonly id: number };

/** A document that cannot be read. */
export interface Problem {
  readonly document: DocumentName;
  readonly code: string;
  readonly message: string;
  /** The place, such as `turns[2].role`; absent for the whole text. */
  readonly path?: string;
}

/** One issue, with the place of its call. */
export interface Finding {
  /** Unique in one verdict. */
  readonly id: number;
  readonly issue: ToolUseIssue | ResultIssue;
  /** The place of the turn in the trajectory, from 0. */
  readonly turn: number;
  /** The place of the call in its turn, from 0; undefined for an issue about what the agent said. */
  readonly call: number | undefined;
}

/** What an invalid call should have been. */
export interface Correction {
  /** The place of the turn in the trajectory, from 0. */
  readonly turn: number;
  /** The place of the call in its turn, from 0. */
  readonly call: number;
  /** The call that is valid. */
  readonly corrected: { readonly name: string; readonly arguments: JsonValue };
  /** What differs from the call that was made. */
  readonly changes: readonly RepairChange[];
}

/** One trajectory, judged. */
export interface Inspection {
  readonly trajectory: Trajectory;
  readonly findings: readonly Finding[];
  /** What would mend the calls of a turn, by the place of the turn. */
  readonly suggestions: Readonly<Record<number, readonly string[]>>;
  readonly facts: readonly UnsupportedFact[];
  /** Of the invalid calls for which it is clear what they should have been, in order. */
  readonly corrections: readonly Correction[];
  /** Present when calls are expected. */
  readonly accuracy?: AccuracyResult;
}

/** Everything that was judged. */
export interface Judged {
  readonly report: CheckReport;
  readonly selected: number;
  readonly inspection?: Inspection;
  /** The tools and expected calls that cannot be read; the rest is judged without them. */
  readonly problems: readonly Problem[];
  /** How long it took, in milliseconds. */
  readonly time: number;
}

export type Answer =
  | { readonly kind: 'judged'; readonly judged: Judged }
  | { readonly kind: 'unreadable'; readonly problems: readonly Problem[] }
  | { readonly kind: 'reported'; readonly text: string }
  | { readonly kind: 'detected'; readonly document: DocumentName | null }
  /** The slim build tells what a document is but does not read it: ask the package. */
  | { readonly kind: 'beyond' };
