import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { assertFails } from './support/assertions.mjs';
import { fromConsumer } from './support/consumer.mjs';

const {
  checkTrajectories,
  compileTools,
  detectFormat,
  importTools,
  importTrajectories,
  importTrajectory,
  scoreToolCalls,
  scoreTrajectories,
  validateTrajectory,
} = await fromConsumer('toolgauge');

const user = content => ({ role: 'user', content });
const chatCall = (id, name, args) => ({ id, type: 'function', function: { name, arguments: args } });
const assistant = (...calls) => ({ role: 'assistant', content: null, tool_calls: calls });
const toolResult = (id, content) => ({ role: 'tool', tool_call_id: id, content });

const turnsOf = input => importTrajectory(input).value.turns;
const callsOf = input => turnsOf(input).flatMap(turn => turn.tool_calls ?? []);

suite('OpenAI chat messages', () => {
  test('messages become turns, and each result goes to its call', () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      user('Weather in Oslo and Rome?'),
      assistant(chatCall('a', 'weather', '{"city":"Oslo"}'), chatCall('b', 'weather', '{"city":"Rome"}')),
      toolResult('b', '{"celsius":31}'),
      toolResult('a', 'cold'),
      { role: 'assistant', content: 'Cold and 31 °C.' },
    ];
    assert.deepEqual(importTrajectory(messages), {
      value: {
        turns: [
          { turn_id: 1, role: 'system', content: 'Be brief.' },
          { turn_id: 2, role: 'user', content: 'Weather in Oslo and Rome?' },
          {
            turn_id: 3,
            role: 'agent',
            content: '',
            tool_calls: [
              { id: 'a', name: 'weather', arguments: { city: 'Oslo' }, result: 'cold' },
              { id: 'b', name: 'weather', arguments: { city: 'Rome' }, result: { celsius: 31 } },
            ],
          },
          { turn_id: 4, role: 'agent', content: 'Cold and 31 °C.' },
        ],
      },
      format: 'openai-chat',
      warnings: [],
    });
  });

  test('an id that every round uses again belongs to the call of its round', () => {
    const round = n => [assistant(chatCall('call_0', 'f', `{"n":${n}}`)), toolResult('call_0', `result ${n}`)];
    assert.deepEqual(
      callsOf([...round(1), ...round(2)]).map(call => [call.arguments.n, call.result]),
      [
        [1, 'result 1'],
        [2, 'result 2'],
      ],
    );
  });

  test('parallel calls that share one id get their results in order', () => {
    const calls = [chatCall('x', 'f', '{"n":1}'), chatCall('x', 'f', '{"n":2}')];
    const messages = [assistant(...calls), toolResult('x', 'first'), toolResult('x', 'second')];
    assert.deepEqual(
      callsOf(messages).map(call => call.result),
      ['first', 'second'],
    );
  });

  test('a result that answers no call becomes a warning with its place', () => {
    const { value, warnings } = importTrajectory([user('hi'), toolResult('ghost', 'boo')]);
    assert.equal(value.turns.length, 1);
    assert.equal(warnings.length, 1);
    assert.equal(warnings[0].path, '[1]');
    assert.match(warnings[0].message, /"ghost"/);
  });

  test('a second result for an answered call becomes a warning and does not replace the first', () => {
    const messages = [assistant(chatCall('a', 'f', '{}')), toolResult('a', 'first'), toolResult('a', 'second')];
    const { value, warnings } = importTrajectory(messages);
    assert.equal(value.turns[0].tool_calls[0].result, 'first');
    assert.equal(warnings[0].path, '[2]');
  });

  test('the older function_call and its function message are a call and its result', () => {
    const messages = [
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"a":1}' } },
      { role: 'function', name: 'f', content: '{"ok":true}' },
    ];
    assert.deepEqual(callsOf(messages), [{ name: 'f', arguments: { a: 1 }, result: { ok: true } }]);
  });

  test('the text parts of a content list are its text, a line each', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } };
    const parts = [{ type: 'text', text: 'What is' }, image, { type: 'text', text: 'this?' }];
    assert.equal(turnsOf([{ role: 'user', content: parts }])[0].content, 'What is\nthis?');
  });

  test('a refusal is the content of its turn', () => {
    const messages = [user('x'), { role: 'assistant', content: null, refusal: 'I will not.' }];
    assert.equal(turnsOf(messages)[1].content, 'I will not.');
  });

  test('arguments that are not JSON are kept as text, warned about, and an issue of the call', () => {
    const messages = [assistant(chatCall('a', 'f', '{"city": "Os')), toolResult('a', 'ok')];
    const { value, warnings } = importTrajectory(messages);
    assert.deepEqual(value.turns[0].tool_calls[0], { id: 'a', name: 'f', rawArguments: '{"city": "Os', result: 'ok' });
    assert.equal(warnings[0].path, '[0].tool_calls[0].function.arguments');
    const [{ issues }] = validateTrajectory(messages);
    assert.deepEqual(
      issues.map(({ type, severity }) => [type, severity]),
      [['type_mismatch', 'high']],
    );
    assert.match(issues[0].description, /not JSON.*Os/);
  });

  test('two JSON objects that streaming glued together are arguments that are not JSON', () => {
    const [call] = callsOf([assistant(chatCall('a', 'f', '{"a":1}{"a":1}'))]);
    assert.equal(call.rawArguments, '{"a":1}{"a":1}');
    assert.ok(!('arguments' in call));
  });

  test('empty argument text means no arguments', () => {
    assert.deepEqual(callsOf([assistant(chatCall('a', 'f', ''))])[0].arguments, {});
  });

  test('arguments that are JSON but no object are kept as what they are', () => {
    const values = ['null', '"text"', '[1]'].map(text => callsOf([assistant(chatCall('a', 'f', text))])[0].arguments);
    assert.deepEqual(values, [null, 'text', [1]]);
  });

  test('arguments that are already an object are taken as they are', () => {
    assert.deepEqual(callsOf([assistant(chatCall('a', 'f', { n: 1 }))])[0].arguments, { n: 1 });
  });

  test('a whole request brings its tools and keeps its other fields', () => {
    const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }];
    const request = { model: 'm-1', temperature: 0, messages: [user('hi')], tools };
    const { value, format } = importTrajectory(request);
    assert.equal(format, 'openai-chat');
    assert.deepEqual(value.tools, tools);
    assert.deepEqual([value.model, value.temperature], ['m-1', 0]);
  });

  test('a response is the conversation of its first choice', () => {
    const message = { role: 'assistant', content: null, tool_calls: [chatCall('a', 'f', '{}')] };
    const response = { id: 'chatcmpl-1', object: 'chat.completion', choices: [{ index: 0, message }] };
    const { value, warnings } = importTrajectory(response);
    assert.equal(value.trajectory_id, 'chatcmpl-1');
    assert.deepEqual(value.turns[0].tool_calls, [{ id: 'a', name: 'f', arguments: {} }]);
    assert.deepEqual(warnings, []);
    const twice = importTrajectory({ ...response, choices: [...response.choices, ...response.choices] });
    assert.equal(twice.warnings[0].path, 'choices');
  });

  test('a message of an unknown role is an error with its place', () => {
    assertFails(() => importTrajectory([user('hi'), { role: 'robot', content: 'x' }]), {
      code: 'invalid_input',
      path: '[1].role',
      says: /"robot"/,
    });
  });
});

suite('tau-bench rollouts', () => {
  const rollout = {
    task_id: 7,
    reward: 0.5,
    trial: 0,
    info: { task: { instruction: 'Book it', actions: [{ name: 'book', kwargs: { seat: '1A' } }, { name: 'pay' }] } },
    traj: [user('Book it'), assistant(chatCall('a', 'book', '{"seat":"1A"}')), toolResult('a', 'booked')],
  };

  test('a rollout brings its messages, its id as text and its actions as the expected calls', () => {
    const { value, format } = importTrajectory(rollout);
    assert.equal(format, 'tau-bench');
    assert.equal(value.trajectory_id, '7');
    assert.deepEqual(value.expected_calls, [
      { tool: 'book', args: { seat: '1A' } },
      { tool: 'pay', args: {} },
    ]);
    assert.deepEqual(value.turns[1].tool_calls, [
      { id: 'a', name: 'book', arguments: { seat: '1A' }, result: 'booked' },
    ]);
    assert.deepEqual([value.reward, value.info], [0.5, rollout.info]);
  });

  test('many rollouts are many trajectories, and for one trajectory too many', () => {
    assert.equal(importTrajectories([rollout, rollout]).value.length, 2);
    assertFails(() => importTrajectory([rollout, rollout]), {
      code: 'invalid_input',
      says: /one trajectory .*got 2/,
    });
  });

  test('an action without a name is an error with its place', () => {
    const broken = { ...rollout, info: { task: { actions: [{ kwargs: {} }] } } };
    assertFails(() => importTrajectory([broken]), {
      code: 'invalid_input',
      path: '[0].info.task.actions[0].name',
    });
  });
});

suite("the package's own shape", () => {
  const trajectory = {
    trajectory_id: 't1',
    turns: [
      { turn_id: 1, role: 'user', content: 'hi', timestamp: '2026-04-15T00:00:00Z', mood: 'good' },
      {
        turn_id: 2,
        role: 'agent',
        content: 'done',
        latency_ms: 12,
        tool_calls: [{ id: 'a', name: 'f', arguments: { n: 1 }, result: [1, null], cost: { usd: 0.1 } }],
      },
      { turn_id: 3, role: 'system', content: 'end' },
    ],
    tools: [{ name: 'f', parameters: {} }],
    expected_calls: [{ tool: 'f', args: { n: 1 } }],
    metadata: { run: 4 },
  };

  test('a trajectory comes back as it was, fields that are not known included', () => {
    assert.deepEqual(importTrajectory(trajectory), { value: trajectory, format: 'harness', warnings: [] });
  });

  test('what was imported can be imported again without a change', () => {
    const messages = [user('hi'), assistant(chatCall('a', 'f', '{bad')), toolResult('a', '[1]')];
    const { value } = importTrajectory(messages);
    assert.deepEqual(importTrajectory(value).value, value);
  });

  test('a bare list of turns is one trajectory, and a list of trajectories is many', () => {
    assert.deepEqual(importTrajectory(trajectory.turns).value.turns, trajectory.turns);
    assert.deepEqual(importTrajectories([trajectory, trajectory]).value, [trajectory, trajectory]);
  });

  test('known fields of wrong types are reported; ids become text', () => {
    const calls = [{ name: 5, id: 6, result: 1 }];
    const odd = { turns: [{ turn_id: 1, role: 'agent', content: '', tool_calls: calls }] };
    const { value, warnings } = importTrajectory(odd);
    assert.deepEqual(value.turns[0].tool_calls, [{ id: '6', result: 1 }]);
    assert.deepEqual(
      warnings.map(({ path }) => path),
      ['turns[0].tool_calls[0].name'],
    );
  });

  test('numbers keep their value, the large and the small', () => {
    const numbers = [9007199254740991, -9007199254740991, 0.1, 1e300, 5e-324, -0.5, 123456789.123];
    const turns = [{ turn_id: 1, role: 'agent', content: '', tool_calls: [{ name: 'f', arguments: { numbers } }] }];
    assert.deepEqual(importTrajectory({ turns }).value.turns[0].tool_calls[0].arguments.numbers, numbers);
  });

  test('a turn of another shape is an error with its place', () => {
    const broken = { turns: [trajectory.turns[0], { turn_id: 2, role: 'agent', content: '', tool_calls: [5] }] };
    assertFails(() => importTrajectory(broken), { code: 'invalid_input', path: 'turns[1].tool_calls[0]', says: /5/ });
    const roleless = { turns: [{ turn_id: 1, content: 'x' }] };
    assertFails(() => importTrajectory(roleless), { code: 'invalid_input', path: 'turns[0].role' });
  });
});

suite('tool definitions', () => {
  const parameters = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] };
  const search = { name: 'search', description: 'Finds', parameters };

  const shapes = {
    'openai-chat': [{ type: 'function', function: { name: 'search', description: 'Finds', parameters } }],
    anthropic: [{ name: 'search', description: 'Finds', input_schema: parameters }],
    mcp: { tools: [{ name: 'search', description: 'Finds', inputSchema: parameters }] },
    'openai-responses': [{ type: 'function', name: 'search', description: 'Finds', parameters }],
    gemini: [{ functionDeclarations: [{ name: 'search', description: 'Finds', parametersJsonSchema: parameters }] }],
    'ai-sdk': { search: { description: 'Finds', inputSchema: parameters } },
    bedrock: {
      toolConfig: {
        tools: [{ toolSpec: { name: 'search', description: 'Finds', inputSchema: { json: parameters } } }],
      },
    },
    record: { search: { name: 'search', description: 'Finds', parameters } },
  };

  for (const [format, tools] of Object.entries(shapes)) {
    test(`of the format ${format} become a record of tool schemas`, () => {
      assert.deepEqual(importTools(tools), { value: { search }, format, warnings: [] });
    });
  }

  test('keep their output schema, their deprecation and the fields that are not known', () => {
    const tool = {
      name: 'old',
      parameters: {},
      outputSchema: { type: 'string' },
      deprecated: true,
      replacedBy: 'new',
      annotations: { readOnlyHint: true },
    };
    assert.deepEqual(importTools([tool]).value.old, tool);
  });

  test('that declare no parameters take none', () => {
    const { value } = importTools([{ type: 'function', function: { name: 'now' } }]);
    assert.deepEqual(value.now.parameters, { type: 'object', properties: {} });
  });

  test('that define one name twice come with a warning, and the last counts', () => {
    const { value, warnings } = importTools([
      { name: 'f', parameters: { title: 'first' } },
      { name: 'f', parameters: { title: 'last' } },
    ]);
    assert.equal(value.f.parameters.title, 'last');
    assert.match(warnings[0].message, /"f"/);
  });

  test('take their name from the key of the record when they have none', () => {
    assert.equal(importTools({ search: { parameters } }).value.search.name, 'search');
  });

  test('of no known shape are an error that names what was found', () => {
    assertFails(() => importTools([{ title: 'x', schema: {} }]), { code: 'unknown_format', says: /title, schema/ });
  });

  test('without a name are an error with their place', () => {
    const tools = [{ name: 'f', parameters: {} }, { parameters: {} }];
    assertFails(() => importTools(tools), { code: 'invalid_input', path: '[1].name' });
  });
});

suite('detectFormat', () => {
  const rollout = { task_id: 1, traj: [user('x')] };
  const cases = [
    [[user('x')], { kind: 'trajectory', format: 'openai-chat' }],
    [{ messages: [user('x')] }, { kind: 'trajectory', format: 'openai-chat' }],
    [{ choices: [{ message: { role: 'assistant', content: 'x' } }] }, { kind: 'trajectory', format: 'openai-chat' }],
    [[rollout], { kind: 'trajectory', format: 'tau-bench' }],
    [rollout, { kind: 'trajectory', format: 'tau-bench' }],
    [{ turns: [] }, { kind: 'trajectory', format: 'harness' }],
    [[{ turn_id: 1, role: 'user', content: 'x' }], { kind: 'trajectory', format: 'harness' }],
    [{ f: { name: 'f', parameters: {} } }, { kind: 'tools', format: 'record' }],
    [[{ name: 'f', input_schema: {} }], { kind: 'tools', format: 'anthropic' }],
    [[{ name: 'f', inputSchema: {} }], { kind: 'tools', format: 'mcp' }],
    [[{ type: 'function', function: { name: 'f' } }], { kind: 'tools', format: 'openai-chat' }],
    [{ hello: 'world' }, null],
    [[1, 2], null],
    ['"text"', null],
    ['5', null],
    ['null', null],
  ];

  for (const [input, wanted] of cases) {
    test(`of ${JSON.stringify(input)} is ${JSON.stringify(wanted)}`, () => {
      assert.deepEqual(detectFormat(input), wanted);
    });
  }

  test('of an empty list is null', () => {
    assert.equal(detectFormat([]), null);
  });

  test('and importing agree on what a trajectory is', () => {
    for (const [input, wanted] of cases.filter(([, wanted]) => wanted?.kind === 'trajectory')) {
      assert.equal(importTrajectories(input).format, wanted.format);
    }
  });
});

/** The documents of a folder of fixtures, as text. Each is named after its format, or in a folder that is. */
function fixtures(folder) {
  const place = new URL(`../fixtures/${folder}/`, import.meta.url);
  const names = readdirSync(place, { recursive: true }).filter(name => /\.jsonl?$/.test(name));
  return names.map(name => [name, name.split(/[./\\]/)[0], readFileSync(new URL(name, place), 'utf8')]);
}

suite('each known format', () => {
  for (const [name, format, text] of fixtures('formats')) {
    test(`is found by itself and can be forced: ${name}`, () => {
      assert.deepEqual(detectFormat(text), { kind: 'trajectory', format });
      const read = importTrajectories(text);
      assert.equal(read.format, format);
      assert.deepEqual(importTrajectories(text, { format }), read);
      const calls = read.value.flatMap(it => [
        ...it.turns.flatMap(turn => turn.tool_calls ?? []),
        ...(it.expected_calls ?? []),
      ]);
      assert.ok(calls.length > 0);
      for (const { tools } of read.value) if (tools) assert.doesNotThrow(() => importTools(tools));
    });

    test(`is read to what is read back as it is: ${name}`, () => {
      const { value } = importTrajectories(text);
      assert.deepEqual(importTrajectories(value, { format: 'harness' }).value, value);
    });
  }

  for (const [name, format, text] of fixtures('tools')) {
    test(`of tools is found by itself: ${name}`, () => {
      assert.equal(importTools(text).format, format);
      assert.ok(compileTools(text).names.length > 0);
    });
  }
});

suite('what a log can not show', () => {
  const issuesOf = (input, tools) =>
    checkTrajectories(input, tools).trajectories.flatMap(({ results, resultIssues }) =>
      [...results.flatMap(({ issues }) => issues), ...resultIssues].map(({ type }) => type),
    );
  const said = (role, text) => ({ role, parts: [{ text }] });
  const evalSet = {
    eval_set_id: 'piers',
    eval_cases: [
      {
        eval_id: 'late',
        conversation: [
          {
            user_content: said('user', 'Is my boat on time?'),
            final_response: said('model', 'Boat 7 of 4 May is on time and costs 31.20 euros.'),
            intermediate_data: { tool_uses: [{ name: 'boat_status', args: { boat: '7', day: '2026-05-04' } }] },
          },
        ],
        session_input: { state: { pier: 12 } },
      },
    ],
  };

  test('is not judged in an eval set: only the arguments of the calls that should be made', () => {
    assert.deepEqual(issuesOf(evalSet), []);
    assert.deepEqual(checkTrajectories(evalSet).trajectories[0].unjudged, ['not_run']);
    const parameters = { type: 'object', properties: { boat: { type: 'integer' }, day: { type: 'string' } } };
    assert.deepEqual(issuesOf(evalSet, { boat_status: { parameters } }), ['type_mismatch']);
    const { trajectories } = scoreTrajectories(evalSet);
    assert.equal(trajectories[0].accuracy.score, 0);
    const again = importTrajectories(importTrajectories(evalSet).value).value;
    assert.deepEqual(issuesOf(again), []);
  });

  test('is not judged of a call whose response came before: its result is evidence', () => {
    const request = {
      model: 'm',
      previous_response_id: 'resp_1',
      input: [{ type: 'function_call_output', call_id: 'call_1', output: '{"city":"Oslo","temp":4}' }],
      tools: [{ type: 'function', name: 'get_weather', parameters: { type: 'object', properties: {} } }],
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'It is 4 degrees.' }] }],
    };
    assert.deepEqual(issuesOf(request), []);
    const { value, warnings } = importTrajectory(request);
    assert.deepEqual(value.turns[0].tool_calls, [
      { id: 'call_1', incomplete: true, result: { city: 'Oslo', temp: 4 } },
    ]);
    assert.equal(warnings.length, 1);
    assert.equal(scoreToolCalls({ expected: [], actual: request }).score, 1);
  });

  test('is not judged of tools if an empty list declares none', () => {
    const messages = [user('hi'), assistant(chatCall('c', 'f', '{}')), toolResult('c', 'It is 12.')];
    for (const tools of [[], {}]) {
      assert.deepEqual(issuesOf({ messages, tools }), []);
      assert.equal(checkTrajectories({ messages, tools }).summary.withTools, 0);
    }
    assert.deepEqual(issuesOf(messages, []), ['unknown_tool']);
  });

  test('is not judged of files that the user attaches', () => {
    const booked = [
      assistant(chatCall('c', 'book', '{"order_id":"ORD-77123","mail":"ann.bell@example.org"}')),
      toolResult('c', 'booked'),
      { role: 'assistant', content: 'I booked order ORD-77123 for 483.55 euros.' },
    ];
    const file = { type: 'file', file: { file_id: 'file-8Kd92LmQpX71' } };
    const asked = user([{ type: 'text', text: 'Book what the file says.' }, file]);
    assert.deepEqual(issuesOf([asked, ...booked]), []);
    assert.notDeepEqual(issuesOf([user('Book what the file says.'), ...booked]), []);
  });

  test('is not judged of ids that the platform sets', () => {
    const sent = fileId => ({
      input: [
        user('Plot the tide and send it.'),
        {
          type: 'message',
          role: 'assistant',
          content: [
            {
              type: 'output_text',
              text: 'Here it is.',
              annotations: [{ type: 'container_file_citation', container_id: 'cntr_7a41', file_id: 'cfile_90b2' }],
            },
          ],
        },
        {
          type: 'function_call',
          call_id: 'c1',
          name: 'send_file',
          arguments: JSON.stringify({ file_id: fileId, container_id: 'cntr_7a41' }),
        },
        { type: 'function_call_output', call_id: 'c1', output: 'sent' },
      ],
      output: [],
    });
    assert.deepEqual(issuesOf(sent('cfile_90b2')), []);
    assert.deepEqual(issuesOf(sent('cfile_17c5')), ['tool_misuse']);
  });
});

suite('the calls of a message alone', () => {
  const cases = {
    langchain: [{ name: 'f', args: { n: 1 }, id: 'a', type: 'tool_call' }],
    'openai-chat': [chatCall('a', 'f', '{"n":1}')],
    anthropic: [{ type: 'tool_use', id: 'a', name: 'f', input: { n: 1 } }],
  };
  for (const [format, calls] of Object.entries(cases)) {
    test(`are a trajectory and a list of calls, as ${format} writes them`, () => {
      assert.deepEqual(detectFormat(calls), { kind: 'trajectory', format });
      assert.deepEqual(callsOf(calls), [{ id: 'a', name: 'f', arguments: { n: 1 } }]);
      const own = [{ tool: 'f', args: { n: 1 } }];
      assert.equal(scoreToolCalls({ expected: own, actual: calls }).score, 1);
      assert.equal(scoreToolCalls({ expected: calls, actual: own }).score, 1);
    });
  }
});

suite('an unknown format', () => {
  test('is an error that names what was found', () => {
    assertFails(() => importTrajectory({ hello: 1, world: 2 }), { code: 'unknown_format', says: /hello, world/ });
    assertFails(() => importTrajectory([[1]]), { code: 'unknown_format', says: /list/ });
    assertFails(() => importTrajectory('"text"'), { code: 'unknown_format', says: /"text"/ });
    assertFails(() => importTrajectory([]), { code: 'unknown_format', says: /empty/ });
  });

  test('that is nearly a known one is an error that says what is missing', () => {
    assertFails(() => importTrajectory({ turns: 5 }), { code: 'unknown_format', says: /harness.*turns/ });
    assertFails(() => importTrajectory([{ task_id: 5 }]), { code: 'unknown_format', says: /tau-bench.*traj/ });
    assertFails(() => importTrajectory([{ role: 'model', content: 'x' }]), {
      code: 'unknown_format',
      says: /gemini.*parts/,
    });
    assertFails(() => importTrajectory([{ role: 'wizard', content: 'x' }]), {
      code: 'unknown_format',
      says: /openai-chat.*role/,
    });
  });

  test('that is forced to be read as a known one is an error with its place', () => {
    assertFails(() => importTrajectory({ hello: 1 }, { format: 'harness' }), { code: 'invalid_input', path: 'turns' });
    assertFails(() => importTrajectory({ hello: 1 }, { format: 'tau-bench' }), { code: 'invalid_input', path: 'traj' });
  });

  test('by name is an error that lists the known ones', () => {
    assertFails(() => importTrajectory([], { format: 'longchain' }), {
      code: 'invalid_option',
      path: 'options.format',
      says: /harness.*openai-chat.*tau-bench/,
    });
  });
});
