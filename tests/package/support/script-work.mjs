// Counts the work of the package's scripts, too. To be imported before the package: what is compiled already isn't counted.
import { Session } from 'node:inspector';
import { countWork } from './work.mjs';

const SCRIPTS = '/node_modules/toolgauge/';

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

/** What `work` makes the package do: `module`, as {@link countWork} has it, and `scripts`, how many blocks of them run. */
export async function measureWork(work) {
  blocksRun();
  const module = await countWork(work);
  return { module, scripts: blocksRun() };
}

/** Since it was last asked for. */
function blocksRun() {
  return post('Profiler.takePreciseCoverage')
    .result.filter(({ url }) => url.includes(SCRIPTS))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0);
}
