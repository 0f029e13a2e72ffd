import { dispatchCore, ToolgaugeError, type ToolSchema } from 'toolgauge';
import type { Route } from '../types.js';
import type { Toolkit } from './toolkit.js';

/** What runs the calls of each kind of route. */
export type ToolkitsByRoute = Readonly<Record<Route['kind'], readonly Toolkit[]>>;

/** A tool, and what runs it. */
export interface DeclaredTool {
  readonly definition: ToolSchema;
  readonly toolkit: Toolkit;
}

/** All tools by name. Throws `invalid_option` for a name that is defined twice, or whose prefix leads elsewhere. */
export function declareTools(toolkits: ToolkitsByRoute): ReadonlyMap<string, DeclaredTool> {
  const declared = new Map<string, DeclaredTool>();
  for (const [kind, of] of Object.entries(toolkits)) {
    for (const toolkit of of) {
      for (const definition of toolkit.definitions) {
        const { name } = definition;
        const leads = dispatchCore.routeOf(name).kind;
        if (leads !== kind) throw invalid(name, `calls of this name lead to the ${leads} tools; choose another name`);
        if (declared.has(name)) throw invalid(name, 'there are two tools of this name');
        declared.set(name, { definition, toolkit });
      }
    }
  }
  return declared;
}

function invalid(name: string, message: string): ToolgaugeError {
  return new ToolgaugeError('invalid_option', `${JSON.stringify(name)}: ${message}`);
}
