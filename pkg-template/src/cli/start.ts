import { sep } from 'node:path';
import { CONFIG_NAMES, findConfigPath } from './config.js';
import { Failure } from './failure.js';
import { EXTENSIONS } from './inputs.js';

/** How this program was called: by the command that runs what a project installs, or by its name. */
export function calledAs(): string {
  const isOfProject = process.argv[1]?.includes(`${sep}node_modules${sep}`) === true;
  if (!isOfProject) return 'toolgauge';
  // npm, too, says who it is. A shell that runs the file itself says nothing.
  const [, manager = 'npm'] = /^(pnpm|yarn|bun)\//.exec(process.env.npm_config_user_agent ?? '') ?? [];
  const execute = { npm: 'npx', pnpm: 'pnpm exec', yarn: 'yarn', bun: 'bunx' }[manager];
  return `${execute} toolgauge`;
}

/** What the program prints if it is called without a command. */
export function startText(): string {
  const program = calledAs();
  const lines = [
    [`${program} demo`, 'shows the report of an example'],
    [`${program} init`, 'writes a configuration file, and a first test for your test runner'],
    [`${program} check logs --tools tools.json`, 'checks logs of your agent'],
    [`${program} explain hallucinated_result`, 'says what an issue means, and what to do about it'],
    [`${program} --help`, 'lists all commands'],
  ];
  return `toolgauge checks and scores how an AI agent used its tools. Start with one of these:

${table(lines)}

Logs of OpenAI, Anthropic, Gemini, the AI SDK, LangChain, OpenTelemetry and many others are read as they are.
docs/README.md in the package lists all pages of the documentation.
`;
}

/** Why a check without inputs can't start, and what to do next. */
export async function nothingToCheck(command: string): Promise<Failure> {
  const program = calledAs();
  const config = await findConfigPath();
  const extensions = `${EXTENSIONS.slice(0, -1).join(', ')} and ${EXTENSIONS.at(-1)}`;
  const example = `{ "${command}": { "inputs": ["logs"] } }`;
  const inConfig =
    config === undefined
      ? `or in ${CONFIG_NAMES.join(' or ')}, of which there is none here and in the project: ${example}`
      : `or in ${config}, which has none: ${example}`;
  const lines = [
    [`${program} ${command} logs --tools tools.json`, 'checks logs of your agent'],
    [`${program} init`, 'writes a configuration file, and a first test'],
    [`${program} demo`, 'shows the report of an example'],
    [`${program} ${command} --help`, 'lists all options'],
  ];
  return new Failure(
    "missing required argument 'inputs'",
    `name files, folders or globs, or - for standard input. Folders are read with all their ${extensions} files.
  Name them here ${inConfig}

${table(lines)}`,
  );
}

/** Lines of two columns, indented. */
function table(lines: readonly (readonly string[])[]): string {
  const width = Math.max(...lines.map(([first = '']) => first.length));
  return lines.map(([first = '', second]) => `  $ ${first.padEnd(width)}  ${second}`).join('\n');
}
