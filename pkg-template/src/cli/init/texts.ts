import { FAIL_ON } from 'toolgauge';
import { isEsModule } from './commands.js';
import type { Surroundings } from './surroundings.js';

/** A file that `toolgauge init` writes. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
  /** What it is, in a few words. */
  readonly about: string;
}

/** The names of the log and the configuration file. */
export const EXAMPLE = 'toolgauge.example.json';

/** The name of the test. */
export function testName({ runner, isTypeScript, isModule }: Surroundings): string {
  // Node.js takes the syntax of a module from its name, where package.json does not say it.
  if (isTypeScript) return `toolgauge.test.${runner === 'node' && !isModule ? 'mts' : 'ts'}`;
  return 'toolgauge.test.js';
}

/** A request and its answers, as an application of OpenAI's API keeps them, with the tools. */
export function exampleLog(): string {
  const parameters = { type: 'object', properties: { order_id: { type: 'string' } }, required: ['order_id'] };
  const log = {
    tools: [
      { type: 'function', function: { name: 'get_order', description: 'One order, with its total.', parameters } },
    ],
    messages: [
      { role: 'user', content: 'How much did I pay for order A-1017?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'get_order', arguments: '{"order_id": "A-1017"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '{"order_id": "A-1017", "total": 59.8, "currency": "EUR"}' },
      { role: 'assistant', content: 'You paid 59.80 euros for order A-1017.' },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** The configuration file. `log` is the path of the log, and `schema` that of the schema of such files. */
export function configText(log: string, schema: string): string {
  return `{
  "$schema": ${JSON.stringify(schema)},

  // The definitions of your tools, if your logs do not contain them:
  // "tools": "tools.json",

  // Findings that are to be left out, each with the reason:
  // "ignore": [{ "type": "tool_misuse", "tool": "search", "reason": "the search may be repeated" }],

  "check": {
    // What "toolgauge check" reads: logs of your agent, as files, folders or globs.
    "inputs": [${JSON.stringify(log)}],

    // It fails on an issue of this severity or worse: ${FAIL_ON.join(', ')}.
    "failOn": "high"
  }
}
`;
}

const ABOUT = `// The log beside this test was written by "toolgauge init". Put a log of your agent in its place, or run the agent here:
// logs of OpenAI, Anthropic, Gemini, the AI SDK, LangChain and many others are read as they are.
`;

/** The test. */
export function testText(surroundings: Surroundings): string {
  const lines = surroundings.runner === 'node' ? assertions() : matchers();
  return `${referenceIn(surroundings)}${headOf(surroundings)}
${ABOUT}const run = readFileSync(${placeOf(surroundings)});

test('the agent looks the order up', () => {
  ${lines.called}
  ${lines.notCalled}
});

test('every call fits the definition of its tool', () => {
  ${lines.valid}
});

test('the replies state only what results and messages say', () => {
  ${lines.grounded}
});
`;
}

function matchers(): Record<'called' | 'notCalled' | 'valid' | 'grounded', string> {
  return {
    called: "expect(run).toHaveCalledTool('get_order', { order_id: 'A-1017' });",
    notCalled: "expect(run).not.toHaveCalledTool('refund_order');",
    valid: 'expect(run).toHaveValidToolCalls();',
    grounded: 'expect(run).toHaveGroundedReplies();',
  };
}

function assertions(): ReturnType<typeof matchers> {
  return {
    called: "assertCalledTool(run, 'get_order', { order_id: 'A-1017' });",
    notCalled: "assertNotCalledTool(run, 'refund_order');",
    valid: 'assertValidToolCalls(run);',
    grounded: 'assertGroundedReplies(run);',
  };
}

/** How the test finds the log. */
function placeOf(surroundings: Surroundings): string {
  return isEsModule(surroundings) ? `new URL('${EXAMPLE}', import.meta.url)` : `join(__dirname, '${EXAMPLE}')`;
}

/** What makes types known that the settings of TypeScript leave out. */
function referenceIn({ runner, isTypeScript, hidesTypes, dependencies }: Surroundings): string {
  if (!isTypeScript || !hidesTypes) return '';
  const names =
    runner === 'jest' && dependencies.has('@types/jest') ? ['jest', 'node'] : [runner === 'bun' ? 'bun' : 'node'];
  return names.map(name => `/// <reference types="${name}" />\n`).join('');
}

const ASSERTIONS = 'assertCalledTool, assertGroundedReplies, assertNotCalledTool, assertValidToolCalls';

/** What the test imports. */
function headOf(surroundings: Surroundings): string {
  const isPath = !isEsModule(surroundings);
  switch (surroundings.runner) {
    case 'vitest':
      return "import { readFileSync } from 'node:fs';\nimport 'toolgauge/vitest';\nimport { expect, test } from 'vitest';\n";
    case 'bun':
      return "import { expect, test } from 'bun:test';\nimport { readFileSync } from 'node:fs';\nimport 'toolgauge/bun';\n";
    case 'jest':
      return surroundings.isTypeScript || !isPath ? jestImports(surroundings, isPath) : JEST_REQUIRES;
    case 'node':
      return isPath ? NODE_REQUIRES : NODE_IMPORTS;
  }
}

function jestImports({ dependencies }: Surroundings, isPath: boolean): string {
  // With the types of the globals, the globals are what such a project uses.
  const globals = isPath && dependencies.has('@types/jest') ? '' : "import { expect, test } from '@jest/globals';\n";
  const path = isPath ? "import { join } from 'node:path';\n" : '';
  return `${globals}import { readFileSync } from 'node:fs';\n${path}import 'toolgauge/jest';\n`;
}

const JEST_REQUIRES = `const { readFileSync } = require('node:fs');
const { join } = require('node:path');
require('toolgauge/jest');
`;

const NODE_REQUIRES = `const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { test } = require('node:test');
const { ${ASSERTIONS} } = require('toolgauge/assert');
`;

const NODE_IMPORTS = `import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ${ASSERTIONS} } from 'toolgauge/assert';
`;
