import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Severity, Turn } from 'toolgauge';
import type { Inspection, RunFigures, Span, TurnFigures } from '../checker/protocol.ts';
import { FoldedPanel } from './fold.tsx';
import { duration, groupBy, money, worst } from './labels.ts';
import { pure } from './pure.ts';
import { Verdict } from './verdict.tsx';

interface Props {
  readonly inspection: Inspection;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
  /** Brings a turn, or a call of it, into view. */
  readonly onPlace: (turn: number, call: number | undefined) => void;
}

/** Which columns the log has figures for. */
interface Columns {
  readonly span: boolean;
  readonly seconds: boolean;
  readonly tokens: boolean;
  readonly cost: boolean;
}

/** Turns and calls over time, with what they took; nothing if the log does not say. */
export function Waterfall({ inspection, isOpen, onToggle, onPlace }: Props) {
  const { figures } = inspection;
  if (figures === undefined) return null;
  return (
    <FoldedPanel name="Waterfall" brief={briefOf(figures)} isOpen={isOpen} onToggle={onToggle}>
      {() => <Rows inspection={inspection} figures={figures} onPlace={onPlace} />}
    </FoldedPanel>
  );
}

function briefOf({ seconds, tokens, cost }: RunFigures): string {
  const parts = [
    seconds !== undefined && duration(seconds),
    tokens !== undefined && `${tokens.all.toLocaleString('en')} tokens`,
    tokens?.input !== undefined &&
      tokens.output !== undefined &&
      `${tokens.input.toLocaleString('en')} read, ${tokens.output.toLocaleString('en')} written`,
    cost !== undefined && `cost ${money(cost)}`,
  ];
  return parts.filter(part => part !== false).join(' · ');
}

/** How many turns are drawn at once. The others follow piece by piece, so that the page stays responsive. */
const PIECE = 40;

/** So much of what a turn says stands beside it, in UTF-16 units. */
const MOST_WORDS = 80;

interface PieceProps extends Pick<Props, 'onPlace'> {
  /** The index of its first turn. */
  readonly first: number;
  readonly turns: readonly Turn[];
  readonly figures: RunFigures;
  readonly columns: Columns;
  /** The worst severity of the issues of a call or reply, by its place, as `turn.call` or `turn.`. */
  readonly severities: ReadonlyMap<string, Severity | undefined>;
}

function Rows({
  inspection: { trajectory, findings },
  figures,
  onPlace,
}: Pick<Props, 'inspection' | 'onPlace'> & { readonly figures: RunFigures }) {
  const columns = useMemo(() => columnsOf(figures.turns), [figures]);
  const severities = useMemo(() => {
    const byPlace = groupBy(findings, ({ turn, call }) => `${turn}.${call ?? ''}`);
    return new Map([...byPlace].map(([place, found]) => [place, worst(found.map(({ issue }) => issue.severity))]));
  }, [findings]);
  const pieces = useMemo(() => {
    const number = Math.ceil(trajectory.turns.length / PIECE);
    return Array.from({ length: number }, (_, index) => trajectory.turns.slice(index * PIECE, (index + 1) * PIECE));
  }, [trajectory]);
  const [drawn, setDrawn] = useState(1);
  useEffect(() => {
    if (drawn >= pieces.length) return;
    const timer = setTimeout(() => setDrawn(drawn + 1));
    return () => clearTimeout(timer);
  }, [drawn, pieces]);
  const isEstimated = figures.turns.some(
    ({ span, calls }) => isEstimate(span) || calls.some(call => isEstimate(call.span)),
  );
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it, a keyboard can't scroll the table */}
      <section class="waterfall" aria-label="Turns and calls over time" tabIndex={0}>
        <table class={columns.span ? '' : 'without-bars'}>
          <thead>
            <tr>
              <th scope="col">Turn or call</th>
              {columns.span && (
                <th scope="col" class="span">
                  Over {duration(figures.seconds ?? 0)}
                </th>
              )}
              {columns.seconds && <th scope="col">Duration</th>}
              {columns.tokens && <th scope="col">Tokens</th>}
              {columns.cost && <th scope="col">Cost</th>}
            </tr>
          </thead>
          {pieces.slice(0, drawn).map((turns, index) => (
            <Piece
              key={index}
              first={index * PIECE}
              turns={turns}
              figures={figures}
              columns={columns}
              severities={severities}
              onPlace={onPlace}
            />
          ))}
        </table>
      </section>
      {isEstimated && (
        <p class="quiet legend">
          <span class="sample" aria-hidden="true" /> The log does not say how long these took: the bar of a turn lasts
          until the next one begins, the bar of a call until its result came.
        </p>
      )}
    </>
  );
}

const Piece = pure(({ first, turns, figures, columns, severities, onPlace }: PieceProps) => (
  <tbody>
    {turns.map(({ turn_id, role, content, tool_calls = [] }, offset) => {
      const turn = first + offset;
      const own = figures.turns[turn];
      return [
        <tr key={turn} class={role}>
          <Name
            name={`${turn_id} ${role}`}
            about={content.slice(0, MOST_WORDS)}
            severity={severities.get(`${turn}.`)}
            onClick={() => onPlace(turn, undefined)}
          />
          {columns.span && <Bar span={own?.span} seconds={figures.seconds ?? 0} kind={role} />}
          {columns.seconds && <td>{own?.span === undefined ? '' : lengthOf(own.span)}</td>}
          {columns.tokens && <td title={partsOf(own)}>{own?.tokens?.all.toLocaleString('en')}</td>}
          {columns.cost && <td>{own?.cost === undefined ? '' : money(own.cost)}</td>}
        </tr>,
        ...tool_calls.map(({ name = 'no name' }, call) => {
          const { span, seconds } = own?.calls[call] ?? {};
          return (
            <tr key={`${turn}.${call}`} class="of-call">
              <Name name={name} severity={severities.get(`${turn}.${call}`)} onClick={() => onPlace(turn, call)} />
              {columns.span && <Bar span={span} seconds={figures.seconds ?? 0} kind="call" />}
              {columns.seconds && (
                <td>{span === undefined ? seconds !== undefined && duration(seconds) : lengthOf(span)}</td>
              )}
              {columns.tokens && <td />}
              {columns.cost && <td />}
            </tr>
          );
        }),
      ];
    })}
  </tbody>
));

function Name({
  name,
  about,
  severity,
  onClick,
}: {
  readonly name: string;
  /** The beginning of what the turn says. */
  readonly about?: string;
  readonly severity: Severity | undefined;
  readonly onClick: () => void;
}) {
  return (
    <th scope="row">
      <button type="button" class="link" onClick={onClick}>
        {name}
      </button>
      {severity !== undefined && <Verdict severity={severity} />}
      {about !== undefined && <span class="aside">{about}</span>}
    </th>
  );
}

function columnsOf(turns: readonly TurnFigures[]): Columns {
  return {
    span: turns.some(({ span, calls }) => span !== undefined || calls.some(call => call.span !== undefined)),
    seconds: turns.some(({ span, calls }) => span !== undefined || calls.some(call => call.seconds !== undefined)),
    tokens: turns.some(({ tokens }) => tokens !== undefined),
    cost: turns.some(({ cost }) => cost !== undefined),
  };
}

function isEstimate(span: Span | undefined): boolean {
  return span?.isMeasured === false && span.duration > 0;
}

function lengthOf({ duration: seconds, isMeasured }: Span): string {
  if (!isMeasured && seconds === 0) return '';
  return `${isMeasured ? '' : '≤ '}${duration(seconds)}`;
}

function partsOf(figures: TurnFigures | undefined): string | undefined {
  const { input, output } = figures?.tokens ?? {};
  if (input === undefined || output === undefined) return undefined;
  return `${input.toLocaleString('en')} read, ${output.toLocaleString('en')} written`;
}

/** A bar from the beginning of a span to its end. An image, because the numbers are beside it. */
function Bar({
  span,
  seconds,
  kind,
}: {
  readonly span: Span | undefined;
  readonly seconds: number;
  readonly kind: string;
}) {
  return (
    <td class="span">
      {span !== undefined && (
        <svg
          viewBox="0 0 1000 10"
          preserveAspectRatio="none"
          role="img"
          aria-label={`begins at ${duration(span.start)}`}
        >
          <title>{`begins at ${duration(span.start)}`}</title>
          <rect
            class={`${kind}${span.isMeasured ? '' : ' until-next'}`}
            x={Math.min((span.start / seconds) * 1000, 997)}
            width={Math.max(3, (span.duration / seconds) * 1000)}
            height="10"
          />
        </svg>
      )}
    </td>
  );
}
