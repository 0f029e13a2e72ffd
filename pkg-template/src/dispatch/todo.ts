import { ToolgaugeError } from 'toolgauge';
import { kindOf } from '../boundary/kind-of.js';
import type { ToolSchema } from '../types.js';
import { type Arguments, argument, expected, LONGEST_TEXT, textOf } from './arguments.js';
import { createToolkit } from './tool-table.js';
import { type CallContext, type RoutedCall, ToolCallFailure, type Toolkit } from './toolkit.js';

/** An item of a to-do list. */
export interface TodoItem {
  /** Its number in the list, from 1 on. */
  readonly id: number;
  /** What is to be done. */
  readonly task: string;
  /** Whether it is done. */
  readonly done: boolean;
}

/** What a to-do list holds, as JSON. */
export interface TodoListJson {
  /** What the list is for; null before `todo__init`. */
  readonly goal: string | null;
  /** The items, in order. */
  readonly items: readonly TodoItem[];
}

/** What the tools return. */
export interface TodoListView extends TodoListJson {
  /** How many items are not done yet. */
  readonly remaining: number;
}

const MOST_ITEMS = 1_000;

/** No more than this many open items are listed in a message. */
const MOST_LISTED = 20;

/**
 * A to-do list that a model keeps with the tools `todo__init`, `todo__add`, `todo__done`, `todo__list` and
 * `todo__clear`. It holds at most 1,000 items; goal and tasks have at most 10,000 characters each.
 *
 * @example
 * const todo = new TodoList();
 * const dispatcher = createDispatcher({ todo });
 * await save(JSON.stringify(todo));
 * const restored = TodoList.from(JSON.parse(await load()));
 */
export class TodoList implements Toolkit {
  readonly definitions: readonly ToolSchema[];
  #goal: string | null = null;
  #items: Omit<TodoItem, 'id'>[] = [];
  readonly #tools: Toolkit = createToolkit('todo', {
    init: {
      description: 'Starts a new to-do list for a goal. The old list is thrown away.',
      parameters: { goal: { type: 'string', description: 'What the list is for' } },
      run: args => this.#init(args),
    },
    add: {
      description: 'Adds a task at the end of the to-do list.',
      parameters: { task: { type: 'string', description: 'One step that can be done and checked off' } },
      run: args => this.#add(args),
    },
    done: {
      description: 'Marks an item of the to-do list as done.',
      parameters: { id: { type: 'integer', description: 'The id of the item, as todo__list shows it' } },
      run: args => this.#done(args),
    },
    list: {
      description: 'Shows the to-do list: the goal, the items with their ids, and how many remain.',
      parameters: {},
      run: () => this.#view(),
    },
    clear: {
      description: 'Removes the goal and all items of the to-do list.',
      parameters: {},
      run: () => this.#reset(null),
    },
  });

  constructor() {
    this.definitions = this.#tools.definitions;
  }

  /**
   * Restores a list from what `toJSON` returned. The items get their ids anew, in their order.
   * Throws a {@link ToolgaugeError} with `invalid_input` if it is anything else.
   */
  static from(json: unknown): TodoList {
    const { goal = null, items } = objectAt(json, 'the to-do list');
    if (goal !== null) checkText(goal, 'goal');
    if (!Array.isArray(items) || items.length > MOST_ITEMS) {
      throw invalid('items', `a list of at most ${MOST_ITEMS} items`, items);
    }
    const list = new TodoList();
    list.#goal = goal as string | null;
    list.#items = Array.from(items, readItem);
    return list;
  }

  /** Runs a call of one of the tools; see {@link Toolkit}. */
  run(call: RoutedCall, context: CallContext): unknown {
    return this.#tools.run(call, context);
  }

  /** What the list holds, for JSON. */
  toJSON(): TodoListJson {
    return { goal: this.#goal, items: this.#items.map((item, index) => ({ id: index + 1, ...item })) };
  }

  #view(): TodoListView {
    return { ...this.toJSON(), remaining: this.#items.filter(({ done }) => !done).length };
  }

  #reset(goal: string | null): TodoListView {
    this.#goal = goal;
    this.#items = [];
    return this.#view();
  }

  #init(args: Arguments): TodoListView {
    return this.#reset(textOf(args, 'goal'));
  }

  #add(args: Arguments): TodoListView & { added: number } {
    const task = textOf(args, 'task');
    if (this.#items.length >= MOST_ITEMS) {
      throw new ToolCallFailure(
        `The to-do list is full: it has ${MOST_ITEMS} items. Start a new one with todo__init, or join tasks.`,
      );
    }
    const added = this.#items.push({ task, done: false });
    return { added, ...this.#view() };
  }

  #done(args: Arguments): TodoListView & { note?: string } {
    const id = argument(args, 'id');
    if (typeof id !== 'number') throw expected('id', 'the number of an item', id);
    const item = this.#items[id - 1];
    if (item === undefined) throw new ToolCallFailure(`The to-do list has no item ${id}. ${this.#openItems()}`);
    this.#items[id - 1] = { ...item, done: true };
    return { ...(item.done && { note: `Item ${id} was done already.` }), ...this.#view() };
  }

  #openItems(): string {
    const open = this.toJSON().items.filter(({ done }) => !done);
    if (open.length === 0) return 'No item is open.';
    const shown = open.slice(0, MOST_LISTED).map(({ id, task }) => `${id} (${task.slice(0, 60)})`);
    const more = open.length > MOST_LISTED ? ` and ${open.length - MOST_LISTED} more` : '';
    return `Open items: ${shown.join(', ')}${more}.`;
  }
}

function readItem(item: unknown, index: number): Omit<TodoItem, 'id'> {
  const place = `items[${index}]`;
  const { task, done } = objectAt(item, place);
  checkText(task, `${place}.task`);
  if (typeof done !== 'boolean') throw invalid(`${place}.done`, 'true or false', done);
  return { task: task as string, done };
}

function objectAt(value: unknown, place: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw invalid(place, 'an object', value);
}

function checkText(value: unknown, place: string): void {
  if (typeof value === 'string' && value.length <= LONGEST_TEXT) return;
  throw invalid(place, `a text of at most ${LONGEST_TEXT} characters`, value);
}

function invalid(path: string, what: string, got: unknown): ToolgaugeError {
  const details = path === 'the to-do list' ? { expected: what } : { path, expected: what };
  return new ToolgaugeError('invalid_input', `${path}: expected ${what}, got ${kindOf(got)}`, details);
}
