// Random arguments, files and standard input for the command line. What needs a model or serves a page is left out.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { consumer, run as runProcess } from '../../package/support/consumer.mjs';
import { expectThat } from '../support/finding.mjs';
import { fileText, readFixtures } from '../support/fixtures.mjs';
import { mutate } from '../support/mutate.mjs';
import { toolgauge } from '../support/package.mjs';
import { ODD_TEXTS } from '../support/values.mjs';

const CLI = join(consumer, 'node_modules/toolgauge/dist/cli.js');
const FOLDER = mkdtempSync(join(consumer, 'fuzz-'));

/** Seconds of processor time that a command may take. */
const MOST_SECONDS = 60;

const TRAJECTORIES = readFixtures('formats');
const TOOLS = readFixtures('tools');

const COMMANDS = [
  'check',
  'score',
  'correctness',
  'reflect',
  'convert',
  'lint-tools',
  'merge',
  'diff',
  'explain',
  'config',
  '',
];
const FILES = [
  'log.json',
  'log.jsonl',
  'tools.json',
  'odd.json',
  'empty.json',
  'folder',
  'missing.json',
  '-',
  '*.json',
];
const FORMATS = [...toolgauge.REPORT_FORMATS, 'nothing'];

/** The options with what makes their values; those without a value have none. */
const OPTIONS = {
  '--format': random => random.pick(FORMATS),
  '--input-format': random => random.pick(['harness', 'openai-chat', 'anthropic', 'nothing']),
  '--from': random => random.pick(['harness', 'openai-chat', 'nothing']),
  '--to': random => random.pick(['harness', 'openai-chat', 'ai-sdk-model', 'atif', 'nothing']),
  '--tools': anyFile,
  '--expected': anyFile,
  '--actual': anyFile,
  '--baseline': anyFile,
  '--config': anyFile,
  '--output': random => random.pick(['out.txt', 'folder', 'new/out.txt', '']),
  '--summary': random => random.pick(['sum.json', '-', 'folder']),
  '--report': random => `${random.pick(FORMATS)}=${random.pick(['report.txt', 'folder', ''])}`,
  '--rule': random => random.pick(['tool_misuse=off', 'unknown_tool=critical', 'nothing=low', 'tool_misuse', '=']),
  '--ignore': random => random.pick(['type=tool_misuse,reason=known', 'tool=f*', '{"type":"tool_misuse"}', 'x', '=']),
  '--min-score': anyNumber,
  '--threshold': anyNumber,
  '--hallucination-threshold': anyNumber,
  '--jobs': random => random.pick(['1', '2', '0', 'x']),
  '--fail-on': random => random.pick(['low', 'never', 'critical', 'nothing']),
  '--show': random => random.pick(['all', 'failing', 'none', 'nothing']),
  '--params': random => random.pick(['input_parameters', 'output', 'nothing', '']),
  '--provider': random => random.pick(['openai', 'gemini', 'all', 'nothing']),
};
const FLAGS =
  '--lines --allow-empty --allow-errors --no-config --strict --exact --ordering --repair --allow-unknown-tools --no-validate-schemas --help --version --nothing'.split(
    ' ',
  );

export default { generate, run, close };

function close() {
  rmSync(FOLDER, { recursive: true, force: true });
}

function anyFile(random) {
  return random.pick(FILES);
}

function anyNumber(random) {
  return random.pick(['0', '0.5', '1', '2', '-1', 'NaN', '1e400', '']);
}

function generate(random) {
  const fixture = random.pick(TRAJECTORIES);
  return {
    args: anyArguments(random),
    log: mutate(random, fixture.document),
    lines: random.pick(TRAJECTORIES.filter(({ lines }) => lines)).document,
    tools: mutate(random, random.pick(TOOLS).document, 1),
    odd: random.pick([...ODD_TEXTS, '{"a":1}{', '[{}]\n[{}]\n']),
    input: fileText({ ...fixture, document: mutate(random, fixture.document) }),
  };
}

function anyArguments(random) {
  const named = random.list(0, 4, () => {
    const name = random.pick(Object.keys(OPTIONS));
    return [name, OPTIONS[name](random)];
  });
  const parts = [
    ...named,
    ...random.some(FLAGS, 0.06).map(flag => [flag]),
    ...random.list(0, 2, () => [anyFile(random)]),
  ];
  const odd = random.chance(0.1) ? [random.pick(ODD_TEXTS).replaceAll('\0', '')] : [];
  return [random.pick(COMMANDS), ...random.shuffle(parts).flat(), ...odd].filter((part, at) => at > 0 || part !== '');
}

async function run(input, session) {
  const folder = mkdtempSync(join(FOLDER, 'run-'));
  try {
    writeFiles(folder, input);
    const limited = ['-c', `ulimit -t ${MOST_SECONDS} && exec "$0" "$@"`, process.execPath, CLI, ...input.args];
    const { result } = await session.runLater('toolgauge', () =>
      runProcess('sh', limited, { cwd: folder, input: input.input }),
    );
    checkEnd(result);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeFiles(folder, { log, lines, tools, odd }) {
  const files = {
    'log.json': JSON.stringify(log),
    'log.jsonl': fileText({ lines: true, document: lines }),
    'tools.json': JSON.stringify(tools),
    'odd.json': odd,
    'empty.json': '',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, 'folder'));
  writeFileSync(join(folder, 'folder/part.json'), files['log.json']);
}

/** It ends with a code that is documented, says why it failed, and prints neither a stack nor control characters. */
function checkEnd({ code, stdout, stderr }) {
  const says = () => `exit code ${code}: ${stderr.slice(0, 400)}`;
  expectThat([0, 1, 2].includes(code), 'exit_code', says);
  expectThat(!/^\s+at .+:\d+:\d+\)?$/m.test(stderr) && !/internal error/i.test(stderr), 'stack_printed', says);
  expectThat(code !== 2 || stdout + stderr !== '', 'no_reason', says);
  const control = /[^\P{Cc}\n\t\r]/u.exec(stderr + stdout);
  expectThat(control === null, 'control_character', () => `U+${control[0].codePointAt(0).toString(16)} is printed`);
}
