import type { Plugin } from 'vite';

/**
 * What judges in a worker, under the name `toolgauge/slim`: `whole`, the package, where the worker's file lies in
 * `folder`, anywhere else `slim`. So the same code judges with either.
 */
export function judging(slim: string, whole: string, folder: string): Plugin {
  let core = slim;
  return {
    name: 'toolgauge:judging',
    enforce: 'pre',
    buildStart({ input }) {
      core = Object.values(input).every(file => file.startsWith(folder)) ? whole : slim;
    },
    resolveId: id => (id === 'toolgauge/slim' ? core : undefined),
  };
}
