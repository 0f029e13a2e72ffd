/** The same JSON with a line for each part. Text that is no JSON stays as it is; numbers keep their spelling. */
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
    // What holds nothing stays on its line.
    if (isFirst !== closes) written.push(`\n${'  '.repeat(depth)}`);
    isFirst = token === '{' || token === '[';
    if (isFirst) depth += 1;
    written.push(token === ',' ? `,\n${'  '.repeat(depth)}` : token === ':' ? ': ' : token);
  }
  return written.join('');
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/g;
