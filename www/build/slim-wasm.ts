import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compress } from 'lzma1';
import type { Plugin } from 'vite';

/** What stands for the module as text. */
const TEXT = 'virtual:toolgauge-slim-wasm';

/** The name of the script that holds it, before its hash. */
export const SLIM_WASM = 'toolgauge-slim-wasm';

/** Tells the text from all else in the bundle. */
export const isSlimWasm = (id: string): boolean => id === TEXT;

/** The glue of the slim build. */
const GLUE = 'virtual:toolgauge-slim-glue';

/** Stands, before its name, for what the slim build lacks. None may be left once what the page does not call is dropped. */
const LACKS = 'the slim build lacks ';

/** The declarations of the whole core's glue. */
const WHOLE = fileURLToPath(new URL('../../pkg-template/glue/toolgauge.d.ts', import.meta.url));

const UNPACK = fileURLToPath(new URL('../src/judge/unpack.ts', import.meta.url));

/**
 * Brings the slim build of the core along, of which `glue` is the folder of the wasm-bindgen output. The module is a
 * script, so that the page needs no connection for it, and compressed by itself, so that it is as small on hosts that
 * compress less well or not at all. `entry` is what the page imports.
 */
export function slimWasm(entry: string, glue: string): Plugin {
  return {
    name: 'toolgauge:slim-wasm',
    enforce: 'pre',
    resolveId(id) {
      if (id === '#glue') return GLUE;
      return [GLUE, TEXT, '#slim-wasm'].includes(id) ? id : undefined;
    },
    // The package's manifest knows of no effect in this file, which tells the core where its module is.
    transform: (code, id) => (id === entry ? { code, map: null, moduleSideEffects: true } : undefined),
    async load(id) {
      switch (id) {
        case GLUE:
          return glueOf(glue);
        case '#slim-wasm':
          return `import text from ${JSON.stringify(TEXT)};
import { unpack } from ${JSON.stringify(UNPACK)};
export default () => unpack(text);`;
        case TEXT: {
          const packed = compress(await readFile(join(glue, 'toolgauge_bg.wasm')), 8);
          return `export default ${JSON.stringify(Buffer.from(packed).toString('base64'))};`;
        }
        default:
          return undefined;
      }
    },
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        const [lack] = (file.type === 'chunk' && new RegExp(`${LACKS}\\w+`).exec(file.code)) || [];
        if (lack !== undefined) this.error(`${file.fileName}: ${lack}`);
      }
    },
  };
}

async function glueOf(folder: string): Promise<string> {
  const [whole, slim] = await Promise.all([WHOLE, join(folder, 'toolgauge.d.ts')].map(exportsOf));
  const lacking = [...(whole ?? [])].filter(name => !slim?.has(name));
  return [
    `export * from ${JSON.stringify(join(folder, 'toolgauge.js'))};`,
    ...lacking.map(name => `export const ${name} = '${LACKS}${name}';`),
  ].join('\n');
}

async function exportsOf(declarations: string): Promise<Set<string>> {
  const text = await readFile(declarations, 'utf8');
  return new Set([...text.matchAll(/^export (?:function|class) (\w+)/gm)].map(([, name = '']) => name));
}
