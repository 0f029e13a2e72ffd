import { Option } from 'commander';
import { type Judge, openAiJudge } from 'toolgauge';
import { describe, Failure } from './failure.js';
import type { ReadingFlags } from './problems.js';

/** The models that judge, as the command line names them. */
export interface JudgeFlags {
  readonly judge: readonly string[];
  readonly judgeUrl?: string;
}

/** `--judge`; `about` says what judges are asked. */
export function judgeOption(about: string): Option {
  return new Option('--judge <names>', `ask these models ${about}; separated by commas, or repeated`)
    .argParser(collect)
    .default([]);
}

/** `--judge-url` */
export function judgeUrlOption(): Option {
  return new Option('--judge-url <url>', 'the base URL of the models, without /chat/completions');
}

/** The judges; none if no model is named. */
export function judgesOf({ judge: models, judgeUrl }: JudgeFlags): Judge[] {
  if (models.length === 0 && judgeUrl !== undefined) {
    throw new Failure('--judge-url needs --judge', 'name the model with --judge <names>');
  }
  const { OPENAI_BASE_URL, OPENAI_API_KEY } = process.env;
  const baseUrl = judgeUrl ?? (OPENAI_BASE_URL || undefined);
  const connection = { baseUrl, apiKey: OPENAI_API_KEY || undefined };
  return models.map(model => openAiJudge({ model, ...connection }));
}

/** Reports how many questions got no valid answer, and why the first got none. Returns whether the command fails. */
export function reportUnanswered(
  failures: readonly { readonly message: string }[],
  { allowErrors }: ReadingFlags,
): boolean {
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
