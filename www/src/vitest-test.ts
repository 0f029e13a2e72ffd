import { DEFAULT_OPTIONS, type Documents, type Inspection, type Options } from './checker/protocol.ts';

/**
 * A test file for Vitest that fails as long as the trajectory has the issues found in it: invalid calls, unsupported
 * facts, calls other than the expected ones.
 */
export function vitestTest({ trajectory, accuracy }: Inspection, documents: Documents, options: Options): string {
  const tools = parsed(documents.tools);
  const expected = parsed(documents.expected);
  const declarations = Object.entries({ trajectory, tools, expected }).flatMap(([name, value]) =>
    value === undefined ? [] : [`const ${name} = ${literal(value)};`],
  );
  const name = trajectory.trajectory_id ?? 'the trajectory';
  const tests = [
    testOf(`${name}: the calls are valid`, validCalls(tools !== undefined, options)),
    testOf(`${name}: the replies state what is known`, groundedReplies(options)),
    ...(accuracy === undefined ? [] : [testOf(`${name}: the expected calls are made`, scored(expected !== undefined))]),
  ];
  return [
    "import { expect, test } from 'vitest';\nimport 'toolgauge/vitest';",
    ...declarations,
    `${tests.join('\n\n')}\n`,
  ].join('\n\n');
}

function testOf(name: string, matcher: string): string {
  return `test(${JSON.stringify(name)}, () => {\n  expect(trajectory).${matcher};\n});`;
}

function validCalls(hasTools: boolean, options: Options): string {
  const { failOn, strict, allowUnknownTools, hallucinationThreshold, rules } = options;
  const chosen = changed({ failOn, strict, allowUnknownTools, hallucinationThreshold, rules });
  const given = chosen === '' ? [] : [chosen];
  return `toHaveValidToolCalls(${[hasTools || chosen !== '' ? toolsArgument(hasTools) : [], given].flat().join(', ')})`;
}

function toolsArgument(hasTools: boolean): string {
  return hasTools ? 'tools' : 'undefined';
}

function groundedReplies({ hallucinationThreshold }: Options): string {
  const { hallucinationThreshold: usual } = DEFAULT_OPTIONS;
  const chosen = hallucinationThreshold === usual ? '' : `{ threshold: ${hallucinationThreshold} }`;
  return `toHaveGroundedReplies(${chosen})`;
}

/** Without a separate list, the expected calls are those in the trajectory itself. */
function scored(hasExpected: boolean): string {
  return `toHaveToolScore(1${hasExpected ? ', expected' : ''})`;
}

/** The options that differ from their defaults, as a literal; empty if none does. */
function changed(options: Partial<Options>): string {
  const isDefault = (name: string, value: unknown) =>
    JSON.stringify(value) === JSON.stringify(DEFAULT_OPTIONS[name as keyof Options]);
  const members = Object.entries(options).filter(([name, value]) => !isDefault(name, value));
  if (members.length === 0) return '';
  return `{ ${members.map(([name, value]) => `${name}: ${written(value)}`).join(', ')} }`;
}

function written(value: Options[keyof Options] | undefined): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

/** In an object literal, `__proto__` would set the prototype instead of a member. */
function literal(value: unknown): string {
  const json = JSON.stringify(value, null, 2);
  return json.includes('"__proto__"') ? `JSON.parse(${JSON.stringify(json)})` : json;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
