import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { consumer, folderIn, fromConsumer, install, run, runTool, TESTS } from './support/consumer.mjs';

const EXAMPLES = join(TESTS, '../../examples/repair');

/** A project with each version of the SDK that the package supports. */
const PROJECTS = {
  'ai 5': install('ai5', 'zod', '@types/node'),
  'ai 6': install('ai6', 'zod', '@types/node'),
  'ai 7': consumer,
};

const PARAMETERS = {
  type: 'object',
  properties: { city: { type: 'string' }, guests: { type: 'integer' } },
  required: ['city', 'guests'],
  additionalProperties: false,
};

const RIGHT = { city: 'Oslo', guests: 4 };
const REPAIRABLE = { city: 'Oslo', guests: '4' };
const UNREPAIRABLE = { guests: 4 };

const call = (input, toolName = 'book_table') => [{ toolName, input }];

/** How an agent runs to its end, in each of the ways that the SDK has. */
const LOOPS = {
  generateText: (sdk, settings) => sdk.generateText(settings),
  streamText: async (sdk, settings) => {
    const result = sdk.streamText(settings);
    await result.consumeStream();
    return { steps: await result.steps, text: await result.text, response: await result.response };
  },
};

const RIGHT_TYPES = `
import {
  dynamicTool, generateText, jsonSchema, stepCountIs, streamText, tool,
  type LanguageModel, type Tool, type ToolCallRepairFunction, type ToolSet,
} from 'ai';
import {
  guardTools, repairToolCall, type GuardToolsOptions, type RepairToolCallOptions, type ToolCallRepairer,
} from 'toolgauge/ai-sdk';
import { z } from 'zod';

const guarding: GuardToolsOptions = { onInvalid: 'return', onRepair: repair => console.log(repair.changes.length) };
const repairing: RepairToolCallOptions = { judges: [async () => ({})], maxRetries: 1, onRepair: () => {} };

const tools = guardTools(
  {
    book: tool({ inputSchema: z.object({ city: z.string() }), execute: async ({ city }) => city.length }),
    typed: tool({ inputSchema: jsonSchema<{ q: string }>({ type: 'object' }), execute: ({ q }) => [q] }),
    manual: tool({ inputSchema: z.object({ sure: z.boolean() }) }),
    open: dynamicTool({ inputSchema: jsonSchema({ type: 'object' }), execute: async input => input }),
  },
  guarding,
);
const set: ToolSet = guardTools(tools as ToolSet);
const listed: Record<string, Tool> = guardTools({} as Record<string, Tool>);

const repair: ToolCallRepairFunction<typeof tools> = repairToolCall(repairing);
const any: ToolCallRepairFunction<ToolSet> = repairToolCall();
const repairer: ToolCallRepairer = repairToolCall();

export async function main(model: LanguageModel): Promise<void> {
  const stopWhen = stepCountIs(5);
  const { toolResults } = await generateText({
    model, tools, stopWhen, prompt: '', experimental_repairToolCall: repair,
  });
  for (const result of toolResults) {
    if (result.dynamic) continue;
    if (result.toolName === 'book') {
      const length: number = result.output;
      const city: string = result.input.city;
      console.log(length, city);
    }
    if (result.toolName === 'typed') {
      const list: string[] = result.output;
      console.log(list);
    }
  }
  await generateText({ model, tools, prompt: '', experimental_repairToolCall: repairToolCall() });
  await generateText({ model, tools: set, prompt: '', experimental_repairToolCall: repairer });
  const stream = streamText({ model, tools, prompt: '', experimental_repairToolCall: repairToolCall(repairing) });
  for await (const part of stream.fullStream) {
    if (part.type === 'tool-call' && !part.dynamic && part.toolName === 'manual') {
      const sure: boolean = part.input.sure;
      console.log(sure);
    }
  }
  const plain = streamText({ model, tools: set, prompt: '', experimental_repairToolCall: any });
  console.log(plain.text, listed);
}
`;

const LATEST_TYPES = `
import { ToolLoopAgent } from 'ai';
export async function latest(model: LanguageModel): Promise<void> {
  await generateText({ model, tools, prompt: '', repairToolCall: repairToolCall() });
  streamText({ model, tools, prompt: '', repairToolCall: repairToolCall() });
  new ToolLoopAgent({ model, tools, repairToolCall: repairToolCall() });
}
`;

const WRONG_TYPES = `
import { tool, type ToolSet } from 'ai';
import { guardTools, repairToolCall } from 'toolgauge/ai-sdk';
const tools = {} as ToolSet;

// @ts-expect-error a way that there is not
guardTools(tools, { onInvalid: 'ignore' });
// @ts-expect-error the option is called onRepair
guardTools(tools, { onRepaired: () => {} });
// @ts-expect-error tools have names
guardTools([tool({ inputSchema: {} as never })]);
// @ts-expect-error judges are a list
repairToolCall({ judges: async () => ({}) });
// @ts-expect-error the option is called onRepair
repairToolCall({ onRepaired: () => {} });
`;

for (const [version, project] of Object.entries(PROJECTS)) {
  const sdk = await fromConsumer('ai', project);
  const { guardTools, repairToolCall } = await fromConsumer('toolgauge/ai-sdk', project);
  const { z } = await fromConsumer('zod', project);
  const { scriptedModel } = await fromExample('scripted-model.mjs', project);

  const schemas = {
    'a zod schema': () => z.object({ city: z.string(), guests: z.number().int() }),
    'a JSON Schema without validate': () => sdk.jsonSchema(PARAMETERS),
    'a JSON Schema with validate': () => sdk.jsonSchema(PARAMETERS, { validate }),
  };

  /** A tool that records the input that it runs with. */
  function recordingTool(inputSchema = schemas['a JSON Schema without validate'](), more = {}) {
    const inputs = [];
    const execute = async input => {
      inputs.push(input);
      return { reference: 'R-1001' };
    };
    return { inputs, tools: { book_table: sdk.tool({ description: 'Books', inputSchema, execute, ...more }) } };
  }

  for (const [api, start] of Object.entries(LOOPS)) {
    /** Runs an agent with a model that answers with `answers`. */
    async function loop(answers, settings) {
      const model = scriptedModel(...answers);
      const { text, steps } = await start(sdk, { model, stopWhen: sdk.stepCountIs(5), prompt: 'Book.', ...settings });
      const calls = model.doGenerateCalls.length > 0 ? model.doGenerateCalls : model.doStreamCalls;
      const parts = calls.at(-1).prompt.flatMap(({ content }) => content);
      return {
        text,
        steps,
        content: steps.flatMap(step => step.content),
        sentCalls: parts.filter(({ type }) => type === 'tool-call').map(({ input }) => input),
        sentResults: parts.filter(({ type }) => type === 'tool-result').map(({ output }) => output),
      };
    }

    suite(`repairToolCall with ${api} of ${version}`, () => {
      const zod = () => recordingTool(schemas['a zod schema']());

      test('repairs the arguments of a call, and the loop goes on', async () => {
        const { inputs, tools } = zod();
        const repairs = [];
        const { text, sentCalls, sentResults } = await loop([call(REPAIRABLE), 'done'], {
          tools,
          experimental_repairToolCall: repairToolCall({ onRepair: repair => repairs.push(repair) }),
        });
        assert.deepEqual(inputs, [RIGHT]);
        assert.equal(text, 'done');
        assert.deepEqual(sentCalls, [RIGHT]);
        assert.deepEqual(sentResults, [{ type: 'json', value: { reference: 'R-1001' } }]);
        assert.deepEqual(
          repairs.map(({ status, changes }) => [status, changes.map(({ path, kind }) => [path, kind])]),
          [['repaired', [['guests', 'converted']]]],
        );
      });

      test('without it, the same call does not run', async () => {
        const { inputs, tools } = zod();
        await loop([call(REPAIRABLE), 'done'], { tools });
        assert.deepEqual(inputs, []);
      });

      test('repairs the name of a tool', async () => {
        const { inputs, tools } = zod();
        const answers = [call(RIGHT, 'bookTable'), 'done'];
        const { text, content } = await loop(answers, { tools, experimental_repairToolCall: repairToolCall() });
        assert.deepEqual(inputs, [RIGHT]);
        assert.equal(text, 'done');
        assert.equal(content[0].toolName, 'book_table');
        assert.ok(!content[0].invalid);
      });

      test('repairs name and arguments of one call', async () => {
        const { inputs, tools } = zod();
        const answers = [call(REPAIRABLE, 'bookTable'), 'done'];
        await loop(answers, { tools, experimental_repairToolCall: repairToolCall() });
        assert.deepEqual(inputs, [RIGHT]);
      });

      test('repairs arguments that were encoded twice', async () => {
        const { inputs, tools } = zod();
        const answers = [call(JSON.stringify(JSON.stringify(RIGHT))), 'done'];
        await loop(answers, { tools, experimental_repairToolCall: repairToolCall() });
        assert.deepEqual(inputs, [RIGHT]);
      });

      test('repairs arguments that are almost JSON', async () => {
        for (const text of ['{"city": "Oslo", "guests": 4,}', '```json\n{"city": "Oslo", "guests": 4}\n```']) {
          const { inputs, tools } = zod();
          await loop([call(text), 'done'], { tools, experimental_repairToolCall: repairToolCall() });
          assert.deepEqual(inputs, [RIGHT]);
        }
      });

      test('repairs the name in a call with empty arguments', async () => {
        const { inputs, tools } = recordingTool(z.object({}));
        const answers = [call('', 'bookTable'), 'done'];
        await loop(answers, { tools, experimental_repairToolCall: repairToolCall() });
        assert.deepEqual(inputs, [{}]);
      });

      const hopeless = {
        'with a missing argument': [call(UNREPAIRABLE), /city/],
        'whose arguments are no JSON': [call('{"city": "Os'), /JSON/i],
        'of an unknown tool': [call(RIGHT, 'cancel_flight'), /cancel_flight.*book_table/s],
        'that breaks a rule of zod alone': [call({ city: 'Atlantis', guests: 4 }), /no such city/],
      };

      for (const [title, [answer, message]] of Object.entries(hopeless)) {
        test(`leaves a call ${title} to the SDK, and the model corrects it`, async () => {
          const city = z.string().refine(value => value !== 'Atlantis', 'no such city');
          const { inputs, tools } = recordingTool(z.object({ city, guests: z.number().int() }));
          const repaired = [];
          const { text, sentResults } = await loop([answer, call(RIGHT), 'done'], {
            tools,
            experimental_repairToolCall: repairToolCall({ onRepair: repair => repaired.push(repair) }),
          });
          assert.equal(sentResults[0].type, 'error-text');
          assert.match(sentResults[0].value, message);
          assert.deepEqual(inputs, [RIGHT]);
          assert.equal(text, 'done');
          assert.deepEqual(repaired, []);
        });
      }

      test('asks the judges about a call that can not be repaired without them', async () => {
        const { inputs, tools } = zod();
        const requests = [];
        const judge = async request => {
          requests.push(request);
          return { evidence: '', explanation: '', output: 1, confidence: 1, correction: { arguments: RIGHT } };
        };
        const file = { type: 'file', mediaType: 'application/pdf', data: new Uint8Array(3) };
        const { text } = await loop([call(UNREPAIRABLE), 'done'], {
          prompt: undefined,
          messages: [{ role: 'user', content: [{ type: 'text', text: 'Book a table in Oslo.' }, file] }],
          system: 'You book tables.',
          tools,
          experimental_repairToolCall: repairToolCall({ judges: [judge] }),
        });
        assert.deepEqual(inputs, [RIGHT]);
        assert.equal(text, 'done');
        assert.match(JSON.stringify(requests), /Book a table in Oslo\./);
        assert.match(JSON.stringify(requests), /You book tables\./);
      });

      test('also asks the judges about a call that was repaired', async () => {
        const { inputs, tools } = zod();
        const requests = [];
        const judge = async request => {
          requests.push(request);
          return { evidence: '', explanation: '', output: 5, confidence: 1, correction: null };
        };
        const experimental_repairToolCall = repairToolCall({ judges: [judge] });
        await loop([call(REPAIRABLE), 'done'], { tools, experimental_repairToolCall });
        assert.deepEqual(inputs, [RIGHT]);
        assert.ok(requests.length > 0);
      });

      test('leaves a call that judges object to, to the SDK', async () => {
        const { inputs, tools } = zod();
        const judge = async () => ({ evidence: '', explanation: 'no', output: 1, confidence: 1, correction: null });
        const experimental_repairToolCall = repairToolCall({ judges: [judge] });
        await loop([call(REPAIRABLE), call(RIGHT), 'done'], { tools, experimental_repairToolCall });
        assert.deepEqual(inputs, [RIGHT]);
      });

      test('goes on without a judge that fails', async () => {
        const { inputs, tools } = zod();
        const judge = async () => {
          throw Object.assign(new Error('no such model'), { retryable: false });
        };
        const experimental_repairToolCall = repairToolCall({ judges: [judge] });
        const answers = [call(REPAIRABLE), call(UNREPAIRABLE), 'done'];
        const { sentResults } = await loop(answers, { tools, experimental_repairToolCall });
        assert.deepEqual(inputs, [RIGHT]);
        assert.match(sentResults[1].value, /^(?!.*no such model).*city/s);
      });

      if (version === 'ai 7') {
        test('is also taken as repairToolCall', async () => {
          const { inputs, tools } = zod();
          await loop([call(REPAIRABLE), 'done'], { tools, repairToolCall: repairToolCall() });
          assert.deepEqual(inputs, [RIGHT]);
        });
      }
    });

    suite(`guardTools with ${api} of ${version}`, () => {
      for (const [title, schema] of Object.entries(schemas)) {
        test(`lets a valid call of a tool with ${title} run`, async () => {
          const { inputs, tools } = recordingTool(schema());
          const repairs = [];
          const onRepair = repair => repairs.push(repair);
          const { text } = await loop([call(RIGHT), 'done'], { tools: guardTools(tools, { onRepair }) });
          assert.deepEqual([inputs, repairs], [[RIGHT], []]);
          assert.equal(text, 'done');
        });

        test(`repairs a call of a tool with ${title}, and the loop goes on`, async () => {
          const { inputs, tools } = recordingTool(schema());
          const repairs = [];
          const guarded = guardTools(tools, { onRepair: ({ name, changes }) => repairs.push([name, changes[0].path]) });
          const { text, sentCalls, sentResults } = await loop([call(REPAIRABLE), 'done'], { tools: guarded });
          assert.deepEqual(inputs, [RIGHT]);
          assert.equal(text, 'done');
          assert.deepEqual(sentCalls, [RIGHT]);
          assert.deepEqual(sentResults, [{ type: 'json', value: { reference: 'R-1001' } }]);
          assert.deepEqual(repairs, [['book_table', 'guests']]);
        });

        test(`refuses another invalid call of a tool with ${title}, and the model corrects it`, async () => {
          const { inputs, tools } = recordingTool(schema());
          const { text, sentResults } = await loop([call(UNREPAIRABLE), call(RIGHT), 'done'], {
            tools: guardTools(tools),
          });
          assert.equal(sentResults[0].type, 'error-text');
          assert.match(sentResults[0].value, /city/);
          assert.deepEqual(inputs, [RIGHT]);
          assert.equal(text, 'done');
        });

        test(`returns the message of a tool with ${title} if that is asked for`, async () => {
          const { inputs, tools } = recordingTool(schema());
          const guarded = guardTools(tools, { onInvalid: 'return' });
          const answers = [call(UNREPAIRABLE), call(REPAIRABLE), 'done'];
          const { text, content, sentResults } = await loop(answers, { tools: guarded });
          assert.deepEqual(Object.keys(sentResults[0].value), ['error']);
          assert.match(sentResults[0].value.error, /city/);
          assert.ok(content.every(({ type, invalid }) => type !== 'tool-error' && !invalid));
          assert.deepEqual(inputs, [RIGHT]);
          assert.equal(text, 'done');
        });
      }

      test('decodes arguments that were encoded twice', async () => {
        for (const schema of Object.values(schemas)) {
          const { inputs, tools } = recordingTool(schema());
          await loop([call(JSON.stringify(JSON.stringify(RIGHT))), 'done'], { tools: guardTools(tools) });
          assert.deepEqual(inputs, [RIGHT]);
        }
      });

      test('takes null for no arguments', async () => {
        const { inputs, tools } = recordingTool(sdk.jsonSchema({ type: 'object', properties: {} }));
        await loop([call('null'), 'done'], { tools: guardTools(tools) });
        assert.deepEqual(inputs, [{}]);
      });

      test('without it, the SDK runs a tool with a JSON Schema with invalid input', async () => {
        const { inputs, tools } = recordingTool();
        await loop([call(UNREPAIRABLE), 'done'], { tools });
        assert.deepEqual(inputs, [UNREPAIRABLE]);
      });

      test('guards dynamic tools, such as those of an MCP client', async () => {
        const inputs = [];
        const execute = async input => inputs.push(input);
        const inputSchema = sdk.jsonSchema(PARAMETERS);
        const tools = guardTools({ book_table: sdk.dynamicTool({ inputSchema, execute }) });
        const { content, sentResults } = await loop([call(REPAIRABLE), call(UNREPAIRABLE), 'done'], { tools });
        assert.deepEqual(inputs, [RIGHT]);
        assert.equal(content[0].dynamic, true);
        assert.match(sentResults[1].value, /city/);
      });

      test('passes on what a zod schema transforms and fills in', async () => {
        const guests = z.number().transform(number => ({ adults: number }));
        const { inputs, tools } = recordingTool(z.object({ city: z.string().default('Bergen'), guests }));
        for (const onInvalid of ['throw', 'return']) {
          await loop([call({ guests: '4' }), call({ guests: 5 }), 'done'], { tools: guardTools(tools, { onInvalid }) });
        }
        const expected = [4, 5].map(adults => ({ city: 'Bergen', guests: { adults } }));
        assert.deepEqual(inputs, [...expected, ...expected]);
      });

      test('lets a rule of zod alone decide', async () => {
        const schema = z
          .object({ city: z.string(), guests: z.number().max(8, 'at most eight') })
          .refine(({ city }) => city !== 'Atlantis', 'no such city');
        const { inputs, tools } = recordingTool(schema);
        const wrong = { city: 'Atlantis', guests: '4' };
        const repairs = [];
        const onRepair = repair => repairs.push(repair);
        const { sentResults } = await loop([call(wrong), 'done'], { tools: guardTools(tools, { onRepair }) });
        assert.equal(sentResults[0].type, 'error-text');
        assert.deepEqual([inputs, repairs], [[], []]);
      });

      test('leaves everything to the validator of a schema that can not be read', async () => {
        const { inputs, tools } = recordingTool(sdk.jsonSchema({ type: 'nope' }, { validate }));
        const answers = [call(UNREPAIRABLE), call(RIGHT), 'done'];
        const { sentResults } = await loop(answers, { tools: guardTools(tools) });
        assert.match(sentResults[0].value, /wrong city or guests/);
        assert.deepEqual(inputs, [RIGHT]);
      });

      test('leaves the outputs of a generator as they are', async () => {
        async function* execute({ guests }) {
          yield { state: 'asking' };
          yield { state: `booked for ${guests}` };
        }
        const { tools } = recordingTool(undefined, { execute });
        const outputs = [];
        const model = scriptedModel(call(REPAIRABLE), 'done');
        const settings = { model, tools: guardTools(tools), stopWhen: sdk.stepCountIs(5), prompt: 'Book.' };
        if (api === 'generateText') {
          const { steps } = await sdk.generateText(settings);
          outputs.push(...steps[0].toolResults.map(({ output }) => output.state));
          assert.deepEqual(outputs, ['booked for 4']);
        } else {
          for await (const part of sdk.streamText(settings).fullStream) {
            if (part.type === 'tool-result') outputs.push([part.preliminary ?? false, part.output.state]);
          }
          assert.deepEqual(outputs, [
            [true, 'asking'],
            [true, 'booked for 4'],
            [false, 'booked for 4'],
          ]);
        }
      });

      test('keeps the callbacks of a tool, which see the repaired input', async () => {
        const seen = [];
        const { tools } = recordingTool(undefined, {
          onInputStart: () => seen.push('start'),
          onInputDelta: ({ inputTextDelta }) => seen.push(inputTextDelta),
          onInputAvailable: ({ input }) => seen.push(input),
          toModelOutput: () => ({ type: 'text', value: 'for the model' }),
        });
        const { sentResults } = await loop([call(REPAIRABLE), 'done'], { tools: guardTools(tools) });
        const deltas = api === 'streamText' ? [JSON.stringify(REPAIRABLE)] : [];
        assert.deepEqual(seen, ['start', ...deltas, RIGHT]);
        assert.deepEqual(sentResults, [{ type: 'text', value: 'for the model' }]);
      });

      test('passes the options of the SDK to execute', async () => {
        const given = [];
        const execute = async (_, { toolCallId, messages }) => given.push([toolCallId, messages[0].role]);
        const { tools } = recordingTool(undefined, { execute });
        await loop([call(REPAIRABLE), 'done'], { tools: guardTools(tools) });
        assert.deepEqual(given, [['call-1-1', 'user']]);
      });

      test('repairs and checks calls of tools that the client runs', async () => {
        const tools = guardTools({ book_table: sdk.tool({ inputSchema: sdk.jsonSchema(PARAMETERS) }) });
        for (const [input, valid] of [
          [REPAIRABLE, true],
          [UNREPAIRABLE, false],
        ]) {
          const { content } = await loop([call(input), 'done'], { tools });
          assert.deepEqual(content[0].input, valid ? RIGHT : UNREPAIRABLE);
          assert.equal(!content[0].invalid, valid);
        }
      });

      test('leaves to repairToolCall what it refuses', async () => {
        const { inputs, tools } = recordingTool();
        const judge = async () => ({
          evidence: '',
          explanation: '',
          output: 1,
          confidence: 1,
          correction: { arguments: RIGHT },
        });
        await loop([call(UNREPAIRABLE), call(REPAIRABLE, 'bookTable'), 'done'], {
          tools: guardTools(tools),
          experimental_repairToolCall: repairToolCall({ judges: [judge] }),
        });
        assert.deepEqual(inputs, [RIGHT, RIGHT]);
      });

      test('refuses each call of a tool whose schema can not be read, and says so', async () => {
        const { inputs, tools } = recordingTool(sdk.jsonSchema({ type: 'nope' }));
        const { sentResults } = await loop([call(RIGHT), 'done'], { tools: guardTools(tools) });
        assert.match(sentResults[0].value, /nope/);
        assert.deepEqual(inputs, []);
      });

      if (version !== 'ai 5') {
        test('waits for a JSON Schema that is a promise', async () => {
          const { inputs, tools } = recordingTool(sdk.jsonSchema(async () => PARAMETERS));
          await loop([call(REPAIRABLE), call(UNREPAIRABLE), 'done'], { tools: guardTools(tools) });
          assert.deepEqual(inputs, [RIGHT]);
        });

        test('gives the last output of a generator that is called directly and has to wait for its schema', async () => {
          const outputs = ['asking', 'booked'];
          const execute = async function* () {
            yield* outputs;
          };
          const { tools } = recordingTool(
            sdk.jsonSchema(async () => PARAMETERS),
            { execute },
          );
          assert.equal(await guardTools(tools).book_table.execute(RIGHT, {}), 'booked');
        });

        for (const onInvalid of ['throw', 'return']) {
          for (const [title, schema] of Object.entries(schemas)) {
            test(`runs no invalid call of a tool with ${title} that was approved (${onInvalid})`, async () => {
              const asked = [];
              const needsApproval = input => asked.push(input) > 0;
              const { inputs, tools } = recordingTool(schema(), { needsApproval });
              const guarded = guardTools(tools, { onInvalid });
              for (const input of [REPAIRABLE, UNREPAIRABLE]) {
                const prompt = 'Book.';
                const model = scriptedModel(call(input), 'done');
                const first = await start(sdk, { model, tools: guarded, prompt });
                const answer = approve(first);
                const messages = [{ role: 'user', content: prompt }, ...answer];
                await start(sdk, { model: scriptedModel('done'), tools: guarded, prompt: undefined, messages });
              }
              assert.deepEqual(inputs, [RIGHT]);
              assert.deepEqual(asked[0], RIGHT);
            });
          }
        }
      }
    });
  }

  suite(`the function that repairToolCall of ${version} makes`, () => {
    const type = version === 'ai 5' ? 'provider-defined' : 'provider';
    const inputSchema = z.object({ query: z.string() });
    const tools = {
      web_search: { type, id: 'x.web_search', name: 'web_search', args: {}, inputSchema },
      find_file: sdk.tool({ inputSchema }),
    };
    const failed = (toolName, more) => ({
      toolCall: { type: 'tool-call', toolCallId: 'call-1', toolName, input: '{"query": 5}', ...more },
      tools,
      inputSchema: ({ toolName }) => sdk.asSchema(tools[toolName].inputSchema).jsonSchema,
      messages: [],
    });

    test('keeps whatever else the call carries', async () => {
      const given = failed('find_file', { providerMetadata: { x: { y: 1 } } });
      const before = structuredClone(given.toolCall);
      assert.deepEqual(await repairToolCall()(given), { ...before, input: '{"query":"5"}' });
      assert.deepEqual(given.toolCall, before);
    });

    test('repairs no call that the provider ran', async () => {
      assert.equal(await repairToolCall()(failed('find_file', { providerExecuted: true })), null);
    });

    test('turns no call into one of a tool that a provider defines', async () => {
      assert.equal(await repairToolCall()(failed('webSearch')), null);
      assert.equal((await repairToolCall()(failed('findFile'))).toolName, 'find_file');
    });
  });

  suite(`guardTools of ${version}`, () => {
    test('changes none of the tools that it is given', () => {
      const { tools } = recordingTool(undefined, { providerOptions: { x: { y: 1 } } });
      const before = { ...tools.book_table };
      const guarded = guardTools(Object.freeze({ book_table: Object.freeze(tools.book_table) }));
      assert.deepEqual({ ...tools.book_table }, before);
      assert.notEqual(guarded.book_table, tools.book_table);
      const { inputSchema, execute, ...others } = guarded.book_table;
      const { inputSchema: schemaBefore, execute: executeBefore, ...othersBefore } = before;
      assert.deepEqual(others, othersBefore);
    });

    test('keeps the JSON Schema that the model gets', async () => {
      for (const schema of Object.values(schemas)) {
        const { tools } = recordingTool(schema());
        const [before, after] = [tools, guardTools(tools)].map(({ book_table }) =>
          sdk.asSchema(book_table.inputSchema),
        );
        assert.deepEqual(await after.jsonSchema, await before.jsonSchema);
      }
    });

    test('returns tools that a provider defines as they are', () => {
      const type = version === 'ai 5' ? 'provider-defined' : 'provider';
      const search = { type, id: 'x.search', name: 'search', args: {}, inputSchema: z.object({}) };
      assert.equal(guardTools({ search }).search, search);
    });

    test('keeps the methods of a tool that is an instance of a class', async () => {
      class Greeter {
        inputSchema = sdk.jsonSchema({ type: 'object', properties: { name: { type: 'string' } } });
        #greeting = 'Hello';
        get description() {
          return 'Greets';
        }
        onInputAvailable() {}
        execute({ name }) {
          return `${this.#greeting}, ${name}`;
        }
      }
      const { greet } = guardTools({ greet: new Greeter() });
      assert.equal(greet.execute({ name: 'Ada' }, {}), 'Hello, Ada');
      assert.equal(greet.description, 'Greets');
      assert.equal(typeof greet.onInputAvailable, 'function');
    });

    test('guards tools with any name', () => {
      const { tools } = recordingTool();
      const named = JSON.parse('{"__proto__": 1, "constructor": 2}');
      for (const name of Object.keys(named)) {
        const own = Object.fromEntries([[name, tools.book_table]]);
        const guarded = guardTools(own);
        assert.ok(Object.hasOwn(guarded, name));
        assert.throws(() => guarded[name].execute(UNREPAIRABLE, {}), /city/);
      }
    });

    test('checks the input of execute, called directly, against a JSON Schema', async () => {
      const { inputs, tools } = recordingTool();
      const { book_table } = guardTools(tools);
      await book_table.execute(RIGHT, {});
      await book_table.execute(REPAIRABLE, {});
      assert.throws(() => book_table.execute(UNREPAIRABLE, {}), { name: 'ToolgaugeError', code: 'invalid_input' });
      assert.deepEqual(inputs, [RIGHT, RIGHT]);
      const returning = guardTools(tools, { onInvalid: 'return' });
      assert.match((await returning.book_table.execute(UNREPAIRABLE, {})).error, /city/);
    });

    test('guards tools that are guarded already', async () => {
      const { inputs, tools } = recordingTool();
      const repairs = [];
      const onRepair = repair => repairs.push(repair);
      const twice = guardTools(guardTools(tools, { onRepair }), { onRepair });
      const model = scriptedModel(call(REPAIRABLE), call(UNREPAIRABLE), 'done');
      await sdk.generateText({ model, tools: twice, stopWhen: sdk.stepCountIs(5), prompt: 'Book.' });
      assert.deepEqual(inputs, [RIGHT]);
      assert.equal(repairs.length, 1);
    });

    test('works in an agent', async () => {
      const { inputs, tools } = recordingTool();
      const Agent = sdk.ToolLoopAgent ?? sdk.Experimental_Agent;
      const model = scriptedModel(call(REPAIRABLE), call(RIGHT, 'bookTable'), 'done');
      const agent = new Agent({
        model,
        tools: guardTools(tools),
        experimental_repairToolCall: repairToolCall(),
        stopWhen: sdk.stepCountIs(5),
      });
      const { text } = await agent.generate({ prompt: 'Book.' });
      assert.equal(text, 'done');
      assert.deepEqual(inputs, [RIGHT, RIGHT]);
    });

    test('refuses an unknown way to treat invalid calls', () => {
      const { tools } = recordingTool();
      assert.throws(() => guardTools(tools, { onInvalid: 'ignore' }), { code: 'invalid_option' });
    });
  });

  suite(`the types with ${version}`, () => {
    const latest = version === 'ai 7' ? LATEST_TYPES : '';

    test('fit those of the SDK', async t => {
      assert.equal(await compile(project, t, { 'right.mts': RIGHT_TYPES + latest }), '');
    });

    test('refuse wrong options', async t => {
      assert.equal(await compile(project, t, { 'wrong.mts': WRONG_TYPES }), '');
    });

    if (version !== 'ai 7') {
      test('fit those of the SDK in CommonJS', async t => {
        assert.equal(await compile(project, t, { 'right.cts': RIGHT_TYPES }), '');
      });
    }
  });

  suite(`the examples with ${version}`, () => {
    const story = [
      /repaired: .*book_table/,
      /repaired: .*4/,
      /book_table runs: 4 guests, Luigi, 2026-05-24/,
      /refused: .*date/s,
      /book_table runs: 2 guests, Noma, 2026-05-25/,
      /Both tables are booked\./,
    ];

    for (const file of ['ai-sdk.mjs', 'openai-loop.mjs', 'anthropic-loop.mjs']) {
      test(`${file} repairs one call, refuses one and goes on`, async t => {
        const folder = folderIn(project, t, {});
        cpSync(EXAMPLES, folder, { recursive: true });
        const { code, stdout, stderr } = await run('node', [file], { cwd: folder });
        assert.equal(stderr, '');
        assert.equal(code, 0);
        const parts = file === 'ai-sdk.mjs' ? stdout.split('streamText') : [stdout];
        for (const part of parts) for (const line of story) assert.match(part, line);
        assert.equal(stdout.match(/book_table runs/g).length, 2 * parts.length);
      });
    }
  });
}

/** A module of the examples, as it works in `project`. */
async function fromExample(file, project) {
  const path = join(project, file);
  cpSync(join(EXAMPLES, file), path);
  return import(pathToFileURL(path));
}

/** What a user of `jsonSchema` may have written. */
function validate(value) {
  const valid = typeof value.city === 'string' && Number.isInteger(value.guests);
  return valid ? { success: true, value } : { success: false, error: new Error('wrong city or guests') };
}

/** The messages that follow when the user approves each call that needs it. */
function approve(result) {
  const { messages } = result.response;
  const requests = messages.flatMap(({ content }) => content).filter(({ type }) => type === 'tool-approval-request');
  const content = requests.map(({ approvalId }) => ({ type: 'tool-approval-response', approvalId, approved: true }));
  return content.length === 0 ? messages : [...messages, { role: 'tool', content }];
}

async function compile(project, t, files) {
  const folder = folderIn(project, t, files);
  const strict = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022'];
  const modules = ['--module', 'nodenext', '--lib', 'es2023,dom,esnext.disposable', '--types', ''];
  const { stdout } = await runTool('tsc', [...strict, ...modules, ...Object.keys(files)], { cwd: folder });
  return stdout;
}
