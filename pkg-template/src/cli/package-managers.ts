/** What installs the packages of a project. */
export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** The command of each package manager that runs a program of an installed package. */
export const EXECUTE: Readonly<Record<PackageManager, string>> = {
  npm: 'npx',
  pnpm: 'pnpm exec',
  yarn: 'yarn',
  bun: 'bunx',
};
