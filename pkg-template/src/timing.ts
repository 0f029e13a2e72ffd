/** Runs work when there is room for it, in the order in which it comes. */
export type Limiter = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Lets at most `most` pieces of work run at the same time. */
export function limiter(most: number): Limiter {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async work => {
    if (running >= most) await new Promise<void>(start => waiting.push(start));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The next one takes over the place of this one.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

/** The reason of a signal whose time is up. */
export class TimeUp extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * Runs `work` with a signal that is aborted when `parent` or one of several is, when `seconds` have passed, and when the
 * work is over. Rejects with the signal's reason as soon as it is aborted, also when the work does not listen to it.
 */
export async function bounded<Result>(
  parent: AbortSignal | readonly AbortSignal[] | undefined,
  seconds: number | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const parents = parent === undefined ? [] : [parent].flat();
  for (const { aborted, reason } of parents) if (aborted) throw reason;
  const controller = new AbortController();
  const timer =
    seconds === undefined
      ? undefined
      : setTimeout(() => controller.abort(new TimeUp(`no answer within ${seconds} s`)), seconds * 1000);
  const forget = parents.map(signal => onAbort(signal, () => controller.abort(signal.reason)));
  try {
    // It listens before the work begins, which may abort at once.
    return await Promise.race([rejectedBy(controller.signal), started(work, controller.signal)]);
  } finally {
    clearTimeout(timer);
    for (const stopListening of forget) stopListening();
    // What else was started for this work is of no more use.
    controller.abort();
  }
}

/** What each signal ends. It gets one listener for all, since Node.js takes more than ten for a leak. */
const listeners = new WeakMap<AbortSignal, Listener>();

interface Listener {
  readonly calls: Set<() => void>;
  readonly run: () => void;
}

/** Calls `abort` when the signal is aborted, unless the function that it returns is called before. */
function onAbort(signal: AbortSignal, abort: () => void): () => void {
  const { calls, run } = listeners.get(signal) ?? listenTo(signal);
  calls.add(abort);
  return () => {
    calls.delete(abort);
    if (calls.size > 0) return;
    signal.removeEventListener('abort', run);
    listeners.delete(signal);
  };
}

function listenTo(signal: AbortSignal): Listener {
  const calls = new Set<() => void>();
  const run = () => {
    for (const call of calls) call();
  };
  const listener = { calls, run };
  listeners.set(signal, listener);
  signal.addEventListener('abort', run, { once: true });
  return listener;
}

/** Waits. Rejects with the signal's reason when it is aborted first. */
export async function pause(seconds: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await bounded(
      signal,
      undefined,
      () =>
        new Promise<void>(resume => {
          timer = setTimeout(resume, seconds * 1000);
        }),
    );
  } finally {
    clearTimeout(timer);
  }
}

/** Starts `work`; an error that it throws at once rejects, too. */
async function started<Result>(work: (signal: AbortSignal) => Promise<Result>, signal: AbortSignal): Promise<Result> {
  return work(signal);
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
