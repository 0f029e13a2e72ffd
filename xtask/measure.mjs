// Prints the sizes that size-budget.json bounds: node measure.mjs <module> <tarball>
import { readFileSync, statSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const [modulePath, tarballPath] = process.argv.slice(2);
const module = readFileSync(modulePath);

console.log(
  JSON.stringify({
    wasm: module.length,
    wasmGzip: gzipSync(module, { level: constants.Z_BEST_COMPRESSION }).length,
    wasmBrotli: brotliCompressSync(module).length,
    tarball: statSync(tarballPath).size,
  }),
);
