import type { Command } from 'commander';
import { frameReport, type Total, total } from '../batch/check-chunk.js';
import { type Remedy, reading } from './failure.js';
import { readWhole, type Source } from './files.js';
import { findInputs } from './inputs.js';
import {
  allowEmptyOption,
  allowErrorsOption,
  type CommonOptions,
  failOnOption,
  formatOption,
  type GateFlags,
  gateOptions,
  minPassHatOption,
  minPassRateOption,
  minScoreOption,
  type Outcome,
  outcome,
  toJson,
} from './options.js';
import { reserveFile, standardOutput } from './output.js';
import { refuseMixedSummary, summaryFile, summaryOption, writeSummary } from './summary.js';
import { layout } from './terminal.js';

interface MergeCommandOptions extends CommonOptions, GateFlags {
  readonly summary?: string;
  readonly allowErrors?: true;
}

const EXAMPLES = `
Summaries are what toolgauge check writes with --summary. Those of the parts of an input, checked anywhere and in any
order, make the summary of the whole, exactly. What --format json prints holds one, too.

Examples:
  $ toolgauge merge part-*.json --fail-on high --min-score 0.9
  $ toolgauge merge monday.json tuesday.json --summary both.json
`;

/** Adds `toolgauge merge`. */
export function addMerge(program: Command, finish: (outcome: Outcome) => Promise<void>): void {
  program
    .command('merge')
    .summary('add up the totals of checks')
    .description('Adds up the summaries of checks, and applies the gate to the sum.')
    .argument('[summaries...]', 'summaries: files, folders, globs; - for standard input')
    .addOption(summaryOption('write the sum as JSON'))
    .addOption(formatOption())
    .addOption(minScoreOption())
    .addOption(minPassRateOption())
    .addOption(minPassHatOption())
    .addOption(failOnOption())
    .addOption(allowEmptyOption())
    .addOption(allowErrorsOption())
    .addHelpText('after', EXAMPLES)
    .action(async (paths: string[], options: MergeCommandOptions) => finish(await merge(paths, options)));
}

async function merge(paths: readonly string[], options: MergeCommandOptions): Promise<Outcome> {
  refuseMixedSummary(options);
  const inputs = await findInputs(paths);
  const file = summaryFile(options);
  const reserved = file === undefined ? undefined : await reserveFile(file);
  const sources = await Promise.all(inputs.map(readWhole));
  const parts = sources.map(source => reading(source, forSummaries, () => total(source.bytes, {})));
  const sum = total(
    parts.map(({ summary }) => summary),
    gateOptions(options),
  );
  const { output, verdict } = outcome(render(sources, sum, options), sum.gate);
  await standardOutput(process.stdout).write(output);
  await writeSummary(options.summary, await reserved?.open(), sum.summary);
  const { unread } = sum.summary;
  return { output: '', verdict: unread > 0 && options.allowErrors !== true ? 'unread' : verdict };
}

function render(sources: readonly Source[], sum: Total, { format }: MergeCommandOptions): string {
  if (format === 'json') return toJson(sum);
  const opening = { command: 'merge', sources: sources.map(({ name }) => name) } as const;
  const { head, tail } = frameReport('pretty', opening, layout(), sum);
  return `${head}${tail?.trimStart()}`;
}

const forSummaries: Remedy = ({ code }) =>
  code === 'invalid_input' ? 'give what toolgauge check wrote with --summary, or with --format json' : undefined;
