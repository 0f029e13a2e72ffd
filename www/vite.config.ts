import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { sharedWasm } from './build/shared-wasm.ts';

/** The built package, as a browser gets it. */
const toolgauge = fileURLToPath(new URL('../pkg/dist/esm/inline.js', import.meta.url));

/** The headers that static hosts read from the file of this name; the preview sends the same. */
const headers = Object.fromEntries(
  readFileSync(new URL('public/_headers', import.meta.url), 'utf8')
    .split('\n')
    .flatMap(line => {
      const colon = line.indexOf(': ');
      return line.startsWith('  ') && colon > 0 ? [[line.slice(0, colon).trim(), line.slice(colon + 2)]] : [];
    }),
);

export default defineConfig({
  // The page works in any folder of any host.
  base: './',
  resolve: { alias: { toolgauge } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    // Preloading would add a script that the page does not need.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 4096,
  },
  worker: { format: 'es', plugins: () => [sharedWasm(toolgauge)] },
  preview: { headers },
});
