import { FAIL_ON, RULE_LEVELS, TRAJECTORY_FORMATS } from 'toolgauge/values';
import { type Case, DEFAULT_OPTIONS, type DocumentName, type Options } from './checker/protocol.ts';

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
    return read(JSON.parse(text));
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

/** Anyone can write a link, so this accepts only texts as documents and only values that a user could choose as options. */
function read(value: unknown): LinkState {
  const { documents, options, selected } = Object(value);
  const text = (name: DocumentName) => {
    const given = Object(documents)[name];
    return typeof given === 'string' ? given : '';
  };
  const chosen = <Name extends keyof Options>(name: Name, isPossible: (given: unknown) => boolean): Options[Name] => {
    const given = Object(options)[name];
    return isPossible(given) ? given : DEFAULT_OPTIONS[name];
  };
  return {
    documents: {
      trajectory: text('trajectory'),
      tools: text('tools'),
      expected: text('expected'),
      before: text('before'),
    },
    options: {
      format: chosen('format', given => TRAJECTORY_FORMATS.some(format => format === given)),
      strict: chosen('strict', isBoolean),
      allowUnknownTools: chosen('allowUnknownTools', isBoolean),
      failOn: chosen('failOn', given => FAIL_ON.some(severity => severity === given)),
      minScore: chosen('minScore', isShare),
      hallucinationThreshold: chosen('hallucinationThreshold', isShare),
      rules: chosen('rules', isRules),
      taskKey: chosen('taskKey', isField),
    },
    selected: Number.isSafeInteger(selected) && selected >= 0 ? selected : 0,
  };
}

function isBoolean(given: unknown): boolean {
  return typeof given === 'boolean';
}

/** Fields have short names. */
function isField(given: unknown): boolean {
  return typeof given === 'string' && given.length <= 200;
}

function isRules(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return false;
  const isLevel = (value: unknown) => RULE_LEVELS.some(level => level === value);
  return Object.entries(given).every(([type, level]) => /^[a-z_]{1,60}$/.test(type) && isLevel(level));
}

function isShare(given: unknown): boolean {
  return typeof given === 'number' && given >= 0 && given <= 1;
}
