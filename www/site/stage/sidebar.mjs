import { DOCUMENTS, textOf, titleOf } from './documents.mjs';

/** The groups of the sidebar, by the names of the documents in `docs/`. Documents that are in no group are in the last. */
const GROUPS = {
  Start: ['getting-started', 'formats', 'inspector', 'runtimes', 'browser'],
  'Check logs': ['cli', 'issues', 'grounding', 'scores', 'lint'],
  'Test agents': ['matchers', 'expectations', 'comparison', 'judges'],
  'In a running agent': ['ai-sdk', 'reflection-and-repair', 'dispatch', 'mcp'],
  'Look up': ['api', 'glossary', 'performance', 'fuzzing'],
};

/** The documents of the project itself, in a group of their own. */
const PROJECT = ['README.md', 'CHANGELOG.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'];

/** The sidebar of the documents, as VitePress takes it. */
export function sidebar() {
  const documents = [...DOCUMENTS.keys()].filter(path => path.startsWith('docs/') && path !== 'docs/README.md');
  const migrations = documents.filter(path => path.startsWith('docs/migration/'));
  const grouped = Object.values(GROUPS)
    .flat()
    .map(path => `docs/${path}.md`);
  const others = documents.filter(path => !grouped.includes(path) && !migrations.includes(path));
  const groups = Object.entries(GROUPS).map(([text, names]) =>
    group(
      text,
      names.map(name => `docs/${name}.md`).filter(path => documents.includes(path)),
    ),
  );
  return [
    ...groups,
    group('Come from another system', migrations),
    group('More', others),
    group('This project', PROJECT),
    { text: 'All pages', link: '/all-pages' },
  ].filter(({ items }) => items === undefined || items.length > 0);
}

function group(text, documents) {
  const items = documents.map(path => ({
    text: nameOf(path),
    link: `/${DOCUMENTS.get(path).replace(/(index)?\.md$/, '')}`,
  }));
  return { text, items };
}

/** How the list of all pages calls a document, or else its title. */
function nameOf(path) {
  if (path === 'README.md') return 'Overview';
  const listed = textOf('docs/README.md');
  const name = path.replace(/^docs\//, '').replace(/[.]/g, '\\.');
  const [, text] = new RegExp(`^\\| \\[([^\\]]+)\\]\\(${name}\\) \\|`, 'm').exec(listed) ?? [];
  return text ?? titleOf(path);
}
