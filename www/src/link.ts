import { caseOf } from './case.ts';
import type { Case } from './checker/protocol.ts';

/** What a link contains. */
export type LinkState = Case;

/** Some programs cut links that are longer than this, in characters. */
export const LONG_LINK = 8_000;

/** The limit of a link after decompression, in bytes. */
const MOST_BYTES = 32 * 1024 * 1024;

const START = '#state=';

/** The state as the fragment of an address. A browser does not send fragments to servers. */
export async function toFragment(state: LinkState): Promise<string> {
  const packed = new Blob([JSON.stringify(state)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = await collect(packed, Number.POSITIVE_INFINITY);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return START + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The state in a fragment; null if the fragment is not a link, undefined if the link is damaged. */
export async function fromFragment(fragment: string): Promise<LinkState | null | undefined> {
  if (!fragment.startsWith(START)) return null;
  try {
    const binary = atob(fragment.slice(START.length).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, letter => letter.charCodeAt(0));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await collect(unpacked, MOST_BYTES));
    return caseOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

async function collect(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  most: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
    length += next.value.length;
    if (length > most) {
      await reader.cancel();
      throw new RangeError('the link is too large after decompression');
    }
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
