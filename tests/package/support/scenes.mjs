// Inputs of any size, to see how work grows with one thing while all else stays as it is. Every number, name and code
// has the same length at each size, so that ten times as many make an input ten times as long.

const encoder = new TextEncoder();

/** JSON as bytes: reading it is the module's work, and so is counted. */
export const encode = value => encoder.encode(JSON.stringify(value));

export const times = (count, make) => Array.from({ length: count }, (_, at) => make(at));

const number = at => 100_000 + at;
const cents = at => `${number(at)}.${String((at * 37) % 100).padStart(2, '0')}`;

/** Texts by what they repeat; none of it is in the evidence unless a scene puts it there. */
const PARTS = {
  words: at => `the ${'abcdefghij'[at % 10]} lamp is on its way `,
  'numbers between spaces': at => `${cents(at)} `,
  'numbers without spaces': at => `${cents(at)},`,
  'addresses of people': at => `user${number(at)}@example.com,`,
  'at signs': () => 'a@',
  'web addresses': at => `https://example.com/${number(at)},`,
  ids: at => `R-${number(at)}_`,
  amounts: at => `$${cents(at)} and `,
  dates: at => `on ${2000 + (at % 25)}-05-${10 + (at % 18)} and `,
};

/** A text in which a part stands `count` times. */
const textOf = (part, count) => times(count, PARTS[part]).join('');

/** A definition as most agents have them. */
const plainTool = at => ({
  name: `get_${number(at)}`,
  description: `Gets the order ${number(at)}.`,
  parameters: {
    type: 'object',
    properties: { id: { type: 'string' }, note: {}, count: { type: 'integer' } },
    required: ['id'],
  },
});

/** A definition with bounds, which make its compilation much work. */
const boundedTool = at => {
  const { parameters, ...rest } = plainTool(at);
  const properties = { id: { type: 'string', minLength: 1 }, note: {}, count: { type: 'integer', minimum: 0 } };
  return { ...rest, parameters: { ...parameters, properties } };
};

const toolRecord = (count, tool) => Object.fromEntries(times(count, tool).map(each => [each.name, each]));

const row = at => ({ sku: `LAMP${number(at)}`, total: number(at) / 4, when: '2024-05-16' });

const call = (at, given = {}) => ({
  id: `c${number(at)}`,
  name: 'get_100000',
  arguments: { id: `R-${number(at)}`, count: number(at) },
  result: { id: `R-${number(at)}`, total: number(at) / 4, when: '2024-05-16', items: [row(at)] },
  ...given,
});

const user = (turn_id, content) => ({ turn_id, role: 'user', content });
const agent = (turn_id, content, tool_calls) => ({
  turn_id,
  role: 'agent',
  content,
  ...(tool_calls && { tool_calls }),
});

/** A question, an answer with calls: one exchange. */
function exchange({ calls = [call(0)], reply = 'R-100000 costs $25000 on May 16.' }) {
  return [user(1, 'Where is R-100000?'), agent(2, reply, calls)];
}

/** How many were made. No two have the same tools: the package keeps those that it compiled last. */
let scenes = 0;

/**
 * What the functions take, in one of everything: a trajectory, its last turn, that turn's first call, the definitions of
 * the tools, and a list of trajectories.
 */
function scene({ turns, tools = toolRecord(1, plainTool), trajectories }) {
  scenes += 1;
  Object.values(tools)[0].description = `Gets an order of scene ${number(scenes)}.`;
  const last = turns.findLast(turn => turn.role === 'agent' && turn.tool_calls !== undefined);
  const made = callsOf(turns);
  const trajectory = { trajectory_id: 't', turns };
  const many = trajectories ?? [trajectory];
  const expecting = many.map(each => ({ ...each, expected_calls: expectedOf(callsOf(each.turns)) }));
  return {
    trajectory: encode(trajectory),
    trajectories: encode(many),
    lines: many.map(each => encoder.encode(`${JSON.stringify(each)}\n`)),
    turn: encode(last),
    call: encode(last.tool_calls[0]),
    tools: encode(tools),
    tool: encode(Object.values(tools)[0]),
    expecting: encode(expecting),
    expected: encode(expectedOf(made)),
    actual: encode(expectedOf(made)),
    testCase: encode({
      input: 'Where is R-100000?',
      toolsCalled: made.map(({ name, arguments: inputParameters, result: output }) => ({
        name,
        inputParameters,
        output,
      })),
      expectedTools: made.map(({ name, arguments: inputParameters }) => ({ name, inputParameters })),
    }),
    conversation: turns.map(({ role, content, tool_calls: toolCalls }) => ({ role, content, toolCalls })),
    calls: made,
    definitions: Object.values(tools),
  };
}

/** A conversation of `count` turns: with a question every four turns or one at its start, and with invented codes or without. */
function conversation(count, { asked, invented }) {
  return times(count, at => {
    if (at === 0 || (asked && at % 4 === 0)) return user(number(at), `Where is R-${number(at)}?`);
    if (at % 4 === 1) return agent(number(at), '', [call(at)]);
    const code = invented ? `code ZZ${number(at)}Q` : 'no code';
    return agent(number(at), `R-${number(at - 1)} costs $${number(at - 1) / 4} on May 16, ${code}.`);
  });
}

const callsOf = turns => turns.flatMap(turn => turn.tool_calls ?? []);

/** Calls as they are expected. */
const expectedOf = calls => calls.map(({ name, arguments: args }) => ({ tool: name, args }));

/** Scenes in which one text grows, for each kind of text. */
const texts = (what, given) =>
  Object.keys(PARTS).map(part => [
    `${what} of ${part}`,
    { short: 500, make: count => scene({ turns: exchange(given(textOf(part, count))) }) },
  ]);

const turns = {
  turns: { short: 500, make: count => scene({ turns: conversation(count, { asked: true, invented: false }) }) },
  'turns after one question, with invented facts': {
    short: 500,
    make: count => scene({ turns: conversation(count, { asked: false, invented: true }) }),
  },
};

const calls = {
  'calls of a turn': { short: 250, make: count => scene({ turns: exchange({ calls: times(count, at => call(at)) }) }) },
  'calls of a turn, all the same': {
    short: 250,
    make: count => scene({ turns: exchange({ calls: times(count, at => call(0, { id: `c${number(at)}` })) }) }),
  },
  'calls of a turn, all reported in the reply': {
    short: 250,
    make: count => {
      const reply = times(count, at => `R-${number(at)} costs $${number(at) / 4}.`).join(' ');
      return scene({ turns: exchange({ calls: times(count, at => call(at)), reply }) });
    },
  },
  'calls of a turn, all failed': {
    short: 250,
    make: count => {
      const failed = at => call(at, { result: { error: `no order ${number(at)}` } });
      return scene({ turns: exchange({ calls: times(count, failed) }) });
    },
  },
};

const tools = {
  tools: { short: 40, make: count => scene({ turns: exchange({}), tools: toolRecord(count, boundedTool) }) },
  'tools, and one unknown one called': {
    short: 40,
    make: count =>
      scene({ turns: exchange({ calls: [call(0, { name: 'got_100000' })] }), tools: toolRecord(count, boundedTool) }),
  },
};

const calledTools = {
  'tools, all called': {
    short: 40,
    make: count => {
      const made = times(count, at => call(at, { name: `get_${number(at)}` }));
      return scene({ turns: exchange({ calls: made }), tools: toolRecord(count, boundedTool) });
    },
  },
  'unknown tools called': {
    short: 100,
    make: count => {
      const made = times(count, at => call(at, { name: `got_${number(at)}` }));
      return scene({ turns: exchange({ calls: made }), tools: toolRecord(10, plainTool) });
    },
  },
};

const lists = {
  trajectories: {
    short: 200,
    make: count => {
      const trajectories = times(count, at => ({ trajectory_id: `t${number(at)}`, turns: exchange({}) }));
      return scene({ turns: exchange({}), trajectories });
    },
  },
};

const parts = {
  'rows of a result': {
    short: 250,
    make: count => scene({ turns: exchange({ calls: [call(0, { result: { orders: times(count, row) } })] }) }),
  },
  'rows of a result, all reported in the reply': {
    short: 250,
    make: count => {
      const reply = times(count, at => `LAMP${number(at)} costs $${number(at) / 4} on May 16.`).join(' ');
      return scene({ turns: exchange({ calls: [call(0, { result: { orders: times(count, row) } })], reply }) });
    },
  },
  'rows of an argument': {
    short: 250,
    make: count =>
      scene({ turns: exchange({ calls: [call(0, { arguments: { id: 'R-100000', note: times(count, row) } })] }) }),
  },
  ...Object.fromEntries([
    ...texts('an argument', text => ({ calls: [call(0, { arguments: { id: text } })] })),
    ...texts('a result', text => ({ calls: [call(0, { result: text })] })),
  ]),
};

const replies = Object.fromEntries(texts('a reply', reply => ({ reply })));

/** What can grow in a scene, by where it is: the size of the smaller scene, and what makes a scene of a size. */
export const GROWING = { turns, calls, tools, calledTools, lists, parts, replies };
