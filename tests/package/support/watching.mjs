import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { consumer } from './consumer.mjs';

const COMMAND = join(consumer, 'node_modules/.bin/toolgauge');

/** Why there is no terminal for a program, or `false` if there is. */
export const noTerminal = spawnSync('script', ['--version']).status === 0 ? false : 'the program "script" is missing';

/** A program that runs until it is ended, in `cwd`, and is ended after the test `t`. */
export class Watching {
  #output = '';
  #taken = 0;
  #waiting = () => {};

  constructor(t, args, { cwd, terminal = false, env: more = {} }) {
    const { FORCE_COLOR, NODE_TEST_CONTEXT, ...env } = { ...process.env, NO_COLOR: '1', TERM: 'xterm', ...more };
    const quoted = [COMMAND, ...args].map(word => `'${word}'`).join(' ');
    this.child = terminal
      ? spawn('script', ['-qfec', quoted, '/dev/null'], { cwd, env })
      : spawn(COMMAND, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.ended = new Promise(settle => {
      this.child.on('close', (code, signal) => settle(code ?? signal));
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.setEncoding('utf8').on('data', text => {
        // A terminal ends lines in its own way.
        this.#output += text.replaceAll('\r\n', '\n');
        this.#waiting();
      });
    }
    t.after(() => this.child.kill('SIGKILL'));
  }

  /** Waits until the program prints `pattern`, and returns all that it printed since the last such call. */
  async until(pattern) {
    const ended = this.ended.then(() => true);
    for (;;) {
      const fresh = this.#output.slice(this.#taken);
      const match = pattern.exec(fresh);
      if (match !== null) {
        const end = match.index + match[0].length;
        this.#taken += end;
        return fresh.slice(0, end);
      }
      const more = new Promise(settle => {
        this.#waiting = settle;
      });
      if (await Promise.race([more, ended])) throw new Error(`it ended without ${pattern}:\n${this.#output}`);
    }
  }
}
