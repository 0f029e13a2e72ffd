import * as core from '#glue';
import { holdAgainst } from './hold-against.js';
import type { JsonObject } from './input.js';
import type { Judge, Signal } from './judges/request.js';
import { isJudgeable, reflectWith } from './reflection/conclude.js';
import { askJudges, questionsOf, takeInput } from './reflection/questions.js';
import { checkToolCall, repairToolCallSync, type ToolCallCheckInput } from './tool-call-check.js';
import type {
  Groundedness,
  JudgeOptions,
  ReflectOptions,
  SemanticResult,
  ToolCallCheck,
  ToolCallRepair,
} from './types.js';

/** What led to a call: the messages before it in any known format, or as a string what the user asked. */
export type Conversation = string | JsonObject | Uint8Array;

/** A call, what led to it, and who judges it. */
export interface ToolCallRepairInput extends ToolCallCheckInput, ReflectOptions, JudgeOptions {
  /** What led to the call, for judges to compare with. It may end with the call itself. */
  readonly conversation?: Conversation | undefined;
  /** Who is asked about the meaning of the call. Default nobody. */
  readonly judges?: readonly Judge[] | undefined;
  /** Who is asked in turn when a judge fails. */
  readonly fallbackJudges?: readonly Judge[] | undefined;
  /** Ends the call. */
  readonly signal?: Signal | undefined;
}

/** A call, what led to it, and who judges it. */
export interface ToolCallReflectionInput extends ToolCallRepairInput {}

/** What static checks and judges say of a call. */
export interface ToolCallReflection {
  /** What the static checks say. */
  readonly static: ToolCallCheck;
  /** What judges say; null when none was asked: there are none, or the static checks failed. */
  readonly semantic: SemanticResult | null;
  /**
   * Whether the conversation contains the values of the call that look like identifiers: a hint that needs no model.
   * Present only if there is a conversation and no judge was asked. It does not change the verdict.
   */
  readonly groundedness?: Groundedness;
  /** Whether the static checks pass and, where judges were asked, every metric finds the call right. */
  readonly overall_valid: boolean;
  /** The mean of the averages of the semantic metrics, from 0 to 1; null if no metric has a score. */
  readonly overall_avg_score: number | null;
}

/**
 * Repairs a call as {@link repairToolCallSync} does. With judges they are asked about what comes of it, too, and about
 * what could not be repaired; where they object, their correction takes its place if it is valid, and otherwise the call
 * is unrepairable for their reasons. A judge that gives no answer changes nothing.
 *
 * Rejects as {@link checkToolCall} throws, and with `aborted` when the signal is aborted.
 *
 * @example
 * const { status, toolCall, changes } = await repairToolCall({ tools, toolCall, conversation: messages, judges });
 */
export async function repairToolCall(input: ToolCallRepairInput): Promise<ToolCallRepair> {
  const taken = takeInput(input);
  const repair = repairToolCallSync(taken);
  // As JSON text: a call that is itself a text would be read as JSON again.
  const repaired = { ...taken, toolCall: JSON.stringify(repair.toolCall) };
  const questions = questionsOf(repaired);
  if (questions.judges.length === 0) return repair;
  const check = checkToolCall(repaired);
  if (!isJudgeable(check)) return repair;
  const { correction, objections } = await askJudges(questions, check.overall_valid);
  if (objections.length === 0) return repair;
  const judgement = JSON.stringify({ correction, objections });
  return holdAgainst(taken, (compiled, ...documents) => core.applyJudgement(compiled, judgement, ...documents));
}

/**
 * Checks a call before it runs, and asks judges about its meaning: whether its values have a source and the right
 * format, whether it is the right tool, and whether it may be called now. Each metric has evidence, an explanation, an
 * output from 1 to 5, a confidence and a correction. A metric counts when the confidence is high enough; a call is
 * right by a general metric from 4 on, and by one about the choice of the tool from 3 on.
 *
 * Without judges, and when the static checks fail and `continueOnStatic` is not set, nobody is asked. When no judge gives
 * a valid answer, no score is made up: the metric holds the error with what was said, and the call is not valid by it.
 *
 * Rejects as {@link checkToolCall} throws, and with `aborted` when the signal is aborted.
 *
 * @example
 * const judges = [openAiJudge({ model: 'gpt-5-mini', apiKey: process.env.OPENAI_API_KEY })];
 * const reflection = await reflectToolCall({ tools, toolCall, conversation: messages, judges });
 * reflection.semantic?.general?.metrics.general_hallucination_check; // { output: 2, confidence: 0.9, explanation: '…', … }
 */
export async function reflectToolCall(input: ToolCallReflectionInput): Promise<ToolCallReflection> {
  return reflectWith(takeInput(input), undefined);
}
