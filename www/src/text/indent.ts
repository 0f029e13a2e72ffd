/** Puts each part of a JSON text on its own line. Returns text that is not JSON unchanged; numbers keep their spelling. */
export function indented(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  const written: string[] = [];
  let depth = 0;
  let isFirst = false;
  for (const [token] of text.matchAll(TOKEN)) {
    const closes = token === '}' || token === ']';
    if (closes) depth -= 1;
    // Empty objects and lists stay on one line.
    if (isFirst !== closes) written.push(`\n${'  '.repeat(depth)}`);
    isFirst = token === '{' || token === '[';
    if (isFirst) depth += 1;
    written.push(token === ',' ? `,\n${'  '.repeat(depth)}` : token === ':' ? ': ' : token);
  }
  return written.join('');
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/g;
