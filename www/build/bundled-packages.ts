import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, relative, sep } from 'node:path';
import type { Plugin } from 'vite';

/** Matches the folder of a package in the path of one of its files. */
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** Code that the bundler itself adds: the chunk loader of vite is `\0vite/preload-helper.js`. */
const HELPER = /^\0(vite|rolldown)\//;

/**
 * Lists the npm packages whose code is in the bundles, by their folders in `root`, as package-lock.json names them.
 * Use the same plugin for the page and for its worker: each run adds to the list in `file`.
 */
export function bundledPackages(root: string, file: string | undefined): Plugin {
  const packages = new Set<string>();
  return {
    name: 'toolgauge:bundled-packages',
    async generateBundle(_, bundle) {
      if (file === undefined) return;
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        for (const [id, { renderedLength }] of Object.entries(chunk.modules)) {
          const folder = folderOf(root, id);
          if (folder !== undefined && renderedLength > 0) packages.add(folder);
        }
      }
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, JSON.stringify([...packages].sort()));
    },
  };
}

function folderOf(root: string, id: string): string | undefined {
  const [, helper] = HELPER.exec(id) ?? [];
  if (helper !== undefined) return `node_modules/${helper}`;
  const [folder] = PACKAGE.exec(relative(root, id).split(sep).join('/')) ?? [];
  return folder;
}
