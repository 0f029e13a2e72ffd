import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Closest, Severity, ToolCall, Turn } from 'toolgauge';
import type { Correction, Finding, Inspection } from '../checker/protocol.ts';
import { CorrectionBlock } from './correction.tsx';
import { brief, count, words, worst } from './labels.ts';
import { Reply } from './reply.tsx';
import { Value } from './value.tsx';

/** A call or reply to bring into view. A new object brings it into view again. */
export interface Target {
  readonly turn: number;
  readonly call: number | undefined;
}

/** Which turns are shown. */
export interface Narrowing {
  /** A part of a text, an argument or a result; empty matches every turn. */
  readonly text: string;
  /** Only turns with issues. */
  readonly onlyIssues: boolean;
}

export const NOTHING_HIDDEN: Narrowing = { text: '', onlyIssues: false };

interface Props {
  readonly inspection: Inspection;
  readonly narrowing: Narrowing;
  readonly target: Target | undefined;
  readonly onSource: (turn: number, call: number, argument?: string) => void;
  readonly onEvidence: (turn: number, closest: Closest) => void;
}

/** Longer outcomes are cut, in characters. */
const LONGEST_OUTCOME = 160;

/** The conversation, with the result of each call. */
export function Timeline({ inspection, narrowing, target, onSource, onEvidence }: Props) {
  const { trajectory, findings, facts, suggestions, corrections } = inspection;
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  useEffect(() => setOpened(new Set()), [narrowing, trajectory]);
  const shown = useMemo(() => shownTurns(inspection, narrowing), [inspection, narrowing]);
  const isShown = (index: number) => shown.has(index) || opened.has(index) || index === target?.turn;
  return (
    <ol class="timeline">
      {trajectory.turns.map((turn, index) =>
        isShown(index) ? (
          <li key={index} class={`turn ${turn.role}`}>
            <h3>
              <span class="role">{turn.role}</span>
              <span class="number">turn {turn.turn_id}</span>
              {turn.timestamp !== undefined && <span class="number">{turn.timestamp}</span>}
            </h3>
            {turn.content !== '' && (
              <Reply
                content={turn.content}
                facts={turn.role === 'agent' ? factsOf(facts, trajectory.turns, turn, index) : []}
                onEvidence={closest => onEvidence(index, closest)}
              />
            )}
            <ReplyIssues
              findings={findings.filter(finding => finding.turn === index && finding.call === undefined)}
              target={target?.turn === index && target.call === undefined ? target : undefined}
            />
            {(turn.tool_calls ?? []).map((call, place) => (
              <Call
                key={place}
                call={call}
                findings={findings.filter(finding => finding.turn === index && finding.call === place)}
                correction={corrections.find(({ turn, call }) => turn === index && call === place)}
                target={target?.turn === index && target.call === place ? target : undefined}
                onSource={argument => onSource(index, place, argument)}
              />
            ))}
            {suggestions[index] !== undefined && (
              <ul class="remedies" aria-label="Remedies">
                {suggestions[index].map(suggestion => (
                  <li key={suggestion}>{suggestion}</li>
                ))}
              </ul>
            )}
          </li>
        ) : (
          !(index > 0 && !isShown(index - 1)) && (
            <Hidden
              key={index}
              turns={hiddenFrom(index, trajectory.turns.length, isShown)}
              onOpen={turns => setOpened(new Set([...opened, ...turns]))}
            />
          )
        ),
      )}
    </ol>
  );
}

/** The indexes of the turns that are shown. */
function shownTurns({ trajectory, findings }: Inspection, { text, onlyIssues }: Narrowing): ReadonlySet<number> {
  const wanted = text.trim().toLowerCase();
  const faulty = new Set(findings.map(({ turn }) => turn));
  return new Set(
    trajectory.turns.flatMap((turn, index) => {
      const isWanted = (!onlyIssues || faulty.has(index)) && (wanted === '' || textOf(turn).includes(wanted));
      return isWanted ? [index] : [];
    }),
  );
}

/** All that a turn says, in lower case. */
function textOf({ role, content, tool_calls = [] }: Turn): string {
  return `${role}\n${content}\n${JSON.stringify(tool_calls)}`.toLowerCase();
}

/** The indexes of the hidden turns from one on, up to the next that is shown. */
function hiddenFrom(first: number, length: number, isShown: (index: number) => boolean): readonly number[] {
  let end = first;
  while (end < length && !isShown(end)) end += 1;
  return Array.from({ length: end - first }, (_, offset) => first + offset);
}

/** Turns that are hidden, with a button to show them. */
function Hidden({
  turns,
  onOpen,
}: {
  readonly turns: readonly number[];
  readonly onOpen: (turns: readonly number[]) => void;
}) {
  return (
    <li class="turn hidden-turns">
      <button type="button" class="link" onClick={() => onOpen(turns)}>
        Show {count(turns.length, 'hidden turn')}
      </button>
    </li>
  );
}

/** Facts contain the number of their turn. If several turns share it, the text decides which turn it is. */
function factsOf(facts: Inspection['facts'], turns: readonly Turn[], turn: Turn, index: number): Inspection['facts'] {
  const first = turns.findIndex(other => other.turn_id === turn.turn_id && other.role === 'agent');
  return facts.filter(
    fact =>
      fact.turnId === turn.turn_id &&
      turn.content.slice(fact.start, fact.end) === fact.text &&
      (first === index || turns[first]?.content.slice(fact.start, fact.end) !== fact.text),
  );
}

interface ReplyIssuesProps {
  readonly findings: readonly Finding[];
  readonly target: Target | undefined;
}

/** The issues of a reply. */
function ReplyIssues({ findings, target }: ReplyIssuesProps) {
  const element = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (target === undefined) return;
    element.current?.scrollIntoView({ block: 'center' });
    element.current?.focus({ preventScroll: true });
  }, [target]);
  if (findings.length === 0) return null;
  return (
    <ul class="call-issues" aria-label="Issues of the reply" ref={element} tabIndex={-1}>
      {findings.map(({ id, issue }) => (
        <li key={id} class={issue.severity}>
          <span class="type">{words(issue.type)}</span> {issue.description}
        </li>
      ))}
    </ul>
  );
}

interface CallProps {
  readonly call: ToolCall;
  readonly findings: readonly Finding[];
  readonly correction: Correction | undefined;
  readonly target: Target | undefined;
  readonly onSource: (argument?: string) => void;
}

function Call({ call, findings, correction, target, onSource }: CallProps) {
  const element = useRef<HTMLDetailsElement>(null);
  const [open, setOpen] = useState(false);
  const [flashing, setFlashing] = useState(false);
  const severity = worst(findings.map(({ issue }) => issue.severity));
  const marked = findings.flatMap(({ issue }) =>
    issue.details !== undefined && 'path' in issue.details && issue.details.path ? [issue.details.path] : [],
  );

  useEffect(() => {
    if (target === undefined) return;
    setOpen(true);
    setFlashing(true);
    const timer = setTimeout(() => setFlashing(false), 1600);
    // Its position is known once it is open.
    requestAnimationFrame(() => {
      const summary = element.current?.querySelector('summary');
      element.current?.scrollIntoView({ block: 'center' });
      summary?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [target]);

  return (
    <details
      ref={element}
      class={`call ${severity ?? 'fine'}${flashing ? ' flashing' : ''}`}
      open={open}
      onToggle={event => setOpen(event.currentTarget.open)}
    >
      <summary>
        <Verdict severity={severity} />
        <span class="tool">{call.name ?? 'no name'}</span>
        <span class="preview">{brief(call.arguments) || call.rawArguments}</span>
        {findings.length > 0 && <span class="tally">{count(findings.length, 'issue')}</span>}
        {!open && <Outcome call={call} />}
      </summary>
      {open && (
        <div class="call-body">
          {findings.length > 0 && (
            <ul class="call-issues">
              {findings.map(({ id, issue }) => (
                <li key={id} class={issue.severity}>
                  <span class="type">{words(issue.type)}</span> {issue.description}
                </li>
              ))}
            </ul>
          )}
          {correction !== undefined && <CorrectionBlock correction={correction} />}
          <h4>Arguments</h4>
          {call.rawArguments === undefined ? (
            <Value value={call.arguments} marked={marked} />
          ) : (
            <pre class="value raw">{call.rawArguments}</pre>
          )}
          {call.error !== undefined && (
            <>
              <h4>Error</h4>
              <Value value={call.error} />
            </>
          )}
          {(call.error === undefined || call.result !== undefined) && (
            <>
              <h4>Result</h4>
              <Value value={call.result} />
            </>
          )}
          <button type="button" class="link" onClick={() => onSource()}>
            Show in the text
          </button>
        </div>
      )}
    </details>
  );
}

/** What a call returned, on one line. */
function Outcome({ call: { error, result } }: { readonly call: ToolCall }) {
  if (error === undefined && result === undefined) return null;
  const text = brief(error ?? result, LONGEST_OUTCOME);
  return (
    <span class={error === undefined ? 'preview outcome-of-call' : 'preview outcome-of-call failed'}>
      <span class="hidden">{error === undefined ? 'returned' : 'failed with'} </span>
      <span aria-hidden="true">{error === undefined ? '→' : '⚠'}</span> {text}
    </span>
  );
}

/** A sign for each severity, because not everyone can distinguish the colours. */
function Verdict({ severity }: { readonly severity: Severity | undefined }) {
  const sign = severity === undefined ? '✓' : severity === 'low' ? '·' : severity === 'medium' ? '!' : '✕';
  return (
    <span class={`verdict ${severity ?? 'fine'}`} role="img" aria-label={severity ?? 'no issue'}>
      {sign}
    </span>
  );
}
