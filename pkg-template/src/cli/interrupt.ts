/** 128 and the number of the signal, as shells have it. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Describes what was done so far. */
type Describe = () => Promise<string> | string;

let isListening = false;
let describe: Describe | undefined;

/** Lets a signal that ends this process first print what was done so far. */
export function onInterrupt(progress: Describe): void {
  describe = progress;
  endOnSignals();
}

/** Takes back {@link onInterrupt}: what was under way is done. */
export function forgetProgress(): void {
  describe = undefined;
}

/** Lets the signals that end a process end this one in order, so that it can tidy up. */
export function endOnSignals(): void {
  if (isListening) return;
  isListening = true;
  for (const [signal, code] of Object.entries(EXIT_CODES)) process.once(signal, () => void end(code));
}

async function end(code: number): Promise<void> {
  try {
    if (describe !== undefined) process.stderr.write(`toolgauge: interrupted; ${await describe()}`);
  } finally {
    process.exit(code);
  }
}
