/** How wide a report may be, and whether it may have colours. */
export interface Layout {
  readonly width: number;
  readonly color: boolean;
}

const PIPED_WIDTH = 80;
const MIN_WIDTH = 40;
const MAX_WIDTH = 1_000;

/** The layout that suits standard output. */
export function layout(): Layout {
  return { width: width(), color: wantsColor() };
}

/** The layout of what goes into a file: no terminal, no colours. */
export function fileLayout(): Layout {
  return { width: PIPED_WIDTH, color: false };
}

/** Whether what is written to `stream` can be written over, as progress is. */
export function isTerminal(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && process.env.TERM !== 'dumb';
}

/** The width of the terminal behind `stream`; without one, or if it does not say, what COLUMNS says, or else 80. */
export function columnsOf(stream: NodeJS.WriteStream): number {
  const given = Math.floor(Number(process.env.COLUMNS));
  return (stream.isTTY && stream.columns) || (given > 0 ? given : PIPED_WIDTH);
}

/** How wide a report may be. */
function width(): number {
  return Math.min(Math.max(columnsOf(process.stdout), MIN_WIDTH), MAX_WIDTH);
}

/** FORCE_COLOR decides first, then NO_COLOR, then the terminal: the order that Node itself has. */
function wantsColor(): boolean {
  const { FORCE_COLOR, NO_COLOR } = process.env;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  return isTerminal(process.stdout);
}
