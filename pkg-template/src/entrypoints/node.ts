import { readFileSync } from 'node:fs';
import { setModuleSource } from '../boundary/instance.js';

// The path is relative to the built file, dist/esm/node.js or dist/cjs/node.js.
setModuleSource(() => readFileSync(new URL('../toolgauge_bg.wasm', import.meta.url)));

export * from '../index.js';
