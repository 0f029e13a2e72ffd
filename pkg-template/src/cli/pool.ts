import { parentPort, Worker, workerData } from 'node:worker_threads';
import { type CheckOptions, type CompiledTools, compileTools } from 'toolgauge';
import { Baseline } from '../batch/baseline.js';
import { type CheckedChunk, type ChunkRequest, checkChunk } from '../batch/check-chunk.js';
import type { Chunk } from '../batch/chunks.js';

/** A chunk to check, and what is asked of it. */
export interface Task {
  readonly chunk: Chunk;
  readonly request: ChunkRequest;
}

/** What checks chunks. */
export interface Pool {
  /** How many chunks it takes at a time. */
  readonly size: number;
  check(task: Task): Promise<CheckedChunk[]>;
  close(): Promise<void>;
}

/** All that a thread needs to know before its first task. */
export interface Setup {
  readonly tools: Uint8Array | undefined;
  readonly baseline: Uint8Array | undefined;
  readonly options: CheckOptions;
}

/** What a thread answers. */
type Answer = { readonly checked: CheckedChunk[] } | { readonly error: unknown };

/** Does what another thread asks of this one, until that ends it. */
export function serve(): void {
  const check = checkerOf(workerData as Setup);
  parentPort?.on('message', (task: Task) => parentPort?.postMessage(answer(check, task)));
}

function answer(check: (task: Task) => CheckedChunk[], task: Task): Answer {
  try {
    return { checked: check(task) };
  } catch (error) {
    return { error };
  }
}

/** A pool of `jobs` threads; of one it is the thread that asks. */
export function openPool(jobs: number, setup: Setup): Pool {
  return jobs === 1 ? inThisThread(setup) : inThreads(jobs, setup);
}

/** Checks tasks with what `setup` says. */
function checkerOf({ tools, baseline, options }: Setup): (task: Task) => CheckedChunk[] {
  const compiled: CompiledTools | undefined = tools && compileTools(tools, { allowErrors: true });
  const before = baseline && new Baseline(baseline);
  return ({ chunk, request }) => [...checkChunk(chunk, request, compiled, options, before)];
}

function inThisThread(setup: Setup): Pool {
  const check = checkerOf(setup);
  return { size: 1, check: async task => check(task), close: async () => {} };
}

function inThreads(jobs: number, setup: Setup): Pool {
  const idle: Thread[] = [];
  const waiting: ((thread: Thread) => void)[] = [];
  const threads: Thread[] = [];
  const take = async () => {
    const thread = idle.pop();
    if (thread !== undefined) return thread;
    if (threads.length < jobs) {
      const fresh = new Thread(setup);
      threads.push(fresh);
      return fresh;
    }
    return new Promise<Thread>(settle => waiting.push(settle));
  };
  const giveBack = (thread: Thread) => {
    const next = waiting.shift();
    if (next === undefined) idle.push(thread);
    else next(thread);
  };
  return {
    size: jobs,
    async check(task) {
      const thread = await take();
      const checked = await thread.check(task);
      giveBack(thread);
      return checked;
    },
    async close() {
      await Promise.all(threads.map(thread => thread.end()));
    },
  };
}

/** A worker thread, which runs this very program and checks one task at a time. */
class Thread {
  readonly #worker: Worker;

  constructor(setup: Setup) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: setup });
  }

  check(task: Task): Promise<CheckedChunk[]> {
    return new Promise((settle, fail) => {
      const answered = (answer: Answer) => {
        this.#worker.off('error', fail);
        if ('error' in answer) fail(answer.error);
        else settle(answer.checked);
      };
      this.#worker.once('message', answered).once('error', fail);
      this.#worker.postMessage(task);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/**
 * What `run` makes of `items`, in their order, each as soon as it and those before it are done; at most `atOnce` are
 * under way.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterator<Item>,
  run: (item: Item) => Promise<Result>,
  atOnce: number,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  let reading: Promise<IteratorResult<Item>> | undefined = items.next();
  while (reading !== undefined || running.length > 0) {
    const mayStart: boolean = running.length < atOnce && reading !== undefined;
    if ((await firstOf(mayStart ? reading : undefined, running[0])) === 'read') {
      const next = (await reading) as IteratorResult<Item>;
      reading = next.done ? undefined : items.next();
      if (!next.done) running.push(started(run(next.value)));
    } else {
      yield await (running.shift() as Promise<Result>);
    }
  }
}

/** A failure is reported when it is its turn. */
function started<Result>(result: Promise<Result>): Promise<Result> {
  result.catch(() => {});
  return result;
}

/** Which of two promises has ended, however it has. */
function firstOf(
  reading: Promise<unknown> | undefined,
  oldest: Promise<unknown> | undefined,
): Promise<'read' | 'done'> {
  const named = <Name extends string>(promise: Promise<unknown> | undefined, name: Name): Promise<Name>[] => {
    const itsName = () => name;
    return promise === undefined ? [] : [promise.then(itsName, itsName)];
  };
  return Promise.race([...named(reading, 'read'), ...named(oldest, 'done')]);
}
