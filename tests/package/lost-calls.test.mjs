import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { fromConsumer, TESTS } from './support/consumer.mjs';
import { callsIn } from './support/raw-calls.mjs';

const { checkTrajectories, importTrajectories } = await fromConsumer('toolgauge');

const FIXTURES = join(TESTS, '../fixtures/formats');

const files = readdirSync(FIXTURES, { recursive: true }).filter(name => /\.jsonl?$/.test(name));

/** Files in which an id is not that of the call: that of a span, of an expected call, of a call in a demonstration. */
const NAMED = new Set(['langfuse/trace.json', 'langsmith/example.json', 'swe-agent/basic.json']);

/** The ids and the names of the calls that `document` is imported with, made and expected. */
function importedOf(document) {
  const { value } = importTrajectories(document);
  const made = value.flatMap(({ turns }) => turns.flatMap(({ tool_calls: calls = [] }) => calls));
  const expected = value.flatMap(({ expected_calls: calls = [] }) => calls);
  return {
    ids: new Set(made.map(({ id }) => id)),
    names: new Set([...made.map(({ name }) => name), ...expected.map(({ tool }) => tool)]),
  };
}

/** The JSON values of a file: one, or one on each line. */
function valuesOf(text) {
  try {
    return [JSON.parse(text)];
  } catch {
    return text.split('\n').filter(Boolean).map(JSON.parse);
  }
}

suite('nothing is lost in silence', () => {
  test('each fixture is imported with all calls that an independent count finds', () => {
    let found = 0;
    for (const file of files) {
      const text = readFileSync(join(FIXTURES, file), 'utf8');
      const { ids, names } = importedOf(text);
      for (const { id, name, path } of callsIn(valuesOf(text))) {
        found += 1;
        const isImported = id === undefined || NAMED.has(file) ? names.has(name) : ids.has(id);
        assert.ok(isImported, `${file}: ${name} (${id}) at ${path} is not imported`);
      }
    }
    assert.ok(found > 90, `only ${found} calls were found`);
  });

  test('a call that a reader leaves out is a warning with its place, and in the totals', () => {
    const log = {
      messages: [
        { role: 'user', content: 'Book it.' },
        { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'find', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'a', content: 'free' },
        { role: 'assistant', content: 'Booked.', steps: [{ functionCall: { name: 'book', args: { seat: 4 } } }] },
      ],
    };
    const { warnings, summary } = checkTrajectories(log);
    const lost = '1 call in the document was not imported: book at messages[3].steps[0].functionCall';
    assert.deepEqual(
      warnings.filter(({ message }) => message.includes('not imported')),
      [{ path: '', message: lost }],
    );
    const { documents, calls, results, texts } = summary;
    assert.deepEqual({ documents, calls, results, texts }, { documents: 1, calls: 1, results: 1, texts: 2 });
  });
});
