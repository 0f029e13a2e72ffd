import { parentPort, Worker, workerData } from 'node:worker_threads';
import { type CheckOptions, type CompiledTools, compileTools } from 'toolgauge';
import { Baseline } from '../batch/baseline.js';
import { type CheckedChunk, type ChunkRequest, checkChunk } from '../batch/check-chunk.js';
import type { Chunk } from '../batch/chunks.js';
import { type ReadTrials, type RunOptions, type RunRequest, readTrials } from '../batch/run-parts.js';

/** A chunk to check, and what is asked of it. */
export interface CheckTask {
  readonly chunk: Chunk;
  readonly request: ChunkRequest;
}

/** A chunk of a run to read. */
export interface RunTask {
  readonly chunk: Chunk;
  readonly request: RunRequest;
}

/** Runs tasks, in this thread or in others. */
export interface Pool<Task, Done> {
  /** How many tasks it takes at a time. */
  readonly size: number;
  run(task: Task): Promise<Done>;
  close(): Promise<void>;
}

/** All that a thread that checks chunks needs to know before its first task. */
export interface CheckSetup {
  readonly tools: Uint8Array | undefined;
  readonly baseline: Uint8Array | undefined;
  readonly options: CheckOptions;
}

/** All that a thread that reads runs needs to know before its first task. */
export interface RunSetup {
  readonly tools: Uint8Array | undefined;
  readonly options: Omit<RunOptions, 'tools'>;
}

/** What a thread does, and what it needs to know. */
type Setup = { readonly checks: CheckSetup } | { readonly reads: RunSetup };

/** What a thread answers. */
type Answer<Done> = { readonly done: Done } | { readonly error: unknown };

/** Runs the tasks that the main thread sends, until it ends this thread. */
export function serve(): void {
  const setup = workerData as Setup;
  if ('checks' in setup) serveWith(checkerOf(setup.checks));
  else serveWith(readerOf(setup.reads));
}

function serveWith<Task, Done>(work: (task: Task) => Done): void {
  parentPort?.on('message', (task: Task) => parentPort?.postMessage(answer(work, task)));
}

function answer<Task, Done>(work: (task: Task) => Done, task: Task): Answer<Done> {
  try {
    return { done: work(task) };
  } catch (error) {
    return { error };
  }
}

/** A pool of `jobs` threads that check chunks. One job runs in the thread of the caller. */
export function checkPool(jobs: number, setup: CheckSetup): Pool<CheckTask, CheckedChunk[]> {
  return jobs === 1 ? inThisThread(checkerOf(setup)) : inThreads(jobs, { checks: setup });
}

/** A pool of `jobs` threads that read chunks of runs. One job runs in the thread of the caller. */
export function runPool(jobs: number, setup: RunSetup): Pool<RunTask, ReadTrials[]> {
  return jobs === 1 ? inThisThread(readerOf(setup)) : inThreads(jobs, { reads: setup });
}

function compiled(tools: Uint8Array | undefined): CompiledTools | undefined {
  return tools && compileTools(tools, { allowErrors: true });
}

/** Checks tasks with what `setup` says. */
function checkerOf({ tools, baseline, options }: CheckSetup): (task: CheckTask) => CheckedChunk[] {
  const known = compiled(tools);
  const before = baseline && new Baseline(baseline);
  return ({ chunk, request }) => [...checkChunk(chunk, request, known, options, before)];
}

/** Reads chunks of runs with what `setup` says. */
function readerOf({ tools, options }: RunSetup): (task: RunTask) => ReadTrials[] {
  const known = compiled(tools);
  const all = { ...options, ...(known && { tools: known }) };
  return ({ chunk, request }) => [...readTrials(chunk, request, all)];
}

function inThisThread<Task, Done>(work: (task: Task) => Done): Pool<Task, Done> {
  return { size: 1, run: async task => work(task), close: async () => {} };
}

function inThreads<Task, Done>(jobs: number, setup: Setup): Pool<Task, Done> {
  const idle: Thread<Task, Done>[] = [];
  const waiting: ((thread: Thread<Task, Done>) => void)[] = [];
  const threads: Thread<Task, Done>[] = [];
  const take = async () => {
    const thread = idle.pop();
    if (thread !== undefined) return thread;
    if (threads.length < jobs) {
      const fresh = new Thread<Task, Done>(setup);
      threads.push(fresh);
      return fresh;
    }
    return new Promise<Thread<Task, Done>>(settle => waiting.push(settle));
  };
  const giveBack = (thread: Thread<Task, Done>) => {
    const next = waiting.shift();
    if (next === undefined) idle.push(thread);
    else next(thread);
  };
  return {
    size: jobs,
    async run(task) {
      const thread = await take();
      const done = await thread.run(task);
      giveBack(thread);
      return done;
    },
    async close() {
      await Promise.all(threads.map(thread => thread.end()));
    },
  };
}

/** A worker thread, which runs this very program and does one task at a time. */
class Thread<Task, Done> {
  readonly #worker: Worker;

  constructor(setup: Setup) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: setup });
  }

  run(task: Task): Promise<Done> {
    return new Promise((settle, fail) => {
      const answered = (answer: Answer<Done>) => {
        this.#worker.off('error', fail);
        if ('error' in answer) fail(answer.error);
        else settle(answer.done);
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
