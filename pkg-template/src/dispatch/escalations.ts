import { ToolgaugeError } from 'toolgauge';
import { bounded, TimeUp } from '../timing.js';
import { listed, quoted } from './arguments.js';
import { readingOptions } from './check-options.js';
import { readReply } from './supervisor/reply.js';
import { WakeUp } from './supervisor/wake-up.js';
import { type AgentIdentity, ToolCallFailure } from './toolkit.js';
import type { QuestionContext, UserAnswer, UserChannel, UserQuestion } from './user-channel.js';

/** How an {@link EscalationQueue} works. */
export interface EscalationOptions {
  /** After how many milliseconds a question that nobody answered fails. Default 300,000; at most 2,147,483,647. */
  readonly timeoutMs?: number | undefined;
}

/** A question that waits for an answer, as the agent at depth 0 reads it. */
export interface Escalation extends UserQuestion {
  /** The id to reply to, such as `escalation-1`. */
  readonly escalation_id: string;
  /** The agent that asks. */
  readonly agent?: AgentIdentity;
  /** How long it has waited, in whole seconds. */
  readonly waiting_seconds: number;
}

interface OpenQuestion {
  readonly question: UserQuestion;
  readonly agent: AgentIdentity | undefined;
  readonly askedAt: number;
  readonly settle: (answer: UserAnswer) => void;
}

/** More questions than this can't be open at the same time. */
const MOST_OPEN = 100;

/** Timers can't be longer. */
const LONGEST_TIMEOUT = 2_147_483_647;

/**
 * Takes the questions of agents that can't reach the user. The agent at depth 0 sees them and replies.
 * At most 100 questions are open at a time.
 *
 * The constructor throws a {@link ToolgaugeError} with `invalid_option` if `timeoutMs` is no number of milliseconds.
 *
 * @example
 * const escalations = new EscalationQueue({ timeoutMs: 60_000 });
 * const user = userToolkit(escalations);
 * // The toolkit of an agent below asks: escalations.pending() shows the question.
 * escalations.reply('escalation-1', 'yes');
 */
export class EscalationQueue implements UserChannel {
  readonly #timeoutMs: number;
  readonly #open = new Map<string, OpenQuestion>();
  readonly #arrival = new WakeUp();
  #asked = 0;

  constructor(options: EscalationOptions = {}) {
    const { timeoutMs = 300_000 } = readingOptions(options, it => ({ ...it }));
    if (!(timeoutMs > 0 && timeoutMs <= LONGEST_TIMEOUT)) {
      const expected = `a number of milliseconds above 0, at most ${LONGEST_TIMEOUT}`;
      throw new ToolgaugeError('invalid_option', `options.timeoutMs: expected ${expected}`, {
        path: 'options.timeoutMs',
        expected,
      });
    }
    this.#timeoutMs = timeoutMs;
  }

  /** How many questions are open. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * Puts a question and waits for the reply. Rejects with a `ToolCallFailure` if nobody replies in time or too many
   * questions are open, and with the reason of `context.signal` when that is aborted.
   */
  async ask({ kind, question, options }: UserQuestion, { signal, agent }: QuestionContext): Promise<UserAnswer> {
    if (this.#open.size >= MOST_OPEN) {
      throw new ToolCallFailure(
        `${MOST_OPEN} questions are waiting for an answer already. Decide by yourself or stop.`,
      );
    }
    this.#asked += 1;
    const id = `escalation-${this.#asked}`;
    const asked = { kind, question, options: [...options] };
    try {
      return await bounded(signal, this.#timeoutMs / 1000, () => this.#replyTo(id, asked, agent));
    } catch (error) {
      throw error instanceof TimeUp && !signal.aborted ? this.#unanswered() : error;
    } finally {
      this.#open.delete(id);
    }
  }

  /** The open questions, oldest first. */
  pending(): Escalation[] {
    return Array.from(this.#open, ([id, { question, agent, askedAt }]) => ({
      escalation_id: id,
      ...(agent === undefined ? {} : { agent: { id: agent.id, name: agent.name } }),
      ...question,
      waiting_seconds: Math.floor(Math.max(0, Date.now() - askedAt) / 1000),
    }));
  }

  /**
   * Answers a question and returns how the reply was understood. `confirm` takes yes or no; `ask` an option, its
   * number, or another text; `checkbox` a list of options, as JSON or separated by commas; `input` any text.
   * Throws a `ToolCallFailure` if there is no such question, or if the reply can't be read; the question then stays open.
   */
  reply(id: string, reply: unknown): UserAnswer {
    const open = this.#open.get(id);
    if (open === undefined) throw this.#notOpen(id);
    const answer = readReply(open.question, reply);
    this.#open.delete(id);
    open.settle(answer);
    return answer;
  }

  /**
   * Waits until a question is open: not at all if one is. Rejects with the signal's reason when that is aborted first.
   */
  async nextPending(signal: AbortSignal): Promise<void> {
    while (this.#open.size === 0) await this.#arrival.wait(signal);
  }

  #replyTo(id: string, question: UserQuestion, agent: AgentIdentity | undefined): Promise<UserAnswer> {
    return new Promise(settle => {
      this.#open.set(id, { question, agent, askedAt: Date.now(), settle });
      this.#arrival.ring();
    });
  }

  #unanswered(): ToolCallFailure {
    return new ToolCallFailure(
      `Nobody answered the question within ${this.#timeoutMs / 1000} s. Use your own judgement, or stop.`,
    );
  }

  #notOpen(id: string): ToolCallFailure {
    const number = Number(/^escalation-([1-9]\d*)$/.exec(id)?.[1]);
    const problem =
      number <= this.#asked
        ? `${id} is no longer open: it was answered, its time was up, or the agent that asked has ended.`
        : `There is no escalation ${quoted(id)}.`;
    return new ToolCallFailure(`${problem} Open escalations: ${listed([...this.#open.keys()])}.`);
  }
}
