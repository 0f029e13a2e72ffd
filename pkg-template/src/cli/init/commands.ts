import { EXECUTE, type PackageManager } from '../package-managers.js';
import type { Runner, Surroundings } from './surroundings.js';

const INSTALL: Readonly<Record<PackageManager, string>> = {
  npm: 'npm install -D',
  pnpm: 'pnpm add -D',
  yarn: 'yarn add -D',
  bun: 'bun add -d',
};

/** The command that runs `toolgauge` in a project. */
export function toolgaugeCommand({ manager }: Surroundings): string {
  return `${EXECUTE[manager]} toolgauge`;
}

/** The command that installs packages for development. */
export function installCommand({ manager }: Surroundings, names: readonly string[]): string {
  return `${INSTALL[manager]} ${names.join(' ')}`;
}

/** The command that runs the tests in `file`. */
export function testCommand(surroundings: Surroundings, file: string): string {
  const execute = EXECUTE[surroundings.manager];
  switch (surroundings.runner) {
    case 'vitest':
      return `${execute} vitest run ${file}`;
    case 'jest':
      // Setting the flag as an argument of Node.js works on every system.
      return isEsModule(surroundings)
        ? `node --experimental-vm-modules node_modules/jest/bin/jest.js ${file}`
        : `${execute} jest ${file}`;
    case 'bun':
      return `bun test ./${file}`;
    case 'node':
      return usesTsx(surroundings) ? `${execute} tsx --test ${file}` : `node --test ${file}`;
  }
}

function usesTsx({ isTypeScript, dependencies }: Surroundings): boolean {
  return isTypeScript && dependencies.has('tsx');
}

/** Whether the test is an ES module for its runner, with `import.meta`. */
export function isEsModule({ runner, isTypeScript, isModule, isJestModule }: Surroundings): boolean {
  if (runner === 'jest') return isTypeScript ? isJestModule : isModule;
  return runner !== 'node' || isModule || isTypeScript;
}

/** The names of runners as their own documents write them. */
export const TITLES: Readonly<Record<Runner, string>> = {
  vitest: 'Vitest',
  jest: 'Jest',
  bun: "Bun's test runner",
  node: 'node:test',
};
