// Builds the npm package: node build.mjs --glue <folder of the wasm-bindgen output> --out <package folder>
// --bundled <file that lists the npm packages in the bundles>
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { llmsTxt } from './llms-txt.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);

const { values: options } = parseArgs({
  options: {
    glue: { type: 'string', default: join(root, 'target/glue') },
    out: { type: 'string', default: join(root, 'pkg') },
    bundled: { type: 'string', default: join(root, 'target/bundled/package.json') },
  },
});
const glue = resolve(options.glue);
const out = resolve(options.out);
const dist = join(out, 'dist');

/** What the MCP SDK imports and our server does not use. */
const UNUSED_BY_MCP_SERVER = ['ajv', 'ajv-formats', 'zod-to-json-schema'];

/**
 * Every script of the package: `from` is the source and `to` the file in `dist`. `globals` is a source whose exports
 * replace the globals of the same names. A script that is `alone` contains all of toolgauge, internals included,
 * instead of importing it. All else is passed to esbuild; only scripts that nobody reads are minified.
 */
const ENTRIES = [
  { from: 'entrypoints/node.ts', to: 'esm/node.js', format: 'esm', globals: 'entrypoints/node-globals.ts' },
  { from: 'entrypoints/node.ts', to: 'cjs/node.js', format: 'cjs', globals: 'entrypoints/node-globals.ts' },
  { from: 'entrypoints/inline.ts', to: 'esm/inline.js', format: 'esm' },
  { from: 'entrypoints/web.ts', to: 'web.js', format: 'esm' },
  {
    from: 'entrypoints/edge.ts',
    to: 'esm/edge.js',
    format: 'esm',
    globals: 'entrypoints/edge-globals.ts',
    define: { 'globalThis.crypto': 'hashSeeds', 'WebAssembly.Module': 'compiledModule' },
    minify: true,
  },
  { from: 'ai-sdk.ts', to: 'esm/ai-sdk.js', format: 'esm' },
  { from: 'ai-sdk.ts', to: 'cjs/ai-sdk.js', format: 'cjs' },
  { from: 'matchers.ts', to: 'esm/matchers.js', format: 'esm' },
  { from: 'matchers.ts', to: 'cjs/matchers.js', format: 'cjs' },
  { from: 'vitest.ts', to: 'esm/vitest.js', format: 'esm' },
  { from: 'vitest.ts', to: 'cjs/vitest.js', format: 'cjs' },
  { from: 'jest.ts', to: 'esm/jest.js', format: 'esm' },
  { from: 'jest.ts', to: 'cjs/jest.js', format: 'cjs' },
  { from: 'bun.ts', to: 'esm/bun.js', format: 'esm' },
  { from: 'bun.ts', to: 'cjs/bun.js', format: 'cjs' },
  { from: 'assert.ts', to: 'esm/assert.js', format: 'esm' },
  { from: 'assert.ts', to: 'cjs/assert.js', format: 'cjs' },
  { from: 'dispatch.ts', to: 'esm/dispatch.js', format: 'esm' },
  { from: 'dispatch.ts', to: 'cjs/dispatch.js', format: 'cjs' },
  { from: 'dispatch-node.ts', to: 'esm/dispatch-node.js', format: 'esm' },
  { from: 'dispatch-node.ts', to: 'cjs/dispatch-node.js', format: 'cjs' },
  { from: 'entrypoints/cli.ts', to: 'cli.js', format: 'esm', alone: true, minifyWhitespace: true },
  // Only `toolgauge mcp` loads it. It contains the MCP SDK, so that users need not install that and what it depends on.
  {
    from: 'mcp-server/protocol.ts',
    to: 'mcp-server.js',
    format: 'esm',
    external: ['node:*'],
    alias: Object.fromEntries(UNUSED_BY_MCP_SERVER.map(name => [name, join(here, 'src/mcp-server/unused.ts')])),
    minify: true,
  },
];

/** What stays an import: packages that users install, and the module that an edge runtime compiles. */
const EXTERNAL = [
  'node:*',
  'ai',
  'commander',
  'tinyglobby',
  'vitest',
  '@jest/globals',
  'bun:test',
  '@modelcontextprotocol/sdk',
  '*.wasm?module',
];

/** The declarations of what users can import. The package contains these and the declarations that these import. */
const PUBLIC_TYPES = [
  'index.d.ts',
  'ai-sdk.d.ts',
  'matchers.d.ts',
  'vitest.d.ts',
  'jest.d.ts',
  'bun.d.ts',
  'assert.d.ts',
  'dispatch.d.ts',
  'dispatch-node.d.ts',
];

/** CommonJS has no `import.meta`, and its scripts need their own URL to find the .wasm file. */
const importMetaForCjs = {
  define: { 'import.meta.url': 'importMetaUrl' },
  banner: { js: '"use strict";\nconst importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
};

const GLUE_FILES = ['toolgauge.js', 'toolgauge.d.ts', 'toolgauge_bg.wasm'];
const ROOT_FILES = ['README.md', 'docs', 'skills', 'LICENSE-APACHE', 'LICENSE-MIT', 'CHANGELOG.md'];

copyGlue();
rmSync(out, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
listBundled(await Promise.all(ENTRIES.map(bundle)));
chmodSync(join(dist, 'cli.js'), 0o755);
cpSync(join(here, 'glue/toolgauge_bg.wasm'), join(dist, 'toolgauge_bg.wasm'));
cpSync(join(here, 'schemas'), join(out, 'schemas'), { recursive: true });
await writeConfigSchema();
declareTypes();
writeManifests();
copyRootFiles();
writeLlmsTxt();
copyExamples();

/** Copies the glue to where the `imports` of package.json find it, for this build and for `npm run check`. */
function copyGlue() {
  for (const file of GLUE_FILES) cpSync(join(glue, file), join(here, 'glue', file));
  const script = join(here, 'glue/toolgauge.js');
  writeFileSync(script, shakable(readFileSync(script, 'utf8')));
}

/**
 * The glue without what makes bundlers keep classes that nobody uses: statements that make them disposable, which the
 * package does not need, and registries that may be dropped but do not say so.
 */
function shakable(script) {
  const disposable = /^if \(Symbol\.dispose\) (\w+)\.prototype\[Symbol\.dispose\] = \1\.prototype\.free;\n/gm;
  const registry = /: new FinalizationRegistry\(/g;
  for (const pattern of [disposable, registry]) {
    if (!pattern.test(script)) throw new Error(`wasm-bindgen no longer writes ${pattern}`);
  }
  return script.replace(disposable, '').replace(registry, ': /* @__PURE__ */ new FinalizationRegistry(');
}

async function bundle({ from, to, format, globals, alone, folder = dist, ...others }) {
  return build({
    entryPoints: [join(here, 'src', from)],
    outfile: join(folder, to),
    bundle: true,
    format,
    target: 'es2022',
    platform: 'neutral',
    // All entries import the same copy of toolgauge, so that they share one WebAssembly instance.
    external: [...EXTERNAL, ...(alone ? [] : ['toolgauge', 'toolgauge/dispatch'])],
    alias: alone ? { toolgauge: join(here, 'src/index.ts') } : {},
    loader: { '.wasm': 'base64' },
    logLevel: 'warning',
    metafile: true,
    absWorkingDir: here,
    inject: globals === undefined ? [] : [join(here, 'src', globals)],
    ...others,
    ...(format === 'cjs' ? importMetaForCjs : {}),
  });
}

/** Lists the folders of the npm packages whose code is in the scripts. The notices are made from the list. */
function listBundled(results) {
  const inputs = results
    .flatMap(({ metafile }) => Object.values(metafile.outputs))
    .flatMap(output => Object.entries(output.inputs));
  const folders = inputs.flatMap(([path, { bytesInOutput }]) => {
    const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
    return folder === undefined || bytesInOutput === 0 ? [] : [folder];
  });
  mkdirSync(dirname(options.bundled), { recursive: true });
  writeJson(options.bundled, [...new Set(folders)].sort());
}

/** Writes the schema of configuration files, which is generated from the options of the commands. */
async function writeConfigSchema() {
  // In this folder the script finds the module and the dependencies of the command.
  const script = {
    from: 'entrypoints/config-schema.ts',
    folder: join(here, 'glue'),
    to: 'config-schema.mjs',
    format: 'esm',
  };
  await bundle({ ...script, alone: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(here, 'glue', script.to)], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cannot generate the schema of configuration files:\n${stderr}`);
  writeFileSync(join(out, 'schemas/config.schema.json'), stdout);
}

function declareTypes() {
  const esm = join(dist, 'esm');
  const tsc = join(here, 'node_modules/typescript/bin/tsc');
  const command = [tsc, '-p', join(here, 'tsconfig.build.json'), '--outDir', esm];
  // tsc has already printed the errors.
  if (spawnSync(process.execPath, command, { stdio: 'inherit' }).status !== 0) process.exit(1);
  removeUnreachable(esm);
  const declarations = readdirSync(esm, { recursive: true }).filter(file => file.endsWith('.d.ts'));
  for (const file of declarations) cpSync(join(esm, file), join(dist, 'cjs', file));
}

/** Removes the declarations that no public declaration imports. */
function removeUnreachable(folder) {
  const reachable = new Set();
  for (const file of PUBLIC_TYPES) collectReachable(join(folder, file), reachable);
  for (const file of readdirSync(folder, { recursive: true })) {
    const path = join(folder, file);
    if (file.endsWith('.d.ts') && !reachable.has(path)) rmSync(path);
  }
  for (const name of readdirSync(folder)) {
    if (!/\.(js|d\.ts)$/.test(name) && readdirSync(join(folder, name)).length === 0)
      rmSync(join(folder, name), { recursive: true });
  }
}

function collectReachable(file, reachable) {
  if (reachable.has(file)) return;
  reachable.add(file);
  const text = readFileSync(file, 'utf8');
  if (/from '#/.test(text)) throw new Error(`${file} exposes an internal type`);
  for (const [, target] of text.matchAll(/from '(\.[^']+)\.js'/g)) {
    collectReachable(join(dirname(file), `${target}.d.ts`), reachable);
  }
}

function writeManifests() {
  const { scripts, devDependencies, imports, ...manifest } = JSON.parse(
    readFileSync(join(here, 'package.json'), 'utf8'),
  );
  writeJson(join(out, 'package.json'), manifest);
  writeJson(join(dist, 'cjs/package.json'), { type: 'commonjs' });
}

/** Copies the examples that the documents use. Those in Rust measure the core, which is not in the package. */
function copyExamples() {
  const filter = source => !source.endsWith('.rs') && !source.endsWith('node_modules');
  cpSync(join(root, 'examples'), join(out, 'examples'), { recursive: true, filter });
}

function copyRootFiles() {
  for (const file of ROOT_FILES) {
    if (existsSync(join(root, file))) cpSync(join(root, file), join(out, file), { recursive: true });
  }
}

/** Writes the list of pages for models. */
function writeLlmsTxt() {
  const { description } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
  writeFileSync(join(out, 'llms.txt'), llmsTxt(readFileSync(join(root, 'docs/README.md'), 'utf8'), description));
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
