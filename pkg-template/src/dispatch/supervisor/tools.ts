import { bounded } from '../../timing.js';
import type { ParameterSchema } from '../../types.js';
import { type Arguments, argument, listed, optionalText, quoted, textOf, textsOf } from '../arguments.js';
import type { Escalation, EscalationQueue } from '../escalations.js';
import type { AgentDefinition, AgentReport } from '../supervisor.js';
import { TaskQueue, type TaskReport } from '../tasks.js';
import type { ToolEntry } from '../tool-table.js';
import { type CallContext, ToolCallFailure } from '../toolkit.js';
import { type Agent, type AgentPool, hasEnded } from './agents.js';
import { type AgentMessage, Mailbox } from './inbox.js';

/** What the tools of a supervisor work on. */
export interface SupervisorParts {
  readonly pool: AgentPool;
  readonly escalations: EscalationQueue;
  /** The agents that can be spawned, by name. */
  readonly agents: ReadonlyMap<string, AgentDefinition>;
}

/** Who does a task. */
interface Assignment {
  readonly agent: string;
  readonly prompt: string;
  /** The agent that created the task; `undefined` for the one at depth 0. */
  readonly owner: Agent | undefined;
}

/** The agent that makes a call; `undefined` for the one at depth 0. */
type Caller = Agent | undefined;

/** Prompts and the results of tasks may have this many characters. */
const LONGEST_PROMPT = 100_000;

/** A task may depend on this many others. */
const MOST_DEPENDENCIES = 50;

/** The tools `agent__*`, by what follows that prefix. */
export function supervisorTools(parts: SupervisorParts): Readonly<Record<string, ToolEntry>> {
  return { ...agentTools(parts), ...messageTools(parts), ...taskTools(parts), reply_escalation: replyTool(parts) };
}

/** An agent, as models and hosts read it. */
export function reportOf(agent: Agent): AgentReport {
  const { result, error } = agent;
  return { ...summaryOf(agent), ...(result !== undefined && { result }), ...(error !== undefined && { error }) };
}

function summaryOf({ id, name, status, parent }: Agent): AgentReport {
  return { id, agent: name, status, ...(parent !== undefined && { spawned_by: parent.id }) };
}

function agentTools({ pool, escalations, agents }: SupervisorParts): Record<string, ToolEntry> {
  const reached = (args: Arguments, context: CallContext) => findAgent(pool, callerOf(pool, context), args, 'id');
  return {
    spawn: {
      description: `Starts an agent in the background and returns its id at once. ${describeAgents(agents)}`,
      parameters: {
        agent: agentName(agents),
        prompt: text('What the agent has to do, with all that it needs to know'),
      },
      run: (args, context) => {
        const caller = callerOf(pool, context);
        const { id, status } = pool.spawn(textOf(args, 'agent'), textOf(args, 'prompt', LONGEST_PROMPT), caller);
        return { id, status };
      },
    },
    check: {
      description: 'Shows the status of an agent, and its result if it has ended, without waiting for it.',
      parameters: { id: agentId },
      run: (args, context) => reportOf(reached(args, context)),
    },
    collect: {
      description:
        'Waits until an agent has ended and returns its result. Returns early with pending_escalations when an agent asks a question: answer it with agent__reply_escalation, then collect again.',
      parameters: { id: agentId },
      run: (args, context) => collect(pool, escalations, reached(args, context), context),
    },
    list: {
      description: 'Lists your agents and the agents below them, with their status.',
      parameters: {},
      run: (_, context) => ({ agents: pool.below(callerOf(pool, context)).map(summaryOf) }),
    },
    cancel: {
      description: 'Stops an agent and all agents below it.',
      parameters: { id: agentId },
      run: (args, context) => {
        const agent = reached(args, context);
        pool.cancel(agent, 'it was stopped by agent__cancel');
        return reportOf(agent);
      },
    },
  };
}

async function collect(
  pool: AgentPool,
  escalations: EscalationQueue,
  agent: Agent,
  context: CallContext,
): Promise<AgentReport & { pending_escalations?: readonly Escalation[] }> {
  const caller = callerOf(pool, context);
  // Only the agent at depth 0 can answer questions; the one that it waits for may wait for its answer.
  const isAsked = () => caller === undefined && escalations.size > 0;
  const next = (signal: AbortSignal) =>
    Promise.race([agent.end.wait(signal), ...(caller === undefined ? [escalations.nextPending(signal)] : [])]);
  while (!hasEnded(agent) && !isAsked()) {
    await pool.whileWaiting(caller, () => bounded(context.signal, undefined, next));
  }
  return hasEnded(agent) ? reportOf(agent) : { ...reportOf(agent), pending_escalations: escalations.pending() };
}

function messageTools({ pool }: SupervisorParts): Record<string, ToolEntry> {
  const root = new Mailbox();
  const inboxOf = (agent: Caller) => (agent === undefined ? root : agent.inbox);
  return {
    send_message: {
      description: 'Sends a message to one of your agents, or to the agent that spawned you.',
      parameters: {
        to: text('The id of one of your agents, or "parent" for the agent that spawned you'),
        message: text('What the agent is to read; it can only answer by a message of its own'),
      },
      run: (args, context) => {
        const caller = callerOf(pool, context);
        const message = textOf(args, 'message');
        const to = textOf(args, 'to');
        const recipient = to === 'parent' ? parentOf(caller) : running(findAgent(pool, caller, args, 'to'));
        const from = senderName(caller, recipient);
        if (inboxOf(recipient).push({ from, message })) return { sent: true, to };
        throw new ToolCallFailure(`The inbox of ${to} is full. Wait until it has read its messages.`);
      },
    },
    check_inbox: {
      description: 'Returns the messages that agents sent you since you last looked.',
      parameters: {},
      run: (_, context): { messages: AgentMessage[] } => ({ messages: inboxOf(callerOf(pool, context)).read() }),
    },
  };
}

function parentOf(caller: Caller): Caller {
  if (caller !== undefined) return caller.parent;
  throw new ToolCallFailure('to: there is no agent above you. Write to one of your agents by its id.');
}

function running(agent: Agent): Agent {
  if (!hasEnded(agent)) return agent;
  throw new ToolCallFailure(`${agent.id} can't read messages any more: it is ${agent.status}.`);
}

function senderName(caller: Caller, recipient: Caller): string {
  if (recipient !== undefined && recipient.parent === caller) return 'parent';
  return caller?.id ?? 'lead';
}

function taskTools({ pool, agents }: SupervisorParts): Record<string, ToolEntry> {
  const tasks: TaskQueue<Assignment> = new TaskQueue((task, { agent, prompt, owner }) => {
    // The agent may look at the task at once.
    task.status = 'running';
    try {
      task.agentId = pool.spawn(agent, prompt, owner, ended => tasks.settle(task, outcomeOf(ended))).id;
    } catch (error) {
      if (!(error instanceof ToolCallFailure)) throw error;
      tasks.settle(task, { reason: error.message });
    }
  });
  return {
    task_create: {
      description:
        'Adds a task to the list that all agents share. With "agent", that agent is spawned for it as soon as all tasks that it is blocked by are completed; it sees their results with agent__task_list.',
      parameters: {
        subject: text('What is to be done, in a few words'),
        description: text('What is to be done, in detail'),
        blocked_by: {
          type: 'array',
          items: { type: 'string' },
          maxItems: MOST_DEPENDENCIES,
          uniqueItems: true,
          description: 'The ids of the tasks that have to be completed before this one, such as ["task-1"]',
        },
        agent: agentName(agents),
        prompt: text('What the agent has to do. Default: the description, else the subject'),
      },
      optional: ['description', 'blocked_by', 'agent', 'prompt'],
      run: (args, context): TaskReport => {
        const subject = textOf(args, 'subject');
        const description = optionalText(args, 'description');
        const blockedBy = argument(args, 'blocked_by') == null ? [] : textsOf(args, 'blocked_by', 0, MOST_DEPENDENCIES);
        const prompt = optionalText(args, 'prompt', LONGEST_PROMPT) ?? description ?? subject;
        const assignment = assign(pool, args, prompt, callerOf(pool, context));
        return tasks.create({ subject, description, blockedBy, assignment });
      },
    },
    task_list: {
      description: 'Lists all tasks with their status, results, and what blocks them.',
      parameters: {},
      run: () => ({ tasks: tasks.list() }),
    },
    task_complete: {
      description: 'Marks a task as completed. Tasks that it blocked may become ready.',
      parameters: { id: taskId, result: text('What came out of it') },
      optional: ['result'],
      run: args => tasks.complete(textOf(args, 'id'), optionalText(args, 'result', LONGEST_PROMPT)),
    },
    task_fail: {
      description: 'Marks a task as failed. Tasks that it blocks stay blocked until it is completed after all.',
      parameters: { id: taskId, reason: text('Why it failed') },
      run: args => tasks.fail(textOf(args, 'id'), textOf(args, 'reason')),
    },
  };
}

function assign(pool: AgentPool, args: Arguments, prompt: string, owner: Caller): Assignment | undefined {
  const agent = optionalText(args, 'agent');
  if (agent !== undefined) {
    pool.definitionFor(agent, owner);
    return { agent, prompt, owner };
  }
  if (argument(args, 'prompt') == null) return undefined;
  throw new ToolCallFailure('prompt: it is for the agent that does the task. Name one in "agent", or leave it out.');
}

function outcomeOf({ id, status, result, error }: Agent): { result?: unknown; reason?: string } {
  return status === 'completed'
    ? { result }
    : { reason: `${id} ${status === 'failed' ? 'failed' : 'was cancelled'}: ${error}` };
}

function replyTool({ pool, escalations }: SupervisorParts): ToolEntry {
  return {
    description: 'Answers a question of an agent, so that it can go on. You may ask the user before.',
    parameters: {
      id: text('The escalation_id of the question'),
      reply: text('The answer: yes or no; an option or its number; a JSON list of options; or a text'),
    },
    run: (args, context) => {
      if (callerOf(pool, context) !== undefined) {
        throw new ToolCallFailure('Only the agent that talks to the user can answer questions of other agents.');
      }
      const id = textOf(args, 'id');
      return { escalation_id: id, answer: escalations.reply(id, argument(args, 'reply')) };
    },
  };
}

/** The agent that makes a call. Throws a `ToolCallFailure` if it is none that this supervisor runs. */
export function callerOf(pool: AgentPool, { agent, depth }: CallContext): Caller {
  if (agent === undefined && depth === 0) return undefined;
  const caller = agent === undefined ? undefined : pool.get(agent.id);
  if (caller === undefined) throw new ToolCallFailure('You are not an agent that this supervisor runs.');
  if (!hasEnded(caller)) return caller;
  throw new ToolCallFailure(`${caller.id} is ${caller.status}: it can't use other agents any more.`);
}

/** The agent that an argument names, if the caller may reach it. */
function findAgent(pool: AgentPool, caller: Caller, args: Arguments, name: string): Agent {
  const id = textOf(args, name);
  const reachable = pool.below(caller);
  const agent = reachable.find(other => other.id === id);
  if (agent !== undefined) return agent;
  const problem = pool.wasForgotten(id)
    ? `${id} ended and was forgotten: only the last agents are kept.`
    : `You have no agent ${quoted(id)}.`;
  throw new ToolCallFailure(`${problem} Your agents: ${listed(reachable.map(other => other.id))}.`);
}

const agentId: ParameterSchema = text('The id of the agent, as agent__spawn returned it');
const taskId: ParameterSchema = text('The id of the task, such as task-1');

function text(description: string): ParameterSchema {
  return { type: 'string', description };
}

function agentName(agents: SupervisorParts['agents']): ParameterSchema {
  return { type: 'string', enum: [...agents.keys()], description: 'The name of the agent' };
}

function describeAgents(agents: SupervisorParts['agents']): string {
  const lines = Array.from(agents, ([name, { description }]) => `- ${name}: ${description}`);
  return ['The agents are:', ...lines].join('\n');
}
