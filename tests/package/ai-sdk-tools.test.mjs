import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { call, PROJECTS, scriptedModel, sdkOf } from './support/ai-sdk.mjs';

const TOOLS = [
  {
    name: 'book',
    description: 'Books a table',
    parameters: {
      type: 'object',
      properties: { guests: { type: 'integer' } },
      required: ['guests'],
      additionalProperties: false,
    },
  },
];
const WRONG = { tool: 'book', args: { guests: '4' } };
const RIGHT = { tool: 'book', args: { guests: 4 }, result: { reference: 'R-17' } };

const TURNS = [
  { role: 'user', content: 'Book a table for 4.' },
  { role: 'agent', content: '', calls: [RIGHT] },
  { role: 'agent', content: 'It is booked: R-99.' },
];

/** Inputs that must be refused, with the place of the error. */
const BAD = {
  validateToolCallTool: [
    [{}, 'call'],
    [{ call: { tool: 5, args: {} }, tools: TOOLS }, 'call.tool'],
    [{ call: WRONG, tools: [{ name: 'book' }] }, 'tools[0].parameters'],
    [{ call: WRONG, tools: TOOLS, strict: true }, 'strict'],
  ],
  checkTrajectoryTool: [
    [{ turns: [] }, 'turns'],
    [{ turns: [{ role: 'robot', content: '' }] }, 'turns[0].role'],
    [{ turns: [{ role: 'agent', content: '', calls: [{ tool: 'f' }] }] }, 'turns[0].calls[0].args'],
  ],
  verifyResultTool: [
    [{ call: RIGHT }, 'reply'],
    [{ call: RIGHT, reply: 5 }, 'reply'],
  ],
  reflectToolCallTool: [
    [{ call: WRONG }, 'tools'],
    [{ call: { args: {} }, tools: TOOLS }, 'call.tool'],
  ],
};

for (const version of Object.keys(PROJECTS)) {
  const kit = await sdkOf(version);
  const { sdk, toolgauge, parts } = kit;
  const { checkTrajectoryTool, validateToolCallTool, verifyResultTool, reflectToolCallTool } = parts;
  const all = {
    checkTrajectoryTool,
    validateToolCallTool,
    verifyResultTool,
    reflectToolCallTool: reflectToolCallTool(),
  };

  /** What a model gets as the output of `tool` when it calls it with `input`. */
  async function outputFor(tool, input) {
    const model = scriptedModel(kit, [call('check', input)], 'Done.');
    const { steps } = await sdk.generateText({
      model,
      tools: { check: tool },
      stopWhen: sdk.stepCountIs(3),
      prompt: 'Check.',
    });
    const { content } = model.doGenerateCalls[1].prompt.findLast(({ role }) => role === 'tool');
    return { part: steps[0].content.at(-1), sent: content[0].output };
  }

  suite(`${version}: tools for a model`, () => {
    test('validateToolCallTool gives what validateToolCall gives', async () => {
      const { sent } = await outputFor(validateToolCallTool, { call: WRONG, tools: TOOLS });
      const expected = toolgauge.validateToolCall({ name: 'book', arguments: WRONG.args }, TOOLS, {
        checkResultUsage: false,
      });
      assert.deepEqual(sent, { type: 'json', value: expected });
      assert.deepEqual(
        sent.value.issues.map(({ type }) => type),
        ['type_mismatch'],
      );
      const right = await validateToolCallTool.execute({ call: RIGHT, tools: TOOLS });
      assert.deepEqual([right.valid, right.score], [true, 1]);
    });

    test('checkTrajectoryTool gives the report of checkTrajectories', async () => {
      const { sent } = await outputFor(checkTrajectoryTool, { turns: TURNS, tools: TOOLS });
      assert.equal(sent.value.passed, false);
      assert.deepEqual([sent.value.calls, sent.value.hasTools], [1, true]);
      assert.match(JSON.stringify(sent.value), /R-99/);
      const honest = [...TURNS.slice(0, 2), { role: 'agent', content: 'It is booked: R-17.' }];
      assert.equal((await checkTrajectoryTool.execute({ turns: honest, tools: TOOLS })).passed, true);
    });

    test('verifyResultTool says whether a reply is true to a result', async () => {
      const { sent } = await outputFor(verifyResultTool, { call: RIGHT, reply: 'It is booked: R-99.' });
      assert.deepEqual([sent.value.valid, sent.value.hallucinated], [false, true]);
      const honest = await verifyResultTool.execute({
        call: RIGHT,
        reply: 'It is booked for 9: R-17.',
        request: 'For 9.',
      });
      assert.deepEqual([honest.valid, honest.hallucinated, honest.integrated], [true, false, true]);
    });

    test('reflectToolCallTool corrects a call before it is made', async () => {
      const { sent } = await outputFor(reflectToolCallTool(), { call: WRONG, tools: TOOLS });
      assert.equal(sent.value.overall_valid, false);
      const { correction } = sent.value.static.metrics.incorrect_parameter_type;
      assert.deepEqual(correction.correctedArguments, { guests: 4 });
    });

    test('reflectToolCallTool takes the tools of the agent and judges', async () => {
      const agent = {
        book: sdk.tool({ inputSchema: kit.z.object({ guests: kit.z.number() }), execute: async () => ({}) }),
      };
      const asked = [];
      const judge = async request => {
        asked.push(request.prompt);
        throw new Error('no power');
      };
      const reflect = reflectToolCallTool({ tools: agent, judges: [judge], maxRetries: 0 });
      const schema = await sdk.asSchema(reflect.inputSchema).jsonSchema;
      assert.deepEqual(Object.keys(schema.properties), ['call', 'request']);
      const { sent } = await outputFor(reflect, {
        call: { tool: 'book', args: { guests: 4 } },
        request: 'A table for 4.',
      });
      assert.equal(sent.value.static.overall_valid, true);
      assert.ok(asked.length > 0 && asked.some(prompt => prompt.includes('A table for 4.')));
    });

    for (const [name, cases] of Object.entries(BAD)) {
      test(`${name} refuses what does not fit, so that the model hears of it`, async () => {
        for (const [input, path] of cases) {
          const { success, error } = await sdk.asSchema(all[name].inputSchema).validate(input);
          assert.deepEqual([success, error.code, error.path], [false, 'invalid_input', path]);
        }
        const { part } = await outputFor(all[name], cases[0][0]);
        assert.equal(part.type, 'tool-error');
      });

      test(`${name} describes itself and each field`, async () => {
        assert.match(all[name].description, /\w+ \w+ \w+/);
        const { properties } = await sdk.asSchema(all[name].inputSchema).jsonSchema;
        for (const field of Object.values(properties)) assert.match(field.description, /\w+ \w+/);
      });
    }
  });
}
