import { bounded } from '../../timing.js';
import { type McpClient, request } from './client.js';
import { isJsonObject, type JsonObject } from './json.js';

/** A tool of a server. */
export interface McpTool {
  readonly name: string;
  /** Undefined if the server sends none, or something else than text. */
  readonly description: string | undefined;
  /** The JSON Schema of the arguments, as the server sent it. It may be anything. */
  readonly inputSchema: unknown;
  /** All that the server sent. */
  readonly definition: JsonObject;
}

/** The tools of a server by name, in the order in which it lists them. */
export type McpTools = ReadonlyMap<string, McpTool>;

/** A list that exceeds this is rejected, so that no server can fill the memory. */
const MOST_TOOLS = 5_000;
const MOST_PAGES = 1_000;
const LIST_SECONDS = 60;

/** Remembers the tools of a server. Calls that need them at the same time share one request. */
export class ToolList {
  readonly #client: McpClient;
  #pending: Promise<McpTools> | undefined;
  #known: McpTools | undefined;

  constructor(client: McpClient) {
    this.#client = client;
  }

  /** The tools. Rejects if the server does not list them within a minute; the next call then tries again. */
  get(): Promise<McpTools> {
    this.#pending ??= this.#fetch();
    return this.#pending;
  }

  /** Tools that were fetched after `known`, which lack something that is looked for. */
  newerThan(known: McpTools): Promise<McpTools> {
    if (this.#known === known) this.forget();
    return this.get();
  }

  /** Fetches the tools again when they are needed next. */
  forget(): void {
    this.#pending = undefined;
    this.#known = undefined;
  }

  #fetch(): Promise<McpTools> {
    // No caller's signal: others may be waiting for the same list.
    const pending = bounded(undefined, LIST_SECONDS, signal => fetchTools(this.#client, signal));
    pending.then(
      tools => {
        if (this.#pending === pending) this.#known = tools;
      },
      () => {
        if (this.#pending === pending) this.#pending = undefined;
      },
    );
    return pending;
  }
}

async function fetchTools(client: McpClient, signal: AbortSignal): Promise<McpTools> {
  const tools = new Map<string, McpTool>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  do {
    const params = cursor === undefined ? undefined : { cursor };
    const page = await request(signal, undefined, options => client.listTools(params, options));
    addTools(tools, page);
    cursor = cursorAfter(page);
    if (cursor !== undefined) remember(cursors, cursor);
  } while (cursor !== undefined);
  return tools;
}

function addTools(tools: Map<string, McpTool>, page: unknown): void {
  if (!isJsonObject(page) || !Array.isArray(page.tools)) throw new Error('its answer holds no list of tools');
  for (const definition of page.tools) {
    // A definition without a name can't be called. Of two with one name, the first counts.
    if (!isJsonObject(definition) || typeof definition.name !== 'string' || tools.has(definition.name)) continue;
    if (tools.size === MOST_TOOLS) throw new Error(`it lists more than ${MOST_TOOLS} tools`);
    tools.set(definition.name, readTool(definition.name, definition));
  }
}

function readTool(name: string, definition: JsonObject): McpTool {
  const { description, inputSchema } = definition;
  return { name, description: typeof description === 'string' ? description : undefined, inputSchema, definition };
}

function cursorAfter(page: unknown): string | undefined {
  const cursor = isJsonObject(page) ? page.nextCursor : undefined;
  return typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
}

function remember(cursors: Set<string>, cursor: string): void {
  if (cursors.has(cursor)) throw new Error('its list has no end: the same page comes again and again');
  if (cursors.size === MOST_PAGES - 1) throw new Error(`its list has more than ${MOST_PAGES} pages`);
  cursors.add(cursor);
}
