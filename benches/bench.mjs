// Measures the packed package against plain JavaScript and the scorers of other packages: run by `cargo xtask bench`.
//
// usage: node bench.mjs [--json <file>] [--rollouts <file> --tools <file>]
//
// Times differ from machine to machine and from hour to hour, so compare the ratios: both times of a ratio are from the
// same rounds. --json writes all figures to a file; --rollouts reads chat messages from a file instead of generating them:
// a list of {messages}, or of tau-bench's {traj, info: {task: {actions}}}, where the actions are the expected calls.
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
  scoreTrajectories,
  summarizeResultVerification,
  validateToolCall,
  validateTrajectory,
  version,
} from 'toolgauge';
import { callLists, conversations, longConversation, rollouts as madeRollouts, TOOLS } from './corpus.mjs';
import { plainChecker } from './plain-javascript.mjs';
import { casesOf, haveExpectations, SCORERS, verdictsOf } from './scorers.mjs';
import { distribution, race, ratio } from './stopwatch.mjs';

const ROUNDS = 15;
const PROCESSES = 12;
const THREAD_ROUNDS = 5;
/** The bytes that whole processes check, enough to give each thread of --jobs some work. */
const FILE_BYTES = 24_000_000;

const here = dirname(fileURLToPath(import.meta.url));
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const { values: options } = parseArgs({
  options: { json: { type: 'string' }, rollouts: { type: 'string' }, tools: { type: 'string' } },
});
const tools = options.tools === undefined ? TOOLS : JSON.parse(readFileSync(options.tools, 'utf8'));
const compiled = compileTools(tools);
const figures = [];

/** The checks that plain JavaScript does, too: facts in replies and the use of results are not checked. */
const SCHEMAS_ONLY = { detectHallucination: false, checkResultUsage: false };

console.log(`toolgauge ${version()}, Node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}`);
console.log('Each ratio is the median of its rounds, with the least and the greatest. Over 1: the first takes longer.');
console.log('Times are those of processors; of whole processes, those of the clock.');

for (const { name, rollouts } of corpora()) await benchRollouts(name, rollouts);
await benchScorers(given() ?? madeRollouts(1_000_000));
benchThreads(given() ?? conversations(2_000_000));
if (options.rollouts === undefined) {
  await benchOneConversation();
  await benchGrowth();
  await benchSmallCall();
  for (const count of [10, 1000]) await benchScores(count);
  benchStart();
}
if (options.json !== undefined) writeFigures(options.json);

/** Reads the rollouts of the file on the command line. */
function given() {
  return options.rollouts === undefined ? undefined : JSON.parse(readFileSync(options.rollouts, 'utf8'));
}

function corpora() {
  const rollouts = given();
  if (rollouts !== undefined) return [{ name: 'given rollouts', rollouts }];
  return [
    { name: 'small rollouts', rollouts: conversations(600_000) },
    { name: 'large rollouts', rollouts: conversations(4_000_000) },
  ];
}

async function benchRollouts(name, rollouts) {
  const text = JSON.stringify(rollouts);
  const bytes = encoder.encode(text);
  const check = plainChecker(tools);
  const report = checkTrajectories(bytes, compiled, SCHEMAS_ONLY);
  const resultText = JSON.stringify(report);
  title(`${name}: ${kilobytes(bytes.length)}, ${report.summary.calls} calls, results ${kilobytes(resultText.length)}`);
  assertAgreement(report, check(bytes));

  const times = await race(
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

/** Compares expected with actual calls, by toolgauge and by the scorers of other packages. */
async function benchScorers(rollouts) {
  if (!haveExpectations(rollouts)) {
    console.log('\nscorers: left out, because not every rollout has expected calls');
    return;
  }
  const cases = casesOf(rollouts);
  await benchFile(rollouts);
  await benchPrepared(cases);
  await compareVerdicts(cases);
}

/** Measures the way from a file in memory to a verdict on each of its trajectories. */
async function benchFile(rollouts) {
  const bytes = encoder.encode(JSON.stringify(rollouts));
  const group = 'file → verdicts';
  title(`${group}: ${rollouts.length} rollouts with expected calls, ${kilobytes(bytes.length)}`);
  const parse = () => JSON.parse(decoder.decode(bytes));
  const check = plainChecker(tools);
  const baseline = 'JSON.parse alone';
  const contenders = {
    [baseline]: parse,
    'JSON.parse, inner JSON.parse and Ajv': () => check(bytes),
    'toolgauge checkTrajectories, schemas alone': () => checkTrajectories(bytes, compiled, SCHEMAS_ONLY),
    'toolgauge checkTrajectories': () => checkTrajectories(bytes, compiled),
    'toolgauge scoreTrajectories': () => scoreTrajectories(bytes),
  };
  for (const scorer of SCORERS.filter(({ name }) => !name.startsWith('toolgauge'))) {
    contenders[`JSON.parse and ${scorer.name}`] = () => verdictsOf(scorer, casesOf(parse()).map(scorer.prepare));
  }
  const times = await race(contenders, ROUNDS);
  for (const name of Object.keys(contenders)) show(group, times, name, baseline);
}

/** Measures only the scoring, with the inputs of each scorer prepared before. */
async function benchPrepared(cases) {
  const group = 'objects → verdicts';
  title(`${group}: the same calls as each scorer takes them, without reading and preparing`);
  const contenders = SCORERS.map(scorer => {
    const prepared = cases.map(scorer.prepare);
    return [scorer.name, () => verdictsOf(scorer, prepared)];
  });
  const times = await race(Object.fromEntries(contenders), ROUNDS);
  for (const { name } of SCORERS) show(group, times, name, SCORERS[0].name);
}

/** Counts the cases in which each scorer disagrees with toolgauge. */
async function compareVerdicts(cases) {
  const verdicts = new Map();
  for (const scorer of SCORERS) verdicts.set(scorer, await verdictsOf(scorer, cases.map(scorer.prepare)));
  title(`verdicts on ${cases.length} rollouts`);
  for (const question of new Set(SCORERS.map(scorer => scorer.question))) {
    console.log(`  ${question}`);
    const answering = SCORERS.filter(scorer => scorer.question === question);
    for (const scorer of answering) tellVerdicts(scorer, verdicts.get(scorer), verdicts.get(answering[0]), cases);
  }
  const correctness = ['toolgauge measureCorrectness', 'deepeval ToolCorrectnessMetric'];
  const [own, theirs] = correctness.map(wanted => verdicts.get(SCORERS.find(({ name }) => name === wanted)));
  const gaps = own.map(({ score }, at) => score - theirs[at].score);
  const [higher, lower] = [gaps.filter(gap => gap > 1e-3), gaps.filter(gap => gap < -1e-3)];
  console.log(
    `  scores of ${correctness.join(' and ')}: the first is higher in ${higher.length}, lower in ${lower.length}`,
  );
}

function tellVerdicts({ name, does }, verdicts, reference, cases) {
  const passed = verdicts.filter(({ passes }) => passes).length;
  const failures = verdicts.filter(({ error }) => error !== undefined);
  const differing = cases.filter((_, at) => !verdicts[at].error && verdicts[at].passes !== reference[at].passes);
  const threw = failures.length === 0 ? '' : `, ${failures.length} threw: ${failures[0].error.message}`;
  const differs =
    differing.length === 0 ? '' : `, ${differing.length} differ: ${differing.slice(0, 3).map(({ id }) => id)}`;
  console.log(`    ${name}: ${passed} pass${differs}${threw}\n      ${does}`);
}

/** Measures whole processes on a file of lines, as a pipeline runs them. */
function benchThreads(rollouts) {
  const file = join(here, 'lines.tmp.jsonl');
  const toolsFile = join(here, 'tools.tmp.json');
  const lines = rollouts.map(rollout => `${JSON.stringify(rollout)}\n`).join('');
  const repeated = lines.repeat(Math.ceil(FILE_BYTES / Buffer.byteLength(lines)));
  writeFileSync(file, repeated);
  writeFileSync(toolsFile, JSON.stringify(tools));
  const group = 'whole processes';
  title(`${group}: a file of lines, ${kilobytes(Buffer.byteLength(repeated))}`);
  const command = [
    join(here, 'node_modules/toolgauge/dist/cli.js'),
    'check',
    file,
    '--tools',
    toolsFile,
    '--show',
    'none',
    '--fail-on',
    'never',
  ];
  const load = `import { createReadStream } from 'node:fs'; import { createInterface } from 'node:readline';`;
  const each = `for await (const line of createInterface({ input: createReadStream(${JSON.stringify(file)}) }))`;
  const evaluate = script => ['--input-type=module', '--eval', `${load} ${script}`];
  const checker = `import { plainChecker } from './plain-javascript.mjs'; import { readFileSync } from 'node:fs'; const check = plainChecker(JSON.parse(readFileSync(${JSON.stringify(toolsFile)}, 'utf8'))); const encoder = new TextEncoder();`;
  const baseline = 'lines and JSON.parse';
  const processes = {
    [baseline]: evaluate(`${each} JSON.parse(line);`),
    'lines, JSON.parse, inner JSON.parse and Ajv': evaluate(
      `${checker} ${each} check(encoder.encode('[' + line + ']'));`,
    ),
    'toolgauge check': command,
    'toolgauge check --jobs 2': [...command, '--jobs', '2'],
  };
  const times = Object.fromEntries(Object.keys(processes).map(name => [name, []]));
  try {
    for (let round = 0; round < THREAD_ROUNDS; round += 1) {
      for (const [name, args] of Object.entries(processes)) times[name].push(timeProcess(args));
    }
  } finally {
    for (const path of [file, toolsFile]) rmSync(path);
  }
  for (const name of Object.keys(processes)) show(group, times, name, baseline);
  show(group, times, 'toolgauge check --jobs 2', 'toolgauge check');
}

async function benchOneConversation() {
  const [conversation] = conversations(1);
  const bytes = encoder.encode(JSON.stringify(conversation));
  title(`one conversation: ${kilobytes(bytes.length)}, ${conversation.messages.length} messages`);
  const made = compileTools(TOOLS);
  const times = await race(
    {
      'validateTrajectory of the bytes': () => validateTrajectory(bytes, made),
      'JSON.parse of the bytes': () => JSON.parse(decoder.decode(bytes)),
    },
    ROUNDS,
  );
  show('one conversation', times, 'validateTrajectory of the bytes', 'JSON.parse of the bytes');
}

/** Measures ten times the turns: the ratio is 10 if the cost is linear. */
async function benchGrowth() {
  const [short, long] = [1_000, 10_000].map(turns => encoder.encode(JSON.stringify(longConversation(turns))));
  title(`long conversations: ${kilobytes(short.length)} and ${kilobytes(long.length)}`);
  const times = await race(
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

async function benchSmallCall() {
  const call = {
    name: 'schedule_delivery',
    arguments: { order_id: 'ORD-104233', day: '2026-02-17', window: 'evening', note: 'Ring twice, please.' },
    result: { status: 'ok' },
  };
  title(`one call: ${JSON.stringify(call).length} bytes`);
  const made = compileTools(TOOLS);
  const own = TOOLS.find(tool => tool.function.name === call.name);
  const times = await race(
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

async function benchScores(count) {
  const lists = callLists(count);
  const group = `scores of ${count} calls`;
  title(`${group}: ${kilobytes(JSON.stringify(lists).length)}, F1 ${scoreToolCalls(lists).score}`);
  const times = await race(
    {
      scoreToolCalls: () => scoreToolCalls(lists),
      'JSON.stringify and JSON.parse of the lists': () => JSON.parse(JSON.stringify(lists)),
    },
    ROUNDS,
  );
  show(group, times, 'scoreToolCalls', 'JSON.stringify and JSON.parse of the lists');
}

/** Measures whole processes that make a single call. */
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
      for (const [name, script] of Object.entries(scripts))
        times[name].push(timeProcess(['--input-type=module', '--eval', script]));
    }
  } finally {
    rmSync(data);
  }
  for (const name of ['import', 'import and a first call', 'import and a check of 600 KB']) {
    show('start-up', times, name, 'bare process');
  }
  show('start-up', times, 'import and a check of 600 KB', 'plain JavaScript on 600 KB');
}

/** Returns the milliseconds of a Node process, which must succeed. */
function timeProcess(args) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: here });
  const time = performance.now() - start;
  if (status !== 0) throw new Error(`a process failed: ${stderr}`);
  return time;
}

/** Checks that both find the same calls and the same mistakes, because leaving work out would be no gain. */
function assertAgreement(report, plain) {
  const turns = report.trajectories.flatMap(({ results }) => results);
  const wrong = turns.reduce((sum, turn) => sum + wrongCalls(turn), 0);
  const { calls } = report.summary;
  console.log(`  wrong calls: ${wrong} by toolgauge, ${plain.wrong} by plain JavaScript`);
  if (options.rollouts === undefined && (calls !== plain.calls || wrong !== plain.wrong)) {
    throw new Error('toolgauge and plain JavaScript do not agree');
  }
}

/** Counts the calls of a turn that violate their schema. */
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
