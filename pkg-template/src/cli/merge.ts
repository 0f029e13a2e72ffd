import type { Command } from 'commander';
import { frameReport, type Total, total } from '../batch/check-chunk.js';
import { mergeScores, scoreSummaryIn } from '../batch/measurement.js';
import { Failure, type Remedy, reading } from './failure.js';
import { readWhole, type Source } from './files.js';
import { notes } from './help.js';
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
  passOptions,
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
Summaries are what toolgauge check and toolgauge score write with --summary. Those of the parts of an input, checked
anywhere and in any order, make the summary of the whole, exactly. What --format json prints holds one, too. Trajectories
of one task are its trials, whichever part they are in. Which of them pass is as check and score decided it.

Examples:
  $ toolgauge merge part-*.json --fail-on high --min-score 0.9
  $ toolgauge merge monday.json tuesday.json --summary both.json
`;

/** Adds `toolgauge merge`. */
export function addMerge(program: Command, finish: (outcome: Outcome) => Promise<void>): void {
  program
    .command('merge')
    .summary('add up the totals of checks, or of scores')
    .description('Adds up the summaries of checks, or of scores, and applies the gate to the sum.')
    .argument('[summaries...]', 'summaries: files, folders, globs; - for standard input')
    .addOption(summaryOption('write the sum as JSON'))
    .addOption(formatOption())
    .addOption(minScoreOption())
    .addOption(minPassRateOption())
    .addOption(minPassHatOption())
    .addOption(failOnOption())
    .addOption(allowEmptyOption())
    .addOption(allowErrorsOption())
    .addHelpText('after', notes(EXAMPLES))
    .action(async (paths: string[], options: MergeCommandOptions) => finish(await merge(paths, options)));
}

async function merge(paths: readonly string[], options: MergeCommandOptions): Promise<Outcome> {
  refuseMixedSummary(options);
  const inputs = await findInputs(paths);
  const file = summaryFile(options);
  const reserved = file === undefined ? undefined : await reserveFile(file);
  const sources = await Promise.all(inputs.map(readWhole));
  const scores = sources.map(source => reading(source, forSummaries, () => scoreSummaryIn(source.bytes)));
  if (scores.some(summary => summary !== null)) {
    const { sum, verdict } = await printScores(sources, scores, options);
    await writeSummary(options.summary, await reserved?.open(), sum);
    return { output: '', verdict };
  }
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

/** Prints the sum of summaries of scores. */
async function printScores(
  sources: readonly Source[],
  scores: readonly (object | null)[],
  options: MergeCommandOptions,
): Promise<{ readonly sum: object; readonly verdict: Outcome['verdict'] }> {
  const summaries = scores.filter(summary => summary !== null);
  if (summaries.length < scores.length) {
    throw new Failure('summaries of check and of score were given', 'merge those of one command at a time');
  }
  const { format, minScore, allowEmpty, allowErrors } = options;
  const { head, tail, gate, summary } = mergeScores(summaries, {
    format: 'pretty',
    layout: layout(),
    sources: sources.map(({ name }) => name),
    minScore,
    allowEmpty: allowEmpty === true,
    allowErrors: allowErrors === true,
    ...passOptions(options),
  });
  const sum = summary as { readonly unread: number };
  const text = format === 'json' ? `${toJson({ summary, gate })}\n` : `${head}${tail?.trimStart()}`;
  await standardOutput(process.stdout).write(text);
  if (sum.unread > 0 && options.allowErrors !== true) return { sum, verdict: 'unread' };
  return { sum, verdict: gate?.passed ? 'passed' : 'failed' };
}

function render(sources: readonly Source[], sum: Total, { format }: MergeCommandOptions): string {
  if (format === 'json') return toJson(sum);
  const opening = { command: 'merge', sources: sources.map(({ name }) => name) } as const;
  const { head, tail } = frameReport('pretty', opening, layout(), sum);
  return `${head}${tail?.trimStart()}`;
}

const forSummaries: Remedy = ({ code }) =>
  code === 'invalid_input' ? 'give what toolgauge check wrote with --summary, or with --format json' : undefined;
