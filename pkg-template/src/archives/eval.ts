import { type Archive, ArchiveError, contentOf, type Entry, entriesOf } from './zip.js';

const SAMPLE = /^samples\/[^/]+\.json$/;

/** What each log of Inspect has from its start. */
const START = '_journal/start.json';

/** JSON has line ends only between values, where a space does the same. */
const [SPACE, NEWLINE, RETURN] = [0x20, 0x0a, 0x0d];

const LINE_END = new Uint8Array([NEWLINE]);

/**
 * The samples of an Inspect log, which is a ZIP archive (`.eval`), each as one line of JSON. They are in the order of
 * their names; numbers count as numbers. Throws an `ArchiveError` if that can't be read or holds no samples.
 */
export async function* evalLines(archive: Archive): AsyncGenerator<Uint8Array> {
  const entries = await entriesOf(archive);
  const samples = samplesOf(entries);
  if (samples.length === 0) throw withoutSamples(entries);
  for (const sample of samples) {
    for await (const piece of contentOf(archive, sample)) yield onOneLine(piece);
    yield LINE_END;
  }
}

/** Of several files of one name the last counts: Inspect writes a sample anew behind the others. */
function samplesOf(entries: readonly Entry[]): Entry[] {
  const byName = new Map(entries.filter(({ name }) => SAMPLE.test(name)).map(entry => [entry.name, entry]));
  const order = new Intl.Collator('en', { numeric: true });
  return [...byName.values()].sort((a, b) => order.compare(a.name, b.name));
}

function withoutSamples(entries: readonly Entry[]): ArchiveError {
  if (entries.some(({ name }) => name === START)) return new ArchiveError('the Inspect log holds no samples yet');
  return new ArchiveError('it is a ZIP archive and no Inspect log (.eval): unpack it and name the files in it');
}

function onOneLine(piece: Uint8Array): Uint8Array {
  const line = piece.slice();
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === NEWLINE || line[at] === RETURN) line[at] = SPACE;
  }
  return line;
}
