import { createInterface } from 'node:readline';
import { finished } from 'node:stream';

/** Where lines are read, and where the prompt is written. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** Resolves with the next line that the user enters; with undefined if there is none, or if the signal is aborted. */
export type NextLine = (prompt: string, signal: AbortSignal) => Promise<string | undefined>;

/** Reads lines: with keys to edit them at a terminal, otherwise as they come. */
export function lineReader(terminal: Terminal): NextLine {
  return terminal.input.isTTY && terminal.output.isTTY ? readerOfTerminal(terminal) : readerOfStream(terminal);
}

/** Between two lines, the terminal is as it was before: what is typed then is for others. */
function readerOfTerminal({ input, output }: Terminal): NextLine {
  return async (prompt, signal) => {
    const lines = createInterface({ input, output, prompt, historySize: 0 });
    let isInterrupted = false;
    const line = await new Promise<string | undefined>(resolve => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(undefined));
      lines.on('error', () => resolve(undefined));
      lines.once('SIGINT', () => {
        isInterrupted = true;
        lines.close();
      });
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
      lines.prompt();
    });
    lines.close();
    if (line === undefined) output.write('\n');
    // The terminal sends no signal while keys are read one by one.
    if (isInterrupted) process.kill(process.pid, 'SIGINT');
    return line;
  };
}

/** Keeps the lines that come with the first one for the next questions. */
function readerOfStream({ input, output }: Terminal): NextLine {
  const waiting: string[] = [];
  let hasEnded = false;
  let wake = () => {};
  const end = () => {
    hasEnded = true;
    wake();
  };
  const lines = createInterface({ input, terminal: false });
  lines.pause();
  lines.on('line', line => {
    waiting.push(line);
    wake();
  });
  lines.on('close', end);
  lines.on('error', end);
  finished(input, { writable: false }, end);
  return async (prompt, signal) => {
    output.write(prompt);
    if (waiting.length === 0 && !hasEnded) {
      lines.resume();
      await new Promise<void>(resolve => {
        wake = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      if (!hasEnded) lines.pause();
    }
    const line = signal.aborted ? undefined : waiting.shift();
    if (line === undefined) output.write('\n');
    return line;
  };
}
