import { emitKeypressEvents, type Key } from 'node:readline';

/** What a key asks for. */
export type Wish = 'again' | 'quit';

/** Listens to the keys of the terminal. Returns whether there is one: otherwise nothing is read. */
export function listenToKeys(take: (wish: Wish) => void): boolean {
  const { stdin } = process;
  if (!stdin.isTTY) return false;
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  stdin.on('keypress', (_, key: Key) => {
    const wish = wishOf(key);
    // Without line editing, the terminal sends no signal for these keys.
    if (key.ctrl && key.name === 'c') process.kill(process.pid, 'SIGINT');
    else if (wish !== undefined) take(wish);
  });
  return true;
}

function wishOf({ name, ctrl }: Key): Wish | undefined {
  if (name === 'return' || name === 'enter' || name === 'a') return 'again';
  return name === 'q' || (ctrl && name === 'd') ? 'quit' : undefined;
}
