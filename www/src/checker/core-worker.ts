import { loadCore } from './core.ts';
import type { ToWorker } from './protocol.ts';

const NOT_LOADED = 'The checker could not be loaded. Are you offline?';

interface Handlers<Message> {
  /** The worker has the core: from now on it answers at once. */
  readonly onReady: () => void;
  readonly onMessage: (message: Message) => void;
  /** The worker is lost: it could not be loaded, or it crashed. Says why. */
  readonly onFailure: (reason: string) => void;
}

/** A worker with the core of toolgauge, which answers with `Message`. */
export class CoreWorker<Message> {
  readonly #handlers: Handlers<Message>;
  #worker: Worker | undefined;
  #isEnded = false;

  constructor(handlers: Handlers<Message>) {
    this.#handlers = handlers;
    void this.#open();
  }

  /** Sends a message. Only for a worker that is ready. */
  send(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }

  /** Ends the worker. No handler is called any more. */
  end(): void {
    this.#isEnded = true;
    this.#worker?.terminate();
  }

  async #open(): Promise<void> {
    try {
      const { module, script } = await loadCore();
      if (!this.#isEnded) this.#start(module, script);
    } catch {
      this.#fail(NOT_LOADED);
    }
  }

  #start(module: WebAssembly.Module, script: string): void {
    const worker = new Worker(script, { type: 'module' });
    this.#worker = worker;
    worker.onerror = ({ message }) => this.#fail(message || NOT_LOADED);
    // The first message is that the core has started.
    worker.onmessage = () => {
      worker.onmessage = ({ data }: MessageEvent<Message>) => this.#handlers.onMessage(data);
      this.#handlers.onReady();
    };
    this.send({ kind: 'start', module });
  }

  #fail(reason: string): void {
    if (this.#isEnded) return;
    this.end();
    this.#handlers.onFailure(reason);
  }
}
