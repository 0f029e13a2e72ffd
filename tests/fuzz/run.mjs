// Puts many random inputs through the packed package, and reports what no input may lead to. See docs/fuzzing.md.
// `cargo xtask fuzz` packs the package and runs this.
//
// usage: node run.mjs [--target <name>]… [--seed <text>] [--executions <number>] [--jobs <number>] [--keep]

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { keep } from './support/found.mjs';
import { Random } from './support/random.mjs';

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url));

/**
 * The targets, with the executions that each gets in a run of the default length, about a minute. They differ in what an
 * execution costs: one of the command line starts a process.
 */
const EXECUTIONS = {
  formats: 340_000,
  schemas: 80_000,
  expectations: 75_000,
  correctness: 40_000,
  grounding: 20_000,
  surfaces: 10_000,
  reports: 10_000,
  options: 40_000,
  dispatch: 40_000,
  cli: 60,
};

/** After so many inputs that hang or end the process a share is given up. */
const MOST_LOST = 10;

const options = readOptions();
const rows = [];
for (const target of options.targets) rows.push(await runTarget(target));
printSummary();

function sumOf(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      target: { type: 'string', multiple: true },
      seed: { type: 'string', default: '1' },
      executions: { type: 'string' },
      jobs: { type: 'string', default: '2' },
      keep: { type: 'boolean', default: false },
    },
  });
  const { target: targets = Object.keys(EXECUTIONS), seed, keep: keeps } = values;
  checkTargets(targets);
  const usual = sumOf(targets.map(name => EXECUTIONS[name]));
  const executions = values.executions === undefined ? usual : readCount('executions', values.executions);
  return { targets, seed, keeps, scale: executions / usual, jobs: readCount('jobs', values.jobs) };
}

function checkTargets(targets) {
  const unknown = targets.find(name => !Object.hasOwn(EXECUTIONS, name));
  if (unknown === undefined) return;
  throw new Error(`there is no target "${unknown}"; they are ${Object.keys(EXECUTIONS).join(', ')}`);
}

function readCount(name, text) {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) throw new Error(`--${name} ${text}: expected a number from 1`);
  return count;
}

async function runTarget(target) {
  const executions = Math.ceil((options.scale * EXECUTIONS[target]) / options.jobs);
  const start = performance.now();
  const shares = Array.from({ length: options.jobs }, (_, first) =>
    runShare({ target, seed: options.seed, first, step: options.jobs, executions, replay: first === 0 }),
  );
  const parts = await Promise.all(shares);
  const total = name => sumOf(parts.map(part => part[name]));
  const row = {
    target,
    inputs: total('inputs'),
    executions: total('executions'),
    known: total('known'),
    findings: firstOfEachCause(parts.flatMap(({ findings }) => findings)),
    seconds: (performance.now() - start) / 1000,
  };
  printRow(row);
  row.findings.forEach(printFinding);
  return row;
}

/** Runs a share to its end: after an input that hangs or ends the process, a new process goes on. */
async function runShare(share) {
  const sum = { inputs: 0, executions: 0, known: 0, findings: [] };
  let rest = share;
  let lost = 0;
  for (;;) {
    const part = await runWorker(rest);
    sum.findings.push(...part.findings);
    for (const name of ['inputs', 'executions', 'known']) sum[name] += part[name];
    if (part.ended) return sum;
    if (part.stuck === undefined && !rest.careful) {
      sum.executions -= part.executions;
      rest = { ...rest, first: part.reached, careful: true };
      continue;
    }
    const number = part.stuck ?? part.reached;
    const rule = part.stuck === undefined ? 'crash' : 'hang';
    sum.findings.push(await lostInput(share, number, rule, part.stderr));
    lost += 1;
    const executions = rest.executions - part.executions;
    if (executions <= 0 || lost === MOST_LOST) return sum;
    rest = { ...rest, first: number + rest.step, executions, replay: false, careful: false };
  }
}

function runWorker(share) {
  const part = { inputs: 0, executions: 0, known: 0, findings: [], reached: share.first, ended: false, stderr: '' };
  const child = spawn(process.execPath, [WORKER, JSON.stringify(share)], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stderr.setEncoding('utf8').on('data', text => {
    part.stderr = (part.stderr + text).slice(-4000);
  });
  createInterface({ input: child.stdout }).on('line', line => takeReport(part, JSON.parse(line)));
  return new Promise((settle, fail) => child.on('error', fail).on('close', () => settle(part)));
}

function takeReport(part, { finding, progress, done, stuck }) {
  if (finding !== undefined) part.findings.push(finding);
  if (stuck !== undefined) part.stuck = stuck;
  if (progress !== undefined) Object.assign(part, { reached: progress.number, executions: progress.executions });
  if (done !== undefined) Object.assign(part, done, { ended: true });
}

async function lostInput({ target, seed }, number, rule, stderr) {
  const { generate } = (await import(`./targets/${target}.mjs`)).default;
  const input = generate(new Random(seed, target, number));
  return { target, rule, cause: rule, seed, number, message: stderr || 'no answer', input };
}

function firstOfEachCause(findings) {
  return [...new Map(findings.toReversed().map(finding => [finding.cause, finding])).values()].reverse();
}

function printRow({ target, inputs, executions, known, findings, seconds }) {
  const rate = Math.round(executions / seconds);
  const counts = `${inputs} inputs, ${executions} executions, ${rate} a second`;
  const also = known > 0 ? `, ${known} known` : '';
  console.log(`${target.padEnd(13)} ${counts} (${seconds.toFixed(1)} s): ${findings.length} findings${also}`);
}

function printFinding(finding, at) {
  const { rule, message, seed, number, input } = finding;
  console.log(`  ${rule} (seed ${seed}, input ${number}): ${message}`);
  console.log(`    ${JSON.stringify(input).slice(0, 2000)}`);
  if (options.keeps) console.log(`    kept as ${keep(finding, at)}`);
}

function printSummary() {
  const total = name => sumOf(rows.map(row => row[name]));
  const findings = rows.flatMap(row => row.findings);
  console.log(`\n${total('executions')} executions in ${total('seconds').toFixed(1)} s, ${findings.length} findings`);
  process.exitCode = findings.length === 0 ? 0 : 1;
}
