import { ToolCallFailure } from '../toolkit.js';
import type { UserAnswer, UserQuestion } from '../user-channel.js';

const YES = ['yes', 'y', 'true'];
const NO = ['no', 'n', 'false'];

/**
 * Reads the reply of a model to a question, which is a text, or what its JSON would say: true, false or a list.
 * Throws a `ToolCallFailure` that says what is expected if the reply is no answer.
 */
export function readReply(question: UserQuestion, reply: unknown): UserAnswer {
  switch (question.kind) {
    case 'confirm':
      return readConfirmation(reply);
    case 'ask':
      return readChoice(question.options, reply);
    case 'checkbox':
      return readChoices(question.options, reply);
    default:
      if (typeof reply === 'string') return reply;
      throw unreadable('a text');
  }
}

function readConfirmation(reply: unknown): boolean {
  const word = plainText(reply)?.toLowerCase() ?? '';
  if (YES.includes(word)) return true;
  if (NO.includes(word)) return false;
  throw unreadable('yes or no');
}

function readChoice(options: readonly string[], reply: unknown): string {
  const text = plainText(reply) ?? '';
  if (text === '') throw unreadable('one of the options, its number, or another text');
  return findOption(options, text) ?? text;
}

function readChoices(options: readonly string[], reply: unknown): readonly string[] {
  const whole = findOption(options, plainText(reply));
  if (whole !== undefined) return [whole];
  const chosen = listOf(reply)?.map(choice => findOption(options, plainText(choice)));
  if (chosen === undefined || chosen.includes(undefined)) {
    throw unreadable(`a JSON list of the chosen options, such as ${JSON.stringify(options.slice(0, 2))}, or []`);
  }
  return [...new Set(chosen as string[])];
}

/** The texts of a list, of its JSON, or of a text that separates them by commas or line breaks. */
function listOf(reply: unknown): readonly unknown[] | undefined {
  if (Array.isArray(reply)) return reply;
  if (typeof reply !== 'string') return undefined;
  const text = reply.trim();
  if (text === '' || text.toLowerCase() === 'none') return [];
  return text.startsWith('[') ? parsedList(text) : text.split(text.includes('\n') ? '\n' : ',');
}

function parsedList(text: string): readonly unknown[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}

/** The option with this text, else with this text in other letter case, else with this number. */
function findOption(options: readonly string[], text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const folded = text.toLowerCase();
  const found =
    options.find(option => option.trim() === text) ?? options.find(option => option.trim().toLowerCase() === folded);
  if (found !== undefined || !/^\d+$/.test(text)) return found;
  // Among options that are numbers themselves, "2" can't mean the second one.
  return options.some(option => /^\d+$/.test(option.trim())) ? undefined : options[Number(text) - 1];
}

/** A text, number or boolean as a text without space around it. */
function plainText(value: unknown): string | undefined {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : undefined;
}

function unreadable(expected: string): ToolCallFailure {
  return new ToolCallFailure(`reply: expected ${expected}. The question is still open; reply again.`);
}
