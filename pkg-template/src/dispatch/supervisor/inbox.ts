import { WakeUp } from './wake-up.js';

/** A message from one agent to another. */
export interface AgentMessage {
  /** The id of the agent that sent it; `parent` if that is the agent above, else `lead` for the one at depth 0. */
  readonly from: string;
  /** The text of the message. */
  readonly message: string;
}

/** The messages that an agent has not read yet. */
export interface Inbox {
  /** Returns the messages, oldest first, and removes them. */
  read(): AgentMessage[];
  /**
   * Waits for a message, if there is none, and removes it. Rejects with the signal's reason when that is aborted first.
   *
   * @example
   * const { message } = await run.inbox.next(run.signal);
   */
  next(signal: AbortSignal): Promise<AgentMessage>;
}

/** No more than this many messages wait to be read. */
const MOST_MESSAGES = 1_000;

/** An inbox that can be written to. */
export class Mailbox implements Inbox {
  #messages: AgentMessage[] = [];
  readonly #arrival = new WakeUp();

  /** Adds a message. False if 1,000 wait already. */
  push(message: AgentMessage): boolean {
    if (this.#messages.length >= MOST_MESSAGES) return false;
    this.#messages.push(message);
    this.#arrival.ring();
    return true;
  }

  read(): AgentMessage[] {
    const messages = this.#messages;
    this.#messages = [];
    return messages;
  }

  async next(signal: AbortSignal): Promise<AgentMessage> {
    for (;;) {
      const message = this.#messages.shift();
      if (message !== undefined) return message;
      await this.#arrival.wait(signal);
    }
  }
}
