// Reports of every format with hostile text in every field, read back by parsers of their syntaxes.
import assert from 'node:assert/strict';
import { ANNOTATION, assertJunit, FOREIGN_MARKDOWN, MARKUP, SARIF } from '../../package/support/report-syntax.mjs';
import { expectThat, Finding } from '../support/finding.mjs';
import { readHtml, readXml } from '../support/markup.mjs';
import { requireReference, toolgauge } from '../support/package.mjs';

/** Texts that end a syntax early, or begin another one, beside those of the report tests. */
const HOSTILE = [
  ...MARKUP,
  '--%0A::error::forged',
  '\n::error file=x::forged',
  '%0A::warning::forged',
  '\u001b]0;title\u0007\u001b[2J\u009b31m',
  '\u001b]8;;https://example.com\u001b\\link',
  '\r\u0008\u0008overwritten',
  '\u202eevil\u2066\u200f',
  '=cmd|"/c calc"!A1',
  '"><a href=x>',
  "'-->",
  '</script><textarea>',
  '\n\n# Heading\n\n* item\n> quote\n```\n',
  '\n| x | y |\n|---|---|\n',
  '<br>\\<b>\\`',
  '&#x0;&#xD800;&nbsp',
  '\ud83d',
  'a'.repeat(500),
];
const TOOLS = [
  { name: 'send', parameters: { properties: { to: { enum: ['a'] }, n: { type: 'integer' } }, required: ['to'] } },
];
const validateSarif = new (requireReference('ajv').default)({ allErrors: true }).compile(SARIF);

/** The escape sequences that reports in colour write themselves. */
const COLOUR = new RegExp(`${String.fromCharCode(0x1b)}\\[[0-9;]*m`, 'g');

/** What pages hold in which no text is hostile. */
const PAGE = pageOfHarmlessTexts();

export default { generate, run };

function generate(random) {
  const text = () => (random.chance(0.7) ? random.list(1, 2, () => random.pick(HOSTILE)).join('') : 'plain');
  const key = () => (random.chance(0.5) ? text() : random.pick(['to', 'n']));
  const value = () => random.pick([text(), 5, null, { [key()]: text() }, [text()]]);
  const call = () => ({
    id: text(),
    name: random.chance(0.4) ? 'send' : text(),
    arguments: Object.fromEntries(random.list(0, 2, () => [key(), value()])),
    ...random.pick([{ result: value() }, { error: text() }, {}, { rawArguments: text() }]),
  });
  const turn = at => ({
    turn_id: at + 1,
    role: random.pick(['user', 'agent', 'agent', 'system']),
    content: `${text()} costs $${random.between(1, 99)}. ${text()}`,
    tool_calls: random.list(0, 2, call),
  });
  const trajectory = () => ({ trajectory_id: text(), turns: random.list(1, 3, turn) });
  const toolText = random.chance(0.3) ? text() : '';
  return {
    document: random.list(1, 2, trajectory),
    tools:
      toolText === '' ? TOOLS : [...TOOLS, { name: toolText, description: text(), parameters: { enum: [text()] } }],
    source: random.chance(0.3) ? text().toWellFormed() : 'runs/rollouts.json',
    color: random.chance(0.5),
    width: random.between(40, 200),
  };
}

function run({ document, tools, source, color, width }, session) {
  const [text, definitions] = [JSON.stringify(document), JSON.stringify(tools)];
  const reported = as => {
    const { result } = session.call('reportTrajectories', text, definitions, { as, source, color, width });
    return result?.text;
  };
  for (const [as, check] of Object.entries(CHECKS)) {
    const report = reported(as);
    if (report !== undefined) check(report, { color, source, count: document.length });
  }
  checkTerminal(session.call('reportToolLint', definitions, { source, color, width }).result?.text ?? '', { color });
  checkScores(document, { color, width }, session);
}

/** The calls of one trajectory as those that are expected and those that were made. */
function checkScores(document, layout, session) {
  const [actual] = document;
  const expected = document.at(-1);
  const lists = session.call('reportCallLists', JSON.stringify(expected), JSON.stringify(actual), layout);
  checkTerminal(lists.result?.text ?? '', layout);
}

const CHECKS = {
  pretty: checkTerminal,
  json: report => assertParses('json', () => JSON.parse(report)),
  jsonl: (report, { count }) => {
    const lines = report.trimEnd().split('\n');
    assertParses('jsonl', () => lines.forEach(line => void JSON.parse(line)));
    expectThat(lines.length === count, 'forged_line', () => `${lines.length} lines for ${count} trajectories`);
  },
  junit: report => assertParses('junit', () => assertJunit(readXml(report))),
  sarif: report => {
    const log = assertParses('sarif', () => JSON.parse(report));
    expectThat(validateSarif(log), 'invalid_sarif', () => JSON.stringify(validateSarif.errors));
  },
  github: checkAnnotations,
  markdown: checkMarkdown,
  html: report => checkPage(readHtml(report)),
};

assert.deepEqual(Object.keys(CHECKS).toSorted(), toolgauge.REPORT_FORMATS.toSorted(), 'each format has a check');

function assertParses(syntax, parse) {
  try {
    return parse();
  } catch (error) {
    throw new Finding(`invalid_${syntax}`, String(error.message ?? error));
  }
}

/** Only colours of the tool's own, and no character that moves the cursor or turns text around. */
function checkTerminal(report, { color }) {
  const text = color ? report.replaceAll(COLOUR, '') : report;
  const foreign = /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/u.exec(text)?.[0];
  expectThat(foreign === undefined, 'control_character', () => `U+${foreign.codePointAt(0).toString(16)} is printed`);
}

function checkAnnotations(report, { source }) {
  if (source !== 'runs/rollouts.json') return;
  const lines = report.split('\n').slice(0, -1);
  const forged = lines.find(line => !ANNOTATION.test(line));
  expectThat(forged === undefined, 'forged_annotation', forged);
}

function checkMarkdown(report) {
  const foreign = FOREIGN_MARKDOWN.exec(report);
  expectThat(foreign === null, 'foreign_markdown', () => report.slice(foreign.index, foreign.index + 60));
}

function checkPage(page) {
  for (const [kind, names] of Object.entries(page)) {
    const foreign = [...names].find(name => !PAGE[kind].has(name));
    expectThat(foreign === undefined, 'foreign_html', () => `${kind}: ${foreign}`);
  }
}

function pageOfHarmlessTexts() {
  const calls = [
    { id: '1', name: 'send', arguments: { to: 'b', n: 'x' }, result: { a: 1 } },
    { name: 'other', arguments: { x: [1] }, error: 'no' },
    { arguments: {}, result: '' },
    { name: 'send', rawArguments: '{"to' },
  ];
  const turns = [
    { turn_id: 1, role: 'system', content: 'Be kind.' },
    { turn_id: 2, role: 'user', content: 'Send it.' },
    { turn_id: 3, role: 'agent', content: 'It costs $5, and I sent it to Kim.', tool_calls: calls },
    { turn_id: 4, role: 'agent', content: 'It costs $6.' },
  ];
  const good = [{ name: 'send', arguments: { to: 'a' }, result: 'ok' }];
  const document = [
    { trajectory_id: 'one', turns },
    { turns: [...turns.slice(0, 2), { turn_id: 3, role: 'agent', content: 'Sent.', tool_calls: good }] },
    { turns: turns.slice(0, 2) },
  ];
  const { text } = toolgauge.reportTrajectories(document, TOOLS, { as: 'html', source: 'runs/rollouts.json' });
  assert.ok(text.includes('<'));
  return readHtml(text);
}
