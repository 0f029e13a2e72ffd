// For browsers and for bundlers that emit files. The module is a file of its own, which the browser compiles while it
// arrives. The import waits for that, so every function can be called right after it.
import { setModuleSource } from '../boundary/instance.js';
import { reasonOf } from '../errors.js';

// Bundlers recognize this expression: they emit the file and replace the path, which is relative to dist/web.js.
const url = new URL('toolgauge_bg.wasm', import.meta.url);

setModuleSource(
  await compile().then(
    module => () => module,
    // A failed import would stop all scripts that depend on it. Instead, the first call throws.
    cause => () => {
      throw cause;
    },
  ),
);

export * from '../index.js';

async function compile(): Promise<WebAssembly.Module> {
  const response = await load();
  // Browsers compile a stream only if it has exactly this type, which some servers do not know.
  return response.headers.get('content-type') === 'application/wasm'
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

async function load(): Promise<Response> {
  const response = await fetch(url).catch(cause => {
    throw unavailable(`${reasonOf(cause)}. Under a Content-Security-Policy, connect-src must allow it`, cause);
  });
  if (!response.ok) throw unavailable(`the server answered ${response.status}`);
  // Many servers send their start page when a file does not exist.
  if (response.headers.get('content-type')?.startsWith('text/html')) throw unavailable('the server sent HTML');
  return response;
}

function unavailable(reason: string, cause?: unknown): Error {
  return new Error(
    `cannot load ${url}: ${reason}. Either put toolgauge_bg.wasm there, or import "toolgauge/inline", which contains it`,
    { cause },
  );
}
