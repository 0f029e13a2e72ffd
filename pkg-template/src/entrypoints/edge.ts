import { setModuleSource } from '../boundary/instance.js';
// Edge runtimes do not let a running worker compile bytes. Cloudflare and Vercel compile a module that is imported with
// `?module` when the worker is deployed. The path is relative to the built file, dist/esm/edge.js.
import module from '../toolgauge_bg.wasm?module';

setModuleSource(() => module);

export * from '../index.js';
