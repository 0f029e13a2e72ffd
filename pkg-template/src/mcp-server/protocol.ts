import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  RootsListChangedNotificationSchema,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { LineTransport } from './line-transport.js';
import type { ServedPrompt, ServedTool, Service, ToolContext } from './service.js';
import Unused from './unused.js';

/** How long a client may take to name its roots. */
const ROOTS_TIMEOUT_MS = 10_000;

/** The code of MCP for a resource that does not exist. */
const RESOURCE_NOT_FOUND = -32_002;

/** The streams that messages go through, and where the server says what is wrong with the connection. */
export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
  readonly log: Writable;
}

/**
 * Serves `service` by the Model Context Protocol, until the input ends. Calls that are running then are still answered.
 */
export async function serve(service: Service, { input, output, log }: Streams): Promise<void> {
  const { name, title, version, instructions } = service;
  const server = new Server(
    { name, title, version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions,
      jsonSchemaValidator: new Unused(),
    },
  );
  server.onerror = error => log.write(`toolgauge: ${error.message}\n`);
  serveTools(server, service, new Roots(server, input));
  serveResources(server, service);
  servePrompts(server, service);
  const ended = new Promise<void>(settle => {
    for (const event of ['end', 'close', 'error']) input.once(event, () => settle());
  });
  await server.connect(new LineTransport(input, output));
  await ended;
}

/** The folders that the client names, asked for when they are first needed. */
class Roots {
  readonly #server: Server;
  readonly #ended = new AbortController();
  #known: Promise<readonly string[]> | undefined;

  constructor(server: Server, input: Readable) {
    this.#server = server;
    // Nobody answers then, and the process should end.
    input.once('end', () => this.#ended.abort());
    server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
      this.#known = undefined;
    });
  }

  list(): Promise<readonly string[]> {
    this.#known ??= this.#ask();
    return this.#known;
  }

  async #ask(): Promise<readonly string[]> {
    if (this.#server.getClientCapabilities()?.roots === undefined || this.#ended.signal.aborted) return [];
    try {
      const options = { timeout: ROOTS_TIMEOUT_MS, signal: this.#ended.signal };
      const { roots } = await this.#server.listRoots({}, options);
      return roots.map(({ uri }) => uri).flatMap(pathOf);
    } catch (error) {
      this.#server.onerror?.(error as Error);
      return [];
    }
  }
}

/** The folder that a `file:` address names; none for other addresses. */
function pathOf(uri: string): readonly string[] {
  try {
    return [fileURLToPath(uri)];
  } catch {
    return [];
  }
}

function serveTools(server: Server, { tools, describe }: Service, roots: Roots): void {
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(definitionOf) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) {
      const known = tools.map(({ name }) => name).join(', ');
      throw new McpError(ErrorCode.InvalidParams, `there is no tool ${quoted(params.name)}; there are ${known}`);
    }
    const context = { signal: extra.signal, report: reporter(extra), roots: () => roots.list() };
    return call(tool, params.arguments ?? {}, context, describe);
  });
}

/** Sends progress, if the client asked for it: then it may wait longer for the answer. */
function reporter({ _meta, sendNotification }: RequestHandlerExtra<ServerRequest, ServerNotification>) {
  const progressToken = _meta?.progressToken;
  return (progress: number, total: number | undefined) => {
    if (progressToken === undefined) return;
    const params = { progressToken, progress, ...(total !== undefined && { total }) };
    void sendNotification({ method: 'notifications/progress', params });
  };
}

/** The definition of a tool for `tools/list`. All of them only read, and reach nothing but files. */
function definitionOf({ name, title, description, inputSchema, outputSchema }: ServedTool) {
  const annotations = {
    title,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  };
  return { name, title, description, inputSchema, outputSchema, annotations };
}

async function call(
  tool: ServedTool,
  args: Readonly<Record<string, unknown>>,
  context: ToolContext,
  describe: Service['describe'],
): Promise<CallToolResult> {
  try {
    const { text, structured } = await tool.run(args, context);
    return { content: [{ type: 'text', text }], structuredContent: structured as Record<string, unknown> };
  } catch (error) {
    return { content: [{ type: 'text', text: describe(error) }], isError: true };
  }
}

function serveResources(server: Server, { resources, resourceTemplate }: Service): void {
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: resources.map(({ read, ...resource }) => resource),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ ...resourceTemplate, mimeType: 'text/plain' }],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    const resource = resources.find(known => known.uri === uri);
    if (resource === undefined) throw new McpError(RESOURCE_NOT_FOUND, `there is no resource ${quoted(uri)}`, { uri });
    return { contents: [{ uri, mimeType: resource.mimeType, text: resource.read() }] };
  });
}

function servePrompts(server: Server, { prompts }: Service): void {
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: prompts.map(({ write, ...prompt }) => ({ ...prompt, arguments: [...prompt.arguments] })),
  }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const prompt = prompts.find(({ name }) => name === params.name);
    if (prompt === undefined) throw invalid(`there is no prompt ${quoted(params.name)}`);
    const text = prompt.write(promptArguments(prompt, params.arguments ?? {}));
    return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
}

function promptArguments({ arguments: known }: ServedPrompt, given: Record<string, string>): Record<string, string> {
  const missing = known.find(({ name, required }) => required && given[name] === undefined);
  if (missing !== undefined) throw invalid(`the argument ${quoted(missing.name)} is missing: ${missing.description}`);
  return given;
}

function invalid(message: string): McpError {
  return new McpError(ErrorCode.InvalidParams, message);
}

/** A name that a client gave, for a message about it. */
function quoted(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
}
