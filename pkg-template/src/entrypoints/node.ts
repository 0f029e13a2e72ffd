import { readFileSync } from 'node:fs';
import { setModuleSource } from '../boundary/instance.js';

// Relative to the built file, dist/<esm or cjs>/node.js.
setModuleSource(() => readFileSync(new URL('../toolgauge_bg.wasm', import.meta.url)));

export * from '../index.js';
