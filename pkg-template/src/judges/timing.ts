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
 * Runs `work` with a signal that is aborted when `parent` is, when `seconds` have passed, and when the work is over.
 * Rejects with the signal's reason as soon as it is aborted, also when the work does not listen to it.
 */
export async function bounded<Result>(
  parent: AbortSignal | undefined,
  seconds: number | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (parent?.aborted) throw parent.reason;
  const controller = new AbortController();
  const abort = () => controller.abort(parent?.reason);
  const timer =
    seconds === undefined
      ? undefined
      : setTimeout(() => controller.abort(new TimeUp(`no answer within ${seconds} s`)), seconds * 1000);
  parent?.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work(controller.signal), rejectedBy(controller.signal)]);
  } finally {
    clearTimeout(timer);
    parent?.removeEventListener('abort', abort);
    // What else was started for this work is of no more use.
    controller.abort();
  }
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

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
