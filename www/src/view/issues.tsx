import type { Severity } from 'toolgauge';
import type { Finding } from '../checker/protocol.ts';
import { count, SEVERITIES, worst } from './labels.ts';

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
  /** The id of the issue that was followed last. */
  readonly current: number | undefined;
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  readonly onCall: (finding: Finding) => void;
  readonly onSource: (finding: Finding) => void;
  /** Switches off the rule of a type. */
  readonly onSwitchOff: (type: string) => void;
  readonly numberOf: (turn: number) => number;
}

/** All issues. The filters are at the same time a chart of their types and severities. */
export function Issues({ findings, current, filter, onFilter, onCall, onSource, onSwitchOff, numberOf }: Props) {
  const shown = findings.filter(finding => passes(filter, finding));
  const types = tally(findings);
  const most = Math.max(1, ...types.map(({ number }) => number));
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
            {types.map(({ type, number, severity }) => (
              <button
                key={type}
                type="button"
                class={`bar ${severity}`}
                aria-pressed={filter.types.has(type)}
                onClick={() => onFilter({ ...filter, types: toggled(filter.types, type) })}
              >
                <span class="bar-name">{type}</span>
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
              <li key={finding.id} class={`issue ${finding.issue.severity}${finding.id === current ? ' current' : ''}`}>
                <p class="issue-head">
                  <span class={`badge ${finding.issue.severity}`}>{finding.issue.severity}</span>
                  <span class="type">{finding.issue.type}</span>
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
                    aria-label={`Switch off the rule ${finding.issue.type}`}
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

interface TypeTally {
  readonly type: string;
  readonly number: number;
  /** The worst of its issues. */
  readonly severity: Severity;
}

/** The types of issues, the most frequent first. */
function tally(findings: readonly Finding[]): readonly TypeTally[] {
  const byType = new Map<string, Severity[]>();
  for (const { issue } of findings) byType.set(issue.type, [...(byType.get(issue.type) ?? []), issue.severity]);
  const types = [...byType].map(([type, severities]) => ({
    type,
    number: severities.length,
    severity: worst(severities) ?? 'low',
  }));
  return types.sort((a, b) => b.number - a.number);
}

function toggled<T>(set: ReadonlySet<T>, item: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(item)) next.add(item);
  return next;
}
