import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../fixtures/', import.meta.url));

/** The documents of one folder of `tests/fixtures`. A file of lines is the list of what they hold. */
export function readFixtures(folder) {
  const names = readdirSync(join(FOLDER, folder), { recursive: true }).filter(name => /\.jsonl?$/.test(name));
  return names.sort().map(name => {
    const text = readFileSync(join(FOLDER, folder, name), 'utf8');
    const lines = name.endsWith('.jsonl');
    const document = lines ? text.trim().split('\n').map(JSON.parse) : JSON.parse(text);
    return { name, format: name.split(/[./\\]/)[0], lines, document };
  });
}

/** A document as its file holds it: a list of lines, or one JSON text. */
export function fileText({ lines, document }) {
  return lines && Array.isArray(document)
    ? document.map(line => `${JSON.stringify(line)}\n`).join('')
    : JSON.stringify(document);
}
