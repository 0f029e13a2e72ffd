// Runs one share of the inputs of one target. `run.mjs` starts it; what it finds it writes as JSON, one object a line.
//
// usage: node worker.mjs '{"target", "seed", "first", "step", "executions", "replay", "careful"}'

import { causeOf, Finding } from './support/finding.mjs';
import { isKnown, readFound } from './support/found.mjs';
import { Random } from './support/random.mjs';
import { Session } from './support/session.mjs';
import { shrink } from './support/shrink.mjs';
import { startWatchdog } from './support/watchdog.mjs';

/** How many findings of one share are made smaller; so many are enough to look into. */
const MOST_FINDINGS = 40;

/** How many inputs are run between two reports of progress. */
const PROGRESS_EVERY = 200;

const share = JSON.parse(process.argv[2]);
const target = (await import(`./targets/${share.target}.mjs`)).default;
const watchdog = startWatchdog();
const session = new Session(watchdog.beat);
const kept = readFound(share.target);
const seen = new Set();
let known = 0;

if (share.replay) await replay();
const inputs = await runInputs();
await target.close?.();
report('done', { inputs, executions: session.executions, known });
process.exit();

function report(kind, content) {
  process.stdout.write(`${JSON.stringify({ [kind]: content })}\n`);
}

/** Kept inputs pass, but for those marked as known, which must fail as they did. */
async function replay() {
  for (const { name, input, known: reason } of kept) {
    const finding = await findingOf(input);
    if (reason === undefined && finding !== undefined) publish(finding, input, name);
    if (reason !== undefined && finding === undefined) {
      const message = `${name} passes, so take its mark "known" out`;
      publish(new Finding('fixed', message), input, name);
    }
  }
}

async function runInputs() {
  let count = 0;
  for (let number = share.first; session.executions < share.executions; number += share.step) {
    if (share.careful || count % PROGRESS_EVERY === 0) report('progress', { number, executions: session.executions });
    watchdog.startInput(number);
    const input = target.generate(new Random(share.seed, share.target, number));
    const finding = await findingOf(input);
    if (finding !== undefined) await record(finding, input, number);
    count += 1;
  }
  return count;
}

/** What is wrong with the outcome of an input. An error of these scripts is a finding, too. */
async function findingOf(input) {
  try {
    await target.run(input, session);
    return undefined;
  } catch (error) {
    return error instanceof Finding ? error : new Finding('harness_error', String(error?.stack ?? error));
  }
}

/** Makes a finding small and reports it, once for each cause. */
async function record(finding, input, number) {
  if (seen.size >= MOST_FINDINGS) return;
  // Where the message says enough, the input need not be made smaller.
  if (isKnown(kept, finding)) {
    known += 1;
    return;
  }
  const failsAlike = async smaller => (await findingOf(smaller))?.rule === finding.rule;
  const smallest = finding.rule === 'harness_error' ? input : await shrink(input, failsAlike);
  const smallFinding = (await findingOf(smallest)) ?? finding;
  if (isKnown(kept, smallFinding, smallest)) {
    known += 1;
    return;
  }
  const cause = target.causeOf?.(smallest, smallFinding) ?? causeOf(smallFinding);
  if (seen.has(cause)) return;
  seen.add(cause);
  publish(smallFinding, smallest, number, cause);
}

function publish({ rule, message }, input, number, cause = rule) {
  report('finding', { target: share.target, rule, cause, seed: share.seed, number, message, input });
}
