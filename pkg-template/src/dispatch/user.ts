import { kindOf } from '../boundary/kind-of.js';
import { bounded } from '../timing.js';
import type { ParameterSchema } from '../types.js';
import { type Arguments, textOf, textsOf } from './arguments.js';
import { createToolkit } from './tool-table.js';
import { type CallContext, ToolCallFailure, type Toolkit } from './toolkit.js';
import type { UserAnswer, UserChannel, UserQuestion } from './user-channel.js';

type Kind = UserQuestion['kind'];

const MOST_OPTIONS = 100;

const question: ParameterSchema = { type: 'string', description: 'The question, as the user reads it' };

/** How many options a question needs at least. Those that are not here have none. */
const LEAST_OPTIONS: Partial<Record<Kind, number>> = { ask: 2, checkbox: 1 };

const optionsOf = (kind: Kind): ParameterSchema => ({
  type: 'array',
  items: { type: 'string' },
  minItems: LEAST_OPTIONS[kind],
  maxItems: MOST_OPTIONS,
  uniqueItems: true,
  description: 'The answers to choose from',
});

/**
 * The tools `user__ask`, `user__confirm`, `user__input` and `user__checkbox`, which put a question to `channel` and
 * return `{ answer }`. If the channel is `undefined`, each call fails with a message that the model has to decide by
 * itself. A call ends when its signal is aborted, even if the channel does not listen to it.
 *
 * @example
 * const user = userToolkit({ ask: async ({ question }) => window.prompt(question) ?? '' });
 */
export function userToolkit(channel: UserChannel | undefined): Toolkit {
  const put = (kind: Kind) => (args: Arguments, context: CallContext) => askChannel(channel, kind, args, context);
  return createToolkit('user', {
    ask: {
      description: 'Asks the user to choose one of some options. The user may also answer something else.',
      parameters: { question, options: optionsOf('ask') },
      run: put('ask'),
    },
    confirm: {
      description: 'Asks the user a question that is answered by yes or no. The answer is true or false.',
      parameters: { question },
      run: put('confirm'),
    },
    input: {
      description: 'Asks the user for a text.',
      parameters: { question },
      run: put('input'),
    },
    checkbox: {
      description: 'Asks the user to choose any number of options, or none. The answer is a list.',
      parameters: { question, options: optionsOf('checkbox') },
      run: put('checkbox'),
    },
  });
}

async function askChannel(
  channel: UserChannel | undefined,
  kind: Kind,
  args: Arguments,
  { signal, agent }: CallContext,
): Promise<{ answer: UserAnswer }> {
  const asked = readQuestion(kind, args);
  if (channel === undefined) {
    throw new ToolCallFailure('Nobody can be asked here. Decide by yourself, or go on without an answer.');
  }
  const ask = async (inner: AbortSignal) =>
    channel.ask(asked, { signal: inner, ...(agent === undefined ? {} : { agent }) });
  return { answer: checkedAnswer(asked, await bounded(signal, undefined, ask)) };
}

function readQuestion(kind: Kind, args: Arguments): UserQuestion {
  const least = LEAST_OPTIONS[kind];
  const options = least === undefined ? [] : textsOf(args, 'options', least, MOST_OPTIONS);
  return { kind, question: textOf(args, 'question'), options };
}

/** The answer, if it is of the type that the question calls for. */
function checkedAnswer({ kind, options }: UserQuestion, answer: unknown): UserAnswer {
  if (kind === 'confirm') {
    if (typeof answer === 'boolean') return answer;
    throw unusable('true or false', answer);
  }
  if (kind !== 'checkbox') {
    if (typeof answer === 'string') return answer;
    throw unusable('a text', answer);
  }
  const isChosen = (choice: unknown) => options.includes(choice as string);
  if (Array.isArray(answer) && answer.every(isChosen)) return [...answer];
  throw unusable('a list of the chosen options', answer);
}

function unusable(expected: string, answer: unknown): ToolCallFailure {
  const got = Array.isArray(answer) ? 'another list' : kindOf(answer);
  return new ToolCallFailure(
    `The question was asked, but its answer can't be used: expected ${expected}, got ${got}. Go on without an answer.`,
  );
}
