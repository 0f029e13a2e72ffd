import read from '#slim-wasm';
import { setModuleSource } from '../boundary/instance.js';

setModuleSource(read);

export * from '../slim.js';
