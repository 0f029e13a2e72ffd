import { calledAs } from './called-as.js';
import { columnsOf } from './terminal.js';

/** Where an example calls this program. */
const CALL = /(?<=[$|] )toolgauge(?= )/g;

/** Notes that follow the help of a command, in the width of the terminal. Examples call the program as the user did. */
export function notes(text: string): () => string {
  return () => wrapped(text.replace(CALL, calledAs()), columnsOf(process.stdout));
}

/** A piece of text that is broken into lines: how its first line starts, and the words after that. */
interface Paragraph {
  readonly start: string;
  readonly words: string[];
}

/** Where the text of a line starts: after its indent and, in a list such as that of exit codes, after its label. */
const START = /^ *(?:\S+ {2,})?/;

/** Breaks the paragraphs of `text` anew, at `width`. Headings, which end in a colon, and commands stay as they are. */
export function wrapped(text: string, width: number): string {
  const lines: string[] = [];
  let paragraph: Paragraph | undefined;
  const flush = () => {
    if (paragraph !== undefined) lines.push(...brokenParagraph(paragraph, width));
    paragraph = undefined;
  };
  for (const line of text.split('\n')) {
    const [start = ''] = START.exec(line) ?? [];
    const words = line.slice(start.length).split(' ');
    if (line === '' || /^ *\$ |^[A-Z]\w*:$/.test(line)) {
      flush();
      lines.push(line);
    } else if (paragraph?.start.length === start.length && start.trim() === '') {
      paragraph.words.push(...words);
    } else {
      flush();
      paragraph = { start, words };
    }
  }
  flush();
  return lines.join('\n');
}

/** Its lines continue below the start of the text. */
function brokenParagraph({ start, words }: Paragraph, width: number): string[] {
  const lines: string[] = [];
  let line = start;
  for (const [at, word] of words.entries()) {
    if (at > 0 && line.length + 1 + word.length > width) {
      lines.push(line);
      line = ' '.repeat(start.length) + word;
    } else {
      line += at === 0 ? word : ` ${word}`;
    }
  }
  return [...lines, line];
}
