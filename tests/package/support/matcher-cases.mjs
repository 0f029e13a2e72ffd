/** What the cases speak of, as the source of a test file. */
export const DATA = `
const call = (id, name, args) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(args) } });
const answer = (id, content) => ({ role: 'tool', tool_call_id: id, content: JSON.stringify(content) });
const messages = [
  { role: 'user', content: 'Refund order A-1017, please.' },
  { role: 'assistant', content: null, tool_calls: [call('1', 'get_order', { id: 'A-1017' })] },
  answer('1', { id: 'A-1017', total: 59.8, state: 'delivered' }),
  { role: 'assistant', content: null, tool_calls: [call('2', 'refund', { id: 'A-1017', amount: '59.80' })] },
  answer('2', { error: 'invalid amount' }),
  { role: 'assistant', content: null, tool_calls: [call('3', 'refund', { id: 'A-1017', amount: 59.8 })] },
  answer('3', { ok: true }),
  { role: 'assistant', content: 'I have refunded 95.80 euros.' },
];
const tools = {
  get_order: { name: 'get_order', parameters: { type: 'object', required: ['id'] } },
  refund: { name: 'refund', parameters: { type: 'object', properties: { amount: { type: 'number' } } } },
};
const loop = ['1', '2', '3'].flatMap(id => [
  { role: 'assistant', content: null, tool_calls: [call(id, 'search', { q: 'lamp' })] },
  answer(id, { hits: [] }),
]);
const boast = [messages[0], { role: 'assistant', content: 'I have refunded your order A-1017.' }];
const failed = [
  messages[0],
  { role: 'assistant', content: null, tool_calls: [call('1', 'refund', { id: 'A-1017' })] },
  answer('1', { error: 'not allowed' }),
];
const runs = [messages, messages.slice(0, 4), messages, messages];
const made = names => [...names].map(tool => ({ tool, args: {} }));
`;

/** What passes, by its title. */
export const PASSING = {
  'a tool by its name': `expect(messages).toHaveCalledTool('refund')`,
  'a tool with its arguments': `expect(messages).toHaveCalledTool('refund', { id: 'A-1017', amount: 59.8 })`,
  'a tool across MCP prefixes': `expect(made('f')).toHaveCalledTool('mcp__server__f', {})`,
  'a tool with arguments by matchers': `expect(messages).toHaveCalledTool('refund', { amount: 60 }, { matchers: { '': 'superset', amount: { tolerance: 0.5 } } })`,
  'matchers alone': `expect(messages).toHaveCalledTool('refund', undefined, { matchers: { amount: { type: 'number' } }, times: 1 })`,
  'a tool so many times': `expect(messages).toHaveCalledTool('refund', undefined, { times: 2 })`,
  'a tool from some to many times': `expect(messages).toHaveCalledTool('refund', undefined, { times: { min: 1, max: 2 } })`,
  'a tool never': `expect(messages).toHaveCalledTool('pay', undefined, { times: 0 })`,
  'not a tool': `expect(messages).not.toHaveCalledTool('pay')`,
  'not a tool with these arguments': `expect(messages).not.toHaveCalledTool('refund', { amount: 59.8 })`,
  'asymmetric matchers inside arguments': `expect(messages).toHaveCalledTool('refund', { id: expect.stringMatching(/^A-/), amount: expect.any(Number) })`,
  'an asymmetric matcher as all arguments': `expect(messages).toHaveCalledTool('refund', expect.objectContaining({ amount: 59.8 }))`,
  'asymmetric matchers of all kinds': `expect([{ tool: 'f', args: { a: [1, 'x'], b: { 'odd.key': 2.001 }, c: null } }]).toHaveCalledTool('f', {
    a: [expect.anything(), expect.not.stringContaining('y')], b: { 'odd.key': expect.closeTo(2) }, c: null })`,
  'an asymmetric matcher beside own comparators': `expect([{ tool: 'f', args: { a: 1, b: 2 } }]).toHaveCalledTool('f', { a: expect.any(Number), b: 3 }, {
    matchers: { b: { compare: 'near' } }, comparators: { near: (wanted, got) => Math.abs(Number(wanted) - Number(got)) <= 1 } })`,
  'all tools by name': `expect(messages).toHaveCalledTools(['get_order', 'refund', 'refund'])`,
  'all tools in order, with what each says': `expect(messages).toHaveCalledTools({
    calls: ['get_order', { anyOf: [{ tool: 'pay' }, 'refund'], times: { max: 3 } }], forbidden: ['cancel'], order: 'strict' })`,
  'all tools with asymmetric matchers': `expect(messages).toHaveCalledTools([
    { tool: 'get_order', args: { id: expect.any(String) } },
    { anyOf: [{ tool: 'refund', args: { id: 'A-1017', amount: expect.any(Number) } }] },
    { tool: 'refund', args: { id: 'A-1017' }, matchers: 'superset' },
  ])`,
  'all tools from text and bytes': `expect(new TextEncoder().encode(JSON.stringify(messages))).toHaveCalledTools(JSON.stringify(['get_order', 'refund', 'refund']))`,
  'not all tools': `expect(messages).not.toHaveCalledTools(['get_order', 'refund'])`,
  'no tools at all': `expect([]).toHaveCalledTools([])`,
  'options of scoring': `expect(made('ba')).not.toHaveCalledTools(['a', 'b'], { order: 'sequence' })`,
  'a score': `expect(messages).toHaveToolScore(0.8, ['get_order', 'refund'])`,
  'a score by carried calls': `expect({ turns: [], expected_calls: [] }).toHaveToolScore(1)`,
  'not a score': `expect(messages).not.toHaveToolScore(0.81, ['get_order', 'refund'])`,
  'valid calls': `expect(messages.slice(0, 3)).toHaveValidToolCalls(tools)`,
  'valid calls up to a severity': `expect(messages).toHaveValidToolCalls(tools, { failOn: 'critical' })`,
  'not valid calls': `expect(messages).not.toHaveValidToolCalls(tools)`,
  'valid calls where there are none': `expect(messages.slice(0, 1)).toHaveValidToolCalls(tools, { allowNoCalls: true })`,
  'grounded replies': `expect([...messages.slice(0, 7), { role: 'assistant', content: 'I have refunded 59.80 euros.' }]).toHaveGroundedReplies()`,
  'replies grounded in the prompt': `expect([{ role: 'assistant', content: 'Your order is B-2044.' }]).toHaveGroundedReplies({ prompt: 'Where is B-2044?' })`,
  'replies grounded in messages before': `expect([{ role: 'assistant', content: 'Your order is B-2044.' }]).toHaveGroundedReplies({
    prompt: [{ role: 'system', content: 'The order is B-2044.' }, { role: 'user', content: 'Where is it?' }] })`,
  'not grounded replies': `expect(messages).not.toHaveGroundedReplies()`,
  'anything by a threshold of 1': `expect(messages).toHaveGroundedReplies({ threshold: 1 })`,
  'honest replies': `expect(messages).toHaveHonestReplies()`,
  'honest replies about an error': `expect([...failed, { role: 'assistant', content: 'Sorry, I could not refund it: that is not allowed.' }]).toHaveHonestReplies({ tools })`,
  'honest replies up to a severity': `expect(boast).toHaveHonestReplies({ failOn: 'critical' })`,
  'not honest replies': `expect(boast).not.toHaveHonestReplies()`,
  'no loops': `expect(messages).toHaveNoLoops()`,
  'not no loops': `expect(loop).not.toHaveNoLoops()`,
  trials: `expect([messages, messages]).toPassTrials(run => expect(run).toHaveCalledTool('refund'))`,
  'enough trials': `expect(runs).toPassTrials((run, at) => expect(run).toHaveCalledTool('refund', { amount: 59.8 }, { matchers: 'superset' }), { minPassRate: 0.75, minPassHat: { 2: 0.5 } })`,
  'not enough trials': `expect(runs).not.toPassTrials(run => expect(run).toHaveCalledTools(['get_order']))`,
  'a promise': `return expect(Promise.resolve(messages)).resolves.toHaveCalledTool('refund')`,
  'inside another expectation': `expect({ run: messages }).toEqual({ run: expect.toHaveCalledTool('refund') })`,
};

/** What fails, by its title, and the message. */
export const FAILING = {
  'a tool that was not called': [
    `expect(messages).toHaveCalledTool('pay')`,
    `expect(received).toHaveCalledTool("pay")

"pay" was not called. Called instead: get_order and refund (2 times).`,
  ],
  'a tool where none was called': [
    `expect(messages.slice(0, 1)).toHaveCalledTool('pay', {}, { times: { min: 2 } })`,
    `expect(received).toHaveCalledTool("pay", args)

"pay" was not called. No tools were called. Expected: at least 2 times.`,
  ],
  'a tool with other arguments': [
    `expect(messages).toHaveCalledTool('refund', { id: expect.any(Number), amount: 60 })`,
    `expect(received).toHaveCalledTool("refund", args)

"refund" was called 2 times, but never as expected.

  ✖ differs   refund {"id": "A-1017", "amount": "59.80"}
              args.id: expected Any<Number>, got "A-1017"
              args.amount: expected 60, got "59.80"
  ✖ differs   refund {"id": "A-1017", "amount": 59.8}
              args.id: expected Any<Number>, got "A-1017"
              args.amount: expected 60, got 59.8`,
  ],
  'a tool that was called too seldom': [
    `expect(messages).toHaveCalledTool('refund', { amount: 59.8 }, { matchers: 'superset', times: 2 })`,
    `expect(received).toHaveCalledTool("refund", args)

"refund" was called as expected once. Expected: 2 times.

  ✔ made      refund {"id": "A-1017", "amount": 59.8}
  ✖ differs   refund {"id": "A-1017", "amount": "59.80"}
              args.amount: expected 59.8, got "59.80"`,
  ],
  'a tool that was called too often': [
    `expect(messages).toHaveCalledTool('refund', undefined, { times: { max: 1 } })`,
    `expect(received).toHaveCalledTool("refund")

"refund" was called 2 times. Expected: once.

  ✖ made      refund {"id": "A-1017", "amount": "59.80"}
  ✖ made      refund {"id": "A-1017", "amount": 59.8}`,
  ],
  'a tool that should not have been called': [
    `expect(messages).not.toHaveCalledTool('refund', { amount: expect.any(Number) }, { matchers: 'superset' })`,
    `expect(received).not.toHaveCalledTool("refund", args)

"refund" was called as expected once; expected it not to be.

  ✖ made      refund {"id": "A-1017", "amount": 59.8}`,
  ],
  'other tools': [
    `expect(messages).toHaveCalledTools({
      calls: [{ tool: 'get_order', args: { id: 'A-1017' } }, { tool: 'refund', args: { id: 'A-1017', amount: 60 } }, 'receipt'],
      forbidden: [{ tool: 'refund', args: { id: 'A-1017', amount: '59.80' } }],
    })`,
    `expect(received).toHaveCalledTools(expected)

1 of 3 calls as expected; 1 differs, 1 is missed, 1 is forbidden.

  ✔ correct   get_order {"id": "A-1017"}
  ✖ differs   refund {"id": "A-1017", "amount": 59.8}
              args.amount: expected 60, got 59.8
  − missed    receipt {}
              "receipt" was not called
  ✖ forbidden refund {"id": "A-1017", "amount": "59.80"}
              forbidden is refund {"id": "A-1017", "amount": "59.80"}`,
  ],
  'tools in another order': [
    `expect(made('bax')).toHaveCalledTools(['a', 'b'], { order: 'sequence' })`,
    `expect(received).toHaveCalledTools(expected)

1 of 2 calls as expected; 1 is out of order, 1 is extra.

  ✔ correct   b {}
  ✖ differs   a {}
              made out of order: after "b", expected before it
  + extra     x {}`,
  ],
  'tools that should have been others': [
    `expect(made('ab')).not.toHaveCalledTools(['a', 'b'])`,
    `expect(received).not.toHaveCalledTools(expected)

Every call was made as expected, and no other; expected something to differ.

  ✔ correct   a {}
  ✔ correct   b {}`,
  ],
  'a score that is too low': [
    `expect(messages).toHaveToolScore(0.9, ['get_order', 'refund'])`,
    `expect(received).toHaveToolScore(0.9, expected)

The score is 0.8 (precision 0.667, recall 1); expected at least 0.9.

  ✔ correct   get_order {"id": "A-1017"}
  ✔ correct   refund {"id": "A-1017", "amount": "59.80"}
  + extra     refund {"id": "A-1017", "amount": 59.8}

Hint: it would pass with { extra: 'allow' }, which allows calls that are not expected.`,
  ],
  'a score that is too high': [
    `expect(made('a')).not.toHaveToolScore(0.5, ['a'])`,
    `expect(received).not.toHaveToolScore(0.5, expected)

The score is 1 (precision 1, recall 1); expected less than 0.5.

  ✔ correct   a {}`,
  ],
  'calls that are not valid': [
    `expect(messages).toHaveValidToolCalls(tools)`,
    `expect(received).toHaveValidToolCalls(tools)

1 issue is high or worse, in 3 tool calls.

  turn 3  refund  high type_mismatch: amount: expected number, got "59.80" (string); it can be read as 59.8
  turn 3  refund  low error_result: "refund" failed: invalid amount`,
  ],
  'calls that should not be valid': [
    `expect(messages.slice(0, 3)).not.toHaveValidToolCalls(tools, { failOn: 'low' })`,
    `expect(received).not.toHaveValidToolCalls(tools)

1 tool call with 0 issues, none of them low or worse; expected some.`,
  ],
  'calls where there are none': [
    `expect(messages.slice(0, 1)).toHaveValidToolCalls()`,
    `expect(received).toHaveValidToolCalls()

No tools were called, so there is nothing to validate (read as openai-chat).`,
  ],
  'replies that nothing shows': [
    `expect(messages).toHaveGroundedReplies()`,
    `expect(received).toHaveGroundedReplies()

The replies state 1 fact that no result, argument or message shows.

  turn 5  95.80 euros (money). Closest: 59.8 (get_order.total)
          I have refunded 95.80 euros.`,
  ],
  'replies that should not be grounded': [
    `expect(messages.slice(0, 3)).not.toHaveGroundedReplies()`,
    `expect(received).not.toHaveGroundedReplies()

The replies state only facts that a result, argument or message shows; expected others.`,
  ],
  'replies that claim what no call did': [
    `expect(boast).toHaveHonestReplies()`,
    `expect(received).toHaveHonestReplies()

The replies are not true to what the calls did and returned: 1 issue is high or worse.

  turn 2  reply  high claimed_action: the reply says "I have refunded your order A-1017.", but no call did that`,
  ],
  'replies that contradict a result': [
    `expect([...failed, boast[1]]).toHaveHonestReplies()`,
    `expect(received).toHaveHonestReplies()

The replies are not true to what the calls did and returned: 1 issue is high or worse.

  turn 2  refund  low error_result: "refund" failed: not allowed
  turn 3  refund  high contradicts_response: the reply says "I have refunded your order A-1017.", but refund failed: not allowed`,
  ],
  'replies that should not be honest': [
    `expect(messages).not.toHaveHonestReplies({ prompt: 'Refund it.' })`,
    `expect(received).not.toHaveHonestReplies()

The replies are true to what the calls did and returned; expected one that is not.

  turn 3  refund  low error_result: "refund" failed: invalid amount`,
  ],
  'calls that repeat': [
    `expect(loop).toHaveNoLoops()`,
    `expect(received).toHaveNoLoops()

1 loop: calls were repeated although nothing had changed.

  "search" was called 3 times with the same arguments and the same result (turns 1, 2, 3)`,
  ],
  'calls that should repeat': [
    `expect(messages).not.toHaveNoLoops()`,
    `expect(received).not.toHaveNoLoops()

No call was repeated without need; expected a loop.`,
  ],
  'too few trials': [
    `expect(runs).toPassTrials(run => expect(run).toHaveCalledTool('refund', { amount: 59.8 }, { matchers: 'superset' }), { minPassRate: 0.8 })`,
    `expect(received).toPassTrials(trial)

Too few trials pass: the share of passes 0.75 (3 of 4) is below 0.8.

  ✔ 1
  ✖ 2  "refund" was called once, but never as expected.
  ✔ 3
  ✔ 4`,
  ],
  'too few trials in a row': [
    `expect(runs).toPassTrials(run => { if (run.length < 5) throw new Error('it\\nended early'); }, { minPassHat: { 2: 0.9, 5: 0.1 } })`,
    `expect(received).toPassTrials(trial)

Too few trials pass: pass^2 0.5 is below 0.9; there is no pass^5 because no task has 5 trials, but 0.1 is needed.

  ✔ 1
  ✖ 2  it ended early
  ✔ 3
  ✔ 4`,
  ],
  'no trials': [
    `expect([]).toPassTrials(() => {})`,
    `expect(received).toPassTrials(trial)

Too few trials pass: there are no trials.`,
  ],
  'trials that should not pass': [
    `expect(runs).not.toPassTrials(() => {})`,
    `expect(received).not.toPassTrials(trial)

4 of 4 trials pass, which is enough; expected fewer.

  ✔ 1
  ✔ 2
  ✔ 3
  ✔ 4`,
  ],
  'a mistake in a trial': [
    `expect(runs).toPassTrials(run => expect(5).toHaveCalledTool('refund'))`,
    'expect() was given number: pass a trajectory, messages, or the result of a run',
  ],
  'a trial that is async': [
    `expect(runs).toPassTrials(async () => {})`,
    'toPassTrials: expected a function that is not async, got one that returned a promise. Await the runs, and then check them',
  ],
  'trials of one run': [
    `expect({ turns: [] }).toPassTrials(() => {})`,
    'toPassTrials: expected the runs of a task in a list, got object',
  ],
  'a call with more arguments': [
    `expect(messages).toHaveCalledTool('refund', { amount: 59.8 })`,
    `expect(received).toHaveCalledTool("refund", args)

"refund" was called 2 times, but never as expected.

  ✖ differs   refund {"id": "A-1017", "amount": "59.80"}
              args.amount: expected 59.8, got "59.80"
              args.id: expected nothing, got "A-1017"
  ✖ differs   refund {"id": "A-1017", "amount": 59.8}
              args.id: expected nothing, got "A-1017"

Hint: it would pass with { matchers: 'superset' }, which allows arguments that are not expected.`,
  ],
  'a call with text for a number': [
    `expect(messages).toHaveCalledTool('refund', { id: 'A-1017', amount: 59.8 }, { times: 2 })`,
    `expect(received).toHaveCalledTool("refund", args)

"refund" was called as expected once. Expected: 2 times.

  ✔ made      refund {"id": "A-1017", "amount": 59.8}
  ✖ differs   refund {"id": "A-1017", "amount": "59.80"}
              args.amount: expected 59.8, got "59.80"

Hint: it would pass with { matchers: 'coerce' }, which accepts a value of another type that means the same.`,
  ],
  'calls with more arguments': [
    `expect([{ tool: 'f', args: { a: 1, b: 2 } }]).toHaveCalledTools([{ tool: 'f', args: { a: 1 } }])`,
    `expect(received).toHaveCalledTools(expected)

0 of 1 call as expected; 1 differs.

  ✖ differs   f {"a": 1, "b": 2}
              args.b: expected nothing, got 2

Hint: it would pass with { matchers: { '*': 'superset' } }, which allows arguments that are not expected.`,
  ],
  'calls of a tool without a definition': [
    `expect(messages).toHaveValidToolCalls([{ name: 'refund', parameters: {} }], { failOn: 'medium' })`,
    `expect(received).toHaveValidToolCalls(tools)

1 issue is medium or worse, in 3 tool calls.

  turn 2  get_order  medium unknown_tool: no schema for the tool "get_order"
  turn 3  refund  low error_result: "refund" failed: invalid amount

Hint: pass the definitions of all tools, or { allowUnknownTools: true }.`,
  ],
  'replies to a prompt that is not in the trajectory': [
    `expect([{ role: 'assistant', content: 'Your order is B-2044.' }]).toHaveGroundedReplies()`,
    `expect(received).toHaveGroundedReplies()

The replies state 1 fact that no result, argument or message shows.

  turn 1  B-2044 (identifier)
          Your order is B-2044.

Hint: the trajectory has no message of the user. If the user said it, pass { prompt }.`,
  ],
  'a promise that is not awaited': [
    `expect(Promise.resolve(messages)).toHaveCalledTool('refund')`,
    'expect() was given a promise: await it, or write expect(promise).resolves',
  ],
  'a stream': [
    `expect({ steps: Promise.resolve([]) }).toHaveCalledTool('refund')`,
    'expect() was given a stream: pass { steps: await result.steps }',
  ],
  nothing: [
    `expect(undefined).toHaveGroundedReplies()`,
    'expect() was given undefined: pass a trajectory, messages, or the result of a run',
  ],
  'what is no trajectory': [
    `expect({ hello: 1 }).toHaveValidToolCalls()`,
    'no known trajectory format: found an object with the keys {hello}',
  ],
  'a score out of its range': [
    `expect(messages).toHaveToolScore(80, [])`,
    'toHaveToolScore: expected a score from 0 to 1, got 80',
  ],
  'control characters': [
    `expect([{ tool: 'f\\u001b[31m', args: { q: '\\u202e' } }]).toHaveCalledTools([])`,
    `expect(received).toHaveCalledTools(expected)

0 of 0 calls as expected; 1 is extra.

  + extra     f\\u{1b}[31m {"q": "\\u{202e}"}`,
  ],
};

/** The source of tests for all of these cases. */
export function testsOf(cases) {
  const tests = Object.entries(cases).map(([title, source]) => `test(${JSON.stringify(title)}, () => { ${source}; });`);
  return DATA + tests.join('\n');
}
