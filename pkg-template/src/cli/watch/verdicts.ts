import { diffParts, RunParts } from '../../batch/run-parts.js';
import type { Output } from '../output.js';

/** The verdicts of the run that is under way, as JSON Lines; undefined unless runs are watched. */
let collected: string[] | undefined;

/** Lets each run say what it found, to compare it with the run before. */
export function collectVerdicts(): void {
  collected = [];
}

/** Where a run writes its verdicts as `jsonl` if it is watched. */
export function verdictOutput(): Output | undefined {
  const texts = collected;
  if (texts === undefined) return undefined;
  return { write: async text => void texts.push(text), close: async () => {} };
}

/** Returns the verdicts of a run, and forgets them. Undefined if there are none. */
export function takeVerdicts(): RunParts | undefined {
  const text = collected?.splice(0).join('') ?? '';
  if (text === '') return undefined;
  const parts = new RunParts({});
  const bytes = new TextEncoder().encode(text);
  // Reading gives what was read, piece by piece; only the sum counts here.
  for (const _ of parts.read({ bytes, line: 1 }, { shape: 'lines', source: 'verdicts' }));
  return parts;
}

/** Returns the lines that say what changed between two runs. */
export function changesBetween(before: RunParts, after: RunParts): string[] {
  const setting = { failOnWorse: false, allowEmpty: true, hasSides: false };
  const { newIssues, goneIssues, onlyBefore, onlyAfter, score, passRate } = diffParts(before, after, setting);
  const lines = [
    ...newIssues.map(issue => `new   ${issueText(issue)}`),
    ...goneIssues.map(issue => `gone  ${issueText(issue)}`),
    ...onlyAfter.map(task => `new   trajectory ${task}`),
    ...onlyBefore.map(task => `gone  trajectory ${task}`),
  ];
  if (lines.length === 0) lines.push('the same issues as before');
  const shown =
    lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), `… ${lines.length - MOST_LINES} more`] : lines;
  const means = [meanText('score', score), meanText('passed', passRate)].filter(text => text !== undefined);
  return means.length === 0 ? shown : [...shown, means.join(' · ')];
}

/** Most changes that are listed. */
const MOST_LINES = 20;

type Changes = ReturnType<typeof diffParts>;

function issueText({ severity, type, toolName, task }: Changes['newIssues'][number]): string {
  const about = [type, toolName].filter(part => part !== undefined).join(' ');
  return `${severity === undefined ? '' : severity.padEnd(10)}${about}  in ${task}`;
}

function meanText(name: string, mean: Changes['score']): string | undefined {
  if (mean === null || mean.before === mean.after) return undefined;
  return `${name} ${mean.before.toFixed(3)} → ${mean.after.toFixed(3)}`;
}
