import { visible } from 'toolgauge';
import { ToolCallFailure } from 'toolgauge/dispatch';
import { reasonOf } from '../../errors.js';
import { bounded, limiter } from '../../timing.js';
import type { QuestionContext, UserAnswer, UserChannel, UserQuestion } from '../user-channel.js';
import { hintFor, readAnswer } from './terminal-answers.js';
import { lineReader, type NextLine, type Terminal } from './terminal-lines.js';

/** Where the user is asked. */
export interface TerminalUserOptions {
  /** Where the answers come from. Default: standard input, which must be a terminal then. */
  readonly input?: NodeJS.ReadableStream | undefined;
  /**
   * Where the questions go. Default: standard error, which must be a terminal then. Standard output may be redirected
   * into a file, to keep what the program prints.
   */
  readonly output?: NodeJS.WritableStream | undefined;
}

/** A user at a terminal; see {@link terminalUser}. */
export interface TerminalUser extends UserChannel {
  /** Asks a question and resolves with the answer. Rejects with a `ToolCallFailure` if there will be none. */
  ask(question: UserQuestion, context: QuestionContext): Promise<UserAnswer>;
}

/**
 * A user at a terminal. Questions are asked one after the other. After an answer that is not possible, the user is asked
 * for another one.
 *
 * - `ask`: the text or the number of an option, or any other text. If both fit, the text counts.
 * - `confirm`: `y`, `yes`, `n` or `no`.
 * - `input`: a line.
 * - `checkbox`: numbers of options, with commas or spaces between them, or nothing.
 *
 * A question fails with a `ToolCallFailure` if there is no terminal, if the input ends (Ctrl-D), and if the call that
 * asks it is aborted. Ctrl-C interrupts the program, as it does at any other time.
 *
 * @example
 * const dispatcher = createDispatcher({ user: terminalUser() });
 */
export function terminalUser(options: TerminalUserOptions = {}): TerminalUser {
  const oneAtATime = limiter(1);
  let reader: { readonly output: Terminal['output']; readonly nextLine: NextLine } | undefined;
  return {
    async ask(question, { signal, agent }) {
      reader ??= open(options);
      const { output, nextLine } = reader;
      const text = shown(question, agent);
      try {
        return await bounded(signal, undefined, stopped =>
          oneAtATime(async () => {
            stopped.throwIfAborted();
            output.write(text);
            return answerOf(question, nextLine, stopped);
          }),
        );
      } catch (error) {
        if (!signal.aborted) throw error;
        throw new ToolCallFailure(`The question was withdrawn before the user answered it: ${reasonOf(error)}`);
      }
    },
  };
}

function open(options: TerminalUserOptions): { readonly output: Terminal['output']; readonly nextLine: NextLine } {
  const { input = process.stdin, output = process.stderr } = options;
  const hasInput = options.input !== undefined || process.stdin.isTTY;
  const hasOutput = options.output !== undefined || process.stderr.isTTY;
  if (hasInput && hasOutput) return { output, nextLine: lineReader({ input, output }) };
  throw new ToolCallFailure('There is no terminal to ask the user at. Decide without the user, or stop.');
}

async function answerOf(question: UserQuestion, nextLine: NextLine, signal: AbortSignal): Promise<UserAnswer> {
  const hint = hintFor(question);
  for (;;) {
    const line = await nextLine(hint === '' ? '> ' : `${hint}\n> `, signal);
    signal.throwIfAborted();
    if (line === undefined) {
      throw new ToolCallFailure('The user closed the input without an answer. Decide without the user, or stop.');
    }
    const answer = readAnswer(question, line);
    if (answer !== undefined) return answer;
  }
}

/** The question, with everything in it that a terminal would obey written as escapes. */
function shown({ question, options }: UserQuestion, agent: QuestionContext['agent']): string {
  const [first = '', ...others] = question.split(/\r?\n/).map(visible);
  const asker = agent === undefined ? '' : `${visible(agent.id)} asks: `;
  // Indented, they can't pass for a prompt or for a question of another agent.
  const lines = [`${asker}${first}`, ...others.map(line => `  ${line}`)];
  const choices = options.map((option, index) => `  ${index + 1}. ${visible(option)}`);
  return `\n${[...lines, ...choices].join('\n')}\n`;
}
