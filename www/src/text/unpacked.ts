/** How files begin that are expanded. */
const MARKS = {
  zip: [0x50, 0x4b],
  gzip: [0x1f, 0x8b],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
} as const;

/**
 * The content of a file as text in UTF-8: the samples of an Inspect log (`.eval`) as lines, what gzip compressed, and
 * UTF-16. Any other file is returned as it is. Rejects with the reason if it can't be expanded.
 */
export async function unpacked(file: File): Promise<File> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const kind = Object.entries(MARKS).find(([, mark]) => mark[0] === first && mark[1] === second)?.[0];
  switch (kind) {
    case undefined:
      return file;
    case 'zip':
      return new File(await samplesOf(file), file.name);
    case 'gzip':
      return new File([await expanded(file)], file.name);
    default:
      return new File([new TextDecoder(kind).decode(await file.arrayBuffer())], file.name);
  }
}

async function samplesOf(file: File): Promise<BlobPart[]> {
  const { evalLines } = await import('toolgauge/archives');
  const read = async (start: number, end: number) => new Uint8Array(await file.slice(start, end).arrayBuffer());
  const pieces: BlobPart[] = [];
  for await (const piece of evalLines({ size: file.size, read })) pieces.push(piece as Uint8Array<ArrayBuffer>);
  return pieces;
}

async function expanded(file: File): Promise<Blob> {
  try {
    return await new Response(file.stream().pipeThrough(new DecompressionStream('gzip'))).blob();
  } catch {
    throw new Error('what gzip compressed is damaged or incomplete');
  }
}
