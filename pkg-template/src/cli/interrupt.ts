/** 128 and the number of the signal, as shells have it. */
const EXIT_INTERRUPTED = 130;

/** On Ctrl-C says what was done so far, which `tell` gives when what is under way is written, and ends. */
export function onInterrupt(tell: () => Promise<string> | string): void {
  process.once('SIGINT', async () => {
    try {
      process.stderr.write(`toolgauge: interrupted; ${await tell()}`);
    } finally {
      process.exit(EXIT_INTERRUPTED);
    }
  });
}
