const NEWLINE = 0x0a;
const SPACE = 0x20;

/** Whether the first line is a JSON document by itself, and more follows. */
export function looksLikeJsonLines(bytes: Uint8Array): boolean {
  const end = bytes.indexOf(NEWLINE);
  if (end === -1) return false;
  return bytes.subarray(end).some(byte => byte > SPACE) && isJson(bytes.subarray(0, end));
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}
