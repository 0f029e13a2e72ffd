import { type Command, InvalidArgumentError, Option } from 'commander';
import { type JudgeFailure, openAiJudge, REFLECTION_FORMS, type ReflectOptions } from 'toolgauge';
import type { ReflectRequest } from '../batch/check-chunk.js';
import { type JudgeSetting, judgeChunk } from '../batch/judge-chunk.js';
import { limiter } from '../timing.js';
import { addCheckOptions, type CheckFlags, runCheck } from './check-run.js';
import { describe, Failure } from './failure.js';
import { type Outcome, parseScore } from './options.js';

interface ReflectCommandOptions extends CheckFlags {
  readonly repair?: true;
  readonly judge: readonly string[];
  readonly judgeUrl?: string;
  readonly form: NonNullable<ReflectOptions['form']>;
  readonly minConfidence?: number;
  readonly continueOnStatic?: true;
  readonly maxConcurrency: number;
}

const EXAMPLES = `
Every call is checked as if it had not run yet: nothing is said of results. With --repair, what a call that is not valid
should be is shown, too; a call that can be repaired does not fail the gate at its default.

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
    .addOption(
      new Option('--judge <names>', 'ask these models about the meaning of each call; separated by commas, or repeated')
        .argParser(collect)
        .default([]),
    )
    .option('--judge-url <url>', 'the base URL of the models, without /chat/completions')
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
    .addHelpText('after', EXAMPLES)
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
    isUnmet: () => tellUnanswered(failures, flags),
  });
  return { output: '', verdict };
}

/** Who judges, and how; undefined when nobody does. */
function toSetting(flags: ReflectCommandOptions): JudgeSetting | undefined {
  const { judge: models, judgeUrl, form, minConfidence, continueOnStatic } = flags;
  if (models.length === 0) {
    if (judgeUrl !== undefined) throw new Failure('--judge-url needs --judge', 'name the model with --judge <names>');
    return undefined;
  }
  const { OPENAI_BASE_URL, OPENAI_API_KEY } = process.env;
  const baseUrl = judgeUrl ?? (OPENAI_BASE_URL || undefined);
  const connection = { baseUrl, apiKey: OPENAI_API_KEY || undefined };
  return {
    judges: models.map(model => openAiJudge({ model, ...connection })),
    form,
    continueOnStatic: continueOnStatic === true,
    ...(minConfidence === undefined ? {} : { minConfidence }),
  };
}

/** Reports how many questions got no valid answer, and why the first got none. Returns whether the command fails. */
function tellUnanswered(failures: readonly JudgeFailure[], { allowErrors }: ReflectCommandOptions): boolean {
  const [first] = failures;
  if (first === undefined) return false;
  const count = `${failures.length} ${failures.length === 1 ? 'question' : 'questions'}`;
  const hint = allowErrors ? undefined : '--allow-errors lets that pass';
  process.stderr.write(describe(new Failure(`${count} got no valid answer: ${first.message}`, hint)));
  return allowErrors !== true;
}

function collect(models: string, before: readonly string[]): string[] {
  return [...before, ...models.split(',').map(model => model.trim())];
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 64) throw new InvalidArgumentError('It must be 1 to 64.');
  return count;
}
