// Counts the work of the package. A count does not depend on the machine, nor on its load: at most it changes a little
// with what was done before.
import { createHash } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join, resolve } from 'node:path';
import { consumer, copyOf, fromConsumer, TESTS } from './consumer.mjs';

/** The module that counts its work in an exported global. */
const MODULE = resolve(process.env.TOOLGAUGE_COUNTED ?? join(TESTS, '../../target/counted/toolgauge_bg.wasm'));

const SCRIPTS = '/node_modules/toolgauge/';

/** The project that most tests share, with that module in the package. */
export const countedConsumer = copyOf(
  consumer,
  createHash('sha256').update(readFileSync(MODULE)).digest('hex'),
  folder => cpSync(MODULE, join(folder, 'node_modules/toolgauge/dist/toolgauge_bg.wasm')),
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

const session = new Session();
session.connect();
post('Profiler.enable');
post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** Commands that need no other thread answer before they return. */
function post(method, parameters) {
  let answer;
  session.post(method, parameters, (error, result) => {
    if (error) throw error;
    answer = result;
  });
  return answer;
}

/** The exports of an entry of the package that counts its work. */
export function counted(specifier) {
  return fromConsumer(specifier, countedConsumer);
}

/**
 * What `work` makes the package do: `module`, how many functions of the WebAssembly module are called, how many rounds of
 * its loops are run, and how many times 16 bytes are copied at once; and `scripts`, how many blocks of the package's
 * scripts are run.
 */
export async function measureWork(work) {
  const before = moduleWork();
  scriptWork();
  await work();
  return { module: moduleWork() - before, scripts: scriptWork() };
}

/** Both in one number. */
export async function countWork(work) {
  const { module, scripts } = await measureWork(work);
  return module + scripts;
}

function moduleWork() {
  return instances.reduce((sum, { toolgauge_work: work }) => sum + Number(work.value), 0);
}

/** Since it was last asked for. */
function scriptWork() {
  return post('Profiler.takePreciseCoverage')
    .result.filter(({ url }) => url.includes(SCRIPTS))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0);
}

/** How many bytes of memory the latest instance of the module has. */
export function moduleMemory() {
  return instances.at(-1).memory.buffer.byteLength;
}
