import { importTools, type ToolDefinitions, ToolgaugeError, type ToolSchema } from 'toolgauge';
import type { CallContext, RoutedCall, Toolkit } from './toolkit.js';

/**
 * Runs a function of your program. What it returns, or what the promise resolves to, is the output; what it throws
 * becomes `{ tool_call_error: message }`.
 */
// biome-ignore lint/suspicious/noExplicitAny: the arguments have passed the schema, so a handler may name their types.
export type Handler = (args: any, context: CallContext) => unknown;

/** Functions of the program: their definitions, and what runs them. */
export interface FunctionSources {
  readonly functions?: ToolDefinitions | undefined;
  readonly handlers?: Readonly<Record<string, Handler>> | undefined;
}

/** The functions of a program as a toolkit. A handler without a definition takes any arguments. */
export function functionToolkit({ functions, handlers = {} }: FunctionSources): Toolkit {
  const run = new Map(Object.entries(handlers));
  for (const [name, handler] of run) {
    if (typeof handler !== 'function') throw invalid(`handlers.${name}`, 'expected a function');
  }
  const defined = functions === undefined ? [] : Object.values(importTools(functions).value);
  const names = new Set(defined.map(({ name }) => name));
  for (const name of names) {
    if (!run.has(name)) throw invalid(`handlers.${name}`, 'expected a function that runs the defined function');
  }
  const undefinedOnes = [...run.keys()].filter(name => !names.has(name));
  return {
    definitions: [...defined, ...undefinedOnes.map(anyArguments)],
    run: (call: RoutedCall, context: CallContext) => run.get(call.name)?.(call.arguments, context),
  };
}

function anyArguments(name: string): ToolSchema {
  return { name, parameters: { type: 'object' } };
}

function invalid(path: string, message: string): ToolgaugeError {
  return new ToolgaugeError('invalid_option', `options.${path}: ${message}`, { path: `options.${path}` });
}
