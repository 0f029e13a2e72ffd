/** On these, a process ends without an `exit` event. */
const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What is to be done if this process ends now. One set of listeners serves all. */
const cleanups = new Set<() => void>();

/**
 * Runs `cleanup` if this process exits, or gets a signal that ends processes, before the function that it returns is
 * called. Later cleanups run first.
 */
export function cleanUpAtExit(cleanup: () => void): () => void {
  if (cleanups.size === 0) listen();
  cleanups.add(cleanup);
  return () => {
    if (cleanups.delete(cleanup) && cleanups.size === 0) unlisten();
  };
}

function listen(): void {
  process.on('exit', cleanUp);
  // First in line: it must be gone when other listeners count how many there are to decide whether to exit.
  for (const signal of ENDING_SIGNALS) process.prependListener(signal, onEndingSignal);
}

function unlisten(): void {
  process.off('exit', cleanUp);
  for (const signal of ENDING_SIGNALS) process.off(signal, onEndingSignal);
}

/** Cleans up, and then lets the signal do what it does without this listener. */
function onEndingSignal(signal: NodeJS.Signals): void {
  cleanUp();
  process.off(signal, onEndingSignal);
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  else setImmediate(listenAgain, signal);
}

function listenAgain(signal: NodeJS.Signals): void {
  if (cleanups.size > 0 && !process.listeners(signal).includes(onEndingSignal)) {
    process.prependListener(signal, onEndingSignal);
  }
}

function cleanUp(): void {
  for (const cleanup of [...cleanups].reverse()) cleanup();
}
