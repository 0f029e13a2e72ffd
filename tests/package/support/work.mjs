// Counts the work of the WebAssembly module. A count does not depend on the machine, nor on its load: at most it changes
// a little with what was done before.
import { createHash } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { consumer, copyOf, fromConsumer, TESTS } from './consumer.mjs';

/** The module that counts its work in an exported global. */
const MODULE = resolve(process.env.TOOLGAUGE_COUNTED ?? join(TESTS, '../../target/counted/toolgauge_bg.wasm'));

/** The project that most tests share, with that module in the package. */
const project = copyOf(consumer, createHash('sha256').update(readFileSync(MODULE)).digest('hex'), folder =>
  cpSync(MODULE, join(folder, 'node_modules/toolgauge/dist/toolgauge_bg.wasm')),
);

/** The exports of all instances of the module: after a trap there is a new one. */
const instances = [];

WebAssembly.Instance = class extends WebAssembly.Instance {
  constructor(...given) {
    super(...given);
    if (this.exports.toolgauge_work !== undefined) instances.push(this.exports);
  }
};

/** The seeds of hash tables are drawn here: with the same ones in each run, the counts are the same. */
Object.defineProperty(globalThis.crypto, 'getRandomValues', { value: bytes => bytes.fill(7) });

/** The exports of an entry of the package that counts its work. */
export function counted(specifier) {
  return fromConsumer(specifier, project);
}

/**
 * What `work` makes the module do: how many of its functions are called, how many rounds of its loops are run, and how many
 * times 16 bytes are copied at once.
 */
export async function countWork(work) {
  const before = total();
  await work();
  return total() - before;
}

function total() {
  return instances.reduce((sum, { toolgauge_work: work }) => sum + Number(work.value), 0);
}

/** How many bytes of memory the latest instance of the module has. */
export function moduleMemory() {
  return instances.at(-1).memory.buffer.byteLength;
}
