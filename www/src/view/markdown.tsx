import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { MarkdownNode } from '../text/markdown.ts';
import { readMarkdown } from '../text/markdown-reader.ts';
import { Wide } from './wide.tsx';

interface Props {
  readonly text: string;
  /** Draws the text between two offsets, in UTF-16 units, with whatever marks it has. */
  readonly draw: (from: number, to: number) => ComponentChildren;
}

/** A longer text is drawn as it is, in UTF-16 units, because its elements would take the page long. */
const LONGEST = 20_000;

/** A text in Markdown. Nothing in it becomes HTML, loads an image or leads anywhere: addresses are text. */
export function Markdown({ text, draw }: Props) {
  const root = useMemo(() => (text.length > LONGEST ? undefined : readMarkdown(text)), [text]);
  if (root === undefined) return <div class="plain">{draw(0, text.length)}</div>;
  return <div class="markdown">{partsOf(root, { text, draw })}</div>;
}

/** Characters that only mark other text. */
const MARKS: ReadonlySet<string> = new Set([
  'HeaderMark',
  'ListMark',
  'QuoteMark',
  'EmphasisMark',
  'StrikethroughMark',
  'CodeMark',
  'CodeInfo',
  'LinkMark',
  'TableDelimiter',
]);

/** Parts that hold blocks: what is between those is white space. */
const CONTAINERS: ReadonlySet<string> = new Set([
  'Document',
  'BulletList',
  'OrderedList',
  'ListItem',
  'Blockquote',
  'Table',
  'TableHeader',
  'TableRow',
]);

function partsOf(node: MarkdownNode, props: Props): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let end = node.from;
  const addText = (to: number) => {
    if (to > end && !(CONTAINERS.has(node.name) && props.text.slice(end, to).trim() === '')) {
      parts.push(linesOf(end, to, props));
    }
  };
  for (const child of node.children) {
    addText(child.from);
    parts.push(<Part key={child.from} node={child} {...props} />);
    end = child.to;
  }
  addText(node.to);
  return parts;
}

/** Text without the indentation of its further lines, which belongs to the list or quotation that it is in. */
function linesOf(from: number, to: number, { text, draw }: Props): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let start = from;
  for (const match of text.slice(from, to).matchAll(/\n[ \t]+/g)) {
    const after = from + match.index + 1;
    parts.push(draw(start, after));
    start = after + match[0].length - 1;
  }
  parts.push(draw(start, to));
  return parts;
}

function Part({ node, ...props }: Props & { readonly node: MarkdownNode }) {
  const { name, from, to, children } = node;
  if (MARKS.has(name)) return null;
  const { text, draw } = props;
  switch (name) {
    case 'Paragraph':
      return <p>{partsOf(node, props)}</p>;
    case 'ATXHeading1':
    case 'ATXHeading2':
    case 'ATXHeading3':
      return <h4 class={name === 'ATXHeading3' ? 'minor' : 'major'}>{trimmed(node, props)}</h4>;
    case 'ATXHeading4':
    case 'ATXHeading5':
    case 'ATXHeading6':
      return <h5>{trimmed(node, props)}</h5>;
    case 'BulletList':
      return <ul>{partsOf(node, props)}</ul>;
    case 'OrderedList':
      return <ol start={Number.parseInt(text.slice(from, from + 9), 10) || 0}>{partsOf(node, props)}</ol>;
    case 'ListItem':
      return <li>{partsOf(node, props)}</li>;
    case 'Task':
      return <p>{partsOf(node, props)}</p>;
    case 'TaskMarker':
      return <span>{/x/i.test(text.slice(from, to)) ? '☑' : '☐'}</span>;
    case 'Blockquote':
      return <blockquote>{partsOf(node, props)}</blockquote>;
    case 'FencedCode':
      return <pre>{children.map(child => child.name === 'CodeText' && draw(child.from, child.to))}</pre>;
    case 'InlineCode':
      return <code>{partsOf(node, props)}</code>;
    case 'Emphasis':
      return <em>{partsOf(node, props)}</em>;
    case 'StrongEmphasis':
      return <strong>{partsOf(node, props)}</strong>;
    case 'Strikethrough':
      return <s>{partsOf(node, props)}</s>;
    case 'HorizontalRule':
      return <hr />;
    case 'Link':
    case 'Image':
      return <Link node={node} {...props} />;
    case 'Escape':
      return <>{draw(from + 1, to)}</>;
    case 'Entity':
      return <>{ENTITIES[text.slice(from, to)] ?? draw(from, to)}</>;
    case 'HardBreak':
      return <br />;
    case 'Table':
      return <Table node={node} {...props} />;
    case 'TableCell':
    case 'Autolink':
      return <>{partsOf(node, props)}</>;
    default:
      return <>{draw(from, to)}</>;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&apos;': "'",
  '&nbsp;': '\u00a0',
};

/** The text of a heading, without the space after its marks. */
function trimmed(node: MarkdownNode, props: Props): ComponentChildren[] {
  const mark = node.children[0]?.to ?? node.from;
  const space = /^[ \t]*/.exec(props.text.slice(mark, node.to))?.[0].length ?? 0;
  return partsOf({ ...node, from: mark + space, children: node.children.slice(1) }, props);
}

/** The text of a link and its address. Brackets without an address are text. */
function Link({ node, ...props }: Props & { readonly node: MarkdownNode }) {
  const { from, to, children } = node;
  const address = children.find(({ name }) => name === 'URL');
  if (address === undefined) return <>{props.draw(from, to)}</>;
  const close =
    children.filter(({ name, from }) => name === 'LinkMark' && from < address.from)[1]?.from ?? address.from;
  const open = children[0]?.to ?? from;
  const inner = children.filter(child => child.from >= open && child.to <= close);
  return (
    <span class="address">
      {node.name === 'Image' && <span class="quiet">image </span>}
      {partsOf({ ...node, from: open, to: close, children: inner }, props)}
      <span class="quiet"> ({props.draw(address.from, address.to)})</span>
    </span>
  );
}

function Table({ node, ...props }: Props & { readonly node: MarkdownNode }) {
  const rows = node.children.filter(({ name }) => name === 'TableHeader' || name === 'TableRow');
  return (
    <Wide name="Table">
      <table>
        <tbody>
          {rows.map(row => (
            <tr key={row.from}>
              {row.children
                .filter(({ name }) => name === 'TableCell')
                .map(cell =>
                  row.name === 'TableHeader' ? (
                    <th key={cell.from} scope="col">
                      {partsOf(cell, props)}
                    </th>
                  ) : (
                    <td key={cell.from}>{partsOf(cell, props)}</td>
                  ),
                )}
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}
