/** 128 and the number of the signal, as shells have it. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

let isListening = false;
let progress: (() => Promise<string> | string) | undefined;

/** When a signal ends this process, says what was done so far, which `tell` gives when what is under way is written. */
export function onInterrupt(tell: () => Promise<string> | string): void {
  progress = tell;
  endOnSignals();
}

/** Lets the signals that end a process end this one in order, so that it can tidy up. */
export function endOnSignals(): void {
  if (isListening) return;
  isListening = true;
  for (const [signal, code] of Object.entries(EXIT_CODES)) process.once(signal, () => void end(code));
}

async function end(code: number): Promise<void> {
  try {
    const told = await progress?.();
    if (told !== undefined) process.stderr.write(`toolgauge: interrupted; ${told}`);
  } finally {
    process.exit(code);
  }
}
