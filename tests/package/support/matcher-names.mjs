// The names of matchers, as the JSON Schema of expectation files lists them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { consumer } from './consumer.mjs';

/** The JSON Schema of expectation files. */
export const SCHEMA = JSON.parse(
  readFileSync(join(consumer, 'node_modules/toolgauge/schemas/expectations.schema.json'), 'utf8'),
);

/** The members of the object that says how an argument is compared. */
const MEMBERS = Object.keys(SCHEMA.$defs.matcherObject.properties);

/** The matchers without a value by their names, and those with a value as `{name}`. */
const ALL = [...SCHEMA.$defs.matcherName.enum, ...MEMBERS.map(name => `{${name}}`)];

/** The matchers that none of `shown` is: each a name, or an object. */
export function matchersMissingIn(shown) {
  const found = new Set(
    shown.flatMap(matcher =>
      typeof matcher === 'string' ? [matcher] : Object.keys(matcher ?? {}).map(name => `{${name}}`),
    ),
  );
  return ALL.filter(name => !found.has(name));
}
