// The small program that every row of docs/runtimes.md runs, and what it prints.

const IMPORTS = {
  toolgauge: ['checkTrajectories', 'compileTools', 'ToolgaugeError'],
  'toolgauge/dispatch': ['createDispatcher'],
  'toolgauge/matchers': ['matchers'],
};

/**
 * Compiles tools at the top level, where nothing may be awaited, checks a trajectory with a wrong call and a reply that
 * no result supports from each kind of input, runs a call, and asks a matcher.
 */
const BODY = `
const compiled = compileTools([
  { name: 'find', parameters: { type: 'object', properties: { day: { type: 'string', format: 'date' } } } },
]);
const rollout = {
  messages: [
    { role: 'user', content: 'When does HAT271 leave?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"day":"tomorrow"}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: '{"flight":"HAT271","leaves":"17:05"}' },
    { role: 'assistant', content: 'HAT271 leaves at 18:05.' },
  ],
};
const text = JSON.stringify([rollout]);
const early = checkTrajectories(text, compiled);

function verdict() {
  const reports = [text, new TextEncoder().encode(text), [rollout]].map(input => checkTrajectories(input, compiled));
  if (new Set([early, ...reports].map(report => JSON.stringify(report))).size > 1) return 'the inputs differ';
  try {
    checkTrajectories('[{', compiled);
    return 'nothing was thrown';
  } catch (error) {
    if (!(error instanceof ToolgaugeError && error.code === 'invalid_json')) return 'something else was thrown';
  }
  return Object.keys(early.summary.issuesByType).join();
}

async function probe() {
  const dispatcher = createDispatcher({ handlers: { find: ({ day }) => day } });
  const [{ output }] = await dispatcher.evalToolCalls([{ id: 'a', name: 'find', arguments: { day: 'May 1' } }]);
  const { pass } = matchers.toHaveCalledTool.call({}, rollout.messages, 'find');
  return [verdict(), output, pass].join(' ');
}
`;

/** What the program prints, or shows. */
export const PRINTED = 'hallucinated_result,schema_violation May 1 true';

const imported = Object.entries(IMPORTS).map(([from, names]) => `import { ${names.join(', ')} } from '${from}';`);
const required = Object.entries(IMPORTS).map(([from, names]) => `const { ${names.join(', ')} } = require('${from}');`);

/** The function `probe`, in an ES module. */
export const PROBE = imported.join('\n') + BODY;

/** The same in a CommonJS module. */
export const PROBE_IN_COMMONJS = required.join('\n') + BODY;

/** A program that prints what it finds, as an ES module. */
export const PRINTS = `${PROBE}console.log(await probe());\n`;

/** The same as a CommonJS module. */
export const PRINTS_IN_COMMONJS = `${PROBE_IN_COMMONJS}probe().then(console.log);\n`;

/** A script that shows it in the `output` of a page. */
export const SHOWS = `${PROBE}
probe().then(
  found => { document.querySelector('output').textContent = found; },
  error => { document.querySelector('output').textContent = error.stack; },
);
`;
