import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import ts from 'typescript';
import { copyFile, DOCUMENTS, staged, writePage } from './documents.mjs';
import { frontmatter } from './frontmatter.mjs';
import { escaped } from './links.mjs';
import { ROOT } from './places.mjs';

const TOOLS = 'examples/shop.tools.json';

/** Where issues come from, in the order of the overview. */
export const ORIGINS = { call: 'Calls', result: 'Results and replies', reflection: 'Calls before they run' };

/** The types that only `verifyResult` reports: a check reports the same under another type. */
const ONLY_VERIFIED = { hallucinated_content: 'hallucinated_result', unused_result: 'result_unused' };

/** The types that stand for one of results in a check. */
const STAND_INS = Object.values(ONLY_VERIFIED);

/** Every type of issue, as the core explains it, with where it comes from and the log that shows it. */
export async function issueTypes({ explainIssues }) {
  const values = await issueNames();
  const originOf = type => {
    if (values.RESULT_ISSUE_TYPES.includes(type) || STAND_INS.includes(type)) return 'result';
    if (values.TOOL_USE_ISSUE_TYPES.includes(type)) return 'call';
    if (values.REFLECTION_ISSUE_TYPES.includes(type)) return 'reflection';
    throw new Error(`nothing says where issues of the type ${type} come from`);
  };
  const issues = explainIssues().map(issue => ({ ...issue, origin: originOf(issue.type), log: logOf(issue.type) }));
  return Object.keys(ORIGINS).flatMap(origin => issues.filter(issue => issue.origin === origin));
}

/** The lists of names of the package, which its TypeScript has. */
async function issueNames() {
  const source = readFileSync(join(ROOT, 'pkg-template/src/values.ts'), 'utf8');
  const options = { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 } };
  const { outputText } = ts.transpileModule(source, options);
  return import(`data:text/javascript,${encodeURIComponent(outputText)}`);
}

function logOf(type) {
  return ['issues', 'results']
    .map(folder => `examples/${folder}/${type}.json`)
    .find(path => existsSync(join(ROOT, path)));
}

/** Writes the overview, and a page for each type. */
export function writeIssues(issues, toolgauge) {
  writePage(DOCUMENTS.get('docs/issues.md'), overview(issues));
  for (const [at, issue] of issues.entries()) {
    writePage(`issues/${issue.type}.md`, page(issue, { before: issues[at - 1], after: issues[at + 1] }, toolgauge));
  }
}

/** The document about issues, whose table can be filtered and whose sections are pages. */
function overview(issues) {
  const text = staged('docs/issues.md', new Set(issues.map(({ type }) => type)));
  const [introduction, switching, all] = text.split(/^## (?:Switching off|All types)$/m);
  if (all === undefined) throw new Error('docs/issues.md no longer has the headings "Switching off" and "All types"');
  const rows = issues.map(({ type, severity, meaning, origin }) => ({
    type,
    severity,
    meaning,
    origin: ORIGINS[origin],
  }));
  const head = frontmatter({ issues: rows, aside: false });
  return `${head}${introduction}## All types\n\n<IssueTable />\n\n## Switching off${switching}`;
}

function page(issue, { before, after }, toolgauge) {
  const { type, severity, meaning, example, remedy } = issue;
  const data = { issue: { type, severity, origin: ORIGINS[issue.origin] }, outline: 2, ...neighbours(before, after) };
  return `${frontmatter(data)}# ${escaped(type)}

<IssueFacts />

${escaped(meaning)}

**Example**: ${escaped(example)}

## What to do

${escaped(remedy)}

## Where it is reported

${reportedBy(issue)}
${issue.log === undefined ? '' : shown(issue, toolgauge)}
## Switch it off, or rate it

${switches(issue)}`;
}

function neighbours(before, after) {
  const link = issue => (issue === undefined ? false : { text: issue.type, link: `/issues/${issue.type}` });
  return { prev: link(before), next: link(after) };
}

function reportedBy({ type, origin }) {
  if (origin === 'reflection') {
    return '[`reflect`, `checkToolCall` and `reflectToolCall`](../reflection-and-repair.md) report it. A check of a log does not.';
  }
  const other = ONLY_VERIFIED[type];
  if (other !== undefined) {
    return `Only [\`verifyResult\`](../grounding.md#verifying-one-result) reports it. A check reports the same as
[${escaped(other)}](./${other}.md).`;
  }
  return '[`toolgauge check`](../cli.md), `checkTrajectories`, the [matchers](../matchers.md) and the [inspector](../inspector.md) report it.';
}

/** The log that shows the issue, with what a check says about it. */
function shown({ log }, { reportTrajectories }) {
  const [text, tools] = [log, TOOLS].map(path => readFileSync(join(ROOT, path), 'utf8'));
  const { text: report } = reportTrajectories(text, tools, { as: 'pretty', width: 72 });
  return `
## A log that has it

<OpenInInspector fragment="${fragment(text, tools)}" />

A check of [${basename(log)}](/${copyFile(log)}) with the tools in [${basename(TOOLS)}](/${copyFile(TOOLS)}) reports:

\`\`\`text
${report.trimEnd()}
\`\`\`

::: details The log
\`\`\`json
${text.trimEnd()}
\`\`\`
:::
`;
}

function switches({ type, origin }) {
  const command = origin === 'reflection' ? 'reflect' : 'check';
  return `On the command line, or for everyone in \`toolgauge.config.json\`:

\`\`\`console
npx toolgauge ${command} log.json --rule ${type}=off
\`\`\`

\`\`\`json
{ "rules": { "${type}": "off" } }
\`\`\`

Instead of \`off\`, the severity may be \`low\`, \`medium\`, \`high\` or \`critical\`. To ignore single findings, with the reason:

\`\`\`json
{
  "ignore": [
    { "type": "${type}", "tool": "search*", "reason": "…" }
  ]
}
\`\`\`

Functions and matchers take \`rules\` and \`ignore\` as options: see [Switching off](./index.md#switching-off).
[Scores](../scores.md) says what an issue takes off a score, and which issues fail a check.
\`npx toolgauge explain ${type}\` prints the essence of this page.
`;
}

/** What the address of the inspector has after its path, so that it opens with these documents. */
function fragment(trajectory, tools) {
  const state = { documents: { trajectory, tools, expected: '', before: '' } };
  return `#state=${deflateRawSync(JSON.stringify(state)).toString('base64url')}`;
}
