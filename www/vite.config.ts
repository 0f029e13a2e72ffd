import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { bundledPackages } from './build/bundled-packages.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Lists the npm packages in the page and in its worker, if the variable names a file for the list. */
const listPackages = bundledPackages(path('.'), process.env.TOOLGAUGE_BUNDLED);

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
  plugins: [listPackages],
  resolve: {
    // The sources of the package import these, and the page has its own.
    dedupe: ['fflate', 'fzstd'],
    alias: [
      // The sources of the package, so that its worker holds only what it calls and gets the module from the page.
      { find: /^toolgauge$/, replacement: path('../pkg-template/src/index.ts') },
      // The lists of names alone, so that the page does not load what the worker needs.
      { find: /^toolgauge\/values$/, replacement: path('../pkg-template/src/values.ts') },
      // What expands archives, which only loads when one is opened.
      { find: /^toolgauge\/archives$/, replacement: path('../pkg-template/src/archives/index.ts') },
      { find: /^toolgauge\/toolgauge\.wasm/, replacement: path('../pkg-template/glue/toolgauge_bg.wasm') },
    ],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    // Preloading would add a script that the page does not need.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 4096,
  },
  worker: { format: 'es', plugins: () => [listPackages] },
  preview: { headers },
});
