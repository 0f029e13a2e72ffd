/** Somebody who can be asked: a person at a terminal, a page, or the agent above. */
export interface UserChannel {
  /**
   * Asks a question. `ask` and `input` are answered by a text, `confirm` by true or false, `checkbox` by the chosen
   * options.
   */
  ask(question: UserQuestion, context: QuestionContext): Promise<UserAnswer> | UserAnswer;
}

/** What is asked. */
export interface UserQuestion {
  /** `ask`: choose one option, or say something else. `confirm`: yes or no. `input`: any text. `checkbox`: choose any number of options. */
  readonly kind: 'ask' | 'confirm' | 'input' | 'checkbox';
  /** The question, as the model wrote it: not to be trusted, it may hold markup or control characters. */
  readonly question: string;
  /** The answers to choose from; empty for `confirm` and `input`. */
  readonly options: readonly string[];
}

/** Who asks, and when there is no more use in an answer. */
export interface QuestionContext {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** The agent that asks. Absent at depth 0. */
  readonly agent?: {
    /** The id of the agent, such as `researcher-1`. */
    readonly id: string;
    /** The name under which it is registered. */
    readonly name: string;
  };
}

/** An answer to a question; see {@link UserChannel.ask}. */
export type UserAnswer = string | boolean | readonly string[];
