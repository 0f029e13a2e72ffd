import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';
import { moduleText } from '../../pkg-template/src/cli/module-text.ts';

/** The file that holds the WebAssembly module as text. It lies beside the code that imports it. */
const FILE = 'toolgauge-wasm.js';

/** What stands for that file until the code is written. */
const IMPORT = 'virtual:toolgauge-wasm';

/** The module as the package's browser entry carries it. */
const BASE64 = /"(AGFzbQ[A-Za-z0-9+/=]+)"/;

/**
 * Takes the WebAssembly module out of the package's browser entry and into a file of its own, once for all workers, each
 * byte as the character of that code: brotli makes that a quarter smaller than base64. It stays a script, so that the
 * page needs no connection for it.
 */
export function sharedWasm(entry: string): Plugin {
  let version = '';
  return {
    name: 'toolgauge:shared-wasm',
    resolveId: id => (id === IMPORT ? { id, external: true } : undefined),
    transform(code, id) {
      if (id !== entry) return undefined;
      const base64 = BASE64.exec(code)?.[1];
      if (base64 === undefined) throw new Error(`${entry} carries no WebAssembly module`);
      const source = moduleText(Buffer.from(base64, 'base64'));
      version = createHash('sha256').update(source).digest('hex').slice(0, 8);
      this.emitFile({ type: 'asset', fileName: `assets/${FILE}`, source });
      return {
        code: `import binary from ${JSON.stringify(IMPORT)};\n${code.replace(BASE64, () => 'btoa(binary)')}`,
        map: null,
      };
    },
    renderChunk: code => code.replaceAll(IMPORT, `./${FILE}?v=${version}`),
  };
}
