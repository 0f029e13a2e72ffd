import * as core from '#glue';
import { ToolgaugeError } from '../errors.js';
import { toPlainDefinitions } from '../tool-definitions.js';
import type { ErrorReport } from '../types.js';
import { withCleanup, withDocuments } from './call.js';
import { maxInputBytes } from './documents.js';
import { type Instance, isCurrent } from './instance.js';
import { optionsToPayload, type Payload, toPayload } from './json.js';

/** All that it takes to compile some tools, also a second time. */
export interface Recipe {
  readonly source: Payload;
  readonly options: Payload | undefined;
  readonly maxBytes: number | undefined;
}

interface Compiled {
  readonly owner: Instance;
  readonly tools: core.Tools;
}

const handles = new WeakMap<object, ToolHandle>();

/** Makes `owner` represent `handle` wherever tools are passed. Kept here, so that no public type shows a handle. */
export function represent(owner: object, handle: ToolHandle): void {
  handles.set(owner, handle);
}

/** The handle that `tools` represents, if any. */
export function handleOf(tools: unknown): ToolHandle | undefined {
  return typeof tools === 'object' && tools !== null ? handles.get(tools) : undefined;
}

/** Compiled tools that outlive the instance of the core which compiled them. */
export class ToolHandle {
  readonly names: readonly string[];
  readonly errors: readonly ErrorReport[];
  readonly #recipe: Recipe;
  #compiled: Compiled | 'freed';

  constructor(target: Instance, recipe: Recipe) {
    this.#recipe = keep(recipe);
    this.#compiled = { owner: target, tools: compile(target, recipe) };
    this.names = JSON.parse(this.#compiled.tools.names);
    this.errors = JSON.parse(this.#compiled.tools.errors);
  }

  /** The tools for one call to `target`, compiled again when that is a new instance. */
  borrow(target: Instance): core.Tools {
    if (this.#compiled === 'freed') {
      throw new ToolgaugeError('invalid_input', 'these compiled tools were freed; compile them again');
    }
    if (this.#compiled.owner !== target) {
      this.#compiled = { owner: target, tools: compile(target, this.#recipe) };
    }
    return this.#compiled.tools;
  }

  free(): void {
    if (this.#compiled === 'freed') return;
    // What a discarded instance owned went with it.
    if (isCurrent(this.#compiled.owner)) this.#compiled.tools.free();
    this.#compiled = 'freed';
  }

  /** What was compiled, as JSON. */
  definitions(): unknown {
    const { source } = this.#recipe;
    if (source.kind === 'value') return source.value;
    return JSON.parse(source.kind === 'text' ? source.text : new TextDecoder().decode(source.bytes));
  }
}

/** Reads tools without touching the core, so that what is wrong with them leaves nothing behind. */
export function toRecipe(tools: unknown, options: object | undefined): Recipe {
  return {
    source: toPayload(toPlainDefinitions(tools), 'the tool definitions'),
    options: optionsToPayload(options),
    maxBytes: maxInputBytes(options),
  };
}

/** Runs `use` with compiled tools: those of a handle, or compiled for this call, or none. */
export function withTools<Result>(
  target: Instance,
  tools: ToolHandle | Recipe | undefined,
  use: (tools: core.Tools) => Result,
): Result {
  if (tools instanceof ToolHandle) return use(tools.borrow(target));
  const compiled = tools === undefined ? core.noTools() : compile(target, tools);
  return withCleanup(
    () => use(compiled),
    () => compiled.free(),
  );
}

function compile(target: Instance, { source, options, maxBytes }: Recipe): core.Tools {
  return withDocuments(target, [source, options], maxBytes, (definitions, settings) =>
    core.compileTools(definitions, settings),
  );
}

/** Bytes are the caller's, who may change them before the recipe is used again. */
function keep(recipe: Recipe): Recipe {
  if (recipe.source.kind !== 'bytes') return recipe;
  return { ...recipe, source: { kind: 'bytes', bytes: new Uint8Array(recipe.source.bytes) } };
}
