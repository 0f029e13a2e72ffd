import { setTimeout as pause } from 'node:timers/promises';
import { ToolgaugeError, visible } from 'toolgauge';
import type { RunParts } from '../../batch/run-parts.js';
import { Failure } from '../failure.js';
import { STDIN } from '../inputs.js';
import { endOnSignals, forgetProgress } from '../interrupt.js';
import { lookedFor, startRun } from '../run-files.js';
import { isTerminal } from '../terminal.js';
import { FolderWatch } from './folders.js';
import { listenToKeys, type Wish } from './keys.js';
import { changedFiles, changedSince, type Snapshot, snapshotOf } from './snapshot.js';
import { changesBetween, collectVerdicts, takeVerdicts } from './verdicts.js';

/** The option that lets a command run again and again. */
export const WATCH = '--watch';

/** Whether the arguments ask for that. */
export function asksToWatch(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).includes(WATCH);
}

/**
 * Runs a command, and again whenever a file changes that it looked for, until a key or a signal ends it. `run` reports its
 * own failures and returns whether the command can run at all.
 */
export async function watchRuns(args: readonly string[], run: () => Promise<boolean>): Promise<void> {
  if (args.includes(STDIN)) throw new Failure(`${WATCH} can't read standard input a second time`, 'name files');
  endOnSignals();
  collectVerdicts();
  await new Watch(run).start();
}

const CLEAR = '\u001b[H\u001b[2J';

/** How long files have to stay the same before they count as written, in milliseconds. */
const SETTLE_MS = 100;

/** Most times that this is waited for. */
const MOST_WAITS = 20;

/** Most names of files that are printed. */
const MOST_NAMES = 3;

class Watch {
  readonly #run: () => Promise<boolean>;
  readonly #folders = new FolderWatch(() => this.#take('changed'));
  readonly #hasKeys: boolean;
  /** What happened since it was last looked at. */
  readonly #events = new Set<Wish | 'changed'>();
  #wake: (() => void) | undefined;

  constructor(run: () => Promise<boolean>) {
    this.#run = run;
    this.#hasKeys = listenToKeys(wish => {
      if (wish === 'quit') process.exit(0);
      this.#take(wish);
    });
  }

  async start(): Promise<void> {
    let before: RunParts | undefined;
    for (let reason = ''; ; ) {
      this.#introduce(reason);
      startRun();
      this.#events.clear();
      const startedAt = Date.now();
      if (!(await this.#run())) process.exit();
      forgetProgress();
      const after = takeVerdicts();
      if (before !== undefined && after !== undefined) reportChanges(before, after);
      before = after ?? before;
      const paths = lookedFor();
      await this.#folders.follow(paths);
      const snapshot = await snapshotOf(paths);
      this.#reportState(snapshot);
      const early = changedSince(startedAt, snapshot);
      reason = early.length > 0 ? nameAll(early) : await this.#next(paths, snapshot);
    }
  }

  #take(event: Wish | 'changed'): void {
    this.#events.add(event);
    this.#wake?.();
  }

  /** Waits until there is a reason to run again, and returns it. */
  async #next(paths: readonly string[], before: Snapshot): Promise<string> {
    for (;;) {
      if (this.#events.size === 0) {
        await new Promise<void>(settle => {
          this.#wake = settle;
        });
      }
      if (this.#events.has('again')) return 'run again';
      this.#events.clear();
      const changed = changedFiles(before, await this.#settled(paths));
      if (changed.length > 0) return nameAll(changed);
      // A folder may be new, and files in it still to come.
      await this.#folders.follow(paths);
    }
  }

  /** Returns the state of the files once nobody writes to them. */
  async #settled(paths: readonly string[]): Promise<Snapshot> {
    let snapshot = await snapshotOf(paths);
    for (let waits = 0; waits < MOST_WAITS; waits += 1) {
      await pause(SETTLE_MS);
      const next = await snapshotOf(paths);
      if (changedFiles(snapshot, next).length === 0) return next;
      snapshot = next;
    }
    return snapshot;
  }

  #introduce(reason: string): void {
    if (reason === '') return;
    if (isTerminal(process.stdout)) process.stdout.write(CLEAR);
    const time = new Date().toLocaleTimeString('en-GB');
    process.stderr.write(`${time}  ${reason}\n\n`);
  }

  #reportState({ size }: Snapshot): void {
    const { failure } = this.#folders;
    if (failure !== undefined) process.stderr.write(`toolgauge: some changes may be missed: ${visible(failure)}\n`);
    const keys = this.#hasKeys ? ' · Enter or a: run again · q: quit' : '';
    process.stderr.write(`\nwatching ${size} ${size === 1 ? 'file' : 'files'}${keys}\n`);
  }
}

function nameAll(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : '';
  return `changed: ${names.slice(0, MOST_NAMES).map(visible).join(', ')}${more}`;
}

function reportChanges(before: RunParts, after: RunParts): void {
  try {
    const lines = changesBetween(before, after).map(line => `  ${visible(line)}`);
    process.stderr.write(`\nsince the last run\n${lines.join('\n')}\n`);
  } catch (error) {
    // Two runs that can't be compared, such as after another option of the configuration file, are no failure.
    if (!(error instanceof ToolgaugeError)) throw error;
  }
}
