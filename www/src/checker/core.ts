import moduleAddress from 'toolgauge/toolgauge.wasm?url';
import { closeConnections } from '../policy.ts';
import workerAddress from './worker.ts?worker&url';

/** What a worker is made of. */
export interface Core {
  readonly module: WebAssembly.Module;
  /** The address of the worker's script, which is in the memory of the page. */
  readonly script: string;
}

let core: Promise<Core> | undefined;

/**
 * Fetches the core once for all workers, then closes the connections of the page. Rejects when something cannot be
 * fetched; the next call then tries again.
 */
export function loadCore(): Promise<Core> {
  core ??= fetchCore().catch(error => {
    core = undefined;
    throw error;
  });
  return core;
}

async function fetchCore(): Promise<Core> {
  const [module, script] = await Promise.all([fetchModule(), fetchScript()]);
  closeConnections();
  // A worker from a blob obeys the policy of its page on any host; a worker from a file obeys the headers of that file.
  return { module, script: URL.createObjectURL(new Blob([script], { type: 'text/javascript' })) };
}

async function fetchModule(): Promise<WebAssembly.Module> {
  const response = await fetchFile(moduleAddress);
  // Browsers compile the module while it arrives, but only if the host states its media type.
  const isTyped = response.headers.get('content-type')?.startsWith('application/wasm') === true;
  return isTyped ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

async function fetchScript(): Promise<string> {
  return (await fetchFile(workerAddress)).text();
}

async function fetchFile(address: string): Promise<Response> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response;
}
