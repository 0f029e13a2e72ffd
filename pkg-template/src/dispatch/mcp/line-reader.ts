const NEWLINE = 10;

/**
 * Puts lines together from the chunks of a stream, without their ends. The function that it returns takes a chunk; it
 * returns false, and drops what it holds, when a line has more than `mostBytes`.
 */
export function lineReader(mostBytes: number, onLine: (line: string) => void): (chunk: Uint8Array) => boolean {
  let parts: Uint8Array[] = [];
  let size = 0;
  const add = (part: Uint8Array) => {
    parts.push(part);
    size += part.length;
  };
  const take = () => {
    const line = joined(parts, size);
    parts = [];
    size = 0;
    return line;
  };
  return chunk => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end));
      start = end + 1;
      if (size > mostBytes) break;
      onLine(new TextDecoder().decode(take()));
    }
    add(chunk.subarray(start));
    if (size <= mostBytes) return true;
    take();
    return false;
  };
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
