import type { DocumentName } from './checker/protocol.ts';

/** A file that `toolgauge inspect` passes to the page. */
export interface Given {
  readonly document: DocumentName;
  readonly file: File;
}

/** Where a file is served. */
interface Entry {
  readonly document: DocumentName;
  readonly name: string;
  readonly address: string;
}

/** `true` if `toolgauge inspect` serves files with the page. */
export function hasGivenFiles(): boolean {
  return entries().length > 0;
}

/** The files that `toolgauge inspect` serves with the page; none on any other host. Rejects if a file is gone. */
export async function givenFiles(): Promise<Given[]> {
  return Promise.all(
    entries().map(async ({ document, name, address }) => {
      const response = await fetch(address);
      if (!response.ok) throw new Error(`${name} no longer exists`);
      return { document, file: new File([await response.blob()], name) };
    }),
  );
}

/** The list of the files that `toolgauge inspect` serves with the page, as JSON; empty on any other host. */
export function givenText(): string {
  return document.getElementById('given')?.textContent ?? '';
}

/** Where a link leads: to the page itself, to a page that others can open, or only to this machine. */
export interface LinkTarget {
  readonly kind: 'this page' | 'other page' | 'this machine';
  readonly address: string;
}

/** Where links lead. `toolgauge inspect` says it, because its own page is for this machine alone. */
export function linkTarget(): LinkTarget {
  const page = document.querySelector<HTMLMetaElement>('meta[name="toolgauge-page"]')?.content;
  if (page === undefined) return { kind: 'this page', address: location.href };
  return page === '' ? { kind: 'this machine', address: location.href } : { kind: 'other page', address: page };
}

function entries(): readonly Entry[] {
  const list = givenText();
  return list === '' ? [] : JSON.parse(list);
}
