import { DEFAULT_OPTIONS, type DocumentName, type Documents, type Options } from './judge/protocol.ts';

/** What a link carries. */
export interface LinkState {
  readonly documents: Documents;
  readonly options: Options;
}

/** Links that are longer than this are cut by some programs that pass them on. */
export const LONG_LINK = 8_000;

/** The most text that a link may unfold to, in bytes. */
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

/** The state that a fragment carries; null when it carries none, undefined when it is damaged. */
export async function fromFragment(fragment: string): Promise<LinkState | null | undefined> {
  if (!fragment.startsWith(START)) return null;
  try {
    const binary = atob(fragment.slice(START.length).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, letter => letter.charCodeAt(0));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await collect(unpacked, MOST_BYTES));
    return read(JSON.parse(text));
  } catch {
    return undefined;
  }
}

async function collect(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
    length += next.value.length;
    if (length > most) {
      await reader.cancel();
      throw new RangeError('the link unfolds to too much');
    }
  }
  const whole = new Uint8Array(length);
  let end = 0;
  for (const chunk of chunks) {
    whole.set(chunk, end);
    end += chunk.length;
  }
  return whole;
}

/** Anyone can write a link: only texts become documents, and only what is of the right type an option. */
function read(value: unknown): LinkState {
  const { documents, options } = Object(value);
  const text = (name: DocumentName) => {
    const given = Object(documents)[name];
    return typeof given === 'string' ? given : '';
  };
  const known = Object.entries(DEFAULT_OPTIONS).map(([name, usual]) => {
    const given = Object(options)[name];
    return [name, typeof given === typeof usual ? given : usual];
  });
  return {
    documents: { trajectory: text('trajectory'), tools: text('tools'), expected: text('expected') },
    options: Object.fromEntries(known) as Options,
  };
}
