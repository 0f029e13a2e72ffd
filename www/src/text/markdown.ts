import { Autolink, parser, Strikethrough, Table, TaskList } from '@lezer/markdown';

/** A part of a Markdown text, with its place in that text in UTF-16 units. */
export interface MarkdownNode {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly children: readonly MarkdownNode[];
}

/**
 * Markdown as models write it. Indented lines are no code, a line of dashes makes no heading of the line above, and HTML is
 * text like any other.
 */
const markdown = parser.configure([
  Table,
  Strikethrough,
  TaskList,
  Autolink,
  { remove: ['IndentedCode', 'HTMLBlock', 'SetextHeading', 'LinkReference'] },
]);

/** Parts that are nested more deeply than this are shown as they are written. */
const DEEPEST = 24;

/** The parts of a Markdown text; undefined if it cannot be read as Markdown. */
export function readMarkdown(text: string): MarkdownNode | undefined {
  try {
    const open: { node: MarkdownNode; children: MarkdownNode[] }[] = [];
    let root: MarkdownNode | undefined;
    markdown.parse(text).iterate({
      enter: ({ name, from, to }) => {
        if (open.length > DEEPEST) return false;
        const children: MarkdownNode[] = [];
        const node = { name, from, to, children };
        open.at(-1)?.children.push(node);
        root ??= node;
        open.push({ node, children });
        return true;
      },
      leave: () => {
        open.pop();
      },
    });
    return root;
  } catch {
    return undefined;
  }
}
