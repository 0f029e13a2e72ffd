import type { Severity } from 'toolgauge';
import type { Finding } from '../checker/protocol.ts';
import { count, SEVERITIES, words } from './labels.ts';

/** Which issues are shown. An empty set matches every issue. */
export interface Filter {
  readonly severities: ReadonlySet<Severity>;
  readonly types: ReadonlySet<string>;
}

export const NO_FILTER: Filter = { severities: new Set(), types: new Set() };

export function passes({ severities, types }: Filter, { issue }: Finding): boolean {
  return (severities.size === 0 || severities.has(issue.severity)) && (types.size === 0 || types.has(issue.type));
}

interface Props {
  readonly findings: readonly Finding[];
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  readonly onCall: (finding: Finding) => void;
  readonly onSource: (finding: Finding) => void;
  /** Switches off the rule of a type. */
  readonly onSwitchOff: (type: string) => void;
  readonly numberOf: (turn: number) => number;
}

/** All issues. The filters are at the same time a chart of their types and severities. */
export function Issues({ findings, filter, onFilter, onCall, onSource, onSwitchOff, numberOf }: Props) {
  const shown = findings.filter(finding => passes(filter, finding));
  const types = tally(findings.map(({ issue }) => issue.type));
  const most = Math.max(1, ...types.map(([, number]) => number));
  return (
    <section class="issues" aria-labelledby="issues-heading">
      <h2 id="issues-heading">Issues</h2>
      {findings.length === 0 ? (
        <p class="calm">No issue was found.</p>
      ) : (
        <>
          <fieldset class="severities">
            <legend>Severity</legend>
            {SEVERITIES.map(severity => {
              const number = findings.filter(({ issue }) => issue.severity === severity).length;
              return (
                <button
                  key={severity}
                  type="button"
                  class={`chip ${severity}`}
                  aria-pressed={filter.severities.has(severity)}
                  disabled={number === 0}
                  onClick={() => onFilter({ ...filter, severities: toggled(filter.severities, severity) })}
                >
                  {severity} <b>{number}</b>
                </button>
              );
            })}
          </fieldset>
          <fieldset class="types">
            <legend>Type</legend>
            {types.map(([type, number]) => (
              <button
                key={type}
                type="button"
                class="bar"
                aria-pressed={filter.types.has(type)}
                onClick={() => onFilter({ ...filter, types: toggled(filter.types, type) })}
              >
                <span class="bar-name">{words(type)}</span>
                <meter class="bar-meter" min={0} max={most} value={number} aria-hidden="true" />
                <b>{number}</b>
              </button>
            ))}
          </fieldset>
          <p class="shown" role="status">
            {shown.length === findings.length
              ? count(findings.length, 'issue')
              : `${shown.length} of ${count(findings.length, 'issue')}`}
            {shown.length < findings.length && (
              <button type="button" class="link" onClick={() => onFilter(NO_FILTER)}>
                Show all
              </button>
            )}
          </p>
          <ol class="issue-list">
            {shown.map(finding => (
              <li key={finding.id} class={`issue ${finding.issue.severity}`}>
                <p class="issue-head">
                  <span class={`badge ${finding.issue.severity}`}>{finding.issue.severity}</span>
                  <span class="type">{words(finding.issue.type)}</span>
                </p>
                <p class="issue-text">{finding.issue.description}</p>
                <p class="issue-links">
                  <button type="button" class="link" onClick={() => onCall(finding)}>
                    Turn {numberOf(finding.turn)},{' '}
                    {finding.call === undefined ? 'reply' : (finding.issue.toolName ?? 'call without a name')}
                  </button>
                  <button
                    type="button"
                    class="link"
                    aria-label={`Show issue ${finding.id + 1} in the text`}
                    onClick={() => onSource(finding)}
                  >
                    In the text
                  </button>
                  <button
                    type="button"
                    class="link"
                    aria-label={`Switch off the rule ${words(finding.issue.type)}`}
                    onClick={() => onSwitchOff(finding.issue.type)}
                  >
                    Switch off
                  </button>
                </p>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function tally(names: readonly string[]): [string, number][] {
  const numbers = new Map<string, number>();
  for (const name of names) numbers.set(name, (numbers.get(name) ?? 0) + 1);
  return [...numbers].sort((a, b) => b[1] - a[1]);
}

function toggled<T>(set: ReadonlySet<T>, item: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(item)) next.add(item);
  return next;
}
