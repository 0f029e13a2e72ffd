import type { Command } from 'commander';
import { addCheckOptions, type CheckFlags, runCheck } from './check-run.js';
import { notes } from './help.js';
import { hallucinationThresholdOption, type Outcome, watchOption } from './options.js';

interface CheckCommandOptions extends CheckFlags {
  readonly strict?: true;
  readonly allowUnknownTools?: true;
  readonly validateSchemas: boolean;
  readonly hallucinationThreshold?: number;
}

const EXAMPLES = `
Inputs:
  A file holds one document, or one on each line (JSON Lines); which of them, and the format, is found out.
  Folders are read with all their .json, .jsonl, .ndjson, .traj and .eval files, also as .gz. A file named twice is read
  once.
  Unreadable files and lines are reported and skipped; the exit code is then 2.

Examples:
  $ toolgauge check rollouts.json --tools tools.json
  $ toolgauge check 'logs/**/*.jsonl' --tools tools.json --jobs 4 --fail-on critical --min-score 0.9
  $ toolgauge check logs --tools tools.json --watch
  $ toolgauge check logs --tools tools.json --report html=report.html --report junit=report.xml
  $ toolgauge check logs --tools tools.json --baseline main.jsonl --report jsonl=now.jsonl
  $ toolgauge check logs --tools tools.json --format github --report markdown=$GITHUB_STEP_SUMMARY
  $ producer | toolgauge check - --format jsonl --summary summary.json | consumer
`;

/** Adds `toolgauge check`. */
export function addCheck(program: Command, finish: (outcome: Outcome) => Promise<void>): void {
  addCheckOptions(program.command('check'))
    .summary('report which tool calls are wrong and why')
    .description('Checks every tool call of the trajectories in files and reports which are wrong and why.')
    .option('--strict', 'score 0 as soon as an issue is high or critical')
    .option('--allow-unknown-tools', 'do not report calls of tools without a schema')
    .option('--no-validate-schemas', 'do not validate arguments against the schemas of tools')
    .addOption(hallucinationThresholdOption())
    .addOption(watchOption())
    .addHelpText('after', notes(EXAMPLES))
    .action(async (paths: string[], options: CheckCommandOptions) => finish(await check(paths, options)));
}

async function check(paths: readonly string[], flags: CheckCommandOptions): Promise<Outcome> {
  const options = {
    strict: flags.strict === true,
    allowUnknownTools: flags.allowUnknownTools === true,
    validateSchemas: flags.validateSchemas,
    ...(flags.hallucinationThreshold !== undefined && { hallucinationThreshold: flags.hallucinationThreshold }),
  };
  return { output: '', verdict: await runCheck(paths, flags, { command: 'check', options }) };
}
