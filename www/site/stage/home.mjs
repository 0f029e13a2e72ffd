import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCUMENTS, staged, titleOf, writePage } from './documents.mjs';
import { frontmatter } from './frontmatter.mjs';
import { ROOT } from './places.mjs';

const HOME = 'www/site/pages/index.md';

/** The door that leads into the inspector. */
const TO_INSPECTOR = 'I have a log';

/** Writes the home page: its introduction as the head, and each section as a door. */
export function writeHome(issues, toolgauge) {
  const [introduction, ...doors] = staged(HOME, issues).split(/^## /m);
  const tagline = introduction
    .replace(/^# .*$/m, '')
    .replace(/\s+/g, ' ')
    .trim();
  const data = {
    layout: 'HomePage',
    sidebar: false,
    title: 'toolgauge',
    titleTemplate: false,
    tagline,
    report: report(toolgauge),
  };
  const sections = doors.map(door => `<section class="door">\n\n## ${withAction(door.trimEnd())}\n\n</section>\n`);
  writePage('index.md', `${frontmatter(data)}<div class="doors">\n\n${sections.join('\n')}\n</div>\n\n${migrations()}`);
}

/** A line that leads users of other systems to the pages for them. */
function migrations() {
  const [overview, ...others] = [...DOCUMENTS.keys()].filter(path => path.startsWith('docs/migration/'));
  if (overview === undefined) return '';
  const link = (path, text) => `[${text}](./${DOCUMENTS.get(path)})`;
  const systems = others.map(path => link(path, titleOf(path).replace(/^From /, '')));
  return `**${link(overview, titleOf(overview))}**: ${systems.join(' · ')}\n`;
}

/** The door into the inspector opens it: a button takes the place before the links. */
function withAction(door) {
  if (!door.startsWith(TO_INSPECTOR)) return door;
  const links = door.lastIndexOf('\n\n');
  return `${door.slice(0, links)}\n\n<OpenInInspector fragment="" text="Open the inspector" />${door.slice(links)}`;
}

/** What a check says about the example: its reply, with the invented fact apart, and two of the issues. */
function report({ checkTrajectories }) {
  const [log, tools] = ['refund.json', 'shop.tools.json'].map(name =>
    readFileSync(join(ROOT, 'examples', name), 'utf8'),
  );
  const [{ results, resultIssues }] = checkTrajectories(log, tools).trajectories;
  const issues = [...results.flatMap(result => result.issues), ...resultIssues];
  const invented = issues.find(({ type }) => type === 'hallucinated_result');
  const mistyped = issues.find(({ type }) => type === 'type_mismatch');
  const [{ turnId, start, end }] = invented.details.facts;
  const { content } = JSON.parse(log).turns.find(turn => turn.turn_id === turnId);
  return {
    reply: [content.slice(0, start), content.slice(start, end), content.slice(end)],
    issues: [invented, mistyped].map(({ type, severity, description }) => ({ type, severity, description })),
  };
}
