import type {
  CheckReport,
  FailOn,
  IssueTypeName,
  JsonValue,
  LintResult,
  RepairChange,
  ResultIssue,
  RuleLevel,
  RunDiff,
  ScoreReport,
  Severity,
  ToolUseIssue,
  Trajectory,
  TrajectoryFormat,
  TrajectoryScore,
  UnsupportedFact,
} from 'toolgauge';
import type { FileQuestion } from '../batch/protocol.ts';

/** The texts that a user can enter. `before` is an earlier run of the tasks in `trajectory`. */
export type DocumentName = 'trajectory' | 'tools' | 'expected' | 'before';

/** The texts; empty if the user entered none. */
export type Documents = Readonly<Record<DocumentName, string>>;

/** What a user can choose, named as in the package. */
export interface Options {
  readonly format: TrajectoryFormat | 'auto';
  readonly strict: boolean;
  readonly allowUnknownTools: boolean;
  readonly failOn: FailOn;
  /** From 0 to 1. */
  readonly minScore: number;
  /** From 0 to 1. */
  readonly hallucinationThreshold: number;
  /** The severities that replace the default of an issue type. */
  readonly rules: Rules;
  /** The field that names the task of a trajectory; empty for the default, `task_id` or else the id. */
  readonly taskKey: string;
}

export type Rules = { readonly [Type in IssueTypeName]?: RuleLevel };

export const DEFAULT_OPTIONS: Options = {
  format: 'auto',
  strict: false,
  allowUnknownTools: false,
  failOn: 'high',
  minScore: 0,
  hallucinationThreshold: 0.3,
  rules: {},
  taskKey: '',
};

/** What is checked. */
export interface Case {
  readonly documents: Documents;
  readonly options: Options;
  /** The index of the selected trajectory, from 0. */
  readonly selected: number;
}

/** How a report is written. */
export type ReportSyntax = 'json' | 'markdown' | 'html';

/** Asks for a report of a case. */
export interface ReportQuestion extends Case {
  readonly kind: 'report';
  readonly as: ReportSyntax;
  /** The name of the file that the trajectory is from. */
  readonly source?: string;
}

/** Asks how a run differs from the run before. */
export interface DiffQuestion {
  readonly kind: 'diff';
  readonly documents: Documents;
  /** The run, if it is a file that is too long to be a text on the page. */
  readonly file: File | undefined;
  readonly options: Options;
}

/**
 * Asks for the check of a case, for a report of one, for the difference of two runs, for the issues of tool definitions, for
 * the turns of the trajectory checked last that contain a text, for the kind of a text, or whether each line of a long text
 * is a trajectory of its own.
 */
export type Question =
  | (Case & { readonly kind: 'check' })
  | ReportQuestion
  | DiffQuestion
  | { readonly kind: 'lint'; readonly tools: string }
  | { readonly kind: 'search'; readonly text: string }
  | { readonly kind: 'detect'; readonly text: string }
  | { readonly kind: 'lines'; readonly head: string };

/** A question or an answer, with the number that both carry. */
export type Numbered<T> = T & { readonly id: number };

/** What the page sends to its worker. The worker answers `start` once the core runs. */
export type ToWorker =
  | { readonly kind: 'start'; readonly module: WebAssembly.Module }
  | Numbered<Question>
  | FileQuestion;

/** A document that cannot be read. */
export interface Problem {
  readonly document: DocumentName;
  readonly code: string;
  readonly message: string;
  /** The path, for example `turns[2].role`; absent for the whole text. */
  readonly path?: string;
  /** Whether the text holds tool definitions, where a trajectory should be. */
  readonly areTools?: boolean;
}

/** One issue, and the call or reply that has it. */
export interface Finding {
  /** Unique in one result. */
  readonly id: number;
  readonly issue: ToolUseIssue | ResultIssue;
  /** The index of the turn in the trajectory, from 0. */
  readonly turn: number;
  /** The index of the call in its turn, from 0; undefined for an issue of the reply. */
  readonly call: number | undefined;
}

/** What an invalid call should have been. */
export interface Correction {
  /** The index of the turn in the trajectory, from 0. */
  readonly turn: number;
  /** The index of the call in its turn, from 0. */
  readonly call: number;
  /** The valid call. */
  readonly corrected: { readonly name: string; readonly arguments: JsonValue };
  /** How it differs from the call that the agent made. */
  readonly changes: readonly RepairChange[];
}

/** A call as its row in the timeline shows it. */
export interface CallRow {
  /** Its arguments on one line, cut to a length. */
  readonly given: string;
  /** Its error or else its result on one line, cut to a length; empty without either. */
  readonly outcome: string;
  /** Whether the log says that it failed. */
  readonly isFailed: boolean;
  /** The length of its result as JSON, in characters; 0 without a result. */
  readonly size: number;
  /** Its result as JSON, if it is long: then the call itself has none. */
  readonly longResult?: string;
}

/** When something began and how long it took, in seconds since the run began. */
export interface Span {
  readonly start: number;
  readonly duration: number;
  /** Whether the log says how long it took. Otherwise the span lasts until the next turn. */
  readonly isMeasured: boolean;
}

/** The tokens that a model read and wrote, as far as the log says. */
export interface Tokens {
  readonly all: number;
  readonly input?: number;
  readonly output?: number;
}

/** How long a call took, as far as the log says. */
export interface CallFigures {
  readonly seconds?: number;
  readonly span?: Span;
}

/** What a turn took, as far as the log says. */
export interface TurnFigures {
  readonly span?: Span;
  readonly tokens?: Tokens;
  /** In the log's currency. */
  readonly cost?: number;
  /** Of its calls, in order. */
  readonly calls: readonly CallFigures[];
}

/** What a run took, as far as its log says. */
export interface RunFigures {
  /** Of each turn, in order. */
  readonly turns: readonly TurnFigures[];
  /** From the beginning of the first to the end of the last turn or call. */
  readonly seconds?: number;
  readonly tokens?: Tokens;
  /** In the log's currency. */
  readonly cost?: number;
}

/** What the calls of one tool show together. */
export interface ToolTotal {
  /** The name in the calls; empty for calls without a name. */
  readonly name: string;
  readonly calls: number;
  /** How many results are errors. */
  readonly errors: number;
  /** The number of issues of its calls, by severity. */
  readonly issues: Readonly<Record<Severity, number>>;
  /** In seconds; absent if the log does not say how long its calls took. */
  readonly seconds?: { readonly median: number; readonly most: number };
  /** Lengths of results as JSON, in characters. */
  readonly size: { readonly median: number; readonly most: number };
}

/** The issues of tool definitions. */
export interface Lint {
  readonly result: LintResult;
  /** The document that holds the definitions. */
  readonly document: 'tools' | 'trajectory';
}

/** All that the page shows of one trajectory. */
export interface Inspection {
  /** Without long results: see {@link CallRow}. */
  readonly trajectory: Trajectory;
  /** The rows of the calls, by turn. */
  readonly rows: readonly (readonly CallRow[])[];
  /** Absent if the log holds no durations, tokens or costs. */
  readonly figures?: RunFigures;
  /** The tools that are called, those with the most calls first. */
  readonly tools: readonly ToolTotal[];
  readonly findings: readonly Finding[];
  /** Remedies for the calls of a turn, by the index of the turn. */
  readonly suggestions: Readonly<Record<number, readonly string[]>>;
  readonly facts: readonly UnsupportedFact[];
  /** For the invalid calls whose correction is clear, in order. */
  readonly corrections: readonly Correction[];
  /** Present if calls are expected. */
  readonly accuracy?: TrajectoryScore['accuracy'];
}

/** The scores of several trajectories, and what several trials of a task show, if there are several. */
export interface Scores extends Pick<ScoreReport, 'trials'> {
  readonly trajectories: readonly Pick<TrajectoryScore, 'index' | 'accuracy'>[];
}

/** The result of a check. */
export interface CheckResult {
  readonly report: CheckReport;
  /** The index of the selected trajectory, from 0. */
  readonly selected: number;
  /** The selected trajectory; absent when the report does not have it. */
  readonly inspection?: Inspection;
  /** The tools and expected calls that cannot be read; the rest is checked without them. */
  readonly problems: readonly Problem[];
  /** How the trajectories compare with the calls that are expected of them; absent if none are or there is only one. */
  readonly scores?: Scores;
  /** The issues of the tool definitions, given or carried by the trajectory; absent if there are none. */
  readonly lint?: Lint;
  /** How the calls differ from those of the same task in the run before; absent if that run has no such task. */
  readonly earlier?: TrajectoryScore['accuracy'];
  /** How long the check took, in milliseconds. */
  readonly time: number;
}

export type Answer =
  | { readonly kind: 'checked'; readonly result: CheckResult }
  | { readonly kind: 'unreadable'; readonly problems: readonly Problem[] }
  | { readonly kind: 'reported'; readonly text: string }
  | { readonly kind: 'compared'; readonly diff: RunDiff }
  | { readonly kind: 'linted'; readonly lint: Lint | undefined }
  /** The indexes of the turns, and the places of the calls that contain the text, as `turn.call`. */
  | { readonly kind: 'found'; readonly turns: readonly number[]; readonly calls: readonly string[] }
  /** `text` is the text with each part of its JSON on a line, if the question was a text on one line. */
  | { readonly kind: 'detected'; readonly document: DocumentName | null; readonly text?: string };
