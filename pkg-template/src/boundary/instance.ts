import { __wbg_reset_state, initSync } from '#glue';
import { reasonOf, ToolgaugeError } from '../errors.js';

/** One run of the core. Nothing that belongs to an earlier one may be given to it. */
export interface Instance {
  readonly memory: WebAssembly.Memory;
}

/** The bytes of the module, or the module itself where the platform compiles it. */
type ModuleSource = BufferSource | WebAssembly.Module;

type State = 'untouched' | 'trapped';

let state: State = 'untouched';
let current: Instance | undefined;
let readModule: () => ModuleSource = () => {
  throw new Error('this entry has no WebAssembly module');
};

/** Says where the module comes from. Called once by each entry, before anything else; nothing is read yet. */
export function setModuleSource(read: () => ModuleSource): void {
  readModule = read;
}

/** The living instance, started by the first call so that a mere import costs nothing. */
export function instance(): Instance {
  current ??= { memory: start() };
  return current;
}

/** True when `owner` still lives, so that what belongs to it may be used and freed. */
export function isCurrent(owner: Instance): boolean {
  return owner === current;
}

/** Throws the instance away after a trap, which may have left its memory in any state. */
export function discardInstance(): void {
  current = undefined;
  state = 'trapped';
  try {
    instance();
  } catch {
    // No memory for a new instance just now: the next call tries again.
  }
}

function start(): WebAssembly.Memory {
  try {
    return state === 'trapped' ? restart() : initSync({ module: readModule() }).memory;
  } catch (cause) {
    throw new ToolgaugeError('internal', `toolgauge could not start its WebAssembly module: ${explain(cause)}`, {
      cause,
    });
  }
}

function restart(): WebAssembly.Memory {
  __wbg_reset_state();
  // With an instance at hand, initSync returns its exports and reads no module.
  return initSync({ module: new Uint8Array() }).memory;
}

/** The errors of the engines when a policy of the page forbids WebAssembly; other errors mean a broken module. */
const ABOUT_POLICY = /content security policy|\bCSP\b|unsafe-eval/i;

function explain(cause: unknown): string {
  const reason = reasonOf(cause);
  if (hasCode(cause, 'ENOENT')) {
    return `${reason}. If a bundler made this file, let it keep toolgauge external, or import "toolgauge/inline"`;
  }
  if (ABOUT_POLICY.test(reason)) {
    return `${reason}. Under a Content-Security-Policy, script-src needs 'wasm-unsafe-eval'`;
  }
  return reason;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
