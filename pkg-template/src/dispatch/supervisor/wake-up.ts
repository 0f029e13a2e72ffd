import { bounded } from '../../timing.js';

/** Wakes all that wait for something to happen. What waits has to look again whether it has happened. */
export class WakeUp {
  readonly #waiting = new Set<() => void>();

  /** Waits for the next call of `ring`. Rejects with the signal's reason when it is aborted first. */
  async wait(signal: AbortSignal): Promise<void> {
    let wake = () => {};
    const rung = new Promise<void>(resolve => {
      wake = resolve;
    });
    this.#waiting.add(wake);
    try {
      await bounded(signal, undefined, () => rung);
    } finally {
      this.#waiting.delete(wake);
    }
  }

  /** Wakes all that wait now. */
  ring(): void {
    for (const wake of this.#waiting) wake();
  }
}
