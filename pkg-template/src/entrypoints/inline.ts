// For a single script, and for runtimes that can neither fetch nor read a file: the script contains the module.
import base64 from '#wasm';
import { setModuleSource } from '../boundary/instance.js';

setModuleSource(() => decode(base64));

export * from '../index.js';

/** A plain loop, because `Uint8Array.from` with a callback made start-up 20 times slower. */
function decode(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
