import type { FailOn, IgnoredFinding, RuleLevel } from 'toolgauge';

/** Defaults for all calls, from the command line or the configuration file. The arguments of a call override them. */
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
