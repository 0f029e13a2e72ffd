/// <reference lib="esnext.disposable" preserve="true" />
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { ToolgaugeError, version, visible } from 'toolgauge';
import { type McpServers, type McpServersOptions, mcpServers } from 'toolgauge/dispatch';
import { reasonOf } from '../../errors.js';
import { bounded } from '../../timing.js';
import { request } from '../mcp/client.js';
import { isJsonObject } from '../mcp/json.js';
import { lineReader } from '../mcp/line-reader.js';
import { type McpConnection, ReconnectingClient } from '../mcp/reconnecting-client.js';
import { adopt, endFamily, type Family, markVariable, signalFamily } from './family.js';
import { isTimeLimit, LONGEST_MS } from './tool-folder.js';

/** How a server is started. */
export interface McpServerConfig {
  /** The program. It is run without a shell; on Windows, name `cmd` with the arguments `/c npx …` for a script. */
  readonly command: string;
  /** The arguments of the program. Default: none. */
  readonly args?: readonly string[] | undefined;
  /** Environment variables in addition to the few that every program needs, such as `PATH` and `HOME`. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The folder in which it runs. Default: that of this process. */
  readonly cwd?: string | undefined;
}

/** How {@link connectMcpServers} starts servers. */
export interface ConnectMcpServersOptions extends McpServersOptions {
  /** Milliseconds in which each server has to start and answer. Default: 30,000. */
  readonly startTimeoutMs?: number | undefined;
}

/** MCP servers that run as child processes. */
export interface ConnectedMcpServers extends McpServers, AsyncDisposable {
  /** Ends the servers and all processes that they started. Later calls fail. */
  close(): Promise<void>;
}

/** A message that is longer ends the connection. */
const MOST_MESSAGE_BYTES = 32 * 1024 * 1024;

const MOST_STDERR = 2_000;

/** How long a server may take to end after its input was closed, and again after SIGTERM. */
const GRACE_SECONDS = 2;

/** How long the output of a process may stay open after it has ended. Processes that nobody can find may hold it. */
const LAST_OUTPUT_SECONDS = 1;

/**
 * Starts MCP servers and connects to them over stdin and stdout, with `@modelcontextprotocol/sdk`, which has to be
 * installed. The result is used as that of `mcpServers`. It notices when a server changes its tools. A server that
 * crashes is started again by the next call.
 *
 * Servers do not outlive this process. SIGINT, SIGTERM and SIGHUP end them even if this process handles these signals.
 *
 * Rejects with `invalid_option` if an option is wrong, if the SDK is missing, or if a server does not start: the message
 * names it and shows the end of its stderr. The other servers are then ended.
 *
 * @example
 * const mcp = await connectMcpServers({
 *   everything: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] },
 * });
 * const dispatcher = createDispatcher({ mcp });
 * // …
 * await mcp.close();
 */
export async function connectMcpServers(
  configs: Readonly<Record<string, McpServerConfig>>,
  options: ConnectMcpServersOptions = {},
): Promise<ConnectedMcpServers> {
  const { startTimeoutMs = 30_000 } = options;
  if (!isTimeLimit(startTimeoutMs)) throw invalid('options.startTimeoutMs', `milliseconds, 1 to ${LONGEST_MS}`);
  if (!isJsonObject(configs)) throw invalid('configs', 'an object of configurations by the names of their servers');
  const sdk = await loadSdk();
  const clients = Object.entries(configs).map(([name, config]) => {
    const settings = { config, sdk, seconds: startTimeoutMs / 1000, onToolsChanged: () => servers.refresh(name) };
    return [name, new ReconnectingClient((signal, onEnd) => connect({ ...settings, signal, onEnd }))] as const;
  });
  const servers = mcpServers(Object.fromEntries(clients), options);
  const close = async () => {
    await Promise.all(clients.map(([, client]) => client.close()));
  };
  try {
    await Promise.all(clients.map(([name, client]) => start(name, client)));
  } catch (error) {
    await close();
    throw error;
  }
  return { ...servers, close, [Symbol.asyncDispose]: close };
}

function invalid(path: string, expected: string): ToolgaugeError {
  return new ToolgaugeError('invalid_option', `${path}: expected ${expected}`, { path, expected });
}

async function start(name: string, client: ReconnectingClient): Promise<void> {
  try {
    await client.start();
  } catch (cause) {
    const message = `The MCP server ${JSON.stringify(name)} did not start: ${reasonOf(cause)}`;
    throw new ToolgaugeError('invalid_option', message, { path: `configs[${JSON.stringify(name)}]`, cause });
  }
}

type Sdk = Awaited<ReturnType<typeof importSdk>>;

async function importSdk() {
  const [client, stdioClient, stdio, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/stdio.js'),
    import('@modelcontextprotocol/sdk/shared/stdio.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  return { ...client, ...stdioClient, ...stdio, ...types };
}

async function loadSdk(): Promise<Sdk> {
  try {
    return await importSdk();
  } catch (cause) {
    const message = `connectMcpServers needs @modelcontextprotocol/sdk: run "npm install @modelcontextprotocol/sdk" (${reasonOf(cause)})`;
    throw new ToolgaugeError('invalid_option', message, { cause });
  }
}

interface ConnectSettings {
  readonly config: McpServerConfig;
  readonly sdk: Sdk;
  readonly signal: AbortSignal;
  /** How long starting may take. */
  readonly seconds: number;
  readonly onToolsChanged: () => void;
  readonly onEnd: () => void;
}

async function connect({ config, sdk, signal, seconds, onToolsChanged, onEnd }: ConnectSettings) {
  const server = new ServerProcess(config, sdk);
  const client = new sdk.Client({ name: 'toolgauge', version: version() });
  client.setNotificationHandler(sdk.ToolListChangedNotificationSchema, onToolsChanged);
  client.onclose = () => {
    onEnd();
    // The one that is started next may have other tools.
    onToolsChanged();
  };
  try {
    await request(signal, seconds, options => client.connect(server, options));
  } catch (error) {
    const reason = server.ended ?? reasonOf(error);
    await server.close();
    throw new Error(`${reason}${server.lastWords()}`, { cause: error });
  }
  return connectionOf(client, server, sdk);
}

/**
 * The client's own `listTools` and `callTool` compile the schemas of the server and reject a whole list if one tool in
 * it is invalid, so requests go past them.
 */
function connectionOf(client: InstanceType<Sdk['Client']>, server: ServerProcess, sdk: Sdk): McpConnection {
  return {
    instructions: client.getInstructions(),
    get ended() {
      return server.ended === undefined ? undefined : `${server.ended}${server.lastWords()}`;
    },
    send: (method, params, options) =>
      client.request({ method, params } as Parameters<typeof client.request>[0], sdk.ResultSchema, options),
    close: () => server.close(),
  };
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * The transport of the SDK's client to a server process. Unlike the SDK's own, it ends the processes that the server
 * has started, as `npx` does, and keeps the server's stderr for messages.
 */
class ServerProcess implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  /** Why it ended, such as `it exited with code 1`. Absent while it runs. */
  ended: string | undefined;
  readonly #config: McpServerConfig;
  readonly #sdk: Sdk;
  #running: { readonly child: Child; readonly family: Family; readonly gone: Promise<void> } | undefined;
  #closing: Promise<void> | undefined;
  #stderr = '';

  constructor(config: McpServerConfig, sdk: Sdk) {
    this.#config = config;
    this.#sdk = sdk;
  }

  async start(): Promise<void> {
    const mark = randomUUID();
    const child = this.#spawn(mark);
    child.on('error', error => this.onerror?.(error));
    child.stdin.on('error', error => this.onerror?.(error));
    // Before it waits: the process may have to be ended while it starts.
    if (child.pid !== undefined) this.#adopt(child, { pid: child.pid, mark });
    await once(child, 'spawn');
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#running === undefined || this.ended !== undefined) throw new Error(this.ended ?? 'it does not run');
    const { stdin } = this.#running.child;
    // If the process no longer reads, its exit ends all requests.
    await new Promise<void>(sent => stdin.write(this.#sdk.serializeMessage(message), () => sent()));
  }

  /** Ends the process, politely first, and all that it has started. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  /** The end of what the server wrote to stderr, for a message. */
  lastWords(): string {
    const text = visible(this.#stderr.trim());
    return text === '' ? '' : `. Its stderr ends with: ${text}`;
  }

  #spawn(mark: string): Child {
    const { command, args = [], env, cwd } = this.#config;
    return spawn(command, args, {
      cwd,
      env: { ...this.#sdk.getDefaultEnvironment(), ...env, ...markVariable(mark) },
      stdio: ['pipe', 'pipe', 'pipe'],
      // Its own process group, so that it can be ended with all its children.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  }

  #adopt(child: Child, family: Family): void {
    adopt(family);
    this.#running = { child, family, gone: this.#finish(child, family) };
    this.#read(child, family);
  }

  #read({ stdout, stderr }: Child, family: Family): void {
    const read = lineReader(MOST_MESSAGE_BYTES, line => this.#receive(line));
    stdout.on('data', (chunk: Buffer) => {
      if (this.ended !== undefined || read(chunk)) return;
      this.ended = `it sent a message of more than ${MOST_MESSAGE_BYTES} bytes`;
      signalFamily(family, 'SIGKILL');
    });
    stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-MOST_STDERR);
    });
  }

  #receive(line: string): void {
    try {
      this.onmessage?.(this.#sdk.deserializeMessage(line));
    } catch (error) {
      // Some servers log to stdout.
      this.onerror?.(error as Error);
    }
  }

  /** Waits for the process to exit, and cleans up after it. */
  async #finish(child: Child, family: Family): Promise<void> {
    const closed = new Promise<void>(resolve => child.once('close', () => resolve()));
    const end = await new Promise<string>(resolve => child.once('exit', (...how) => resolve(endOf(...how))));
    // Its children may hold its output open.
    await endFamily(family);
    await bounded(undefined, LAST_OUTPUT_SECONDS, () => closed).catch(() => undefined);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    this.ended ??= end;
    this.onclose?.();
  }

  async #end(): Promise<void> {
    if (this.#running === undefined) return;
    const { child, family, gone } = this.#running;
    child.stdin.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const isGone = await bounded(undefined, GRACE_SECONDS, () => gone).then(
        () => true,
        () => false,
      );
      if (isGone) return;
      signalFamily(family, signal);
    }
    await gone;
  }
}

function endOf(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`;
}
