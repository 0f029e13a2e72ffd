import type { FailOn, IgnoredFinding, RuleLevel } from 'toolgauge';

/** What the command line or the configuration file sets for all calls. A call may set another value. */
export interface ServerSettings {
  /** The folder whose files may be read. */
  readonly root?: string | undefined;
  /** The file with the tool definitions. */
  readonly tools?: string | undefined;
  readonly failOn?: FailOn | undefined;
  readonly minScore?: number | undefined;
  readonly rules?: Readonly<Record<string, RuleLevel>> | undefined;
  readonly ignore?: readonly IgnoredFinding[] | undefined;
}
