import type {
  AccuracyResult,
  CheckReport,
  FailOn,
  ResultIssue,
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
}

export const DEFAULT_OPTIONS: Options = {
  format: 'auto',
  strict: false,
  allowUnknownTools: false,
  failOn: 'high',
  minScore: 0,
  hallucinationThreshold: 0.3,
};

/** Asks for the verdict on the trajectory at `selected`, or for what a text is. */
export type Question =
  | {
      readonly kind: 'judge';
      readonly documents: Documents;
      readonly options: Options;
      readonly selected: number;
    }
  | { readonly kind: 'detect'; readonly text: string };

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
  /** The place of the call in its turn, from 0. */
  readonly call: number;
  /** Whether it counts in the score and the gate. What only verification looks for does not. */
  readonly counts: boolean;
}

/** One trajectory, judged. */
export interface Inspection {
  readonly trajectory: Trajectory;
  readonly findings: readonly Finding[];
  /** What would mend the calls of a turn, by the place of the turn. */
  readonly suggestions: Readonly<Record<number, readonly string[]>>;
  readonly facts: readonly UnsupportedFact[];
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
  | { readonly kind: 'detected'; readonly document: DocumentName | null };
