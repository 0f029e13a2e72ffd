import { readFileSync } from 'node:fs';
import { setModuleSource } from '../boundary/instance.js';
import { configSchema } from '../cli/config-schema.js';
import { createProgram } from '../cli.js';

// Prints the JSON Schema of configuration files, for the package: run by build.mjs beside the module.
setModuleSource(() => readFileSync(new URL('./toolgauge_bg.wasm', import.meta.url)));

console.log(JSON.stringify(configSchema(createProgram(() => {})), null, 2));
