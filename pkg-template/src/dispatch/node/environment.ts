/** What programs need to find each other, the home folder, the language and a place for temporary files. */
const PASSED_ON = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR'];

/** Without these, most programs do not start on Windows. */
const PASSED_ON_WINDOWS = ['SystemRoot', 'ComSpec', 'PATHEXT', 'TEMP', 'TMP', 'USERPROFILE'];

/** Environment variables by name. Those that are undefined are not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment of a tool: the few variables that every program needs, then those that the tool declares, then `own`.
 * Everything else stays with this process: secrets, and variables that make an interpreter run other code, such as
 * `NODE_OPTIONS`, `BASH_ENV`, `PYTHONPATH` and `LD_PRELOAD`.
 */
export function environmentOf(declared: readonly string[], own: Environment): Record<string, string> {
  const names = [...PASSED_ON, ...(process.platform === 'win32' ? PASSED_ON_WINDOWS : []), ...declared];
  const inherited = names.map(name => [name, process.env[name]] as const);
  return Object.fromEntries([...inherited, ...Object.entries(own)].filter(isSet));
}

/** True for a text that can name an environment variable. */
export function isVariableName(name: unknown): name is string {
  return typeof name === 'string' && name !== '' && !name.includes('=') && !name.includes('\0');
}

function isSet(variable: readonly [string, string | undefined]): variable is readonly [string, string] {
  return variable[1] !== undefined;
}
