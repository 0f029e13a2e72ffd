import {
  findUnsupportedFacts,
  importTrajectory,
  type LimitOptions,
  type Turn,
  type UnsupportedFact,
  visible,
} from 'toolgauge';
import { counted } from '../texts.js';
import { message, type Paint, paintOf } from './message.js';
import { promptHint, takeReceived, withPrompt } from './received.js';
import type { MatcherContext, MatcherResult } from './runner.js';

/** Above this score a reply counts as hallucinated: one date, amount or identifier is enough, one quotation is not. */
const THRESHOLD = 0.3;

/** So much of a reply is shown on either side of a fact. */
const AROUND = 40;

/** What counts as grounded. */
export interface GroundedRepliesOptions extends LimitOptions {
  /**
   * What the agent was asked, as text or messages, where the trajectory does not hold it: the result of `generateText`
   * does not. What was asked is evidence, too.
   */
  readonly prompt?: string | readonly object[];
  /** How sure it must be that a reply is not true to the evidence, from 0 (any unsupported fact) to 1 (never). Default 0.3. */
  readonly threshold?: number;
}

/** See {@link TrajectoryMatchers.toHaveGroundedReplies}. */
export function toHaveGroundedReplies(
  this: MatcherContext,
  received: unknown,
  { prompt, threshold = THRESHOLD, ...limits }: GroundedRepliesOptions = {},
): MatcherResult {
  const trajectory = withPrompt(takeReceived(received), prompt);
  const { score, facts } = findUnsupportedFacts(trajectory, limits);
  const pass = score <= threshold;
  const sentence = pass
    ? `The replies state ${facts.length === 0 ? 'only' : 'almost only'} facts that a result, argument or message shows; expected others.`
    : `The replies state ${counted(facts.length, 'fact')} that no result, argument or message shows.`;
  const lines = (): string[] => {
    const { turns } = importTrajectory(trajectory, limits).value;
    return facts.flatMap(fact => factLines(fact, turns, paintOf(this)));
  };
  const called = { matcher: 'toHaveGroundedReplies', expected: '' };
  const hint = (): string | undefined => (pass ? undefined : promptHint(trajectory, limits));
  return { pass, message: () => message(this, called, sentence, lines(), hint()) };
}

function factLines(
  { text, kind, turnId, start, end, closest }: UnsupportedFact,
  turns: Turn[],
  paint: Paint,
): string[] {
  const nearest = closest === undefined ? '' : `. Closest: ${paint.right(visible(closest.value))}${placeOf(closest)}`;
  const line = `  turn ${turnId}  ${paint.wrong(visible(text))} (${kind})${nearest}`;
  const reply = turns.find(turn => turn.turn_id === turnId && turn.content.slice(start, end) === text);
  return reply === undefined ? [line] : [line, `          ${paint.quiet(around(reply.content, start, end))}`];
}

function placeOf({ tool, path }: { readonly tool?: string; readonly path?: string }): string {
  if (tool === undefined) return '';
  const separator = path === undefined || path === '' || path.startsWith('[') ? '' : '.';
  return visible(` (${tool}${separator}${path ?? ''})`);
}

/** The fact with the words around it, on one line. */
function around(content: string, start: number, end: number): string {
  const before = content.slice(0, start);
  const after = content.slice(end);
  const head = before.length > AROUND ? `…${before.slice(-AROUND).replace(/^\S*\s/, '')}` : before;
  const tail = after.length > AROUND ? `${after.slice(0, AROUND).replace(/\s\S*$/, '')}…` : after;
  return visible(`${head}${content.slice(start, end)}${tail}`.replace(/\s+/g, ' ').trim());
}
