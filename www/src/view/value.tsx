import { useState } from 'preact/hooks';
import type { JsonValue } from 'toolgauge';

interface Line {
  readonly indent: number;
  readonly key: string | undefined;
  readonly text: string;
  readonly kind: 'string' | 'number' | 'punctuation';
  readonly path: string;
}

interface Props {
  readonly value: JsonValue | undefined;
  /** The path of the value itself, with which the paths of its parts begin. */
  readonly root?: string;
  /** The paths of the parts to mark. */
  readonly marked?: readonly string[];
}

const MOST_LINES = 120;

/** A JSON value, with one line for each part. */
export function Value({ value, root = '', marked = [] }: Props) {
  const [whole, setWhole] = useState(false);
  if (value === undefined) return <p class="nothing">nothing</p>;
  const lines = linesOf(value, root);
  const drawn = whole ? lines : lines.slice(0, MOST_LINES);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard */}
      <pre class="value" tabIndex={0}>
        {drawn.map((line, index) => (
          <span key={index} class={isMarked(line.path, marked) ? 'line marked' : 'line'}>
            {'  '.repeat(line.indent)}
            {line.key !== undefined && <span class="key">{line.key}: </span>}
            <span class={line.kind}>{line.text}</span>
            {'\n'}
          </span>
        ))}
      </pre>
      {drawn.length < lines.length && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          Show all {lines.length.toLocaleString('en')} lines
        </button>
      )}
    </>
  );
}

function isMarked(path: string, marked: readonly string[]): boolean {
  return marked.some(
    mark => path === mark || (path.startsWith(mark) && mark !== '' && /^[.[]/.test(path.slice(mark.length))),
  );
}

function linesOf(value: JsonValue, root: string): Line[] {
  const lines: Line[] = [];
  draw(value, { indent: 0, key: undefined, path: root, end: '' }, lines);
  return lines;
}

interface At {
  readonly indent: number;
  readonly key: string | undefined;
  readonly path: string;
  readonly end: string;
}

function draw(value: JsonValue, { indent, key, path, end }: At, lines: Line[]): void {
  if (typeof value !== 'object' || value === null) {
    const kind = typeof value === 'string' ? 'string' : 'number';
    lines.push({ indent, key, text: JSON.stringify(value) + end, kind, path });
    return;
  }
  const isList = Array.isArray(value);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const parts = Object.entries(value) as [string, JsonValue][];
  if (parts.length === 0) {
    lines.push({ indent, key, text: open + close + end, kind: 'punctuation', path });
    return;
  }
  lines.push({ indent, key, text: open, kind: 'punctuation', path });
  parts.forEach(([name, part], index) => {
    const below = isList ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    const comma = index < parts.length - 1 ? ',' : '';
    draw(part, { indent: indent + 1, key: isList ? undefined : JSON.stringify(name), path: below, end: comma }, lines);
  });
  lines.push({ indent, key: undefined, text: close + end, kind: 'punctuation', path });
}
