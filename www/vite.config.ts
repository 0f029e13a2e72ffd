import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { bundledPackages } from './build/bundled-packages.ts';
import { judging } from './build/judging.ts';
import { sharedWasm } from './build/shared-wasm.ts';
import { isSlimWasm, SLIM_WASM, slimWasm } from './build/slim-wasm.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** The built package, as a browser gets it. */
const toolgauge = path('../pkg/dist/esm/inline.js');

/** What the slim build of the core can do. */
const slim = path('../pkg-template/src/entrypoints/slim.ts');

/** The wasm-bindgen output of that build. */
const slimGlue = process.env.TOOLGAUGE_SLIM_GLUE ?? path('../target/glue-slim');

/** Lists the npm packages in the page and in its workers, where a file for that is named. */
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

/**
 * For hosts the page starts with the slim build of the core, and loads the package when something needs it. In the mode
 * `package`, for `toolgauge inspect`, it has the package from the start: that is on the machine already.
 */
export default defineConfig(({ mode }) => ({
  // The page works in any folder of any host.
  base: './',
  plugins: [listPackages],
  resolve: {
    alias: [
      { find: /^toolgauge$/, replacement: toolgauge },
      { find: /^lzma1\/(decoder|streams)$/, replacement: path('node_modules/lzma1/lib/$1.js') },
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
  worker: {
    format: 'es',
    plugins: () => [
      judging(slim, toolgauge, path(mode === 'package' ? 'src/' : 'src/package/')),
      sharedWasm(toolgauge),
      slimWasm(slim, slimGlue),
      listPackages,
    ],
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: SLIM_WASM, test: isSlimWasm }] } } },
  },
  preview: { headers },
}));
