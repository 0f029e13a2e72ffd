import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { consumer, TESTS } from './support/consumer.mjs';

const ROOT = join(TESTS, '../..');
const PACKAGE = join(consumer, 'node_modules/toolgauge');

/** Of these the page in the package has no code: it unpacks no module, and uses nothing that needs the others. */
const NOT_IN_PACKAGE = ['lzma1', '@codemirror/streamparser', 'crelt'];

const sbomText = readFileSync(join(PACKAGE, 'sbom.cdx.json'), 'utf8');
const sbom = JSON.parse(sbomText);
const notices = readFileSync(join(PACKAGE, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));

/** The checksums of all crates that are locked, by their package URLs. */
const lockedCrates = new Map(
  readFileSync(join(ROOT, 'Cargo.lock'), 'utf8')
    .split('[[package]]')
    .map(block => Object.fromEntries([...block.matchAll(/^(\w+) = "(.*)"$/gm)].map(([, key, value]) => [key, value])))
    .filter(({ checksum }) => checksum !== undefined)
    .map(({ name, version, checksum }) => [`pkg:cargo/${name}@${version}`, `SHA-256 ${checksum}`]),
);

/** The packages that are locked in a folder. */
const lockOf = folder =>
  Object.entries(JSON.parse(readFileSync(join(ROOT, folder, 'package-lock.json'), 'utf8')).packages)
    .filter(([path]) => path !== '')
    .map(([path, locked]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      ...locked,
    }));

const pageLock = lockOf('www');

/** The checksums of all npm packages that the page and the command line are built with, by their package URLs. */
const lockedPackages = new Map(
  [...lockOf('pkg-template'), ...pageLock].map(({ name, version, integrity }) => [
    npmPurl(name, version),
    `SHA-512 ${Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')}`,
  ]),
);

function npmPurl(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

const componentsOf = type => sbom.components.filter(({ purl }) => purl.startsWith(`pkg:${type}/`));
const fullName = ({ group, name }) => (group === undefined ? name : `${group}/${name}`);

/** What the notices say about each component, from its heading on. */
function described(component) {
  const [, text] = notices.split(`\n\n${fullName(component)} ${component.version}\n`);
  assert.ok(text !== undefined, `${component.purl} is missing`);
  return text.split('\n\n')[0];
}

const licenceTexts = notices
  .split('\n\n== Licence texts ==\n')[1]
  .split(/^-- Text \d+ --$/m)
  .slice(1);

/** The numbers of the licence texts to which a description refers. */
function textNumbers(text) {
  const [, numbers] = /Texts: (.+)/.exec(text);
  return numbers.split(', ').map(Number);
}

suite('the bill of materials', () => {
  test('is valid CycloneDX', async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    assert.equal(await validator.validate(sbomText), null);
    assert.notEqual(await validator.validate(sbomText.replace('"bom-ref"', '"bomRef"')), null);
  });

  test('is about the package', () => {
    const { name, version, licenses, purl } = sbom.metadata.component;
    assert.deepEqual([name, version, licenses], ['toolgauge', manifest.version, [{ expression: manifest.license }]]);
    assert.equal(purl, npmPurl('toolgauge', manifest.version));
  });

  test('says nothing that depends on when it was made', () => {
    assert.equal(sbom.serialNumber, undefined);
    assert.equal(sbom.metadata.timestamp, undefined);
  });

  test('has crates and packages as the lock files have them', () => {
    const crates = componentsOf('cargo');
    const packages = componentsOf('npm');
    assert.ok(crates.length > 50 && packages.length > 5, 'both kinds are there');
    for (const [components, locked] of [
      [crates, lockedCrates],
      [packages, lockedPackages],
    ]) {
      for (const { purl, hashes } of components) {
        const checksums = hashes.map(({ alg, content }) => `${alg} ${content}`);
        assert.deepEqual(checksums, [locked.get(purl)], purl);
      }
    }
  });

  test('has all else as parts of the compiler alone', () => {
    const others = sbom.components.filter(({ purl }) => !/^pkg:(cargo|npm)\//.test(purl));
    assert.deepEqual(
      others.map(({ name }) => name),
      ['rust-std'],
    );
  });

  test('has the crates that the core names, and not what only tests and builds need', () => {
    const names = componentsOf('cargo').map(({ name }) => name);
    for (const name of ['jsonschema', 'serde', 'serde_json', 'talc', 'wasm-bindgen'])
      assert.ok(names.includes(name), name);
    for (const name of ['clap', 'proptest', 'serde_derive', 'ts-rs', 'xshell']) assert.ok(!names.includes(name), name);
  });

  test('has every package that the inspector is made of', () => {
    const needed = pageLock.filter(({ dev, name }) => !dev && !NOT_IN_PACKAGE.includes(name));
    const listed = componentsOf('npm').map(({ purl }) => purl);
    for (const { name, version } of needed) assert.ok(listed.includes(npmPurl(name, version)), name);
  });

  test('has no dependency that is no component', () => {
    const known = new Set([sbom.metadata.component, ...sbom.components].map(component => component['bom-ref']));
    const reached = new Set([sbom.metadata.component['bom-ref']]);
    for (const { ref, dependsOn } of sbom.dependencies) {
      assert.ok(known.has(ref), ref);
      for (const needed of dependsOn) {
        assert.ok(known.has(needed), `${needed}, which ${ref} needs`);
        reached.add(needed);
      }
    }
    assert.deepEqual(
      [...known].filter(ref => !reached.has(ref)),
      [],
      'all are needed',
    );
  });
});

suite('the third-party notices', () => {
  test('describe every component with its licence and whose it is', () => {
    for (const component of sbom.components) {
      const text = described(component);
      assert.ok(text.includes(`Licence: ${component.licenses[0].expression}`), component.purl);
      assert.match(text, /Authors: \S|Copyright|©/, component.purl);
    }
  });

  test('leave holders out only where no licence text names one', () => {
    const unnamed = sbom.components.map(described).filter(text => text.includes('Authors: not named'));
    for (const text of unnamed) {
      for (const number of textNumbers(text)) {
        assert.doesNotMatch(licenceTexts[number - 1], /^\W*Copyright (\(c\)|©|\d)/im, text);
      }
    }
    assert.ok(unnamed.length < sbom.components.length / 10, 'most have one');
  });

  test('have every text that they refer to, each once', () => {
    const texts = notices
      .split('\n\n== Licence texts ==\n')[1]
      .split(/^-- Text \d+ --$/m)
      .slice(1);
    assert.ok(texts.every(text => text.trim() !== ''));
    assert.equal(new Set(texts.map(text => text.replace(/\s+/g, ' '))).size, texts.length);
    const used = new Set(sbom.components.flatMap(component => textNumbers(described(component))));
    assert.deepEqual(
      [...used].sort((a, b) => a - b),
      texts.map((_, at) => at + 1),
    );
  });

  test('name no folder of the machine that made them', () => {
    assert.doesNotMatch(notices + sbomText, /\/(home|root|tmp|Users)\//);
  });
});
