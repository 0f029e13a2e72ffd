import { readFileSync } from 'node:fs';
import { setModuleSource } from '../boundary/instance.js';
import { configSchema } from '../cli/config-schema.js';
import { createProgram } from '../cli.js';

// Prints the JSON Schema of configuration files. build.mjs bundles this script into the folder of the module and runs it.
setModuleSource(() => readFileSync(new URL('./toolgauge_bg.wasm', import.meta.url)));

console.log(JSON.stringify(configSchema(createProgram(() => {})), null, 2));
