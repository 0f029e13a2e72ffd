// Measures the packed package against plain JavaScript: run by `cargo xtask bench`.
//
// usage: node bench.mjs [--json <file>] [--rollouts <file> --tools <file>]
//
// Times differ from machine to machine and from hour to hour; what counts are the ratios, each of two times from the
// same rounds. --json writes all figures to a file; --rollouts takes conversations from a file in place of made ones.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  checkTrajectories,
  compileTools,
  scoreToolCalls,
  summarizeResultVerification,
  validateToolCall,
  validateTrajectory,
  version,
} from 'toolgauge';
import { callLists, conversations, longConversation, TOOLS } from './corpus.mjs';
import { plainChecker } from './plain-javascript.mjs';
import { distribution, race, ratio } from './stopwatch.mjs';

const ROUNDS = 15;
const PROCESSES = 12;

const here = dirname(fileURLToPath(import.meta.url));
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const { values: options } = parseArgs({
  options: { json: { type: 'string' }, rollouts: { type: 'string' }, tools: { type: 'string' } },
});
const tools = options.tools === undefined ? TOOLS : JSON.parse(readFileSync(options.tools, 'utf8'));
const compiled = compileTools(tools);
const figures = [];

/** What plain JavaScript does too: no reply is read for its facts, and no use of a result looked for. */
const SCHEMAS_ONLY = { detectHallucination: false, checkResultUsage: false };

console.log(`toolgauge ${version()}, Node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}`);
console.log('Each ratio is the median of its rounds, with its quartiles. Over 1: toolgauge takes longer.');

for (const { name, rollouts } of corpora()) benchRollouts(name, rollouts);
benchOneConversation();
benchGrowth();
benchSmallCall();
for (const count of [10, 1000]) benchScores(count);
benchStart();
if (options.json !== undefined) writeFigures(options.json);

function corpora() {
  if (options.rollouts !== undefined) {
    return [{ name: 'given rollouts', rollouts: JSON.parse(readFileSync(options.rollouts, 'utf8')) }];
  }
  return [
    { name: 'small rollouts', rollouts: conversations(600_000) },
    { name: 'large rollouts', rollouts: conversations(4_000_000) },
  ];
}

function benchRollouts(name, rollouts) {
  const text = JSON.stringify(rollouts);
  const bytes = encoder.encode(text);
  const check = plainChecker(tools);
  const report = checkTrajectories(bytes, compiled, SCHEMAS_ONLY);
  const resultText = JSON.stringify(report);
  title(`${name}: ${kilobytes(bytes.length)}, ${report.summary.calls} calls, results ${kilobytes(resultText.length)}`);
  assertAgreement(report, check(bytes));

  const times = race(
    {
      'bytes → verdict': () => checkTrajectories(bytes, compiled, SCHEMAS_ONLY),
      'bytes → verdict, with grounding': () => checkTrajectories(bytes, compiled),
      'text → verdict': () => checkTrajectories(text, compiled, SCHEMAS_ONLY),
      'object → verdict': () => checkTrajectories(rollouts, compiled, SCHEMAS_ONLY),
      'JSON.parse of the bytes': () => JSON.parse(decoder.decode(bytes)),
      'JSON.parse of the text': () => JSON.parse(text),
      'JSON.stringify of the object': () => JSON.stringify(rollouts),
      'JSON.parse, inner JSON.parse and Ajv': () => check(bytes),
      'JSON.parse of the results': () => JSON.parse(resultText),
    },
    ROUNDS,
  );
  show(name, times, 'bytes → verdict', 'JSON.parse of the bytes');
  show(name, times, 'bytes → verdict, with grounding', 'JSON.parse of the bytes');
  show(name, times, 'bytes → verdict', 'JSON.parse, inner JSON.parse and Ajv');
  show(name, times, 'text → verdict', 'JSON.parse of the text');
  show(name, times, 'object → verdict', 'JSON.stringify of the object');
  show(name, times, 'JSON.parse of the results', 'bytes → verdict');
  show(name, times, 'JSON.parse, inner JSON.parse and Ajv', 'JSON.parse of the bytes');
}

function benchOneConversation() {
  const [conversation] = conversations(1);
  const bytes = encoder.encode(JSON.stringify(conversation));
  title(`one conversation: ${kilobytes(bytes.length)}, ${conversation.messages.length} messages`);
  const made = compileTools(TOOLS);
  const times = race(
    {
      'validateTrajectory of the bytes': () => validateTrajectory(bytes, made),
      'JSON.parse of the bytes': () => JSON.parse(decoder.decode(bytes)),
    },
    ROUNDS,
  );
  show('one conversation', times, 'validateTrajectory of the bytes', 'JSON.parse of the bytes');
}

/** Ten times the turns: 10 when the cost grows in proportion. */
function benchGrowth() {
  const [short, long] = [1_000, 10_000].map(turns => encoder.encode(JSON.stringify(longConversation(turns))));
  title(`long conversations: ${kilobytes(short.length)} and ${kilobytes(long.length)}`);
  const times = race(
    {
      'validation of 10,000 turns': () => validateTrajectory(long),
      'validation of 1,000 turns': () => validateTrajectory(short),
      'verification of 10,000 turns': () => summarizeResultVerification(long),
      'verification of 1,000 turns': () => summarizeResultVerification(short),
    },
    ROUNDS,
  );
  show('growth', times, 'validation of 10,000 turns', 'validation of 1,000 turns');
  show('growth', times, 'verification of 10,000 turns', 'verification of 1,000 turns');
}

function benchSmallCall() {
  const call = {
    name: 'schedule_delivery',
    arguments: { order_id: 'ORD-104233', day: '2026-02-17', window: 'evening', note: 'Ring twice, please.' },
    result: { status: 'ok' },
  };
  title(`one call: ${JSON.stringify(call).length} bytes`);
  const made = compileTools(TOOLS);
  const own = TOOLS.find(tool => tool.function.name === call.name);
  const times = race(
    {
      'validateToolCall, compiled tools': () => validateToolCall(call, made),
      'validateToolCall, one tool as object': () => validateToolCall(call, own),
      'validateToolCall, 14 tools as objects': () => validateToolCall(call, TOOLS),
      'JSON.stringify and JSON.parse of the call': () => JSON.parse(JSON.stringify(call)),
    },
    ROUNDS,
  );
  for (const name of Object.keys(times).slice(0, 3)) {
    show('one call', times, name, 'JSON.stringify and JSON.parse of the call');
  }
}

function benchScores(count) {
  const lists = callLists(count);
  const group = `scores of ${count} calls`;
  title(`${group}: ${kilobytes(JSON.stringify(lists).length)}, F1 ${scoreToolCalls(lists).score}`);
  const times = race(
    {
      scoreToolCalls: () => scoreToolCalls(lists),
      'JSON.stringify and JSON.parse of the lists': () => JSON.parse(JSON.stringify(lists)),
    },
    ROUNDS,
  );
  show(group, times, 'scoreToolCalls', 'JSON.stringify and JSON.parse of the lists');
}

/** Whole processes: what one call costs that is the only one. */
function benchStart() {
  title('start-up: whole Node processes');
  const data = join(here, 'rollouts.tmp.json');
  writeFileSync(data, JSON.stringify(conversations(600_000)));
  const load = `import { readFileSync } from 'node:fs'; const bytes = readFileSync(${JSON.stringify(data)});`;
  const call = `validateToolCall({ name: 'a', arguments: {}, result: 1 }, { a: { name: 'a', parameters: {} } });`;
  const scripts = {
    'bare process': '',
    import: `import 'toolgauge';`,
    'import and a first call': `import { validateToolCall } from 'toolgauge'; ${call}`,
    'import and a check of 600 KB': `import { checkTrajectories } from 'toolgauge'; import { TOOLS } from './corpus.mjs'; ${load} checkTrajectories(bytes, TOOLS);`,
    'plain JavaScript on 600 KB': `import { plainChecker } from './plain-javascript.mjs'; import { TOOLS } from './corpus.mjs'; ${load} plainChecker(TOOLS)(bytes);`,
  };
  const times = Object.fromEntries(Object.keys(scripts).map(name => [name, []]));
  try {
    for (let round = 0; round < PROCESSES; round += 1) {
      for (const [name, script] of Object.entries(scripts)) times[name].push(timeProcess(script));
    }
  } finally {
    rmSync(data);
  }
  for (const name of ['import', 'import and a first call', 'import and a check of 600 KB']) {
    show('start-up', times, name, 'bare process');
  }
  show('start-up', times, 'import and a check of 600 KB', 'plain JavaScript on 600 KB');
}

function timeProcess(script) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: here });
  const time = performance.now() - start;
  if (status !== 0) throw new Error(`a process failed: ${stderr}`);
  return time;
}

/** Faster by leaving work out is no gain: both have to find the same calls, and the same of them wrong. */
function assertAgreement(report, plain) {
  const turns = report.trajectories.flatMap(({ results }) => results);
  const wrong = turns.reduce((sum, turn) => sum + wrongCalls(turn), 0);
  const { calls } = report.summary;
  console.log(`  wrong calls: ${wrong} by toolgauge, ${plain.wrong} by plain JavaScript`);
  if (options.rollouts === undefined && (calls !== plain.calls || wrong !== plain.wrong)) {
    throw new Error('toolgauge and plain JavaScript do not agree');
  }
}

/** How many calls of a turn violate their schema. */
function wrongCalls({ issues }) {
  const violations = issues.filter(({ type }) => type !== 'tool_misuse');
  return new Set(violations.map(({ details }) => details.callIndex)).size;
}

function title(text) {
  console.log(`\n${text}`);
}

function show(group, times, subject, baseline) {
  const { median, low, high } = ratio(times[subject], times[baseline]);
  const subjectTime = distribution(times[subject]).median;
  const baselineTime = distribution(times[baseline]).median;
  figures.push({
    group,
    subject,
    baseline,
    ratio: median,
    low,
    high,
    subjectMs: subjectTime,
    baselineMs: baselineTime,
  });
  const spread = `${median.toFixed(2).padStart(7)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
  console.log(`${spread.padEnd(25)} ${subject} / ${baseline}: ${duration(subjectTime)} / ${duration(baselineTime)}`);
}

function writeFigures(file) {
  const machine = { node: process.version, processor: cpus()[0]?.model, processors: cpus().length };
  writeFileSync(file, `${JSON.stringify({ version: version(), machine, rounds: ROUNDS, figures }, null, 2)}\n`);
}

function duration(milliseconds) {
  return milliseconds < 1 ? `${(milliseconds * 1000).toFixed(1)} µs` : `${milliseconds.toFixed(2)} ms`;
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(0)} KB`;
}
