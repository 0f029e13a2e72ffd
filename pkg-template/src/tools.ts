/// <reference lib="esnext.disposable" preserve="true" />
import { guarded } from './boundary/call.js';
import { represent, ToolHandle, toRecipe } from './boundary/tool-handle.js';
import type { ToolDefinitions } from './tool-definitions.js';
import type { ErrorReport, JsonValue, Limits } from './types.js';

/** Tools as every function takes them: definitions, their JSON text or UTF-8 bytes, or compiled before. */
export type ToolsInput = ToolDefinitions | string | Uint8Array | CompiledTools;

/** How tools are compiled. */
export interface CompileOptions {
  /** Documents that a `$ref` may name, by their URI. Nothing is ever fetched. Default: none. */
  readonly schemas?: Readonly<Record<string, JsonValue>>;
  /**
   * Use the other definitions if some are invalid. {@link CompiledTools.errors} then says what is wrong with those, and
   * their calls are not checked against a schema. If all are invalid, the first error is thrown. Default: false, which throws
   * the first error.
   */
  readonly allowErrors?: boolean;
  /** Limits on the size of the definitions. */
  readonly limits?: Limits;
}

let construct: (handle: ToolHandle) => CompiledTools;

/**
 * Tool schemas, compiled. Made by {@link compileTools} and taken by every function that takes tools.
 * Frees itself when it is no longer referenced; `free()` or `using` does so at once.
 */
export class CompiledTools {
  /** Names of the tools, in the order of the definitions. */
  readonly names: readonly string[];
  /** What is wrong with definitions that can't be used. Empty without `allowErrors`. */
  readonly errors: readonly ErrorReport[];
  /** The same as {@link CompiledTools.free}, for `using`, where the runtime has `Symbol.dispose`. */
  declare readonly [Symbol.dispose]: () => void;

  readonly #handle: ToolHandle;

  static {
    construct = handle => new CompiledTools(handle);
    if (Symbol.dispose) {
      const value = function (this: CompiledTools): void {
        this.free();
      };
      Object.defineProperty(CompiledTools.prototype, Symbol.dispose, { value });
    }
  }

  private constructor(handle: ToolHandle) {
    this.#handle = handle;
    this.names = handle.names;
    this.errors = handle.errors;
    represent(this, handle);
  }

  /** Gives the memory back. The tools can't be used afterwards; freeing them again does nothing. */
  free(): void {
    this.#handle.free();
  }

  /** The definitions that were compiled, as JSON. */
  toJSON(): unknown {
    return this.#handle.definitions();
  }
}

/**
 * Compiles tool schemas once, for many calls. Other functions do the same by themselves and remember tools by their
 * content, so this saves them the comparison.
 *
 * Takes tools by name, a list of definitions in any known format, one definition, or JSON text or bytes of these.
 * Schemas may be zod 4, Standard Schema or AI SDK objects. Throws `invalid_schema` naming the tool and the place, unless
 * errors are allowed.
 *
 * @example
 * const tools = compileTools({ send: { name: 'send', parameters: { type: 'object', required: ['to'] } } });
 * tools.names; // ['send']
 * validateToolCall({ name: 'send', arguments: {}, result: {} }, tools).score; // 0.3
 */
export function compileTools(tools: ToolsInput, options?: CompileOptions): CompiledTools {
  const recipe = toRecipe(tools, options);
  return construct(guarded(target => new ToolHandle(target, recipe)));
}
