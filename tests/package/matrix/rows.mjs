// All rows of docs/runtimes.md, in its order.
import { BROWSERS } from './browsers.mjs';
import { BUNDLED } from './bundlers.mjs';
import { FRAMEWORKS } from './next.mjs';
import { RUNNERS } from './runners.mjs';
import { RUNTIMES } from './runtimes.mjs';

/**
 * A row: where the package runs, and how that is tried.
 *
 * @typedef {object} Row
 * @property {string} id As `cargo xtask matrix <id>` takes it.
 * @property {string} name What the table calls it.
 * @property {string} needs What its user has to set up, in Markdown.
 * @property {boolean} [isHeavy] Whether only `cargo xtask matrix` runs it, and not CI.
 * @property {string} [runBy] What the table says about who runs it. Default: CI, or by hand if it is heavy.
 * @property {boolean} [isOfMachine] Whether the machine decides about the version, so that CI has another one.
 * @property {() => string | Promise<string>} version The version that is run.
 * @property {(t: { after(clean: () => unknown): void }) => Promise<void>} run Runs the probe there. Throws if anything is
 *   not as it should be.
 */

/** The tables of the page, by their headings. */
export const TABLES = {
  Runtimes: RUNTIMES,
  Browsers: BROWSERS,
  Bundlers: BUNDLED,
  Frameworks: FRAMEWORKS,
  'Test runners': RUNNERS,
};

export const ROWS = Object.values(TABLES).flat();
