import { calledAs } from './called-as.js';
import { CONFIG_NAMES, findConfigPath } from './config.js';
import { Failure } from './failure.js';
import { wrapped } from './help.js';
import { EXTENSIONS } from './inputs.js';
import { columnsOf } from './terminal.js';

/** What the program prints if it is called without a command. */
export function startText(): string {
  const program = calledAs();
  const lines = [
    [`${program} demo`, 'shows an example'],
    [`${program} init`, 'sets up a first test'],
    [`${program} check logs --tools tools.json`, 'checks logs of your agent'],
    [`${program} explain hallucinated_result`, 'says what an issue means'],
    [`${program} --help`, 'lists all commands'],
  ];
  const more = `Logs of OpenAI, Anthropic, Gemini, the AI SDK, LangChain, OpenTelemetry and many others are read as they are.
docs/README.md in the package lists all pages of the documentation.
`;
  return `toolgauge checks and scores how an AI agent used its tools. Start here:

${table(lines)}

${wrapped(more, columnsOf(process.stderr))}`;
}

/** Why a check without inputs can't start, and what to do next. */
export async function nothingToCheck(command: string): Promise<Failure> {
  const program = calledAs();
  const config = await findConfigPath();
  const extensions = `${EXTENSIONS.slice(0, -1).join(', ')} and ${EXTENSIONS.at(-1)}`;
  const place = config ?? `a file ${CONFIG_NAMES.join(' or ')}, here or above in the project`;
  const advice = `
  name files, folders or globs, or - for standard input. Of folders, all files that end in ${extensions} are read.
  Name them in the command, or in ${place}: { "${command}": { "inputs": ["logs"] } }
`;
  const lines = [
    [`${program} ${command} logs --tools tools.json`, 'checks logs of your agent'],
    [`${program} init`, 'sets up a first test'],
    [`${program} demo`, 'shows an example'],
    [`${program} ${command} --help`, 'lists all options'],
  ];
  const text = `${wrapped(advice, columnsOf(process.stderr)).trim()}\n\n${table(lines)}`;
  return new Failure("missing required argument 'inputs'", text);
}

/** Lines of two columns, indented. */
function table(lines: readonly (readonly string[])[]): string {
  const width = Math.max(...lines.map(([first = '']) => first.length));
  return lines.map(([first = '', second]) => `  $ ${first.padEnd(width)}  ${second}`).join('\n');
}
