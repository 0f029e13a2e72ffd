// What reports in each syntax may hold, whatever the texts of their input are.
import assert from 'node:assert/strict';

/** What means something in one syntax or another, and what some of them cannot hold. */
export const MARKUP = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg/onload=alert(1)>',
  "' onmouseover='alert(1)",
  '</title><style>*{display:none}</style>',
  '<!-- --><b>',
  ']]>',
  '<![CDATA[x]]>',
  '&lt;b&gt; &amp; &#60;',
  '&undefined;',
  '<?xml version="1.0"?>',
  '| a | b |\n| --- | --- |',
  '`code` **bold** ~~no~~ _em_',
  '[link](javascript:alert(1)) ![image](https://example.com/x.png)',
  '@octocat #1 https://example.com www.example.com',
  '</details></summary>',
  '::error file=x::y %0A %25',
  'a\r\n::warning::b',
  '\u0000\u0008\u001b[31m\u007f\u0085',
  '\ufffe\uffff\u202e\u2028\u200b',
  '{0} {{x}} \ud800',
];

/** The elements of both published schemas: what each may hold, in which order, and its attributes. */
const JUNIT = {
  testsuites: { children: ['testsuite'], attributes: ['name'] },
  testsuite: {
    children: ['properties', 'testcase'],
    attributes: ['name', 'tests', 'failures', 'errors', 'skipped', 'time'],
  },
  properties: { children: ['property'], attributes: [] },
  property: { children: [], attributes: ['name', 'value'] },
  testcase: { children: ['failure', 'error', 'system-out'], attributes: ['classname', 'name', 'time'] },
  failure: { children: [], attributes: ['type', 'message'] },
  error: { children: [], attributes: ['type', 'message'] },
  'system-out': { children: [], attributes: [] },
};

/** Asserts that an element `{ name, attributes, children }` is one of JUnit XML, and so are those in it. */
export function assertJunit({ name, attributes, children }) {
  const allowed = JUNIT[name];
  assert.ok(allowed, name);
  assert.deepEqual(Object.keys(attributes), allowed.attributes, name);
  const order = children.map(child => allowed.children.indexOf(child.name));
  assert.ok(!order.includes(-1), `${name} holds ${children.map(child => child.name)}`);
  assert.deepEqual(order, order.toSorted(), name);
  children.forEach(assertJunit);
}

const text = { type: 'object', required: ['text'], properties: { text: { type: 'string', minLength: 1 } } };
const closed = (required, properties) => ({ type: 'object', required, properties, additionalProperties: false });
const level = { enum: ['none', 'note', 'warning', 'error'] };

/** The part of the specification's schema that reports use, with nothing else allowed. */
export const SARIF = closed(['version', 'runs'], {
  $schema: { type: 'string', pattern: '^https://' },
  version: { const: '2.1.0' },
  runs: {
    type: 'array',
    items: closed(['tool', 'results'], {
      tool: closed(['driver'], {
        driver: closed(['name'], {
          name: { type: 'string' },
          version: { type: 'string' },
          semanticVersion: { type: 'string' },
          rules: {
            type: 'array',
            uniqueItems: true,
            items: closed(['id'], {
              id: { type: 'string' },
              shortDescription: text,
              fullDescription: text,
              help: text,
              defaultConfiguration: closed([], { level }),
            }),
          },
        }),
      }),
      columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
      results: {
        type: 'array',
        items: closed(['message'], {
          ruleId: { type: 'string' },
          ruleIndex: { type: 'integer', minimum: 0 },
          level,
          message: text,
          locations: {
            type: 'array',
            uniqueItems: true,
            items: closed([], {
              physicalLocation: closed(['artifactLocation', 'region'], {
                artifactLocation: closed([], { uri: { type: 'string', pattern: '^[\\w.~/%:-]+$' } }),
                region: closed([], { startLine: { type: 'integer', minimum: 1 } }),
              }),
              logicalLocations: {
                type: 'array',
                items: closed([], {
                  name: { type: 'string' },
                  kind: { type: 'string' },
                  fullyQualifiedName: { type: 'string' },
                }),
              },
            }),
          },
          partialFingerprints: { type: 'object', additionalProperties: { type: 'string' } },
          properties: { type: 'object' },
        }),
      },
      properties: { type: 'object' },
    }),
  },
});

/** One annotation of GitHub Actions, for a file of this name. */
export const ANNOTATION = /^::(error|warning|notice) file=runs\/rollouts\.json,title=[^:,\r]*::[^\r]*$/;

/** In Markdown: markup that the reports do not write themselves, a mention, a link. */
export const FOREIGN_MARKDOWN = /<(?!\/?(details|summary|b|code)>)|(?<!pass)@|https?:|www\.|\]\(|(?<!&)#\d/;
