import { Option } from 'commander';
import type { Total } from '../batch/check-chunk.js';
import { Failure } from './failure.js';
import { toJson } from './options.js';
import { standardOutput, writeFile } from './output.js';

/** What stands for standard output. */
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

/** Writes the totals into a file, for people to read, or as one line to standard output. */
export async function writeSummary(target: string, { summary }: Total): Promise<void> {
  if (target === STDOUT) await standardOutput(process.stdout).write(`${JSON.stringify(summary)}\n`);
  else await writeFile(target, `${toJson(summary)}\n`);
}
