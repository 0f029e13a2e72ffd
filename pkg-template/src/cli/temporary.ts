import { rmSync } from 'node:fs';
import { endOnSignals } from './interrupt.js';

/** What must not outlive this process: incomplete files, and pages that were written only for a browser. */
const temporaries = new Set<string>();

let isListening = false;

/** Lets the file or folder `path` be removed when this process ends, however it ends, except by SIGKILL. */
export function removeAtEnd(path: string): void {
  temporaries.add(path);
  if (isListening) return;
  isListening = true;
  process.once('exit', removeTemporaries);
  endOnSignals();
}

/** Takes back {@link removeAtEnd}. */
export function keep(path: string): void {
  temporaries.delete(path);
}

function removeTemporaries(): void {
  for (const path of temporaries) rmSync(path, { recursive: true, force: true });
}
