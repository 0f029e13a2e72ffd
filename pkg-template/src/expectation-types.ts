// Written by `cargo xtask types` from tests/typescript/expectations.rs: change that.
import type { Extensible } from './input.js';
import type { CallOrder } from './types.js';

/** The types of JSON values, as JSON Schema names them: `integer` is a number without a fraction. */
export type JsonTypeName = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

/**
 * A matcher that takes no value.
 *
 * - `exact`: equal, as JSON Schema has it: 1 and 1.0 are, 5 and "5" are not. The default.
 * - `ignore`: anything, and nothing at all.
 * - `subset`: objects may lack expected members, and so may the objects in them.
 * - `superset`: objects may have more members, and so may the objects in them.
 * - `contains`: a text or array that contains the expected text, item or items.
 * - `caseInsensitive`: texts are equal but for case.
 * - `date`: texts name the same date, time or both, however written.
 * - `unordered`: arrays hold the same items in any order.
 * - `type`: a value of the expected value's JSON type.
 * - `normalized`: texts are equal but for case, spaces, the characters `,./-_*^` and single or double quotes, as the Berkeley Function Calling Leaderboard compares them.
 * - `coerce`: values are equal but for their types: 5 and "5", true and "true", "x" and ["x"], an object and its JSON text.
 */
export type MatcherName = 'exact' | 'ignore' | 'subset' | 'superset' | 'contains' | 'caseInsensitive' | 'date' | 'unordered' | 'type' | 'normalized' | 'coerce';

/** What may be said of an argument besides how it is compared. */
export interface MatcherPresence {
  /** Whether the argument may be left out, or be null. Default false. */
  readonly optional?: boolean;
  /** The value that the argument has when it is left out, in the expected call or in the actual call. */
  readonly default?: unknown;
  /** What is asked for, in your own words, for messages: `expected a record locator, got "x"`. */
  readonly label?: string;
}

/** The matchers. An argument has at most one, but `match` can be combined with `oneOf`. */
export interface Matchers {
  /** One of these values, or the expected value if there is one. */
  readonly oneOf: readonly unknown[];
  /** A text in which this pattern is found: ECMAScript syntax, as in JSON Schema's `pattern`. */
  readonly regex: string;
  /** A text that contains this text, or an array that contains this item, or all items of this array. */
  readonly contains: unknown;
  /** A number that differs from the expected number by at most this, or by this share of it. */
  readonly tolerance: number | {
    /** The difference itself. Default 0. */
    readonly absolute?: number;
    /** The difference as a share of the expected number: 0.1 is a tenth. Default 0. The greater of the two counts. */
    readonly relative?: number;
  };
  /** A value of this JSON type, or of one of these. */
  readonly type: JsonTypeName | readonly JsonTypeName[];
  /**
   * A text whose similarity to the expected text is at least this, from 0 to 1. The similarity is 1 − edit distance
   * (Levenshtein, in characters) / length of the longer text.
   */
  readonly similar: number;
  /** A number between these bounds, both included. One of them is enough. */
  readonly range: {
    /** The least number. */
    readonly min: number;
    /** The greatest number, not less than min. */
    readonly max?: number;
  } | {
    /** The least number. */
    readonly min?: number;
    /** The greatest number, not less than min. */
    readonly max: number;
  };
  /** A value that this JSON Schema accepts. */
  readonly schema: object | boolean;
  /** A value that the comparator of this name accepts: a function that is passed to scoreToolCalls. */
  readonly compare: string;
  /**
   * A value that equals the expected value, or for which a judge answers this question with yes. Judges are passed to
   * scoreToolCallsAsync.
   */
  readonly judge: string;
  /** A matcher that takes no value, by its name. Beside `oneOf`: how the value is compared with each of them. */
  readonly match: MatcherName;
}

type NoMatcherBut<Kind extends keyof Matchers> = { readonly [Other in Exclude<keyof Matchers, Kind>]?: undefined };

type OneMatcher = { [Kind in keyof Matchers]: Pick<Matchers, Kind> & NoMatcherBut<Kind> }[keyof Matchers];

type OneOfBy = Pick<Matchers, 'oneOf' | 'match'> & NoMatcherBut<'oneOf' | 'match'>;

/**
 * How one argument is compared: at most one matcher (or `oneOf` with `match`), and what else is said of the argument.
 */
export type Matcher = MatcherName | 'optional' | (MatcherPresence & (OneMatcher | OneOfBy | NoMatcherBut<never>));

/**
 * Matchers by path inside the arguments. The name of a matcher alone is for all arguments. Paths: `limit`,
 * `filters.tags[*]`, `items[0].id`, `*.note`, `*_id`, `headers["x.y"]`; the empty path is all arguments. `*` matches
 * any characters of a key, except in brackets. If several fit one place, the last wins.
 */
export type PathMatchers = MatcherName | 'optional' | { readonly [path: string]: Matcher };

/** Matchers by the name of the tool; `*` is for all tools. */
export type ToolMatchers = { readonly [tool: string]: PathMatchers };

/** A call, and how its arguments are compared. Members that toolgauge does not know are ignored. */
export type CallPatternInput = Extensible<{
  /**
   * The tool's name, or a pattern: `*` matches any characters. A name matches across MCP prefixes (`mcp__server__tool`,
   * `server__tool`, `tool`) where that is unambiguous.
   */
  readonly tool: string;
  /** The expected arguments. Default: none. null means none, too. */
  readonly args?: unknown;
  /** How the arguments are compared. These matchers override those of the tool. */
  readonly matchers?: PathMatchers;
  /** The result that the call should have. Default: any. */
  readonly result?: unknown;
  /** How the result is compared, by path. Without `result`, what no path names may be anything. */
  readonly resultMatchers?: PathMatchers;
  /**
   * Whether the call should fail: with any error, with none, with this error, or with one that a matcher accepts.
   * Default: either.
   */
  readonly error?: boolean | string | Matcher;
  readonly anyOf?: never;
  readonly sequence?: never;
  readonly unordered?: never;
}>;

/** The name of a tool, for a call with any arguments; or a call. A call that does not say how often it is made. */
export type CallAloneInput = string | (CallPatternInput & { readonly optional?: never; readonly times?: never });

/** Alternatives: any one of these calls will do. */
export interface CallAlternatives {
  /** The alternatives, at least one. */
  readonly anyOf: readonly CallAloneInput[];
  readonly tool?: never;
  readonly args?: never;
  readonly matchers?: never;
  readonly result?: never;
  readonly resultMatchers?: never;
  readonly error?: never;
}

/** A group of calls, which may contain groups: calls one after the other, or calls in any order. */
export type CallGroupInput = 
  | {
    /** Calls that must be made one after the other, with any other calls in between. */
    readonly sequence: readonly ExpectedCallInput[]; readonly tool?: never; readonly unordered?: never; readonly anyOf?: never; readonly optional?: never; readonly times?: never;
  }
  | {
    /** Calls that may be made in any order. */
    readonly unordered: readonly ExpectedCallInput[]; readonly tool?: never; readonly sequence?: never; readonly anyOf?: never; readonly optional?: never; readonly times?: never;
  };

/** Alternatives, at least one of them a group. All calls of one alternative should be made. */
export type AlternativeGroups = {
  /** The alternatives, at least one. */
  readonly anyOf: readonly (CallAloneInput | CallGroupInput)[]; readonly tool?: never; readonly sequence?: never; readonly unordered?: never; readonly optional?: never; readonly times?: never;
};

/** How often an expected call is made. */
export interface Occurrence {
  /** Whether the call may be left out. Default false. */
  readonly optional?: boolean;
  /**
   * How often the call is made: exactly so often, or from `min` (default 1) to `max` (default: any number of times).
   * Default once.
   */
  readonly times?: number | {
    /** The fewest times. Default 1. */
    readonly min?: number;
    /** The most times. Default: any number. */
    readonly max?: number;
  };
}

/**
 * A call that should be made: the name of a tool for a call with any arguments, a call with its arguments, or
 * alternatives; or a group of calls.
 */
export type ExpectedCallInput = string | ((CallPatternInput | CallAlternatives) & Occurrence) | CallGroupInput | AlternativeGroups;

/** A call that must not be made. The name of a tool, or a call without `args`, forbids every call of that tool. */
export type ForbiddenCallInput = CallAloneInput;

/** Whether calls that are not expected lower the score: all of them, none, or those beyond a number. */
export type ExtraCalls = 'forbid' | 'allow' | {
  /** The number of unexpected calls that do not count. */
  readonly max: number;
};

/** The most that a run may cost. What the log does not record is not checked. */
export interface RunBudget {
  /** Calls of tools. */
  readonly calls?: number;
  /** Turns of the agent. */
  readonly turns?: number;
  /** Tokens that the model read and wrote. */
  readonly tokens?: number;
  /** Seconds from the first to the last timestamp. */
  readonly seconds?: number;
  /** Money, in the unit of the log. */
  readonly cost?: number;
}

/**
 * Tools whose calls do not count: a name, a pattern, or those whose definitions say that they only read
 * (`annotations.readOnlyHint`, as MCP has it).
 */
export type IgnoredTools = string | {
  /** Always true. */
  readonly readOnly: true;
};

/** The lowest scores of tools, by names or patterns. */
export type ToolThresholds = { readonly [tool: string]: number };

/** The calls that should be made after one message of the user. */
export interface ExpectedTurn {
  /** The calls that should be made. */
  readonly calls: readonly ExpectedCallInput[];
  /** Whether the order counts. Default `any`. */
  readonly order?: CallOrder;
}

/** What expectations say besides the calls that should be made. */
export interface ExpectationTerms {
  /** Where the JSON Schema of expectation files is, for editors. */
  readonly $schema?: string;
  /** The calls that must not be made. One such call makes the score 0. */
  readonly forbidden?: readonly ForbiddenCallInput[];
  /** Whether the order counts. Default `any`. */
  readonly order?: CallOrder;
  /** How arguments are compared, by tool and path. */
  readonly matchers?: ToolMatchers;
  /**
   * Whether calls that are not expected lower the score: all of them do (`forbid`, the default), none, or those beyond
   * a number.
   */
  readonly extra?: ExtraCalls;
  /** The only tools that may be called, by names or patterns. A call of another tool is forbidden. Default: all. */
  readonly only?: readonly string[];
  /**
   * The tools whose calls do not count: names, patterns, and `{readOnly: true}` for those that only read by their
   * definitions.
   */
  readonly ignoreTools?: readonly IgnoredTools[];
  /** Which attempts count: all, or those that did not fail. Default `all`. */
  readonly attempts?: 'all' | 'successful';
  /** What the replies must state: facts, which are compared by value, or texts. */
  readonly states?: readonly string[];
  /** The most that the run may cost, as far as its log records it. */
  readonly budget?: RunBudget;
  /** The lowest scores of tools, by names or patterns, from 0 to 1. */
  readonly thresholds?: ToolThresholds;
  /**
   * Whether an argument that is null and one that is left out are the same, at every depth of objects. Default false.
   */
  readonly nullIsAbsent?: boolean;
  /**
   * Whether an argument that is left out has the default of the tool's JSON Schema, in the expected call and in the
   * actual call, in nested objects, too. The tools are given as an option, or the trajectory contains them. Default
   * false.
   */
  readonly schemaDefaults?: boolean;
}

/**
 * What should be called and what must not be, all JSON: the content of an expectation file. Its JSON Schema is
 * `toolgauge/expectations.schema.json`.
 */
export type Expectations = ExpectationTerms & (
  | {
      /** The calls that should be made. */
      readonly calls: readonly ExpectedCallInput[];
      readonly turns?: never;
    }
  | {
      /**
       * The calls that should be made after each message of the user, instead of `calls`. A call in another turn is
       * wrong.
       */
      readonly turns: readonly ExpectedTurn[];
      readonly calls?: never;
    }
);
