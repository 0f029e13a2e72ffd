import type { ToolCallReflection, ToolCallReflectionInput } from '../reflect.js';
import type { Limiter } from '../timing.js';
import { checkToolCall } from '../tool-call-check.js';
import type { ToolCallCheck } from '../types.js';
import { askJudges, type Conclusion, groundednessOf, questionsOf } from './questions.js';

/** What static checks and judges say of a call; `limit` is what several calls share. */
export async function reflectWith(
  input: ToolCallReflectionInput,
  limit: Limiter | undefined,
): Promise<ToolCallReflection> {
  const { check, conclusion } = await concludeOn(input, limit);
  if (conclusion !== null) {
    const { semantic, overall_valid, overall_avg_score } = conclusion;
    return { static: check, semantic, overall_valid, overall_avg_score };
  }
  const { conversation, judges } = input;
  const isHinted = conversation !== undefined && (judges ?? []).length === 0 && check.metrics.invalid_tool_call.valid;
  const groundedness = isHinted ? groundednessOf(input) : null;
  return {
    static: check,
    semantic: null,
    ...(groundedness === null ? {} : { groundedness }),
    overall_valid: check.overall_valid,
    overall_avg_score: null,
  };
}

/** The static checks of a call, and the conclusion of judges; null if none was asked. */
export async function concludeOn(
  input: ToolCallReflectionInput,
  limit: Limiter | undefined,
): Promise<{ check: ToolCallCheck; conclusion: Conclusion | null }> {
  const questions = questionsOf(input, limit);
  const check = checkToolCall(input);
  const goesOn = check.overall_valid || questions.options.continueOnStatic;
  const isAsked = questions.judges.length > 0 && goesOn && isJudgeable(check);
  return { check, conclusion: isAsked ? await askJudges(questions, check.overall_valid) : null };
}

/** Whether there is a call, and tools, for judges to look at. */
export function isJudgeable({ metrics }: ToolCallCheck): boolean {
  return metrics.invalid_tool_call.valid && metrics.empty_api_spec.valid && metrics.invalid_api_spec.valid;
}
