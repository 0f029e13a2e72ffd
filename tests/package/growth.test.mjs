// The work of every public function grows with its input, and not with the square of it. Work is counted, not timed.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { encode, GROWING, times } from './support/scenes.mjs';
import { measureWork } from './support/script-work.mjs';

const { aiSdk, conversations, dispatch, dispatchNode, EXCEPTIONS, matchers, OF_SCENES, OTHERS, toolgauge } =
  await import('./support/public-functions.mjs');

/** How many times as long the longer input is. */
const SCALE = 10;

/** How many times as much work it may be. */
const MOST = 11;

/** Less work than this for the longer input says nothing about growth. */
const LEAST = 300;

const { lists } = GROWING;

/** Rows whose work grows a little faster by nature, and why. A row that does not is to be removed here. */
const FASTER = {
  'mergeSummaries: tools of a summary': 'the totals are sorted by the names of tools',
};

const PAIRS = 'each call may be paired with each other one';

/**
 * Rows whose work grows with the product of two lengths by nature, and why. They draw on `limits.maxComparisonSteps`, or
 * stop looking after a number of suggestions.
 */
const BOUNDED = {
  'scoreToolCalls: expected × made, none alike': PAIRS,
  'scoreToolCalls: expected × made, none alike, in sequence': PAIRS,
  'scoreToolCalls: expected × made, none alike, in strict order': PAIRS,
  'scoreToolCalls: optional × made': PAIRS,
  'scoreToolCalls: alternatives × made': PAIRS,
  'scoreToolCalls: expected × made, by a matcher': PAIRS,
  'scoreToolCalls: keys × patterns in paths': 'each key is compared with each pattern',
  'scoreToolCalls: similar texts': 'each character of one may belong to each of the other',
  'measureCorrectness: expected × called, none alike': PAIRS,
  'measureCorrectness: expected × called, none alike, in order': PAIRS,
  'validateTrajectory: unknown tools × tools': 'each unknown name is compared with all known ones',
};

/** One row for each function and each thing that grows. */
const ROWS = [
  ...Object.entries(OF_SCENES).flatMap(([name, [growing, run]]) =>
    Object.entries(growing).map(([what, { short, make }]) => ({ name: `${name}: ${what}`, short, make, run })),
  ),
  ...Object.entries(OTHERS).map(([name, row]) => ({ name, ...row })),
];

/** Scenes that several functions get. */
const scenes = new Map();

/** The package keeps tools that it compiled: scenes that are about tools are made anew for each function. */
function sceneOf(make, count) {
  if (!SHARED.has(make)) return make(count);
  const key = `${[...SHARED].indexOf(make)} ${count}`;
  if (!scenes.has(key)) scenes.set(key, make(count));
  return scenes.get(key);
}

const SHARED = new Set(Object.values({ ...conversations, ...lists }).map(({ make }) => make));

/** How much more of each kind of work the input of `SCALE` times the length takes; 1 where it takes next to none. */
async function growth({ short, make, run }) {
  const [few, many] = [short, short * SCALE].map(count => sceneOf(make, count));
  const less = await measureWork(() => run(few));
  const more = await measureWork(() => run(many));
  return Math.max(...Object.keys(more).map(kind => (more[kind] < LEAST ? 1 : more[kind] / less[kind])));
}

/** Lists that are compared pair by pair, and what is bounded by a budget of the core: both sides grow. */
const PAIRED = {
  'scoreToolCalls: expected × made, none alike': {
    run: score(n => ({ expected: distinct(n, 0), actual: distinct(n, n) })),
  },
  'scoreToolCalls: expected × made, none alike, in sequence': {
    run: score(n => ({ expected: distinct(n, 0), actual: distinct(n, n), order: 'sequence' })),
  },
  'scoreToolCalls: expected × made, none alike, in strict order': {
    run: score(n => ({ expected: distinct(n, 0), actual: distinct(n, n), order: 'strict' })),
  },
  'scoreToolCalls: optional × made': {
    run: score(n => ({ expected: distinct(n, 0).map(call => ({ ...call, optional: true })), actual: distinct(n, n) })),
  },
  'scoreToolCalls: one call, as often as wanted': {
    run: score(n => ({
      expected: [{ tool: 'f', matchers: 'ignore', optional: true, times: {} }],
      actual: distinct(n, 0),
    })),
  },
  'scoreToolCalls: alternatives × made': {
    run: score(n => ({ expected: [{ anyOf: distinct(n, 0) }], actual: distinct(n, n) })),
  },
  'scoreToolCalls: forbidden × made': {
    run: score(n => ({ expected: [], actual: distinct(n, n), forbidden: distinct(n, 0) })),
  },
  'scoreToolCalls: expected × made, by a matcher': {
    run: score(n => ({
      expected: distinct(n, 0),
      actual: distinct(n, 0).toReversed(),
      matchers: { f: { n: 'caseInsensitive' } },
    })),
  },
  'scoreToolCalls: matchers of one call': {
    run: score(n => {
      const args = record(n, at => `text ${at}`);
      return {
        expected: [{ tool: 'f', args }],
        actual: [{ tool: 'f', args }],
        matchers: { f: record(n, () => 'caseInsensitive') },
      };
    }),
  },
  'scoreToolCalls: keys × patterns in paths': {
    run: score(n => {
      const args = record(n, at => at);
      const matchers = Object.fromEntries(times(n, at => [`*p${1000 + at}*`, 'coerce']));
      return { expected: [{ tool: 'f', args }], actual: [{ tool: 'f', args }], matchers: { f: matchers } };
    }),
  },
  'scoreToolCalls: similar texts': {
    run: score(n => ({
      expected: [{ tool: 'f', args: { text: 'ab'.repeat(n) } }],
      actual: [{ tool: 'f', args: { text: 'ba'.repeat(n) } }],
      matchers: { f: { text: { similar: 0.9 } } },
    })),
  },
  'scoreToolCalls: normalized and coerced texts': {
    run: score(n => {
      const args = { list: times(n, at => `Text, ${at}`), numbers: times(n, at => at) };
      const made = { list: times(n, at => `text ${at}`), numbers: times(n, at => `${at}`) };
      const matchers = { f: { list: 'normalized', numbers: 'coerce' } };
      return { expected: [{ tool: 'f', args }], actual: [{ tool: 'f', args: made }], matchers };
    }),
  },
  'scoreToolCalls: tools with matchers': {
    run: score(n => {
      const calls = times(n, at => ({ tool: `f${at}`, args: { text: 'A text' } }));
      const matchers = Object.fromEntries(calls.map(({ tool }) => [tool, { text: 'caseInsensitive' }]));
      return { expected: calls, actual: calls, matchers };
    }),
  },
  'scoreToolCalls: items of an unordered list': {
    run: score(n => unordered(n, at => at)),
  },
  'scoreToolCalls: objects of an unordered list': {
    run: score(n => unordered(n, at => ({ id: at, name: `name ${at}` }))),
  },
  'scoreToolCalls: unordered lists in an unordered list': {
    run: score(n => {
      const side = Math.ceil(Math.sqrt(n));
      const given = unordered(side, at => ({ inner: times(side, inner => ({ id: at * side + inner })) }));
      return { ...given, matchers: { f: { list: 'unordered', 'list[*].inner': 'unordered' } } };
    }),
  },
  'measureCorrectness: expected × called, none alike': { run: correctness({}) },
  'measureCorrectness: expected × called, none alike, in order': { run: correctness({ shouldConsiderOrdering: true }) },
  'measureCorrectness: expected × called, none alike, exactly': { run: correctness({ shouldExactMatch: true }) },
  'validateTrajectory: unknown tools × tools': {
    run: n => {
      const turns = [
        {
          turn_id: 1,
          role: 'agent',
          content: '',
          tool_calls: times(n, at => ({ name: `got_${1000 + at}`, arguments: {} })),
        },
      ];
      const tools = Object.fromEntries(times(n, at => [`get_${1000 + at}`, { name: `get_${1000 + at}` }]));
      const given = [encode({ turns }), encode(tools)];
      return () => toolgauge.validateTrajectory(...given);
    },
  },
};

function distinct(count, from) {
  return times(count, at => ({ tool: 'f', args: { n: `N${100_000 + from + at}` } }));
}

function record(count, value) {
  return Object.fromEntries(times(count, at => [`p${1000 + at}`, value(at)]));
}

/** A list of so many items, to be compared with its reverse. */
function unordered(count, item) {
  const list = times(count, item);
  return {
    expected: [{ tool: 'f', args: { list } }],
    actual: [{ tool: 'f', args: { list: list.toReversed() } }],
    matchers: { f: { list: 'unordered' } },
  };
}

function score(make) {
  return (count, limits) => {
    const { expected, actual, ...options } = make(count);
    const given = { expected: encode(expected), actual: encode(actual), ...options, limits };
    return () => toolgauge.scoreToolCalls(given);
  };
}

function correctness(options) {
  return (count, limits) => {
    const called = from =>
      distinct(count, from).map(({ tool: name, args: inputParameters }) => ({ name, inputParameters }));
    const testCase = encode({ toolsCalled: called(0), expectedTools: called(count) });
    return () => toolgauge.measureCorrectness(testCase, { ...options, evaluationParams: ['input_parameters'], limits });
  };
}

/** One row for each of them. */
const PAIRED_ROWS = Object.entries(PAIRED).map(([name, { run }]) => ({
  name,
  short: 100,
  make: run,
  run: work => work(),
}));

function assertAllGrow(rows, exceptions) {
  for (const row of rows) {
    const reason = exceptions[row.name];
    test(reason === undefined ? row.name : `${row.name} grows faster: ${reason}`, async () => {
      const times = await growth(row);
      const message = `${SCALE} times the input is ${times.toFixed(1)} times the work`;
      if (reason === undefined) assert.ok(times <= MOST, message);
      else assert.ok(times > MOST, `${message}: it is no longer an exception`);
    });
  }
  for (const name of Object.keys(exceptions))
    assert.ok(
      rows.some(row => row.name === name),
      `${name} is no row`,
    );
}

test('every exported function has a row, or a reason why it has none', () => {
  const rows = new Set([...ROWS, ...PAIRED_ROWS].map(({ name }) => name.split(':')[0]));
  const withoutLists = entry => Object.keys(entry).filter(name => !Array.isArray(entry[name]));
  const exported = [...[toolgauge, dispatch, dispatchNode, aiSdk].flatMap(withoutLists), 'matchers'];
  assert.deepEqual(
    exported.filter(name => !rows.has(name) && !(name in EXCEPTIONS)),
    [],
  );
  assert.deepEqual(
    Object.keys(EXCEPTIONS).filter(name => rows.has(name) || !exported.includes(name)),
    [],
  );
  const matched = [...ROWS].filter(({ name }) => name.startsWith('matchers: ')).map(({ name }) => name.split(': ')[1]);
  assert.deepEqual(
    Object.keys(matchers).filter(name => !matched.includes(name)),
    [],
  );
});

suite(`${SCALE} times the input is at most ${MOST} times the work`, () => assertAllGrow(ROWS, FASTER));

suite('what is compared pair by pair grows no faster than the pairs', () => assertAllGrow(PAIRED_ROWS, BOUNDED));

/** Runs to the end, or to the limit on steps. */
function endsAtLimit(run) {
  try {
    run();
  } catch ({ code, message }) {
    assert.equal(code, 'limit_exceeded');
    assert.match(message, /maxComparisonSteps/);
  }
}

suite('what is compared pair by pair ends when its steps are used up', () => {
  const limits = { maxComparisonSteps: 100_000 };
  for (const name of Object.keys(BOUNDED).filter(name => PAIRED[name].run.length > 1)) {
    test(name, async () => {
      const run = PAIRED[name].run(3_000, limits);
      const work = await measureWork(() => endsAtLimit(run));
      // Reading and sorting the lists takes steps, too.
      assert.ok(work.module < 100 * limits.maxComparisonSteps, `${work.module} for ${limits.maxComparisonSteps} steps`);
    });
  }
});
