import { plain } from './plain.js';

/** A step of the SDK, as far as it is read. Declared here because ai 5, 6 and 7 declare it differently. */
export interface ObservedStep {
  /** The parts that the model wrote, and the results of its calls. */
  readonly content: readonly unknown[];
  /** Why the step ended. */
  readonly finishReason?: unknown;
  /** What the provider answered: its messages are read. */
  readonly response?: unknown;
}

/** What a model is asked, as `generateText` takes it. */
export interface RunRequest {
  /** The instructions: a text, a system message, or a list of system messages. */
  readonly instructions?: unknown;
  /** The same as `instructions`, by its name in ai 5 and 6. */
  readonly system?: unknown;
  /** What the user asks: a text, or messages. */
  readonly prompt?: unknown;
  /** The messages before the run. */
  readonly messages?: unknown;
}

/** A part of a step, as far as it is read. */
interface Part {
  readonly type?: unknown;
  readonly toolCallId?: unknown;
  readonly providerExecuted?: unknown;
}

/** A run as JSON text while it happens. Each step is written when it ends, because tools may change their results later. */
export class RunRecord {
  readonly #request: string;
  readonly #steps: string[] = [];
  readonly #calls = new Map<unknown, object>();
  readonly #known = new WeakSet<object>();

  constructor({ instructions, system, prompt, messages }: RunRequest) {
    this.#request = JSON.stringify({ instructions: instructions ?? system, prompt, messages }, plain).slice(1, -1);
  }

  /** Adds a step. Returns false if it was added before: the SDK passes each step several times. */
  add(step: ObservedStep): boolean {
    if (this.#known.has(step.content)) return false;
    this.#known.add(step.content);
    this.#steps.push(JSON.stringify(toPlainStep(step, this.#steps.length), plain));
    for (const part of step.content as readonly Part[]) {
      if (part.type === 'tool-call') this.#calls.set(part.toolCallId, part);
    }
    return true;
  }

  /** The call with this id, as the SDK has it. */
  callOf(id: string | undefined): object | undefined {
    return this.#calls.get(id);
  }

  /** The run so far, as `ai-sdk-steps`. */
  toJson(): string {
    return `{${this.#request && `${this.#request},`}"steps":[${this.#steps.join(',')}]}`;
  }
}

/** The step without members that repeat its content. A step may become several turns; `stepNumber` identifies them. */
function toPlainStep({ content, finishReason, response }: ObservedStep, stepNumber: number): object {
  const { timestamp, messages } = (response ?? {}) as { readonly timestamp?: unknown; readonly messages?: unknown };
  return { stepNumber, finishReason, content, response: { timestamp, messages: resultsBefore(messages) } };
}

/** The results of approved calls: ai 6 puts them before the messages of the model. */
function resultsBefore(messages: unknown): unknown[] | undefined {
  if (!Array.isArray(messages)) return undefined;
  const end = messages.findIndex(message => (message as { readonly role?: unknown }).role !== 'tool');
  return end < 0 ? messages : messages.slice(0, end);
}

/** Whether the step usually ends the run: it calls no tool that the SDK runs. */
export function isReply({ content }: ObservedStep): boolean {
  return !(content as readonly Part[]).some(part => part.type === 'tool-call' && part.providerExecuted !== true);
}
