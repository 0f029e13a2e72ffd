import { useEffect, useMemo, useState } from 'preact/hooks';
import type { JsonValue } from 'toolgauge';
import { count } from './labels.ts';
import { pure } from './pure.ts';

interface Line {
  readonly indent: number;
  readonly key: string | undefined;
  readonly text: string;
  readonly kind: 'string' | 'number' | 'punctuation' | 'fold';
  readonly path: string;
}

interface Props {
  readonly value: JsonValue | undefined;
  /** The path of the value itself, with which the paths of its parts begin. */
  readonly root?: string;
  /** The paths of the parts to mark. */
  readonly marked?: readonly string[];
  /** Whether only the marked parts are shown, and what they are in. Default `false`. */
  readonly onlyMarked?: boolean;
  /** Whether the text is the JSON of the value. Otherwise texts of several lines are shown as lines. Default `false`. */
  readonly isExact?: boolean;
}

/** How many lines are drawn at once. More are drawn on demand, piece by piece, so that the page stays responsive. */
const PIECE = 120;

/** A longer line is drawn as several, in UTF-16 units: laying out a long one takes long. */
const LONGEST_LINE = 1_000;

/** A JSON value, with one line for each part. */
export function Value({ value, root = '', marked = [], onlyMarked = false, isExact = false }: Props) {
  const [whole, setWhole] = useState(false);
  const [pieces, setPieces] = useState(1);
  const marks = marked.join('\n');
  const lines = useMemo(
    () => new Lines(value, root, isExact, onlyMarked ? marked : []),
    [value, root, isExact, onlyMarked, marks],
  );
  const isMore = lines.has(pieces * PIECE + 1);
  useEffect(() => {
    if (!whole || !isMore) return;
    const timer = setTimeout(() => setPieces(pieces + 1));
    return () => clearTimeout(timer);
  }, [whole, isMore, pieces]);
  if (value === undefined) return <p class="nothing">nothing</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard */}
      <pre class="value" tabIndex={0}>
        {lines.pieces(pieces).map((piece, index) => (
          <Piece key={index} lines={piece} marks={marks} />
        ))}
      </pre>
      {isMore && !whole && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          Show all lines
        </button>
      )}
    </>
  );
}

/** A value that is read from JSON when it is drawn. */
export function LongValue({ json }: { readonly json: string }) {
  const value = useMemo(() => JSON.parse(json) as JsonValue, [json]);
  return <Value value={value} />;
}

/** The lines of a value, made when they are asked for. */
class Lines {
  readonly #source: Iterator<Line>;
  readonly #lines: Line[] = [];
  readonly #pieces: (readonly Line[])[] = [];

  constructor(value: JsonValue | undefined, root: string, isExact: boolean, marked: readonly string[]) {
    const at = { indent: 0, key: undefined, path: root, end: '' };
    const lines = value === undefined ? [] : linesOf(value, at, isExact);
    this.#source = (marked.length > 0 ? withFolds([...lines], marked) : lines)[Symbol.iterator]();
  }

  /** Whether there are so many lines. */
  has(number: number): boolean {
    while (this.#lines.length < number) {
      const next = this.#source.next();
      if (next.done) return false;
      this.#lines.push(next.value);
    }
    return true;
  }

  /** The first pieces. A piece is the same object each time, so that it is not drawn again. */
  pieces(number: number): readonly (readonly Line[])[] {
    while (this.#pieces.length < number && this.has(this.#pieces.length * PIECE + 1)) {
      const start = this.#pieces.length * PIECE;
      this.has(start + PIECE);
      this.#pieces.push(this.#lines.slice(start, start + PIECE));
    }
    return this.#pieces;
  }
}

const Piece = pure(({ lines, marks }: { readonly lines: readonly Line[]; readonly marks: string }) => {
  const marked = marks === '' ? [] : marks.split('\n');
  return (
    <span class="piece">
      {lines.map((line, index) => (
        <span key={index} class={isMarked(line.path, marked) ? 'line marked' : 'line'}>
          {'  '.repeat(line.indent)}
          {line.key !== undefined && <span class="key">{line.key}: </span>}
          <span class={line.kind}>{line.text}</span>
          {'\n'}
        </span>
      ))}
    </span>
  );
});

function isMarked(path: string, marked: readonly string[]): boolean {
  return marked.some(mark => path === mark || (mark !== '' && isInside(path, mark)));
}

function isInside(path: string, whole: string): boolean {
  return path.startsWith(whole) && /^[.[]/.test(path.slice(whole.length));
}

/** The lines that are marked or hold what is marked; the others are counted. */
function withFolds(lines: readonly Line[], marked: readonly string[]): readonly Line[] {
  const isKept = ({ path }: Line) => isMarked(path, marked) || marked.some(mark => path === '' || isInside(mark, path));
  const kept: Line[] = [];
  let folded = 0;
  const fold = (indent: number) => {
    if (folded === 0) return;
    const text = `⋯ ${count(folded, 'line')} the same`;
    kept.push({ indent: Math.max(1, indent), key: undefined, text, kind: 'fold', path: '' });
    folded = 0;
  };
  for (const line of lines) {
    if (isKept(line)) {
      fold(line.indent);
      kept.push(line);
    } else folded += 1;
  }
  fold(1);
  return kept;
}

interface At {
  readonly indent: number;
  readonly key: string | undefined;
  readonly path: string;
  readonly end: string;
}

function* linesOf(value: JsonValue, at: At, isExact: boolean): Generator<Line> {
  const { indent, key, path, end } = at;
  if (typeof value === 'string' && !isExact && /\n./.test(value)) return yield* textLines(value, at);
  if (typeof value !== 'object' || value === null) {
    const kind = typeof value === 'string' ? 'string' : 'number';
    const line = { indent, key, text: JSON.stringify(value) + end, kind, path } as const;
    return isExact ? yield line : yield* cut(line);
  }
  const isList = Array.isArray(value);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const parts = Object.entries(value) as [string, JsonValue][];
  if (parts.length === 0) return yield { indent, key, text: open + close + end, kind: 'punctuation', path };
  yield { indent, key, text: open, kind: 'punctuation', path };
  for (const [index, [name, part]] of parts.entries()) {
    const below = isList ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    const comma = index < parts.length - 1 ? ',' : '';
    const inner = { indent: indent + 1, key: isList ? undefined : JSON.stringify(name), path: below, end: comma };
    yield* linesOf(part, inner, isExact);
  }
  yield { indent, key: undefined, text: close + end, kind: 'punctuation', path };
}

/** A text of several lines: without its quotes if it is the whole value. */
function* textLines(value: string, { indent, key, path, end }: At): Generator<Line> {
  const quote = indent === 0 ? '' : '"';
  let start = 0;
  while (start <= value.length) {
    const next = value.indexOf('\n', start);
    const stop = next < 0 ? value.length : next;
    const text = `${start === 0 ? quote : ''}${value.slice(start, stop)}${next < 0 ? quote + end : ''}`;
    yield* cut({ indent, key: start === 0 ? key : undefined, text, kind: 'string', path });
    if (next < 0) return;
    start = next + 1;
  }
}

function* cut(line: Line): Generator<Line> {
  if (line.text.length <= LONGEST_LINE) return yield line;
  for (let start = 0; start < line.text.length; start += LONGEST_LINE) {
    const text = line.text.slice(start, start + LONGEST_LINE);
    yield { ...line, key: start === 0 ? line.key : undefined, text };
  }
}
