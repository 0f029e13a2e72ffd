import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { TESTS } from './consumer.mjs';

/** The folder of the repository. */
export const ROOT = resolve(TESTS, '../..');

/**
 * The documents for users, and for their agents: README.md, docs/, skills/ and the home page of the site. Their programs
 * and commands run.
 */
export const DOCUMENTS = ['README.md', ...markdownIn('docs'), ...markdownIn('skills'), 'www/site/pages/index.md'];

/** The documents for people who change toolgauge. Only their links and the names of commands are tested. */
export const OTHERS = ['CONTRIBUTING.md', 'ARCHITECTURE.md'];

function markdownIn(folder) {
  const names = readdirSync(join(ROOT, folder), { recursive: true }).sort();
  return names.filter(name => name.endsWith('.md')).map(name => `${folder}/${name}`);
}

/** The text of a document, by its path from the root. */
export const textOf = document => readFileSync(join(ROOT, document), 'utf8');

/** The blocks of code of a document, with the line where each starts. */
export function blocksOf(document) {
  const text = textOf(document);
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(({ 1: language, 2: code, index }) => ({
    document,
    language,
    text: code,
    line: text.slice(0, index).split('\n').length,
  }));
}

/** Replaces the output that a document shows after a command, in place. */
export function replaceOutput(document, command, printed) {
  const text = textOf(document);
  const shown = new RegExp(`(\`\`\`sh\\n${escaped(command)}\\n\`\`\`\\n\\n\`\`\`text\\n).*?(^\`\`\`$)`, 'ms');
  writeFileSync(
    join(ROOT, document),
    text.replace(shown, (_, head, tail) => head + printed + tail),
  );
}

/** Replaces the text block that a document shows after another block with the content `code`, in place. */
export function replaceAfter(document, code, printed) {
  const shown = new RegExp(`(^${escaped(code)}\`\`\`\\n\\n\`\`\`text\\n).*?(^\`\`\`$)`, 'ms');
  writeFileSync(
    join(ROOT, document),
    textOf(document).replace(shown, (_, head, tail) => head + printed + tail),
  );
}

/** Replaces what the comments of a program say that it prints, in place. */
export function replaceComments(document, program, printed) {
  const lines = [...printed];
  const commented = program.replace(/^(console\.log\(.*\); \/\/ ).*$/gm, (_, call) => call + lines.shift());
  writeFileSync(
    join(ROOT, document),
    textOf(document).replace(program, () => commented),
  );
}

/** The links of a document to files of the repository: the path from the root, and the heading if one is named. */
export function linksOf(document) {
  const prose = textOf(document).replace(/^```.*?^```$/gms, '');
  const targets = [...prose.matchAll(/\]\((?!https?:)([^)\s]*)\)/g)].map(([, target]) => target.split('#'));
  return targets.map(([path, heading]) => ({
    path: path === '' ? document : join(dirname(document), path),
    heading,
  }));
}

/** The anchors of a document's headings, as GitHub makes them. */
export function anchorsOf(document) {
  const prose = textOf(document).replace(/^```.*?^```$/gms, '');
  const headings = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading.toLowerCase());
  return new Set(headings.map(heading => heading.replace(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-')));
}

/** A pattern that matches exactly this text. */
function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
