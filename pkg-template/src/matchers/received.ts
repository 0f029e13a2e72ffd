import { importTrajectory, type JsonInput, type LimitOptions, ToolgaugeError, type Trajectory } from 'toolgauge';
import { kindOf } from '../boundary/kind-of.js';
import { isPromise } from '../boundary/promise.js';

/** What `expect()` may be given: a trajectory in any known format, what `generateText` returns, or JSON text or bytes. */
type Received = JsonInput<object>;

/** What was given to `expect()`, as the functions of toolgauge take it. */
export function takeReceived(received: unknown): Received {
  if (isPromise(received)) throw refused('a promise', 'await it, or write expect(promise).resolves');
  if (typeof received === 'string') return received;
  if (typeof received !== 'object' || received === null) {
    throw refused(kindOf(received), 'pass a trajectory, messages, or the result of a run');
  }
  const { steps } = received as { readonly steps?: unknown };
  if (isPromise(steps)) throw refused('a stream', 'pass { steps: await result.steps }');
  return received;
}

/** The trajectory with the prompt before it, if there is one. */
export function withPrompt(received: Received, prompt: string | object | undefined): Received {
  if (prompt === undefined) return received;
  const { turns, ...rest } = importTrajectory(received).value;
  return { ...rest, turns: [...asked(prompt), ...turns] };
}

/** A hint to pass the prompt, if the trajectory contains no message of the user. */
export function promptHint(trajectory: Received, limits: LimitOptions): string | undefined {
  const { turns } = importTrajectory(trajectory, limits).value;
  if (turns.some(({ role }) => role === 'user')) return undefined;
  return 'the trajectory has no message of the user. If the user said it, pass { prompt }.';
}

function asked(prompt: string | object): Trajectory['turns'] {
  if (typeof prompt !== 'string') return importTrajectory(prompt).value.turns;
  return [{ turn_id: 0, role: 'user', content: prompt }];
}

function refused(given: string, remedy: string): ToolgaugeError {
  const expected = 'a trajectory in a known format';
  return new ToolgaugeError('invalid_input', `expect() was given ${given}: ${remedy}`, { expected });
}
