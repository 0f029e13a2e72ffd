// The rows of runtimes for servers and the command line.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build as esbuild } from 'esbuild';
import { Miniflare } from 'miniflare';
import { consumer, folderIn, install, run, runTool } from '../support/consumer.mjs';
import { PRINTED, PRINTS, PRINTS_IN_COMMONJS, PROBE } from './probe.mjs';
import { bunProgram, denoProgram, projectWith, versionOf } from './tools.mjs';

/** Runs a program of `project` in a runtime and compares what it prints. */
async function assertPrints(t, project, source, file, [command, ...args]) {
  const folder = folderIn(project, t, { [file]: source });
  const { code, stdout, stderr } = await run(command, [...args, file], { cwd: folder });
  assert.equal(stderr, '');
  assert.equal(stdout.trim(), PRINTED);
  assert.equal(code, 0);
}

/** The versions of Node.js that are run, as npm has them. The one of this machine is run instead of that with its number. */
const NODE_VERSIONS = ['20.20.2', '22.23.5', '24.22.3', '26.10.0'];

/** The module systems of Node.js, each with a program. */
const MODULES = [
  { suffix: '', name: 'ES modules', source: PRINTS, file: 'main.mjs' },
  { suffix: '-cjs', name: 'CommonJS', source: PRINTS_IN_COMMONJS, file: 'main.cjs' },
];

function nodeRows(pinned) {
  const [major] = pinned.split('.');
  const isOurs = process.versions.node.startsWith(`${major}.`);
  const platform = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const projectAndProgram = () => {
    if (isOurs) return [consumer, process.execPath];
    const project = install(`${platform}@${pinned}`);
    return [project, join(project, 'node_modules', platform, 'bin/node')];
  };
  return MODULES.map(({ suffix, name, source, file }) => ({
    id: `node-${major}${suffix}`,
    name: `Node.js ${major}, ${name}`,
    needs: 'nothing',
    isHeavy: !isOurs,
    runBy: 'CI if it has this one, or by hand',
    isOfMachine: isOurs,
    version: () => (isOurs ? process.versions.node : pinned),
    run: t => {
      const [project, node] = projectAndProgram();
      return assertPrints(t, project, source, file, [node]);
    },
  }));
}

const BUN = {
  id: 'bun',
  name: 'Bun, ES modules and CommonJS',
  needs: 'nothing',
  version: () => versionOf('bun'),
  run: async t => {
    const bun = bunProgram();
    await assertPrints(t, consumer, PRINTS, 'main.mjs', [bun]);
    await assertPrints(t, consumer, PRINTS_IN_COMMONJS, 'main.cjs', [bun]);
  },
};

const DENO = {
  id: 'deno',
  name: 'Deno',
  needs: '`--allow-read`',
  version: () => versionOf('deno'),
  run: t => {
    const allowed = ['--no-prompt', '--allow-read', '--node-modules-dir=manual', '--no-remote', '--cached-only'];
    const deno = [denoProgram(), 'run', '--quiet', ...allowed];
    return assertPrints(t, consumer, PRINTS, 'main.mjs', deno);
  },
};

/** The behaviour of the platform that the worker asks for. */
const WORKERS_OF = '2026-01-01';

/** As its users bundle and run it, without a word to any server. */
const WORKERD = {
  id: 'workerd',
  name: 'Cloudflare Workers (workerd)',
  needs: 'nothing',
  version: () => `Wrangler ${versionOf('wrangler')}`,
  run: async t => {
    const folder = folderIn(consumer, t, {
      'main.mjs': `${PROBE}export default { fetch: async () => new Response(await probe()) };`,
      'wrangler.json': JSON.stringify({ name: 'probe', main: 'main.mjs', compatibility_date: WORKERS_OF }),
    });
    const quiet = { WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true' };
    const env = { ...quiet, WRANGLER_LOG_PATH: join(folder, 'logs') };
    const bundled = await runTool('wrangler', ['deploy', '--dry-run', '--outdir', 'out'], { cwd: folder, env });
    assert.equal(bundled.code, 0, bundled.stderr);

    const modulesRoot = join(folder, 'out');
    const modules = modulesIn(modulesRoot);
    const worker = new Miniflare({ modules, modulesRoot, compatibilityDate: WORKERS_OF, cf: false });
    t.after(() => worker.dispose());
    const response = await worker.dispatchFetch('http://localhost/');
    assert.equal(await response.text(), PRINTED);
  },
};

/** What Wrangler has written, the worker itself first. */
function modulesIn(folder) {
  const files = readdirSync(folder).filter(name => /\.(js|wasm)$/.test(name));
  const module = name => ({ type: name.endsWith('.js') ? 'ESModule' : 'CompiledWasm', path: join(folder, name) });
  return files.sort((a, b) => Number(b.endsWith('.js')) - Number(a.endsWith('.js'))).map(module);
}

/** Runs in the sandbox that Vercel publishes for its edge runtime, which forbids to compile code from bytes. */
const EDGE = {
  id: 'edge-light',
  name: 'Vercel Edge (edge-light)',
  needs: 'nothing',
  version: () => `edge-runtime ${versionOf('edge-runtime')}`,
  run: async t => {
    const project = projectWith('edge-runtime');
    const folder = folderIn(project, t, {
      'main.mjs': `${PROBE}addEventListener('fetch', event => event.respondWith(probe().then(found => new Response(found))));`,
    });
    const wasm = {};
    const { outputFiles } = await esbuild({
      entryPoints: [join(folder, 'main.mjs')],
      bundle: true,
      write: false,
      format: 'iife',
      conditions: ['edge-light'],
      external: ['node:*'],
      plugins: [{ name: 'compiled', setup: compileModulesInto(wasm) }],
    });
    const { EdgeRuntime } = createRequire(join(project, 'package.json'))('edge-runtime');
    const runtime = new EdgeRuntime({
      initialCode: outputFiles[0].text,
      codeGeneration: { strings: false, wasm: false },
      extend: context => Object.assign(context, { compiledModules: wasm }),
    });
    const response = await runtime.dispatchFetch('http://localhost/');
    await response.waitUntil();
    assert.equal(await response.text(), PRINTED);
  },
};

/** Resolves imports as the bundler of the platform does: an import with `?module` is a WebAssembly.Module. */
function compileModulesInto(compiled) {
  return ({ onResolve, onLoad }) => {
    onResolve({ filter: /\.wasm\?module$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace('?module', '')),
      namespace: 'compiled',
    }));
    onLoad({ filter: /./, namespace: 'compiled' }, ({ path }) => {
      compiled[path] = new WebAssembly.Module(readFileSync(path));
      return { contents: `export default globalThis.compiledModules[${JSON.stringify(path)}];` };
    });
  };
}

export const RUNTIMES = [...NODE_VERSIONS.flatMap(nodeRows), BUN, DENO, WORKERD, EDGE];
