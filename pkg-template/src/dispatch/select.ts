import { dispatchCore, importTools, type ToolDefinitions, ToolgaugeError } from 'toolgauge';

/** A list of names: separated by commas, or a list. `all` stands for everything. */
export type EnabledNames = string | readonly string[];

/** What an agent may use. */
export interface Role {
  /** The functions that it may call, by name or alias. Default `all`. */
  readonly enabled_tools?: EnabledNames | undefined;
  /** The MCP servers that it may use, by name or alias. Default `all`. */
  readonly enabled_mcp_servers?: EnabledNames | undefined;
}

/** From what functions are selected. */
export interface SelectFunctionsOptions<Definition> {
  /** All functions, those with a prefix (`agent__`, `todo__`, `user__`, `mcp_…`) included: one definition for each. */
  readonly functions: readonly Definition[];
  /** What is enabled. Default: everything. */
  readonly role?: Role | undefined;
  /** The agent that is active, with the functions of its own. Default: none is. */
  readonly agent?:
    | {
        /** The functions of the agent. Default: none. */
        readonly functions?: readonly Definition[] | undefined;
      }
    | undefined;
  /** Names that stand for several functions. */
  readonly aliases?: Readonly<Record<string, EnabledNames>> | undefined;
  /** Names that stand for several MCP servers. */
  readonly mcpAliases?: Readonly<Record<string, EnabledNames>> | undefined;
  /** Called for each name that enables nothing. Default: `console.warn`. */
  readonly onWarning?: ((warning: UnknownNameWarning) => void) | undefined;
}

/** A name in a role that enables nothing. */
export interface UnknownNameWarning {
  /** What the warning is about. */
  readonly kind: 'unknown_name';
  /** The name. */
  readonly name: string;
  /** Where it was enabled. */
  readonly list: 'enabled_tools' | 'enabled_mcp_servers';
  /** The known name that is nearest to it, if one is near. */
  readonly suggestion?: string;
  /** The warning as a sentence. */
  readonly message: string;
}

/**
 * Selects the functions that an agent has, as they are to be declared to the model:
 *
 * - the active agent's own functions, which come first and replace others of the same name;
 * - the functions that the role enables;
 * - `agent__*` and `todo__*` only while an agent is active;
 * - `user__*` always;
 * - `mcp_invoke_*`, `mcp_search_*` and `mcp_describe_*` of the MCP servers that the role enables.
 *
 * Definitions may have any known form, and are returned as they were given. Throws `invalid_input` or `invalid_schema`
 * for what is no definition, and `invalid_option` for a list of names of the wrong type.
 *
 * @example
 * const functions = [{ name: 'fs_cat', parameters: {} }, { name: 'fs_ls', parameters: {} }, { name: 'agent__spawn', parameters: {} }];
 * selectFunctions({ functions, role: { enabled_tools: 'fs' }, aliases: { fs: 'fs_cat,fs_ls' } }).map(({ name }) => name);
 * // ['fs_cat', 'fs_ls']
 */
export function selectFunctions<Definition>(options: SelectFunctionsOptions<Definition>): Definition[] {
  const { functions, role, agent, aliases, mcpAliases, onWarning = warnOnConsole } = options;
  const own = agent === undefined ? undefined : (agent.functions ?? []);
  const selection = dispatchCore.selectFunctions({
    names: functions.map(nameOf),
    enabledTools: role?.enabled_tools,
    enabledMcpServers: role?.enabled_mcp_servers,
    aliases,
    mcpAliases,
    agent: own?.map(nameOf),
  });
  for (const unknown of selection.unknown) onWarning(toWarning(unknown));
  const chosen = [...selection.agent.map(at => own?.[at]), ...selection.functions.map(at => functions[at])];
  return chosen as Definition[];
}

/** The name of the one function that a definition defines. */
export function nameOf(definition: unknown): string {
  const name = (definition as { readonly name?: unknown } | null)?.name;
  if (typeof name === 'string') return name;
  const names = Object.keys(importTools([definition] as ToolDefinitions).value);
  const [only] = names;
  if (only === undefined || names.length > 1) {
    throw new ToolgaugeError('invalid_input', `expected one definition for each function, got ${names.length} in one`);
  }
  return only;
}

function toWarning(unknown: Omit<UnknownNameWarning, 'kind' | 'message'>): UnknownNameWarning {
  const hint = unknown.suggestion === undefined ? '' : `. Did you mean "${unknown.suggestion}"?`;
  const what = unknown.list === 'enabled_tools' ? 'function' : 'MCP server';
  const message = `${unknown.list} names ${JSON.stringify(unknown.name)}, but there is no such ${what}${hint}`;
  return { kind: 'unknown_name', ...unknown, message };
}

function warnOnConsole({ message }: UnknownNameWarning): void {
  console.warn(`toolgauge: ${message}`);
}
