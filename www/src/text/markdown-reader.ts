import type { MarkdownNode } from './markdown.ts';

let read: ((text: string) => MarkdownNode | undefined) | undefined;

/** Loads what reads Markdown, which the page can be drawn without. */
export async function loadMarkdown(): Promise<void> {
  read = (await import('./markdown.ts')).readMarkdown;
}

/** The parts of a Markdown text; undefined if it cannot be read as Markdown, or before {@link loadMarkdown}. */
export function readMarkdown(text: string): MarkdownNode | undefined {
  return read?.(text);
}
