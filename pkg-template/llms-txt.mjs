/** A row of the table of all pages in docs/README.md: title, file, what it is about. */
const PAGE = /^\| \[([^\]]+)\]\(([\w/-]+\.md)\) \| (.+) \|$/gm;

/** A link in docs/README.md to a page for users of another system: its name, file. */
const MIGRATION = /\[([^\]]+)\]\((migration\/(?!README)[\w-]+\.md)\)/g;

/** Pages that few readers need. */
const OPTIONAL = new Set(['comparison.md', 'fuzzing.md', 'performance.md']);

/**
 * Writes llms.txt (https://llmstxt.org): what the package is, and a line for each page to which docs/README.md links.
 * `overview` is the text of docs/README.md, and `description` that of the package.
 */
export function llmsTxt(overview, description) {
  const pages = [...overview.matchAll(PAGE)].map(([, title, file, about]) => ({ title, file, about: plain(about) }));
  if (pages.length === 0) throw new Error('docs/README.md has no table of pages');
  const lines = pages.map(page => ({ ...page, line: `- [${page.title}](docs/${page.file}): ${page.about}` }));
  const migrations = [...overview.matchAll(MIGRATION)].map(
    ([, system, file]) => `- [From ${system}](docs/${file}): its code and ours, what is the same, what differs`,
  );
  const listed = isOptional => lines.filter(({ file }) => OPTIONAL.has(file) === isOptional).map(({ line }) => line);
  return `# toolgauge

> ${description}.

toolgauge is an npm package with a command line, a library in TypeScript and an MCP server. It reads the log of an agent
in any of some fifty formats and checks it by rules, without asking a model. Start with \`npx toolgauge check <log> --tools
<tool definitions>\`; \`npx toolgauge explain <type>\` explains an issue.

## Docs

- [README](README.md): what it is, three examples
${listed(false).join('\n')}

## Agents

- [Skill](skills/toolgauge/SKILL.md): how a coding agent checks logs, fixes issues and writes tests

## Optional

${[...listed(true), ...migrations].join('\n')}
- [Changelog](CHANGELOG.md): what changed
`;
}

/** Markdown without its links. */
function plain(text) {
  return text.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1');
}
