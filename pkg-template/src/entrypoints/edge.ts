// Relative to the built file, dist/esm/edge.js. Edge runtimes forbid to compile bytes while a worker runs; those of
// Cloudflare and Vercel compile what is imported like this when it is deployed.

import { setModuleSource } from '../boundary/instance.js';
import module from '../toolgauge_bg.wasm?module';

setModuleSource(() => module);

export * from '../index.js';
