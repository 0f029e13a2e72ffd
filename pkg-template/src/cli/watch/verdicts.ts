import { diffParts, RunParts, readTrials } from '../../batch/run-parts.js';
import type { Output } from '../output.js';
import type { ReportTarget } from '../reports.js';

/** How the verdicts are reported. They stay in memory, but are laid out as in a file: not for a terminal. */
export const VERDICTS: ReportTarget = { format: 'jsonl', file: '' };

/** The verdicts of the run that is under way, as JSON Lines; undefined unless runs are watched. */
let collected: string[] | undefined;

/** The most changes that are listed. */
const MOST_LINES = 20;

/** Lets each run say what it found, to compare it with the run before. */
export function collectVerdicts(): void {
  collected = [];
}

/** Where a run writes its verdicts if it is watched. */
export function verdictOutput(): Output | undefined {
  const texts = collected;
  if (texts === undefined) return undefined;
  return { write: async text => void texts.push(text), close: async () => {} };
}

/** Returns the verdicts of a run, and forgets them. Undefined if there are none. */
export function takeVerdicts(): RunParts | undefined {
  const text = collected?.splice(0).join('') ?? '';
  if (text === '') return undefined;
  const parts = new RunParts();
  const bytes = new TextEncoder().encode(text);
  const request = { shape: 'lines', source: 'verdicts' } as const;
  for (const read of readTrials({ bytes, line: 1 }, request, {})) parts.add(read);
  return parts;
}

/** Returns the lines that say what changed between two runs. */
export function changesBetween(before: RunParts, after: RunParts): string[] {
  const setting = { failOnWorse: false, allowEmpty: true, hasSides: false };
  const changes = diffParts(before, after, setting);
  const lines = [
    ...changes.newIssues.map(issue => `new   ${issueText(issue)}`),
    ...changes.goneIssues.map(issue => `gone  ${issueText(issue)}`),
    ...changes.onlyAfter.map(task => `new   trajectory ${task}`),
    ...changes.onlyBefore.map(task => `gone  trajectory ${task}`),
  ];
  if (lines.length === 0) lines.push('no issue is new, and none is gone');
  const shown = lines.slice(0, MOST_LINES);
  if (lines.length > MOST_LINES) shown.push(`… ${lines.length - MOST_LINES} more`);
  return [...shown, ...totalsText(changes)];
}

type Changes = ReturnType<typeof diffParts>;

function issueText({ severity, type, toolName, task }: Changes['newIssues'][number]): string {
  const about = [type, toolName].filter(part => part !== undefined).join(' ');
  return `${severity === undefined ? '' : severity.padEnd(10)}${about}  in ${task}`;
}

/** The totals that differ, in one line if there are any. */
function totalsText({ before, after, score, passRate }: Changes): string[] {
  const totals = [
    { name: 'trajectories', from: `${before.trials}`, to: `${after.trials}` },
    { name: 'unread', from: `${before.unread}`, to: `${after.unread}` },
    { name: 'score', from: score?.before.toFixed(3), to: score?.after.toFixed(3) },
    { name: 'passed', from: passRate?.before.toFixed(3), to: passRate?.after.toFixed(3) },
  ];
  const different = totals.filter(({ from, to }) => from !== to);
  const text = different.map(({ name, from, to }) => `${name} ${from} → ${to}`).join(' · ');
  return text === '' ? [] : [text];
}
