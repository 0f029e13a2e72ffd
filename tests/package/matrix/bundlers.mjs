// The rows of bundlers, and how the tests of bundles build with each.
import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { importMetaAssets } from '@web/rollup-plugin-import-meta-assets';
import { build as esbuild, transform } from 'esbuild';
import { rollup } from 'rollup';
import { createServer as createViteServer, build as vite } from 'vite';
import webpack from 'webpack';
import { consumer, folderIn } from '../support/consumer.mjs';
import { launchBrowser, OWN_FILES, open, serve } from '../support/site.mjs';
import { PRINTED, SHOWS } from './probe.mjs';
import { projectWith, versionOf } from './tools.mjs';

const DIST = join(consumer, 'node_modules/toolgauge/dist');

export const MODULE_SCRIPT = '<script type="module" src="/main.js"></script>';

/** For the bundles of webpack, which are classic scripts. */
export const CLASSIC_SCRIPT = '<script defer src="/main.js"></script>';

/**
 * The bundlers, set up as the documentation recommends for a module that is a file of its own. `build` bundles `main.mjs`
 * of a folder into the folder `out`.
 */
export const BUNDLERS = {
  vite: {
    name: 'Vite, `vite build`',
    needs: 'nothing',
    version: () => versionOf('vite'),
    build: buildWithVite,
    page: MODULE_SCRIPT,
  },
  webpack: {
    name: 'webpack',
    needs: 'nothing',
    version: () => versionOf('webpack'),
    build: folder => buildWithWebpack(webpack, folder),
    page: CLASSIC_SCRIPT,
  },
  rspack: {
    name: 'Rspack',
    needs: 'nothing',
    isHeavy: true,
    version: () => versionOf('@rspack/core'),
    build: buildWithRspack,
    page: CLASSIC_SCRIPT,
  },
  rollup: {
    name: 'Rollup',
    needs: '`@rollup/plugin-node-resolve` with `browser: true`, and a plugin that emits assets',
    version: () => versionOf('rollup'),
    build: buildWithRollup,
    page: MODULE_SCRIPT,
  },
  esbuild: {
    name: 'esbuild, with a module of its own',
    needs: 'the conditions `module,production`, and a copied file',
    version: () => versionOf('esbuild'),
    build: buildWithEsbuild,
    page: MODULE_SCRIPT,
  },
  'esbuild-inline': {
    name: 'esbuild, with one script',
    needs: 'nothing',
    version: () => versionOf('esbuild'),
    build: folder => bundleWithEsbuild(folder, { format: 'esm' }),
    page: MODULE_SCRIPT,
    isOneScript: true,
  },
};

export function buildWithVite(folder, resolve = {}) {
  setEnvironment('production');
  const output = { entryFileNames: 'main.js', assetFileNames: '[name][extname]' };
  const build = { outDir: 'out', rolldownOptions: { input: join(folder, 'main.mjs'), output } };
  return vite({ root: folder, configFile: false, logLevel: 'silent', resolve, build });
}

/** Vite and Rollup choose conditions by this variable, and Vite sets it only once for a process. */
function setEnvironment(name) {
  process.env.NODE_ENV = name;
}

/** `bundler` is webpack, or Rspack, which takes the same options. */
function buildWithWebpack(bundler, folder) {
  const output = { path: join(folder, 'out'), filename: 'main.js' };
  const options = { mode: 'production', context: folder, entry: './main.mjs', output, performance: { hints: false } };
  return new Promise((settle, fail) => {
    bundler(options, (error, stats) => {
      const { errors, warnings } = stats?.toJson({ all: false, errors: true, warnings: true }) ?? {};
      const problem = error ?? errors[0] ?? warnings[0];
      if (problem) return fail(new Error(problem.message));
      settle();
    });
  });
}

async function buildWithRspack(folder) {
  const manifest = join(projectWith('@rspack/core'), 'package.json');
  const { rspack } = createRequire(manifest)('@rspack/core');
  await buildWithWebpack(rspack, folder);
}

async function buildWithRollup(folder) {
  setEnvironment('production');
  const plugins = [nodeResolve({ browser: true }), importMetaAssets(), { name: 'minify', renderChunk: minify }];
  const bundle = await rollup({ input: join(folder, 'main.mjs'), plugins });
  await bundle.write({ dir: join(folder, 'out'), entryFileNames: 'main.js' });
}

async function minify(code) {
  const { code: minified } = await transform(code, { minify: true });
  return { code: minified, map: null };
}

/** esbuild does not emit the file, so its users copy it. */
export async function buildWithEsbuild(folder) {
  const conditions = ['module', 'production'];
  await bundleWithEsbuild(folder, { format: 'esm', conditions });
  copyFileSync(join(DIST, 'toolgauge_bg.wasm'), join(folder, 'out/toolgauge_bg.wasm'));
}

export function bundleWithEsbuild(folder, options) {
  return esbuild({
    entryPoints: [join(folder, 'main.mjs')],
    outfile: join(folder, 'out/main.js'),
    bundle: true,
    minify: true,
    logLevel: 'silent',
    metafile: true,
    ...options,
  });
}

/** The files in the folder `out`, by path. */
export function builtFiles(folder) {
  const out = join(folder, 'out');
  const paths = readdirSync(out, { recursive: true }).filter(path => statSync(join(out, path)).isFile());
  return Object.fromEntries(paths.map(path => [`/${path}`, readFileSync(join(out, path))]));
}

/** A row that builds, and opens the result in Chromium. All entries of the package must share one instance. */
function bundlerRow([id, { name, needs, isHeavy = false, version, build, page, isOneScript = false }]) {
  const run = async t => {
    const folder = folderIn(consumer, t, { 'main.mjs': SHOWS });
    await build(folder);
    const browser = await launchBrowser();
    t.after(() => browser.close());
    const visit = await open(t, browser, await serve(t, { page, policy: OWN_FILES, files: builtFiles(folder) }));
    assert.equal(visit.output, PRINTED);
    assert.equal(visit.instances, 1);
    assert.equal(visit.requests.filter(path => path.endsWith('.wasm')).length, isOneScript ? 0 : 1);
  };
  return { id, name, needs, isHeavy, version, run };
}

const VITE_DEV = {
  id: 'vite-dev',
  name: 'Vite, `vite dev`',
  needs: 'nothing',
  version: () => versionOf('vite'),
  run: async t => {
    const index = `<!doctype html><link rel="icon" href="data:,"><output></output><script type="module" src="main.mjs"></script>`;
    const folder = folderIn(consumer, t, { 'main.mjs': SHOWS, 'index.html': index });
    setEnvironment('development');
    const server = await createViteServer({
      root: folder,
      cacheDir: join(folder, 'cache'),
      configFile: false,
      logLevel: 'silent',
      server: { host: '127.0.0.1', port: 0, hmr: false },
    });
    t.after(() => server.close());
    await server.listen();
    const browser = await launchBrowser();
    t.after(() => browser.close());
    const visit = await open(t, browser, `http://127.0.0.1:${server.httpServer.address().port}`);
    assert.equal(visit.output, PRINTED);
    assert.equal(visit.instances, 1);
    assert.deepEqual(visit.problems, []);
    assert.equal(visit.requests.filter(path => path.endsWith('.wasm')).length, 0);
  },
};

export const BUNDLED = [VITE_DEV, ...Object.entries(BUNDLERS).map(bundlerRow)];
