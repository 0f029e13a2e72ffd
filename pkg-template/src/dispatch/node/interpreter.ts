import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ToolCallFailure } from 'toolgauge/dispatch';

/** A program and the arguments that go before the path of the script. */
export interface Interpreter {
  readonly program: string;
  readonly options: readonly string[];
}

type FindInterpreters = (folder: string) => readonly Interpreter[];

/** How each kind of script is run, by file extension: the first interpreter that is installed runs it. */
const INTERPRETERS: ReadonlyMap<string, FindInterpreters> = new Map([
  ['.sh', () => [plain('bash')]],
  ['.py', () => [plain('python3'), plain('python')]],
  ['.js', () => [plain(process.execPath)]],
  ['.mjs', () => [plain(process.execPath)]],
  ['.ts', forTypeScript],
  ['.mts', forTypeScript],
]);

/** True for the extension of a file that can be a tool, such as `.sh`. */
export function isScriptExtension(extension: string): boolean {
  return INTERPRETERS.has(extension);
}

/**
 * The interpreters that can run a script in `folder` with this extension, the preferred one first. Throws a
 * `ToolCallFailure` if nothing can run TypeScript.
 */
export function interpretersFor(extension: string, folder: string): readonly Interpreter[] {
  return INTERPRETERS.get(extension)?.(folder) ?? [];
}

function plain(program: string): Interpreter {
  return { program, options: [] };
}

function forTypeScript(folder: string): readonly Interpreter[] {
  if (runsTypeScript()) return [plain(process.execPath)];
  const loader = findTsx(folder) ?? findTsx(process.cwd());
  if (loader !== undefined) return [{ program: process.execPath, options: ['--import', loader] }];
  const [major] = process.versions.node.split('.');
  throw new ToolCallFailure(
    `Node.js ${major} cannot run TypeScript. Install the package tsx beside the tools, or use Node.js 22.18 or later.`,
  );
}

function runsTypeScript(): boolean {
  const { typescript } = process.features as { readonly typescript?: unknown };
  return Boolean(typescript) || process.versions.bun !== undefined;
}

/** The URL of the module by which Node.js runs TypeScript, if tsx is installed for modules in `folder`. */
function findTsx(folder: string): string | undefined {
  try {
    return pathToFileURL(createRequire(join(folder, 'tool.js')).resolve('tsx')).href;
  } catch {
    return undefined;
  }
}
