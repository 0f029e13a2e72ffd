import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ALL_ROWS, arrange, IN_PLACE, type Row, type RowFilter, type SortKey } from '../batch/rows.ts';
import { count } from './labels.ts';

interface Props {
  /** A list that may grow. */
  readonly rows: readonly Row[];
  /** How many rows the list has now. */
  readonly length: number;
  /** The index of the selected row. */
  readonly selected: number | undefined;
  readonly onSelect: (row: Row, place: number) => void;
}

/** The height of a row, in CSS pixels. */
const ROW_HEIGHT = 34;

/** How many rows are drawn above and below those in view. */
const MARGIN = 6;

/** Browsers do not draw elements that are much higher than this, in CSS pixels. */
const MOST_HEIGHT = 8_000_000;

interface Column {
  readonly key: SortKey;
  readonly title: string;
}

const COLUMNS: readonly Column[] = [
  { key: 'place', title: '#' },
  { key: 'id', title: 'Trajectory' },
  { key: 'score', title: 'Score' },
  { key: 'accuracy', title: 'Accuracy' },
  { key: 'issues', title: 'Issues' },
  { key: 'calls', title: 'Calls' },
];

/** A list of trajectories to sort, filter and choose from. Only the rows in view are drawn. */
export function TrajectoryList({ rows, length, selected, onSelect }: Props) {
  const [order, setOrder] = useState(IN_PLACE);
  const [filter, setFilter] = useState<RowFilter>(ALL_ROWS);
  const places = useMemo(() => arrange(rows, filter, order), [rows, length, filter, order]);
  const types = useTypes(rows, length);
  const shown = places?.length ?? length;
  const hasAccuracy = useMemo(() => rows.some(({ accuracy }) => accuracy !== undefined), [rows, length]);

  const sortBy = (by: SortKey) =>
    setOrder(before =>
      before.by === by ? { by, descending: !before.descending } : { by, descending: by === 'issues' || by === 'calls' },
    );

  return (
    <section class="list" aria-labelledby="list-heading">
      <div class="list-bar">
        <h2 id="list-heading">Trajectories</h2>
        <input
          type="search"
          aria-label="Find by id or line"
          placeholder="Find by id or line"
          value={filter.text}
          onInput={event => setFilter({ ...filter, text: event.currentTarget.value })}
        />
        <select
          aria-label="Type of issue"
          value={filter.type}
          onChange={event => setFilter({ ...filter, type: event.currentTarget.value })}
        >
          <option value="">any issue</option>
          {types.map(type => (
            <option key={type} value={type}>
              {type}
            </option>
          ))}
        </select>
        <label class="check">
          <input
            type="checkbox"
            checked={filter.onlyFailing}
            onChange={event => setFilter({ ...filter, onlyFailing: event.currentTarget.checked })}
          />
          Only failing
        </label>
        <p class="tally" role="status">
          {shown === length ? count(length, 'row') : `${shown.toLocaleString('en')} of ${count(length, 'row')}`}
        </p>
      </div>
      <Grid
        rows={rows}
        places={places}
        shown={shown}
        selected={selected}
        order={order}
        hasAccuracy={hasAccuracy}
        onSort={sortBy}
        onSelect={onSelect}
      />
    </section>
  );
}

/** The types of issues in a growing list. Each row is read only once. */
function useTypes(rows: readonly Row[], length: number): readonly string[] {
  const seen = useRef({ rows, length: 0, types: new Set<string>() });
  if (seen.current.rows !== rows) seen.current = { rows, length: 0, types: new Set() };
  const { current } = seen;
  for (; current.length < length; current.length += 1) {
    for (const type of rows[current.length]?.types ?? []) current.types.add(type);
  }
  return [...current.types].sort();
}

interface GridProps {
  readonly rows: readonly Row[];
  readonly places: Uint32Array | undefined;
  readonly shown: number;
  readonly selected: number | undefined;
  readonly order: typeof IN_PLACE;
  /** Whether calls are expected of a trajectory in the list. */
  readonly hasAccuracy: boolean;
  readonly onSort: (by: SortKey) => void;
  readonly onSelect: Props['onSelect'];
}

function Grid({ rows, places, shown, selected, order, hasAccuracy, onSort, onSelect }: GridProps) {
  const body = useRef<HTMLDivElement>(null);
  const [scrolled, setScrolled] = useState(0);
  const [room, setRoom] = useState(10 * ROW_HEIGHT);
  const [active, setActive] = useState(0);
  const [isFocused, setFocused] = useState(false);
  const current = Math.max(0, Math.min(active, shown - 1));

  useEffect(() => {
    const element = body.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setRoom(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const height = Math.min(shown * ROW_HEIGHT, MOST_HEIGHT);
  const fitting = Math.max(1, Math.floor(room / ROW_HEIGHT));
  // A list that is too high to draw scrolls in proportion instead of by pixels.
  const scale = height <= room ? 1 : (shown * ROW_HEIGHT - room) / (height - room);
  const top = scrolled * scale;
  const first = Math.max(0, Math.floor(top / ROW_HEIGHT) - MARGIN);
  const last = Math.min(shown, Math.ceil((top + room) / ROW_HEIGHT) + MARGIN);

  const moveTo = (wanted: number) => {
    const next = Math.max(0, Math.min(wanted, shown - 1));
    setActive(next);
    const element = body.current;
    if (element === null) return;
    const above = next * ROW_HEIGHT;
    if (above < top) element.scrollTop = above / scale;
    else if (above + ROW_HEIGHT > top + room) element.scrollTop = (above + ROW_HEIGHT - room) / scale;
  };

  // What is selected elsewhere on the page comes into view here.
  useEffect(() => {
    if (selected === undefined) return;
    const position = places === undefined ? selected : places.indexOf(selected);
    if (position >= 0 && position < shown) moveTo(position);
  }, [selected]);

  const choose = (position: number) => {
    const place = places === undefined ? position : places[position];
    const row = place === undefined ? undefined : rows[place];
    if (row === undefined || place === undefined) return;
    setActive(position);
    onSelect(row, place);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const next = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: current + fitting,
      PageUp: current - fitting,
      Home: 0,
      End: shown - 1,
    }[event.key];
    if (next !== undefined) moveTo(next);
    else if (event.key === 'Enter' || event.key === ' ') choose(current);
    else return;
    event.preventDefault();
  };

  const drawn = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  const columns = hasAccuracy ? COLUMNS : COLUMNS.filter(({ key }) => key !== 'accuracy');
  return (
    <div class={hasAccuracy ? 'grid with-accuracy' : 'grid'}>
      <div class="grid-head">
        {columns.map(({ key, title }) => (
          <button
            key={key}
            type="button"
            class={`column by-${key}`}
            aria-label={`Sort by ${key === 'place' ? 'place' : title}`}
            aria-pressed={order.by === key}
            onClick={() => onSort(key)}
          >
            {title}
            <span class="arrow" aria-hidden="true">
              {order.by === key ? (order.descending ? '↓' : '↑') : ''}
            </span>
          </button>
        ))}
      </div>
      <div
        ref={body}
        class="grid-body"
        role="listbox"
        aria-label="Trajectories"
        tabIndex={0}
        aria-activedescendant={shown > 0 && isFocused ? `row-${current}` : undefined}
        onKeyDown={onKeyDown}
        onClick={event => {
          const row = (event.target as Element).closest('[data-position]');
          if (row instanceof HTMLElement) choose(Number(row.dataset.position));
        }}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onScroll={event => setScrolled(event.currentTarget.scrollTop)}
      >
        <div class="grid-space" role="presentation" style={{ height: `${height}px` }}>
          {drawn.map(position => {
            const place = places === undefined ? position : (places[position] ?? 0);
            const row = rows[place];
            if (row === undefined) return null;
            return (
              // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names the row that is active
              <div
                key={position}
                id={`row-${position}`}
                data-position={position}
                class={`grid-row${position === current && isFocused ? ' active' : ''}`}
                role="option"
                aria-selected={place === selected}
                aria-setsize={shown}
                aria-posinset={position + 1}
                style={{ transform: `translateY(${position * ROW_HEIGHT - top + scrolled}px)` }}
              >
                <Cells row={row} place={place} hasAccuracy={hasAccuracy} />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function Cells({
  row,
  place,
  hasAccuracy,
}: { readonly row: Row; readonly place: number } & Pick<GridProps, 'hasAccuracy'>) {
  const number = row.line > 0 ? row.line : place + 1;
  if (row.error !== undefined) {
    return (
      <>
        <span class="place">{number}</span>
        <span class="unread">{row.error}</span>
      </>
    );
  }
  return (
    <>
      <span class="place">{number}</span>
      <span class="id">
        <span
          class={`mark ${row.passed ? 'passed' : 'failed'}`}
          role="img"
          aria-label={row.passed ? 'passes' : 'fails'}
        >
          {row.passed ? '✓' : '✕'}
        </span>{' '}
        {row.id === '' ? <i>without an id</i> : row.id}
      </span>
      <Share name="score" value={row.score} />
      {hasAccuracy && <Share name="accuracy" value={row.accuracy ?? null} />}
      <span class={`issues-cell ${row.worst ?? ''}`}>
        {row.issues === 0 ? (
          <span class="zero">no issues</span>
        ) : (
          <>
            {row.issues.toLocaleString('en')}
            <span class="noun"> issue{row.issues === 1 ? '' : 's'},</span> {row.worst}
          </>
        )}
      </span>
      <span class="calls">{count(row.calls, 'call')}</span>
    </>
  );
}

/** A number from 0 to 1, coloured by how good it is. */
function Share({ name, value }: { readonly name: string; readonly value: number | null }) {
  const level = value === null ? 'none' : value >= 0.9 ? 'good' : value >= 0.5 ? 'fair' : 'poor';
  return (
    <span class={`score ${level}`}>
      <span class="hidden">{name} </span>
      {value === null ? '–' : value.toFixed(3)}
    </span>
  );
}
