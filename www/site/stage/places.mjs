import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/** The folder that everything is built in. It lies here so that its pages find the packages of the site. */
export const TARGET = resolve(ROOT, 'www/site/build');

/** The Markdown that VitePress reads: the documents of the repository, and the pages that are generated. */
export const PAGES = resolve(TARGET, 'pages');

/** The finished site. */
export const DIST = resolve(TARGET, 'dist');

/** The Rust reference that `cargo doc` wrote. */
export const RUSTDOC = resolve(process.env.TOOLGAUGE_RUSTDOC ?? resolve(ROOT, 'target/doc'));

/** The built inspector. */
export const INSPECTOR = resolve(ROOT, 'www/dist');

/** Where the site has the inspector and the Rust reference, neither of which VitePress renders. */
export const IN_SITE = { inspector: 'inspector', rust: 'reference/rust' };
