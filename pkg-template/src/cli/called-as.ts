import { sep } from 'node:path';
import { EXECUTE, type PackageManager } from './package-managers.js';

/** How this program was called: by the command that runs what a project installs, or by its name. */
export function calledAs(): string {
  const isOfProject = process.argv[1]?.includes(`${sep}node_modules${sep}`) === true;
  if (!isOfProject) return 'toolgauge';
  // npm, too, says who it is. A shell that runs the file itself says nothing.
  const [, manager = 'npm'] = /^(pnpm|yarn|bun)\//.exec(process.env.npm_config_user_agent ?? '') ?? [];
  return `${EXECUTE[manager as PackageManager]} toolgauge`;
}
