import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const read = path => readFile(new URL(path, import.meta.url), 'utf8');

/** Dependencies of parts that the page does not use: the bundler drops them. */
const UNUSED = ['@codemirror/streamparser', 'crelt'];

test('the page comes with notices about the packages and crates in it', async () => {
  const notices = await read('../dist/THIRD-PARTY-NOTICES.txt');
  const { packages } = JSON.parse(await read('../package-lock.json'));
  const held = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
  for (const [path, { version }] of held) {
    const name = path.split('node_modules/').at(-1);
    assert.equal(notices.includes(`\n${name} ${version}\n  Licence: `), !UNUSED.includes(name), name);
  }
  for (const crate of ['jsonschema', 'serde_json', 'wasm-bindgen']) {
    assert.match(notices, new RegExp(`\n${crate} \\d+\\.\\d+\\.\\d+\n  Licence: `));
  }
});
