import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../reference.py', import.meta.url));

/** A Python that has jsonschema; `cargo xtask fuzz` sets it where there is one. */
const PYTHON = process.env.TOOLGAUGE_FUZZ_PYTHON ?? '';

/** Whether there is a Python to ask. */
export const hasPython = PYTHON !== '';

let child;
const waiting = [];

/** What jsonschema says: `{ verdicts }`, `{ invalid_schema }`, or `{ failed }`. */
export function askPython(request) {
  child ??= start();
  child.stdin.write(`${JSON.stringify(request)}\n`);
  return new Promise(settle => waiting.push(settle));
}

export function stopPython() {
  child?.stdin.end();
}

function start() {
  const started = spawn(PYTHON, [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
  createInterface({ input: started.stdout }).on('line', line => waiting.shift()(JSON.parse(line)));
  started.on('close', () => {
    for (const settle of waiting.splice(0)) settle({ failed: 'Python has ended' });
    child = undefined;
  });
  return started;
}
