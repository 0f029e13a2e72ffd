import { spawnSync } from 'node:child_process';
import { dirname, posix } from 'node:path';
import { writePage } from './documents.mjs';
import { escaped } from './links.mjs';
import { IN_SITE, ROOT } from './places.mjs';

const PAGE = 'reference/rust.md';

/** Writes the page that leads to the reference of each crate, which `cargo doc` writes. */
export function writeCrates() {
  const args = ['metadata', '--no-deps', '--offline', '--format-version', '1'];
  const { status, stdout, stderr } = spawnSync('cargo', args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`cargo metadata failed: ${stderr}`);
  const crates = JSON.parse(stdout).packages.filter(({ name }) => name !== 'xtask');
  crates.sort((one, other) => one.name.localeCompare(other.name));
  const rows = crates.map(({ name, description }) => {
    const address = posix.relative(dirname(PAGE), `${IN_SITE.rust}/${name.replaceAll('-', '_')}/index.html`);
    // With a target, VitePress leaves the link to the browser, and the address as it is.
    return `| [${name}](${address}){target="_self"} | ${escaped(description ?? '')} |`;
  });
  writePage(
    PAGE,
    `# Rust reference

The core is a workspace of crates. They are not published by themselves: the package contains them as one WebAssembly
module. [Architecture](../project/architecture.md) says which crate may use which.

| Crate | What it does |
| --- | --- |
${rows.join('\n')}
`,
  );
}
