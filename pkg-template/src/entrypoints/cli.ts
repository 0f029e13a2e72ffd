#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { setModuleSource } from '../boundary/instance.js';
import { serve } from '../cli/pool.js';
import { runCommand } from '../cli.js';

// The path is relative to the built file, dist/cli.js.
setModuleSource(() => readFileSync(new URL('./toolgauge_bg.wasm', import.meta.url)));

if (isMainThread) await runCommand();
else serve();
