import { stat } from 'node:fs/promises';
import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import { type Command, Option } from 'commander';
import { EXPORT_FORMATS, type ExportFormat, type TrajectoryFormat } from 'toolgauge';
import { type ConvertedLayout, Converter, type ConvertProblem } from '../batch/convert-chunk.js';
import { describe, Failure } from './failure.js';
import { notes } from './help.js';
import { findInputs, type Input } from './inputs.js';
import { onInterrupt } from './interrupt.js';
import { allowErrorsOption, inputFormatOption, linesOption, type Outcome, type Verdict } from './options.js';
import { type Output, openOutput, type ReservedFile, refuseInputAt, reserveFile } from './output.js';
import { Problems, type ReadingFlags } from './problems.js';
import { openProgress, type Progress } from './progress.js';
import { type Piece, readAll } from './reading.js';
import { forTrajectories } from './remedies.js';

interface ConvertCommandOptions extends ReadingFlags {
  readonly to?: ExportFormat;
  readonly inputFormat?: TrajectoryFormat;
  readonly lines?: true;
  readonly output?: string;
}

const EXAMPLES = `
Inputs are read as toolgauge check reads them. A file of one document a line gives a trajectory a line, any other one JSON
document: the trajectory, or the list of several. Several inputs that go to one place give a trajectory a line.
Unreadable files and lines are reported and skipped; the exit code is then 2. What the format has no place for is
reported, too.

Examples:
  $ toolgauge convert session.jsonl --to openai-chat > messages.json
  $ toolgauge convert 'logs/**/*.jsonl' --to harness --output converted/
  $ producer | toolgauge convert - --lines --to ai-sdk-model | consumer
`;

/** Adds `toolgauge convert`. */
export function addConvert(program: Command, finish: (outcome: Outcome) => Promise<void>): void {
  program
    .command('convert')
    .summary('write trajectories in another format')
    .description('Writes the trajectories in files, of any known format, in another one.')
    .argument('[inputs...]', 'trajectories in any known format: files, folders, globs; - for standard input')
    .addOption(new Option('--to <format>', 'the format to write').choices(EXPORT_FORMATS))
    .addOption(inputFormatOption('--from, --input-format <format>'))
    .addOption(linesOption())
    .option('--output <file-or-folder>', 'write to this file; into this folder if it is one, or ends with a slash')
    .addOption(allowErrorsOption())
    .addOption(new Option('--allow-empty', 'pass if an input is empty'))
    .addHelpText('after', notes(EXAMPLES))
    .action(async (paths: string[], options: ConvertCommandOptions) => finish(await convert(paths, options)));
}

async function convert(paths: readonly string[], options: ConvertCommandOptions): Promise<Outcome> {
  const { to, inputFormat: from, output } = options;
  if (to === undefined) throw new Failure('no format to write', `give --to with one of ${EXPORT_FORMATS.join(', ')}`);
  const found = await findInputs(paths);
  const inputs = options.lines ? found.map(input => ({ ...input, isLines: true })) : found;
  const destination = await openDestination(output, inputs);
  return { output: '', verdict: await new Conversion(inputs, destination, options, new Converter({ from, to })).run() };
}

/** Most warnings that are printed. */
const MOST_WARNINGS = 10;

/** One run of the command over all inputs. */
class Conversion {
  readonly #inputs: readonly Input[];
  readonly #destination: Destination;
  readonly #options: ConvertCommandOptions;
  readonly #converter: Converter;
  readonly #problems: Problems;
  readonly #progress: Progress;
  #warned = 0;

  constructor(
    inputs: readonly Input[],
    destination: Destination,
    options: ConvertCommandOptions,
    converter: Converter,
  ) {
    this.#inputs = inputs;
    this.#destination = destination;
    this.#options = options;
    this.#converter = converter;
    this.#problems = new Problems(inputs, options, forTrajectories);
    this.#progress = openProgress(inputs, 'converting');
  }

  async run(): Promise<Verdict> {
    onInterrupt(() => {
      this.#progress.end();
      const { trajectories, documents } = this.#converter.summary;
      return `converted so far: ${trajectories} trajectories of ${documents} documents\n`;
    });
    for await (const piece of readAll(this.#inputs, { ...this.#format() })) await this.#convert(piece);
    await this.#destination.close();
    this.#progress.end();
    const { summary } = this.#converter;
    const more = summary.warnings - this.#warned;
    if (more > 0) process.stderr.write(`toolgauge: ${more} more ${more === 1 ? 'warning' : 'warnings'}\n`);
    const losses = this.#converter.losses();
    if (losses !== '') process.stderr.write(`toolgauge: ${losses}`);
    return this.#problems.areFatal(summary) ? 'unread' : 'passed';
  }

  #format(): { readonly format?: TrajectoryFormat } {
    const { inputFormat } = this.#options;
    return inputFormat === undefined ? {} : { format: inputFormat };
  }

  async #convert({ input, shape, chunk, failed }: Piece): Promise<void> {
    const layout = this.#destination.layoutOf(shape === 'lines');
    const before = this.#converter.summary;
    for (const { text, problems } of this.#converter.convert(chunk, {
      shape,
      source: input.name,
      layout,
      failed,
    })) {
      this.#progress.clear();
      for (const problem of problems) this.#report(problem);
      if (text !== '') await this.#destination.write(input, layout, text);
    }
    const { documents, trajectories } = this.#converter.summary;
    if (documents > before.documents) this.#problems.fill(input);
    this.#progress.advance(chunk.bytes.length, trajectories - before.trajectories);
  }

  #report({ source = '', line, error, warning }: ConvertProblem): void {
    const place = { source, ...(line === undefined ? {} : { line }) };
    if (error !== undefined) this.#problems.report([{ ...place, error }]);
    if (warning === undefined || this.#warned === MOST_WARNINGS) return;
    this.#warned += 1;
    const at = [line === undefined ? source : `${source}:${line}`, warning.path].filter(Boolean).join(': ');
    process.stderr.write(describe(new Failure(`${at}: warning: ${warning.message}`)));
  }
}

/** Where what is converted goes. */
interface Destination {
  /** The layout of the output: one trajectory per line, or one JSON document. */
  layoutOf(isLines: boolean): ConvertedLayout;
  write(input: Input, layout: ConvertedLayout, text: string): Promise<void>;
  close(): Promise<void>;
}

async function openDestination(output: string | undefined, inputs: readonly Input[]): Promise<Destination> {
  if (output === undefined) return new OnePlace({ open: () => openOutput(undefined) }, inputs.length);
  if (await isFolder(output)) return Folder.of(output, inputs);
  return new OnePlace(await reserveFile(output), inputs.length);
}

async function isFolder(path: string): Promise<boolean> {
  if (path.endsWith('/') || path.endsWith(sep)) return true;
  return stat(path).then(
    stats => stats.isDirectory(),
    () => false,
  );
}

/** Standard output, or one file; it is opened when there is something to write. */
class OnePlace implements Destination {
  readonly #place: ReservedFile;
  readonly #inputs: number;
  #output: Output | undefined;

  constructor(place: ReservedFile, inputs: number) {
    this.#place = place;
    this.#inputs = inputs;
  }

  layoutOf(isLines: boolean): ConvertedLayout {
    return isLines || this.#inputs > 1 ? 'lines' : 'document';
  }

  async write(_: Input, __: ConvertedLayout, text: string): Promise<void> {
    this.#output ??= await this.#place.open();
    await this.#output.write(text);
  }

  async close(): Promise<void> {
    await this.#output?.close();
    this.#output = undefined;
  }
}

const EXTENSIONS: Record<ConvertedLayout, string> = { document: '.json', lines: '.jsonl' };

/** A folder, with a file for each input. */
class Folder implements Destination {
  readonly #folder: string;
  readonly #base: string;
  readonly #taken = new Set<string>();
  #current: { readonly input: Input; readonly place: OnePlace } | undefined;

  /** Refuses a folder in which an input would be overwritten, as far as names say what the inputs are. */
  static async of(path: string, inputs: readonly Input[]): Promise<Folder> {
    const folder = new Folder(path, inputs);
    for (const input of inputs) {
      const [first] = folder.#pathsFor(input, folder.layoutOf(input.isLines));
      await refuseInputAt(join(path, first));
    }
    return folder;
  }

  private constructor(folder: string, inputs: readonly Input[]) {
    this.#folder = folder;
    this.#base = commonFolder(inputs.map(({ name }) => dirname(resolve(name))));
  }

  layoutOf(isLines: boolean): ConvertedLayout {
    return isLines ? 'lines' : 'document';
  }

  async write(input: Input, layout: ConvertedLayout, text: string): Promise<void> {
    if (this.#current?.input !== input) {
      await this.close();
      const place = await reserveFile(this.#pathOf(input, layout));
      this.#current = { input, place: new OnePlace(place, 1) };
    }
    await this.#current.place.write(input, layout, text);
  }

  async close(): Promise<void> {
    await this.#current?.place.close();
    this.#current = undefined;
  }

  #pathOf(input: Input, layout: ConvertedLayout): string {
    const paths = this.#pathsFor(input, layout);
    const path = paths.find(path => !this.#taken.has(path));
    if (path === undefined) throw new Failure(`two inputs would be written to ${join(this.#folder, paths[0])}`);
    this.#taken.add(path);
    return join(this.#folder, path);
  }

  /** The path of the input below the folder that all inputs have in common, with the extension of what is written. */
  #pathsFor({ name }: Input, layout: ConvertedLayout): [string, string] {
    const extension = EXTENSIONS[layout];
    const below = relative(this.#base, resolve(name));
    const stem = below.slice(0, below.length - extname(below).length);
    return [`${stem}${extension}`, `${below}${extension}`];
  }
}

/** The folder that all `folders` are, or are below. */
function commonFolder(folders: readonly string[]): string {
  const [first = [], ...rest] = folders.map(folder => folder.split(sep));
  const shared = rest.reduce((common, folder) => {
    const end = common.findIndex((part, at) => folder[at] !== part);
    return end < 0 ? common : common.slice(0, end);
  }, first);
  return shared.join(sep) || sep;
}
