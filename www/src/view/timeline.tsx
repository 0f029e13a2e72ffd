import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Closest, ToolCall, Turn } from 'toolgauge';
import type { CallFigures, CallRow, Correction, Finding, Inspection, TurnFigures } from '../checker/protocol.ts';
import { CorrectionBlock } from './correction.tsx';
import { count, duration, groupBy, money, size, worst } from './labels.ts';
import { pure } from './pure.ts';
import { Reply } from './reply.tsx';
import { useHighlight } from './use-highlight.ts';
import { LongValue, Value } from './value.tsx';
import { Verdict } from './verdict.tsx';

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
  /** Only turns that call this tool; undefined for all. */
  readonly tool: string | undefined;
}

export const NOTHING_HIDDEN: Narrowing = { text: '', onlyIssues: false, tool: undefined };

/** What contains the text that is searched: the indexes of turns, and places of calls, as `turn.call`. */
export interface Matches {
  readonly turns: ReadonlySet<number>;
  readonly calls: ReadonlySet<string>;
}

interface Props {
  readonly inspection: Inspection;
  readonly narrowing: Narrowing;
  /** Undefined as long as no text is searched. */
  readonly matches: Matches | undefined;
  readonly target: Target | undefined;
  /** Whether texts are shown as they are written, and not as Markdown. */
  readonly isRaw: boolean;
  readonly onSource: (turn: number, call: number, argument?: string) => void;
  readonly onEvidence: (turn: number, closest: Closest) => void;
}

/** The conversation, with the result of each call. */
export function Timeline({ inspection, narrowing, matches, target, isRaw, onSource, onEvidence }: Props) {
  const { trajectory } = inspection;
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  useEffect(() => setOpened(new Set()), [narrowing, trajectory]);
  const parts = useMemo(() => partsOf(inspection), [inspection]);
  const shown = useMemo(() => shownTurns(inspection, narrowing, matches), [inspection, narrowing, matches]);
  const isShown = (index: number) => shown.has(index) || opened.has(index) || index === target?.turn;
  const list = useRef<HTMLOListElement>(null);
  useHighlight(list, narrowing.text, shown);
  return (
    <ol class="timeline" ref={list}>
      {parts.map((part, index) =>
        isShown(index) ? (
          <TurnItem
            key={index}
            part={part}
            target={target?.turn === index ? target : undefined}
            matches={part.rows.length > 0 ? matches : undefined}
            isRaw={isRaw}
            onSource={onSource}
            onEvidence={onEvidence}
          />
        ) : (
          !(index > 0 && !isShown(index - 1)) && (
            <Hidden
              key={index}
              turns={hiddenFrom(index, parts.length, isShown)}
              onOpen={turns => setOpened(new Set([...opened, ...turns]))}
            />
          )
        ),
      )}
    </ol>
  );
}

/** All that one turn shows. */
interface Part {
  readonly index: number;
  readonly turn: Turn;
  readonly rows: readonly CallRow[];
  readonly figures: TurnFigures | undefined;
  readonly findings: readonly Finding[];
  readonly corrections: readonly Correction[];
  readonly facts: Inspection['facts'];
  readonly suggestions: readonly string[];
}

function partsOf({
  trajectory,
  rows,
  figures,
  findings,
  corrections,
  facts,
  suggestions,
}: Inspection): readonly Part[] {
  const ofTurn = <T extends { readonly turn: number }>(all: readonly T[]) => groupBy(all, ({ turn }) => turn);
  const found = ofTurn(findings);
  const corrected = ofTurn(corrections);
  const stated = groupBy(facts, ({ turnId }) => turnId);
  return trajectory.turns.map((turn, index) => ({
    index,
    turn,
    rows: rows[index] ?? [],
    figures: figures?.turns[index],
    findings: found.get(index) ?? [],
    corrections: corrected.get(index) ?? [],
    facts: turn.role === 'agent' ? factsOf(stated.get(turn.turn_id) ?? [], trajectory.turns, turn, index) : [],
    suggestions: suggestions[index] ?? [],
  }));
}

/** The indexes of the turns that are shown. */
function shownTurns(
  { trajectory, findings }: Inspection,
  { onlyIssues, tool }: Narrowing,
  matches: Matches | undefined,
): ReadonlySet<number> {
  const faulty = new Set(findings.map(({ turn }) => turn));
  return new Set(
    trajectory.turns.flatMap(({ tool_calls = [] }, index) => {
      const isOfTool = tool === undefined || tool_calls.some(({ name = '' }) => name === tool);
      const isWanted = isOfTool && (!onlyIssues || faulty.has(index)) && (matches?.turns.has(index) ?? true);
      return isWanted ? [index] : [];
    }),
  );
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
  if (facts.length === 0) return facts;
  const first = turns.findIndex(other => other.turn_id === turn.turn_id && other.role === 'agent');
  return facts.filter(
    fact =>
      turn.content.slice(fact.start, fact.end) === fact.text &&
      (first === index || turns[first]?.content.slice(fact.start, fact.end) !== fact.text),
  );
}

type TurnProps = Pick<Props, 'matches' | 'target' | 'isRaw' | 'onSource' | 'onEvidence'> & { readonly part: Part };

const TurnItem = pure(({ part, matches, target, isRaw, onSource, onEvidence }: TurnProps) => {
  const { index, turn, rows, figures, findings, corrections, facts, suggestions } = part;
  const ofReply = findings.filter(({ call }) => call === undefined);
  const element = useRef<HTMLLIElement>(null);
  const isWanted = target !== undefined && target.call === undefined && ofReply.length === 0;
  useEffect(() => {
    if (!isWanted) return;
    element.current?.scrollIntoView({ block: 'start' });
    element.current?.focus({ preventScroll: true });
  }, [isWanted, target]);
  return (
    <li class={`turn ${turn.role}`} ref={element} tabIndex={-1}>
      <h3>
        <span class="role">{turn.role}</span>
        <span class="number">turn {turn.turn_id}</span>
        <Figures figures={figures} timestamp={turn.timestamp} />
      </h3>
      {turn.content !== '' && (
        <Reply
          key={turn.content}
          content={turn.content}
          facts={facts}
          isRaw={isRaw}
          onEvidence={closest => onEvidence(index, closest)}
        />
      )}
      <ReplyIssues findings={ofReply} target={target?.call === undefined ? target : undefined} />
      {(turn.tool_calls ?? []).map((call, place) => (
        <Call
          key={place}
          call={call}
          row={rows[place]}
          figures={figures?.calls[place]}
          findings={findings.filter(finding => finding.call === place)}
          correction={corrections.find(correction => correction.call === place)}
          target={target?.call === place ? target : undefined}
          isMatch={matches?.calls.has(`${index}.${place}`) ?? false}
          onSource={argument => onSource(index, place, argument)}
        />
      ))}
      {suggestions.length > 0 && (
        <ul class="remedies" aria-label="Remedies">
          {suggestions.map(suggestion => (
            <li key={suggestion}>{suggestion}</li>
          ))}
        </ul>
      )}
    </li>
  );
});

/** When the turn began, and what it took. */
function Figures({
  figures,
  timestamp,
}: {
  readonly figures: TurnFigures | undefined;
  readonly timestamp: string | undefined;
}) {
  const { span, tokens, cost } = figures ?? {};
  return (
    <>
      {span === undefined
        ? timestamp !== undefined && <span class="number">{timestamp}</span>
        : timestamp !== undefined && (
            <time class="number" title={timestamp}>
              at {duration(span.start)}
            </time>
          )}
      {(span?.isMeasured === true || tokens !== undefined || cost !== undefined) && (
        <span class="turn-figures">
          {span?.isMeasured === true && <span>{duration(span.duration)}</span>}
          {tokens !== undefined && <span>{count(tokens.all, 'token')}</span>}
          {cost !== undefined && <span>cost {money(cost)}</span>}
        </span>
      )}
    </>
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
          <span class="type">{issue.type}</span> {issue.description}
        </li>
      ))}
    </ul>
  );
}

interface CallProps {
  readonly call: ToolCall;
  readonly row: CallRow | undefined;
  readonly figures: CallFigures | undefined;
  readonly findings: readonly Finding[];
  readonly correction: Correction | undefined;
  readonly target: Target | undefined;
  /** Whether it contains the text that is searched. */
  readonly isMatch: boolean;
  readonly onSource: (argument?: string) => void;
}

function Call({ call, row, figures, findings, correction, target, isMatch, onSource }: CallProps) {
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
      class={`call ${severity ?? 'fine'}${flashing ? ' flashing' : ''}${isMatch ? ' match' : ''}`}
      open={open}
      onToggle={event => setOpen(event.currentTarget.open)}
    >
      <summary>
        <Verdict severity={severity} />
        <span class="tool">{call.name ?? 'no name'}</span>
        <span class="preview">{row?.given}</span>
        {isMatch && <span class="tally found">contains the text</span>}
        {figures?.seconds !== undefined && <span class="tally">{duration(figures.seconds)}</span>}
        {findings.length > 0 && <span class="tally">{count(findings.length, 'issue')}</span>}
        {!open && row !== undefined && <Outcome row={row} />}
      </summary>
      {open && (
        <div class="call-body">
          {findings.length > 0 && (
            <ul class="call-issues">
              {findings.map(({ id, issue }) => (
                <li key={id} class={issue.severity}>
                  <span class="type">{issue.type}</span> {issue.description}
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
          {(call.error === undefined || call.result !== undefined || row?.longResult !== undefined) && (
            <>
              <h4>Result {row?.longResult !== undefined && <span class="tally">{size(row.size)} characters</span>}</h4>
              {row?.longResult === undefined ? <Value value={call.result} /> : <LongValue json={row.longResult} />}
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
function Outcome({ row: { outcome, isFailed } }: { readonly row: CallRow }) {
  if (outcome === '') return null;
  return (
    <span class={isFailed ? 'preview outcome-of-call failed' : 'preview outcome-of-call'}>
      <span class="hidden">{isFailed ? 'failed with' : 'returned'} </span>
      <span aria-hidden="true">{isFailed ? '⚠' : '→'}</span> {outcome}
    </span>
  );
}
