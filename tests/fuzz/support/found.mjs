// Inputs that once broke a rule. Each stays a test: `tests/fuzz/found/<name>.json`.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../found/', import.meta.url));

/**
 * The kept inputs of a target. `right` says what is right. Where `known` says that the fault is known, the input must
 * still fail, and findings of the same rule that hold all `marks` are not reported again. Other inputs must pass.
 *
 * @returns {{ name: string, target: string, rule: string, input: unknown, right: string, known?: string, marks?: string[] }[]}
 */
export function readFound(target) {
  mkdirSync(FOLDER, { recursive: true });
  const names = readdirSync(FOLDER).filter(name => name.endsWith('.json'));
  const kept = names.sort().map(name => ({ name, ...JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) }));
  return kept.filter(one => one.target === target);
}

/** Whether a finding is one of a fault that is known: the text of its message and its input holds the marks. */
export function isKnown(kept, { rule, message }, input = '') {
  const text = JSON.stringify(input) + message;
  const alike = kept.filter(one => one.known !== undefined && one.rule === rule);
  return alike.some(({ marks = [] }) => marks.length > 0 && marks.every(mark => text.includes(mark)));
}

/** Keeps a finding as a fixture. Whoever looks into it writes down what is right, and gives the file a better name. */
export function keep(finding, at) {
  mkdirSync(FOLDER, { recursive: true });
  const { target, rule, seed, number, message, input } = finding;
  const file = join(FOLDER, `${target}-${rule.replaceAll('_', '-')}-${seed}-${number}-${at}.json`);
  const text = JSON.stringify({ target, rule, seed, number, message, input, right: '' }, undefined, 2);
  writeFileSync(file, `${text}\n`);
  return file;
}
