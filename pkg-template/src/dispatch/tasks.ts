import { listed, quoted } from './arguments.js';
import { ToolCallFailure } from './toolkit.js';

/**
 * How far a task is: `blocked` while a task that it depends on is not completed, `ready` when it can be worked on,
 * `running` while its agent is queued or runs, then `completed` or `failed`.
 */
export type TaskStatus = 'blocked' | 'ready' | 'running' | 'completed' | 'failed';

/** A task, as models and hosts read it. */
export interface TaskReport {
  /** Its id, such as `task-1`. */
  readonly id: string;
  readonly subject: string;
  readonly description?: string;
  readonly status: TaskStatus;
  /** The tasks that it waits for: those of its dependencies that are not completed. */
  readonly blocked_by?: readonly string[];
  /** The failed tasks because of which it can't become ready, also those further up, until they are completed after all. */
  readonly blocked_by_failed?: readonly string[];
  /** The name of the agent that does it. */
  readonly agent?: string;
  /** The id of the agent that does it, once that was spawned. */
  readonly agent_id?: string;
  /** What came out of it. */
  readonly result?: unknown;
  /** Why it failed. */
  readonly reason?: string;
}

/** What a new task is made of. */
export interface NewTask<Assignment> {
  readonly subject: string;
  readonly description: string | undefined;
  /** The ids of the tasks that have to be completed before. */
  readonly blockedBy: readonly string[];
  /** The agent that does it, if one does. */
  readonly assignment: Assignment | undefined;
}

/** A task of a {@link TaskQueue}. */
export interface Task<Assignment> extends Omit<NewTask<Assignment>, 'blockedBy'> {
  readonly id: string;
  status: TaskStatus;
  /** The dependencies that are not completed. */
  readonly open: Set<Task<Assignment>>;
  /** The tasks that depend on this one. */
  readonly dependents: Set<Task<Assignment>>;
  agentId?: string;
  result?: unknown;
  reason?: string;
}

/** No more tasks than this are kept. */
const MOST_TASKS = 1_000;

/**
 * Tasks that depend on each other. A task with an `assignment` is given to `start` when it becomes ready; `start` makes
 * an agent work on it and then calls {@link TaskQueue.settle}.
 */
export class TaskQueue<Assignment extends { readonly agent: string }> {
  readonly #tasks = new Map<string, Task<Assignment>>();
  readonly #start: (task: Task<Assignment>, assignment: Assignment) => void;
  #created = 0;

  constructor(start: (task: Task<Assignment>, assignment: Assignment) => void) {
    this.#start = start;
  }

  /** Adds a task. Throws a `ToolCallFailure` if it depends on an unknown task, or if there are 1,000 open tasks. */
  create({ blockedBy, ...rest }: NewTask<Assignment>): TaskReport {
    const dependencies = blockedBy.map(id => this.#find(id));
    this.#makeRoom();
    this.#created += 1;
    const open = new Set(dependencies.filter(({ status }) => status !== 'completed'));
    const task: Task<Assignment> = {
      id: `task-${this.#created}`,
      ...rest,
      status: 'blocked',
      open,
      dependents: new Set(),
    };
    this.#tasks.set(task.id, task);
    for (const dependency of open) dependency.dependents.add(task);
    if (open.size === 0) this.#makeReady(task);
    return reportOf(task);
  }

  /** All tasks, in the order in which they were created. */
  list(): TaskReport[] {
    return Array.from(this.#tasks.values(), reportOf);
  }

  /**
   * Completes a task that is ready, or that had failed. Throws a `ToolCallFailure` if it is blocked, or if an agent
   * works on it.
   */
  complete(id: string, result: string | undefined): TaskReport {
    const task = this.#find(id);
    refuseRunning(task);
    if (task.status === 'blocked') {
      const blockers = listed(Array.from(task.open, dependency => dependency.id));
      throw new ToolCallFailure(`${id} is blocked by ${blockers}. Complete that first.`);
    }
    if (task.status !== 'completed') this.settle(task, { result });
    return reportOf(task);
  }

  /** Makes a task fail. Throws a `ToolCallFailure` if it is completed, or if an agent works on it. */
  fail(id: string, reason: string): TaskReport {
    const task = this.#find(id);
    refuseRunning(task);
    if (task.status === 'completed') {
      throw new ToolCallFailure(`${id} is completed already. Create a new task for what is left to do.`);
    }
    this.settle(task, { reason });
    return reportOf(task);
  }

  /** Ends a task: with a reason it has failed, else it is completed, and what waited for it may become ready. */
  settle(task: Task<Assignment>, { result, reason }: { result?: unknown; reason?: string }): void {
    if (reason !== undefined) {
      task.status = 'failed';
      task.reason = reason;
      return;
    }
    task.status = 'completed';
    delete task.reason;
    if (result !== undefined) task.result = result;
    task.open.clear();
    for (const dependent of task.dependents) this.#unblock(dependent, task);
    task.dependents.clear();
  }

  #unblock(task: Task<Assignment>, completed: Task<Assignment>): void {
    task.open.delete(completed);
    if (task.open.size === 0 && task.status === 'blocked') this.#makeReady(task);
  }

  #makeReady(task: Task<Assignment>): void {
    task.status = 'ready';
    if (task.assignment !== undefined) this.#start(task, task.assignment);
  }

  #find(id: string): Task<Assignment> {
    const task = this.#tasks.get(id);
    if (task !== undefined) return task;
    throw new ToolCallFailure(`There is no task ${quoted(id)}. The tasks are: ${listed([...this.#tasks.keys()])}.`);
  }

  /** Forgets the oldest completed task if there are too many. */
  #makeRoom(): void {
    if (this.#tasks.size < MOST_TASKS) return;
    const done = [...this.#tasks.values()].find(({ status }) => status === 'completed');
    if (done === undefined) {
      throw new ToolCallFailure(`There are ${MOST_TASKS} open tasks already. Complete some before you create more.`);
    }
    this.#tasks.delete(done.id);
  }
}

function refuseRunning({ id, status, agentId = 'its agent' }: Task<unknown>): void {
  if (status !== 'running') return;
  throw new ToolCallFailure(`${agentId} works on ${id}. The task ends with it: with the result, or as failed.`);
}

function reportOf(task: Task<{ readonly agent: string }>): TaskReport {
  const { id, subject, description, status, assignment, agentId, result, reason } = task;
  const open = Array.from(task.open, dependency => dependency.id);
  const failed = failedAbove(task);
  return {
    id,
    subject,
    ...(description !== undefined && { description }),
    status,
    ...(open.length > 0 && { blocked_by: open }),
    ...(failed.length > 0 && { blocked_by_failed: failed }),
    ...(assignment !== undefined && { agent: assignment.agent }),
    ...(agentId !== undefined && { agent_id: agentId }),
    ...(result !== undefined && { result }),
    ...(reason !== undefined && { reason }),
  };
}

/** The ids of the failed tasks that a task depends on, directly or through others. */
function failedAbove(task: Task<unknown>): string[] {
  // A set also yields what is added to it while it is walked through.
  const above = new Set(task.open);
  for (const dependency of above) {
    if (dependency.status !== 'failed') for (const next of dependency.open) above.add(next);
  }
  return [...above].filter(({ status }) => status === 'failed').map(({ id }) => id);
}
