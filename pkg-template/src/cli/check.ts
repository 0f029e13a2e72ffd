import { type Command, Option } from 'commander';
import { type CheckOptions, type CompiledTools, checkTrajectories, compileTools, reportTrajectories } from 'toolgauge';
import { reading } from './failure.js';
import { readSources, type Source } from './files.js';
import { type CommonOptions, formatOption, minScoreOption, type Outcome, outcome, toJson } from './options.js';
import { forTools, forTrajectories } from './remedies.js';
import { layout } from './terminal.js';

interface CheckCommandOptions extends CommonOptions {
  readonly tools?: string;
  readonly failOn: NonNullable<CheckOptions['failOn']>;
  readonly strict?: true;
  readonly allowUnknownTools?: true;
  readonly validateSchemas: boolean;
}

const EXAMPLES = `
Examples:
  $ toolgauge check rollouts.json --tools tools.json
  $ toolgauge check rollouts.json --tools tools.json --fail-on high --min-score 0.9
  $ cat messages.json | toolgauge check - --format json
`;

/** Adds `toolgauge check`. */
export function addCheck(program: Command, finish: (outcome: Outcome) => void): void {
  program
    .command('check')
    .summary('say which tool calls are wrong and why')
    .description('Checks every tool call of the trajectories in a file and says which are wrong and why.')
    .argument('<file>', 'trajectories in any known format; - for standard input')
    .option('--tools <file>', 'tool definitions in any known format; - for standard input')
    .addOption(formatOption())
    .addOption(minScoreOption())
    .addOption(
      new Option('--fail-on <severity>', 'fail on an issue of this severity or worse')
        .choices(['low', 'medium', 'high', 'critical', 'never'])
        .default('high'),
    )
    .option('--strict', 'score 0 as soon as an issue is high or critical')
    .option('--allow-unknown-tools', 'say nothing about calls of tools without a schema')
    .option('--no-validate-schemas', "don't judge arguments and results by their schemas")
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: CheckCommandOptions) => finish(await check(file, options)));
}

async function check(file: string, options: CheckCommandOptions): Promise<Outcome> {
  const [input, toolsFile] = await readSources(options.tools === undefined ? [file] : [file, options.tools]);
  const tools = toolsFile && reading(toolsFile, forTools, () => compileTools(toolsFile.bytes));
  return judge(input as Source, tools, options);
}

function judge(source: Source, tools: CompiledTools | undefined, options: CheckCommandOptions): Outcome {
  const checkOptions = toCheckOptions(options);
  const { bytes } = source;
  return reading(source, forTrajectories, () => {
    if (options.format === 'json') {
      const report = checkTrajectories(bytes, tools, checkOptions);
      return outcome(toJson(report), report.gate);
    }
    const { text, gate } = reportTrajectories(bytes, tools, { ...checkOptions, ...layout() });
    return outcome(text, gate);
  });
}

function toCheckOptions(options: CheckCommandOptions): CheckOptions {
  return {
    failOn: options.failOn,
    strict: options.strict === true,
    allowUnknownTools: options.allowUnknownTools === true,
    validateSchemas: options.validateSchemas,
    ...(options.minScore === undefined ? {} : { minScore: options.minScore }),
  };
}
