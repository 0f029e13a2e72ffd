import { type Command, InvalidArgumentError, Option } from 'commander';
import { type JudgeFailure, REFLECTION_FORMS, type ReflectOptions } from 'toolgauge';
import type { ReflectRequest } from '../batch/check-chunk.js';
import { type JudgeSetting, judgeChunk } from '../batch/judge-chunk.js';
import { limiter } from '../timing.js';
import { addCheckOptions, type CheckFlags, runCheck } from './check-run.js';
import { notes } from './help.js';
import { type JudgeFlags, judgeOption, judgesOf, judgeUrlOption, reportUnanswered } from './judges.js';
import { type Outcome, parseScore } from './options.js';

interface ReflectCommandOptions extends CheckFlags, JudgeFlags {
  readonly repair?: true;
  readonly form: NonNullable<ReflectOptions['form']>;
  readonly minConfidence?: number;
  readonly continueOnStatic?: true;
  readonly maxConcurrency: number;
}

const EXAMPLES = `
Every call is checked as if it had not run yet: results are not checked. --repair also shows what an invalid call should
be; by default, a call that can be repaired does not fail the gate.

Judges:
  --judge names a model behind an OpenAI-compatible endpoint, which is asked four questions about each call: whether its
  values have a source, and the right format, whether it is the right tool, and whether it may be called now.
  The endpoint is --judge-url or OPENAI_BASE_URL, or else OpenAI's; the key is read from OPENAI_API_KEY.
  If a question gets no valid answer, the command reports it and exits with code 2.

Examples:
  $ toolgauge reflect rollouts.json --tools tools.json
  $ toolgauge reflect 'logs/**/*.jsonl' --tools tools.json --repair --format jsonl --output repaired.jsonl
  $ toolgauge reflect logs --tools tools.json --judge qwen3:8b --judge-url http://localhost:11434/v1
`;

/** Adds `toolgauge reflect`. */
export function addReflect(program: Command, finish: (outcome: Outcome) => Promise<void>): void {
  addCheckOptions(program.command('reflect'))
    .summary('check, and repair, every call as if it had not run yet')
    .description('Checks every tool call of the trajectories in files by itself, as if it had not run yet.')
    .option('--repair', 'suggest a correction for each invalid call, if it is clear')
    .addOption(judgeOption('about the meaning of each call'))
    .addOption(judgeUrlOption())
    .addOption(
      new Option('--form <form>', 'how to ask judges: in few words, or at length')
        .choices(REFLECTION_FORMS)
        .default('runtime'),
    )
    .addOption(
      new Option('--min-confidence <score>', 'ignore answers of judges below this confidence, 0 to 1').argParser(
        parseScore,
      ),
    )
    .option('--continue-on-static', 'also ask judges about calls that fail the static checks')
    .addOption(
      new Option('--max-concurrency <count>', 'the number of questions at a time, 1 to 64')
        .argParser(parseCount)
        .default(8),
    )
    .addHelpText('after', notes(EXAMPLES))
    .action(async (paths: string[], options: ReflectCommandOptions) => finish(await reflect(paths, options)));
}

async function reflect(paths: readonly string[], flags: ReflectCommandOptions): Promise<Outcome> {
  const repair = flags.repair === true;
  const setting = toSetting(flags);
  if (setting === undefined) {
    const task = { command: 'reflect', options: {}, reflect: async () => ({ repair }) } as const;
    return { output: '', verdict: await runCheck(paths, flags, task) };
  }
  const limit = limiter(flags.maxConcurrency);
  const failures: JudgeFailure[] = [];
  const verdict = await runCheck(paths, flags, {
    command: 'reflect',
    options: {},
    reflect: async ({ chunk, shape }, tools): Promise<ReflectRequest> => {
      const asked = await judgeChunk(chunk, shape, tools, flags.inputFormat, setting, limit);
      failures.push(...asked.failures);
      return { repair, judged: asked.judged };
    },
    isUnmet: () => reportUnanswered(failures, flags),
  });
  return { output: '', verdict };
}

/** Who judges, and how; undefined when nobody does. */
function toSetting(flags: ReflectCommandOptions): JudgeSetting | undefined {
  const { form, minConfidence, continueOnStatic } = flags;
  const judges = judgesOf(flags);
  if (judges.length === 0) return undefined;
  return {
    judges,
    form,
    continueOnStatic: continueOnStatic === true,
    ...(minConfidence === undefined ? {} : { minConfidence }),
  };
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 64) throw new InvalidArgumentError('It must be 1 to 64.');
  return count;
}
