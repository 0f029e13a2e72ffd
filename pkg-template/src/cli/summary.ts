import { Option } from 'commander';
import { visible } from 'toolgauge';
import { Failure } from './failure.js';
import { toJson } from './options.js';
import { type Output, standardOutput } from './output.js';

/** The name of standard output. */
const STDOUT = '-';

/** `--summary` */
export function summaryOption(description: string): Option {
  return new Option('--summary <file>', `${description}; - for standard output`);
}

/** A summary may follow a report for people on standard output, but not one that programs read. */
export function refuseMixedSummary(options: {
  readonly summary?: string;
  readonly format: string;
  readonly output?: string;
}): void {
  const { summary, format, output } = options;
  if (summary !== STDOUT || output !== undefined || format === 'pretty') return;
  const both = `--summary - and --format ${format} would both go to standard output`;
  throw new Failure(
    both,
    'give a file to one of them: --summary <file>, or --output <file> where there is that option',
  );
}

/** The file that the totals go into, if they go into one. */
export function summaryFile({ summary }: { readonly summary?: string }): string | undefined {
  return summary === STDOUT ? undefined : summary;
}

/** Writes the totals into a file, for people to read, or as one line to standard output, where they were asked for. */
export async function writeSummary(
  target: string | undefined,
  file: Output | undefined,
  summary: object,
): Promise<void> {
  if (target === STDOUT) await standardOutput(process.stdout).write(`${JSON.stringify(summary)}\n`);
  await file?.write(`${toJson(summary)}\n`);
  await file?.close();
}

/** Reports a key of tasks that no trajectory has. */
export function reportUnusedKey(
  { taskKey }: { readonly taskKey?: string },
  trajectories: number,
  { tasks }: { readonly tasks?: { readonly trials: number } },
): void {
  if (taskKey === undefined || tasks?.trials || trajectories === 0) return;
  process.stderr.write(
    `toolgauge: --task-key ${visible(taskKey)}: no trajectory has this field, so there are no trials\n`,
  );
}
