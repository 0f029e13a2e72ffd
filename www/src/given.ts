import type { DocumentName } from './judge/protocol.ts';

/** A file that the page begins with. */
export interface Given {
  readonly document: DocumentName;
  readonly file: File;
}

/** The files that `toolgauge inspect` serves with the page; none anywhere else. Throws when one is gone. */
export async function givenFiles(): Promise<Given[]> {
  const list = document.getElementById('given')?.textContent;
  if (!list) return [];
  const given: readonly { document: DocumentName; name: string; address: string }[] = JSON.parse(list);
  return Promise.all(
    given.map(async ({ document, name, address }) => {
      const response = await fetch(address);
      if (!response.ok) throw new Error(`${name} is not there any more`);
      return { document, file: new File([await response.blob()], name) };
    }),
  );
}
