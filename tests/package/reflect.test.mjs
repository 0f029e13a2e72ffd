import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { assertFails, forms } from './support/assertions.mjs';
import { consumer, folderIn, fromConsumer, run } from './support/consumer.mjs';
import { providerCalls } from './support/provider-calls.mjs';
import { always, FINE, judgeOf, never, rejection, slowJudge, WRONG } from './support/scripted-judges.mjs';
import { CANCEL, CHECKS, FORECAST, forecast, frozen, RIGHT, TOOLS } from './support/tool-calls.mjs';

const {
  checkToolCall,
  compileTools,
  ReflectionToolCallingMetric,
  ReflectionToolCallingMetricSyntactic,
  reflectToolCall,
  repairToolCall,
  repairToolCallSync,
} = await fromConsumer('toolgauge');
const { z } = await fromConsumer('zod');

const GENERAL = ['general_hallucination_check', 'general_value_format_alignment'];
const SELECTION = ['function_selection_appropriateness', 'agentic_constraints_satisfaction'];

/** Nobody has to wait for the next attempt. */
const SOON = { retryDelay: 0.001 };

const check = toolCall => checkToolCall({ tools: TOOLS, toolCall });
const repair = toolCall => repairToolCallSync({ tools: TOOLS, toolCall });
const CALL = forecast({ ...RIGHT, days: 3 });
const CONVERSATION = 'How will the weather be in Oslo for the next three days, in celsius?';
const reflect = (options, toolCall = CALL) =>
  reflectToolCall({ tools: TOOLS, toolCall, conversation: CONVERSATION, ...SOON, ...options });
const shownBy = ({ prompt }) => JSON.parse(prompt.slice(prompt.indexOf('{')));

/** What a metric holds after a judge answered so. */
const metricOf = (answer, rest = {}) => ({
  ...answer,
  score: (answer.output - 1) / 4,
  counts: true,
  valid: true,
  isIssue: false,
  ...rest,
});

suite('reflectToolCall', () => {
  test('asks four questions and finds a call right that judges find right', async () => {
    const judge = always(FINE);
    const reflection = await reflect({ judges: [judge] });
    const category = names => ({
      metrics: Object.fromEntries(names.map(name => [name, metricOf(FINE)])),
      avg_score: 1,
    });
    assert.deepEqual(reflection, {
      static: check(CALL),
      semantic: { general: category(GENERAL), function_selection: category(SELECTION) },
      overall_valid: true,
      overall_avg_score: 1,
    });
    assert.deepEqual(
      judge.asked.map(({ name }) => name),
      [...GENERAL, ...SELECTION],
    );
  });

  test('shows the judge the conversation, the tools and the call', async () => {
    const judge = always(FINE);
    await reflect({ judges: [judge] });
    for (const request of judge.asked) {
      assert.deepEqual(shownBy(request), {
        conversation: [{ role: 'user', content: CONVERSATION }],
        otherTools: [{ name: CANCEL.name, description: CANCEL.description }],
        calledTool: FORECAST,
        toolCall: CALL,
      });
    }
  });

  test('shows the judge the same for every way to write the call', async () => {
    for (const [provider, toolCall] of Object.entries(providerCalls('get_forecast', CALL.arguments))) {
      const judge = always(FINE);
      const { overall_valid } = await reflect({ judges: [judge] }, toolCall);
      assert.equal(overall_valid, true, provider);
      assert.deepEqual(shownBy(judge.asked[0]).toolCall, CALL, provider);
    }
    for (const form of [forms(CALL).text, forms(CALL).bytes]) {
      const judge = always(FINE);
      await reflect({ judges: [judge] }, form);
      assert.deepEqual(shownBy(judge.asked[0]).toolCall, CALL);
    }
  });

  test('shows the judge the called tool, also when its name has the prefix of a server', async () => {
    const judge = always(FINE);
    const { static: checked } = await reflect({ judges: [judge] }, { ...CALL, name: 'mcp__weather__get_forecast' });
    assert.equal(checked.overall_valid, true);
    assert.deepEqual(shownBy(judge.asked[0]).calledTool, FORECAST);
  });

  test('shows the judge compiled tools, zod tools and tools of a server as what they are', async () => {
    const zod = { get_forecast: z.object({ city: z.string(), unit: z.string(), days: z.int() }) };
    const server = { tools: TOOLS.map(({ name, parameters }) => ({ name, inputSchema: parameters })) };
    for (const tools of [compileTools(TOOLS), zod, server, forms(TOOLS).text, forms(TOOLS).bytes]) {
      const judge = always(FINE);
      assert.equal((await reflect({ tools, judges: [judge] })).overall_valid, true);
      const { calledTool } = shownBy(judge.asked[0]);
      assert.equal(calledTool.name, 'get_forecast');
      assert.ok('city' in calledTool.parameters.properties);
    }
  });

  test('an answer that is sure of an issue makes the call wrong', async () => {
    const wrong = { ...WRONG, output: 2, correction: { arguments: { ...RIGHT, days: 2 } } };
    const judge = judgeOf({ general_value_format_alignment: [wrong] });
    const { semantic, overall_valid, overall_avg_score, static: checked } = await reflect({ judges: [judge] });
    assert.deepEqual(
      semantic.general.metrics.general_value_format_alignment,
      metricOf(wrong, { valid: false, isIssue: true }),
    );
    assert.equal(semantic.general.metrics.general_hallucination_check.valid, true);
    assert.deepEqual([semantic.general.avg_score, semantic.function_selection.avg_score], [0.625, 1]);
    assert.deepEqual([overall_valid, overall_avg_score, checked.overall_valid], [false, 0.813, true]);
  });

  test('values are right from 4 on, the choice of the tool from 3 on', async () => {
    for (const [name, output, valid] of [
      ['general_hallucination_check', 4, true],
      ['general_hallucination_check', 3, false],
      ['general_value_format_alignment', 3, false],
      ['function_selection_appropriateness', 3, true],
      ['function_selection_appropriateness', 2, false],
      ['agentic_constraints_satisfaction', 3, true],
      ['agentic_constraints_satisfaction', 2, false],
    ]) {
      const { overall_valid } = await reflect({ judges: [judgeOf({ [name]: [{ ...FINE, output }] })] });
      assert.equal(overall_valid, valid, `${name} ${output}`);
    }
  });

  test('an unsure answer does not count', async () => {
    const unsure = { ...WRONG, confidence: 0.4 };
    const judge = judgeOf({ general_hallucination_check: [unsure] });
    const { semantic, overall_valid } = await reflect({ judges: [judge] });
    assert.deepEqual(semantic.general.metrics.general_hallucination_check, metricOf(unsure, { counts: false }));
    assert.equal(semantic.general.avg_score, 1);
    assert.equal(overall_valid, true);
    const none = await reflect({ judges: [always(unsure)] });
    assert.deepEqual([none.overall_valid, none.overall_avg_score], [true, null]);
    assert.deepEqual([none.semantic.general.avg_score, none.semantic.function_selection.avg_score], [null, null]);
  });

  test('minConfidence says what counts', async () => {
    for (const [minConfidence, counts] of [
      [0, true],
      [0.4, true],
      [0.41, false],
      [1, false],
    ]) {
      const { semantic, overall_valid } = await reflect({
        judges: [always({ ...WRONG, confidence: 0.4 })],
        minConfidence,
      });
      assert.equal(semantic.general.metrics.general_hallucination_check.counts, counts);
      assert.equal(overall_valid, !counts);
    }
  });

  test('a judge that fails is asked again', async () => {
    const judge = always(new Error('no power'), FINE);
    const { overall_valid } = await reflect({ judges: [judge] });
    assert.deepEqual([overall_valid, judge.asked.length], [true, 8]);
  });

  test('a judge whose answer does not fit learns why and is asked again', async () => {
    const judge = always({ ...FINE, output: 6 }, FINE);
    const { overall_valid } = await reflect({ judges: [judge] });
    assert.deepEqual([overall_valid, judge.asked.length], [true, 8]);
    const second = judge.asked.filter(({ name }) => name === 'general_hallucination_check')[1];
    assert.match(second.prompt, /output: .*5/);
  });

  test('without a fitting answer there is the error with what was said, and no score', async () => {
    const judge = judgeOf({ general_hallucination_check: ['It looks good to me.'] });
    const { semantic, overall_valid, overall_avg_score } = await reflect({ judges: [judge], maxRetries: 1 });
    const { error, ...metric } = semantic.general.metrics.general_hallucination_check;
    assert.deepEqual(metric, { counts: false, valid: false, isIssue: false });
    assert.deepEqual(Object.keys(error), ['code', 'message', 'judge', 'rawAnswer']);
    assert.deepEqual(
      [error.code, error.judge, error.rawAnswer],
      ['judge_answer_invalid', 'scripted', 'It looks good to me.'],
    );
    assert.equal(judge.asked.filter(({ name }) => name === 'general_hallucination_check').length, 2);
    assert.deepEqual([semantic.general.avg_score, overall_valid, overall_avg_score], [1, false, 1]);
  });

  test('judges that never answer give no score at all', async () => {
    const judge = always(new Error('no power'));
    const { semantic, overall_valid, overall_avg_score } = await reflect({ judges: [judge], maxRetries: 0 });
    assert.deepEqual([overall_valid, overall_avg_score], [false, null]);
    for (const { metrics, avg_score } of Object.values(semantic)) {
      assert.equal(avg_score, null);
      for (const metric of Object.values(metrics)) {
        assert.deepEqual(Object.keys(metric), ['error', 'counts', 'valid', 'isIssue']);
        assert.equal(metric.error.code, 'judge_failed');
        assert.match(metric.error.message, /no power/);
      }
    }
  });

  test('the error of a metric holds the HTTP status', async () => {
    const failure = Object.assign(new Error('forbidden'), { status: 403, retryable: false });
    const { semantic } = await reflect({ judges: [always(failure)] });
    assert.equal(semantic.general.metrics.general_hallucination_check.error.status, 403);
  });

  test('a judge that takes too long has failed', async () => {
    const { semantic } = await reflect({ judges: [always(never)], timeout: 0.01, maxRetries: 0 });
    assert.match(semantic.general.metrics.general_hallucination_check.error.message, /no answer within 0\.01 s/);
  });

  test('nobody is asked about a call that fails the static checks', async () => {
    const judge = always(FINE);
    const toolCall = forecast({ ...RIGHT, days: '3' });
    const reflection = await reflect({ judges: [judge] }, toolCall);
    assert.deepEqual(reflection, {
      static: check(toolCall),
      semantic: null,
      overall_valid: false,
      overall_avg_score: null,
    });
    assert.equal(judge.asked.length, 0);
  });

  test('continueOnStatic asks all the same, and the call stays wrong', async () => {
    const judge = always(FINE);
    const { overall_valid, overall_avg_score, semantic } = await reflect(
      { judges: [judge], continueOnStatic: true },
      { name: 'get_weather', arguments: RIGHT },
    );
    assert.equal(judge.asked.length, 4);
    assert.deepEqual([overall_valid, overall_avg_score, semantic.general.avg_score], [false, 1, 1]);
    assert.equal(shownBy(judge.asked[0]).calledTool, null);
  });

  test('continueOnStatic asks nobody where there is no call, or there are no tools', async () => {
    const judge = always(FINE);
    for (const input of [
      { toolCall: { arguments: {} } },
      { toolCall: null },
      { toolCall: forecast('{"city": ') },
      { tools: [] },
      { tools: [{ name: 'f', parameters: { type: 'text' } }] },
    ]) {
      const { semantic, overall_valid } = await reflect({ judges: [judge], continueOnStatic: true, ...input });
      assert.deepEqual([semantic, overall_valid], [null, false]);
    }
    assert.equal(judge.asked.length, 0);
  });

  test('metrics chooses the questions', async () => {
    const judge = always(FINE);
    const { semantic } = await reflect({ judges: [judge], metrics: ['agentic_constraints_satisfaction'] });
    assert.deepEqual(
      judge.asked.map(({ name }) => name),
      ['agentic_constraints_satisfaction'],
    );
    assert.deepEqual(Object.keys(semantic), ['function_selection']);
  });

  test('parameterMetrics asks about each argument', async () => {
    const wrong = { ...WRONG, output: 3 };
    const judge = judgeOf({
      parameter_value_format_alignment: [request => (shownBy(request).judgedParameter.name === 'days' ? wrong : FINE)],
    });
    const { semantic, overall_valid, overall_avg_score } = await reflect({
      judges: [judge],
      parameterMetrics: ['parameter_hallucination_check', 'parameter_value_format_alignment'],
    });
    assert.equal(judge.asked.length, 4 + 3 * 2);
    assert.deepEqual(Object.keys(semantic.parameter), ['city', 'unit', 'days']);
    assert.deepEqual(semantic.parameter.city, {
      metrics: {
        parameter_hallucination_check: metricOf(FINE),
        parameter_value_format_alignment: metricOf(FINE),
      },
      avg_score: 1,
    });
    assert.deepEqual(
      semantic.parameter.days.metrics.parameter_value_format_alignment,
      metricOf(wrong, { valid: false, isIssue: true }),
    );
    assert.equal(semantic.parameter.days.avg_score, 0.75);
    // The mean of 1, 1 and the mean of 1, 1 and 0.75 over the arguments.
    assert.deepEqual([overall_valid, overall_avg_score], [false, 0.972]);
  });

  test('parameterMetrics takes any name of an argument', async () => {
    const parameters = { type: 'object', additionalProperties: { type: 'integer' } };
    const args = JSON.parse('{"__proto__": 1, "constructor": 2, "a b": 3, "": 4}');
    const { semantic } = await reflectToolCall({
      tools: [{ name: 'f', parameters }],
      toolCall: { name: 'f', arguments: args },
      judges: [always(FINE)],
      metrics: [],
      parameterMetrics: ['parameter_hallucination_check'],
    });
    assert.deepEqual(Object.keys(semantic.parameter).sort(), ['', '__proto__', 'a b', 'constructor']);
    assert.equal({}.metrics, undefined);
  });

  test('the full form asks at length and takes recommendations', async () => {
    const correction = {
      missing: ['Ask for the unit.'],
      recommendations: ['Parameter unit: name the allowed values.'],
    };
    const judge = judgeOf({ general_hallucination_check: [{ ...WRONG, correction }] });
    const { semantic } = await reflect({ judges: [judge], form: 'full' });
    assert.deepEqual(semantic.general.metrics.general_hallucination_check.correction, correction);
    const brief = always(FINE);
    await reflect({ judges: [brief] });
    for (const [at, { system, schema }] of judge.asked.entries()) {
      assert.ok(system.length > 2 * brief.asked[at].system.length);
      assert.notDeepEqual(schema, brief.asked[at].schema);
    }
  });

  suite('several judges', () => {
    const three = () =>
      [5, 4, 1].map(output => always({ ...FINE, output, evidence: `from ${output}`, confidence: output / 5 }));
    const outcomes = {
      average: [3.333, false, true],
      median: [4, true, true],
      average_rounded: [3, false, true],
    };
    for (const [aggregationMethod, [output, isGeneral, isSelection]] of Object.entries(outcomes)) {
      test(`become one output by ${aggregationMethod}, with the words of the nearest and the mean confidence`, async () => {
        const { semantic } = await reflect({ judges: three(), aggregationMethod });
        const { general_hallucination_check: metric } = semantic.general.metrics;
        assert.deepEqual([metric.output, metric.evidence, metric.confidence], [output, 'from 4', 0.667]);
        assert.equal(typeof metric.agreement, 'number');
        const { agentic_constraints_satisfaction: other } = semantic.function_selection.metrics;
        assert.deepEqual([metric.valid, other.valid], [isGeneral, isSelection]);
      });
    }

    test('become one output by a vote', async () => {
      const judges = [5, 5, 1].map(output => always({ ...FINE, output }));
      const { semantic } = await reflect({ judges, aggregationMethod: 'majority_vote' });
      const { output, agreement } = semantic.general.metrics.general_hallucination_check;
      assert.deepEqual([output, agreement], [5, 0.667]);
    });

    test('count without those who fail', async () => {
      const judges = [always(new Error('no power')), always({ ...FINE, output: 4 })];
      const { semantic, overall_valid } = await reflect({ judges, maxRetries: 0 });
      const { output, confidence } = semantic.general.metrics.general_hallucination_check;
      assert.deepEqual([output, confidence, overall_valid], [4, 0.9, true]);
    });

    test('fallbackJudges are asked in turn when a judge fails', async () => {
      const [broken, alsoBroken, spare] = [always(new Error('a')), always('b'), always({ ...FINE, output: 4 })];
      const { semantic } = await reflect({ judges: [broken], fallbackJudges: [alsoBroken, spare], maxRetries: 0 });
      assert.equal(semantic.general.metrics.general_hallucination_check.output, 4);
      assert.deepEqual([broken.asked.length, alsoBroken.asked.length, spare.asked.length], [4, 4, 4]);
    });
  });

  suite('a signal', () => {
    for (const [name, start] of Object.entries({
      reflectToolCall: options => reflect(options),
      repairToolCall: options =>
        repairToolCall({ tools: TOOLS, toolCall: CALL, conversation: CONVERSATION, ...options }),
      'ReflectionToolCallingMetric.map': ({ signal, ...options }) =>
        new ReflectionToolCallingMetric(options).map([{ tools: TOOLS, toolCall: CALL }], { signal }),
    })) {
      for (const [when, schedule] of Object.entries({
        'at once': abort => abort(),
        later: abort => setTimeout(abort, 5),
      })) {
        test(`that is aborted ${when} while judges are asked ends ${name}, and what the judges do`, async () => {
          const controller = new AbortController();
          const judge = always(() => {
            if (judge.asked.length === 4) schedule(() => controller.abort(new Error('enough')));
            return never();
          });
          const options = { judges: [judge], signal: controller.signal, timeout: 1 };
          const error = await rejection(start(options), 'aborted');
          assert.match(error.message, /enough/);
          assert.deepEqual(
            judge.signals.map(({ aborted }) => aborted),
            [true, true, true, true],
          );
        });
      }

      test(`that is aborted already lets ${name} ask nobody`, async () => {
        const judge = always(FINE);
        await rejection(start({ judges: [judge], signal: AbortSignal.abort() }), 'aborted');
        assert.equal(judge.asked.length, 0);
      });
    }

    test('that a judge aborts itself, before it waits for anything, leaves nothing running', async t => {
      const program = `
        import { reflectToolCall, runJudges } from 'toolgauge';
        const request = { name: 'n', prompt: 'p', schema: { properties: { score: { enum: [0, 1] } }, required: ['score'] } };
        const tools = [{ name: 'f', parameters: {} }];
        const toolCall = { name: 'f', arguments: {} };
        for (const ask of [options => runJudges(request, options), options => reflectToolCall({ tools, toolCall, ...options })]) {
          const controller = new AbortController();
          const judge = () => {
            controller.abort();
            return new Promise(() => {});
          };
          const error = await ask({ judges: [judge], signal: controller.signal, timeout: 3 }).catch(thrown => thrown);
          await new Promise(setImmediate);
          console.log(error.code, process.getActiveResourcesInfo().filter(kind => kind === 'Timeout'));
        }`;
      const folder = folderIn(consumer, t, { 'abort.mjs': program });
      const { code, stdout } = await run(process.execPath, ['abort.mjs'], { cwd: folder });
      assert.deepEqual([code, stdout], [0, 'aborted []\naborted []\n']);
    });

    test('that is aborted later changes nothing', async () => {
      const controller = new AbortController();
      const { overall_valid } = await reflect({ judges: [always(FINE)], signal: controller.signal });
      controller.abort();
      assert.equal(overall_valid, true);
    });
  });

  suite('maxConcurrency', () => {
    const parameterMetrics = ['parameter_hallucination_check', 'parameter_value_format_alignment'];

    test('is 8 by default', async () => {
      const judge = slowJudge();
      await reflect({ judges: [judge], parameterMetrics });
      assert.deepEqual([judge.asked.length, judge.most], [10, 8]);
    });

    for (const most of [1, 2]) {
      test(`of ${most} lets no more questions be asked at a time`, async () => {
        const judge = slowJudge();
        await reflect({ judges: [judge], parameterMetrics, maxConcurrency: most });
        assert.deepEqual([judge.asked.length, judge.most], [10, most]);
      });
    }
  });

  suite('groundedness', () => {
    const cancel = order => ({ name: 'cancel_order', arguments: { order } });
    const hint = (conversation, order = 'W2378156', options = {}) =>
      reflectToolCall({ tools: TOOLS, toolCall: cancel(order), conversation, ...options });

    test('is a hint without judges whether identifiers stand in the conversation', async () => {
      const { groundedness, semantic, overall_valid } = await hint('Cancel my order W2378157, please.');
      assert.deepEqual(groundedness, {
        method: 'deterministic',
        grounded: false,
        ungrounded: [{ path: 'order', value: 'W2378156', closest: 'W2378157' }],
      });
      assert.deepEqual([semantic, overall_valid], [null, true]);
      assert.deepEqual((await hint('Cancel my order W2378156, please.')).groundedness, {
        method: 'deterministic',
        grounded: true,
        ungrounded: [],
      });
    });

    test('is absent with judges, without a conversation, and for what is no call', async () => {
      assert.ok(!('groundedness' in (await hint('Cancel it.', 'W2378156', { judges: [always(FINE)] }))));
      assert.ok(!('groundedness' in (await hint(undefined))));
      assert.ok(!('groundedness' in (await hint('Cancel it.', 'W2378156', { toolCall: { arguments: {} } }))));
      assert.ok(!('groundedness' in (await hint(''))));
    });

    test('is there for a call that fails the static checks', async () => {
      const { groundedness, overall_valid } = await hint('Cancel it.', 'W2378156', {
        toolCall: { name: 'cancel_orders', arguments: { order: 'W2378156' } },
      });
      assert.deepEqual([groundedness.grounded, overall_valid], [false, false]);
    });

    test('looks at results of earlier calls, and not at the call itself', async () => {
      const call = (id, name, args) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(args) } });
      const earlier = [
        { role: 'user', content: 'Cancel my last order.' },
        { role: 'assistant', content: null, tool_calls: [call('a', 'list_orders', {})] },
        { role: 'tool', tool_call_id: 'a', content: '["W2378156"]' },
      ];
      const own = call('b', 'cancel_order', { order: 'W2378156' });
      const last = { role: 'assistant', content: null, tool_calls: [own] };
      assert.equal((await hint([...earlier, last], '', { toolCall: own })).groundedness.grounded, true);
      assert.equal((await hint([earlier[0], last], '', { toolCall: own })).groundedness.grounded, false);
    });
  });

  suite('the conversation', () => {
    const openAi = (id, name, args) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(args) } });
    const own = openAi('b', 'get_forecast', RIGHT);
    const other = openAi('c', 'cancel_order', { order: 'x' });
    const start = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'How is the weather in Oslo?' },
      { role: 'assistant', content: null, tool_calls: [openAi('a', 'cancel_order', { order: 'y' })] },
      { role: 'tool', tool_call_id: 'a', content: '{"ok": true}' },
    ];
    const shown = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'How is the weather in Oslo?' },
      {
        role: 'agent',
        content: '',
        toolCalls: [{ name: 'cancel_order', arguments: { order: 'y' }, result: { ok: true } }],
      },
    ];
    const seen = async (conversation, toolCall = own) => {
      const judge = always(FINE);
      const { semantic } = await reflect({ judges: [judge], conversation }, toolCall);
      assert.notEqual(semantic, null);
      return shownBy(judge.asked[0]).conversation;
    };

    test('may be messages, their bytes, or none', async () => {
      assert.deepEqual(await seen(start), shown);
      assert.deepEqual(await seen(forms(start).bytes), shown);
      assert.deepEqual(await seen({ messages: start }), shown);
      assert.deepEqual(await seen(undefined), []);
    });

    test('may be empty', async () => {
      assert.deepEqual(await seen([]), []);
    });

    test('as a text is what the user asked, whatever the text looks like', async () => {
      const text = JSON.stringify(start);
      assert.deepEqual(await seen(text), [{ role: 'user', content: text }]);
    });

    test('may end with the call itself, which is not shown as an earlier call', async () => {
      assert.deepEqual(await seen([...start, { role: 'assistant', content: null, tool_calls: [own] }]), shown);
    });

    test('keeps what was said beside the call, and calls that were made at the same time', async () => {
      const last = { role: 'assistant', content: 'One moment.', tool_calls: [other, own] };
      assert.deepEqual(await seen([...start, last]), [
        ...shown,
        { role: 'agent', content: 'One moment.', toolCalls: [{ name: 'cancel_order', arguments: { order: 'x' } }] },
      ]);
    });

    test('keeps an earlier call with the same arguments that was answered', async () => {
      const earlier = openAi('a', 'get_forecast', RIGHT);
      const messages = [
        start[1],
        { role: 'assistant', content: null, tool_calls: [earlier] },
        { role: 'tool', tool_call_id: 'a', content: 'timeout' },
        { role: 'assistant', content: null, tool_calls: [own] },
      ];
      assert.deepEqual(await seen(messages), [
        shown[1],
        { role: 'agent', content: '', toolCalls: [{ name: 'get_forecast', arguments: RIGHT, result: 'timeout' }] },
      ]);
    });

    test('may be that of other providers, ending with the call itself', async () => {
      const calls = providerCalls('get_forecast', RIGHT, 'b');
      const user = { role: 'user', content: 'How is the weather in Oslo?' };
      const conversations = {
        Anthropic: [user, { role: 'assistant', content: [calls.Anthropic] }],
        'AI SDK call': [user, { role: 'assistant', content: [calls['AI SDK call']] }],
        'OpenAI Responses': [user, calls['OpenAI Responses']],
        Gemini: [
          { role: 'user', parts: [{ text: user.content }] },
          { role: 'model', parts: [calls.Gemini] },
        ],
        'Amazon Bedrock': [
          { role: 'user', content: [{ text: user.content }] },
          { role: 'assistant', content: [calls['Amazon Bedrock']] },
        ],
        'AI SDK part of a UI message': [
          { id: '1', role: 'user', parts: [{ type: 'text', text: user.content }] },
          { id: '2', role: 'assistant', parts: [calls['AI SDK part of a UI message']] },
        ],
      };
      for (const [provider, conversation] of Object.entries(conversations)) {
        assert.deepEqual(await seen(conversation, calls[provider]), [user], provider);
      }
    });

    test('that is none is an error with its place', async () => {
      for (const conversation of [{ hello: 1 }, 5]) {
        const error = await rejection(reflect({ judges: [always(FINE)], conversation }), 'unknown_format');
        assert.equal(error.path, 'conversation');
      }
      const promise = await rejection(reflect({ conversation: Promise.resolve(start) }), 'invalid_input');
      assert.match(promise.message, /conversation is a promise: await it/);
    });
  });

  suite('wrong options', () => {
    const judges = [always(FINE)];
    const wrong = {
      'an unknown one': [{ minConfidense: 0.5 }, 'options.minConfidense'],
      'a confidence above 1': [{ minConfidence: 1.5 }, 'options.minConfidence'],
      'a confidence that is NaN': [{ minConfidence: Number.NaN }, undefined],
      'no concurrency': [{ maxConcurrency: 0 }, 'options.maxConcurrency'],
      'a form of another name': [{ form: 'short' }, 'options.form'],
      'a metric of another name': [{ metrics: ['taste'] }, 'options.metrics[0]'],
      'a metric of an argument among those of calls': [
        { metrics: ['parameter_hallucination_check'] },
        'options.metrics[0]',
      ],
      'an argument metric of another name': [{ parameterMetrics: ['taste'] }, 'options.parameterMetrics[0]'],
      'a judge that is no function': [{ judges: ['gpt'] }, 'options.judges[0]'],
      'judges that are no list': [{ judges: async () => FINE }, 'options.judges'],
      'judges that are an object': [{ judges: { first: always(FINE) } }, 'options.judges'],
      'a fallback judge that is no function': [{ fallbackJudges: [5] }, 'options.fallbackJudges[0]'],
      'a negative number of retries': [{ maxRetries: -1 }, 'options.maxRetries'],
      'an aggregation of another name': [{ aggregationMethod: 'mean' }, 'options.aggregationMethod'],
      'an unknown limit': [{ limits: { maxDept: 1 } }, 'options.limits.maxDept'],
      'a confidence that is a symbol': [{ minConfidence: Symbol('high') }, 'options.minConfidence'],
      'metrics that are a function': [{ metrics: () => [] }, 'options.metrics'],
    };
    for (const [title, [options, path]] of Object.entries(wrong)) {
      test(`${title}: reflectToolCall and repairToolCall reject`, async () => {
        for (const call of [reflectToolCall, repairToolCall]) {
          const error = await rejection(call({ tools: TOOLS, toolCall: CALL, judges, ...options }), 'invalid_option');
          assert.equal(error.path, path);
        }
        assert.equal(judges[0].asked.length, 0);
      });

      test(`${title}: ReflectionToolCallingMetric throws when it is made`, () => {
        assertFails(() => new ReflectionToolCallingMetric({ judges, ...options }), { code: 'invalid_option', path });
      });
    }

    test('that do not exist are errors, with the one that may have been meant', async () => {
      const [judge] = judges;
      for (const options of [{ judge }, { minConfidense: 0.5 }, { max_concurrency: 2 }]) {
        const [name] = Object.keys(options);
        const { message, path } = await rejection(reflect(options), 'invalid_option');
        assert.equal(path, `options.${name}`);
        assert.match(message, /; did you mean "(judges|minConfidence|maxConcurrency)"\?$/);
        assertFails(() => new ReflectionToolCallingMetric(options), { code: 'invalid_option', path });
        assertFails(() => new ReflectionToolCallingMetricSyntactic(options), { code: 'invalid_option', path });
      }
      for (const options of [{ tools: TOOLS }, { signal: undefined, conversation: [] }]) {
        assertFails(() => new ReflectionToolCallingMetric(options), { code: 'invalid_option' });
      }
    });

    test('of the syntactic metric are limits alone', () => {
      const metric = new ReflectionToolCallingMetricSyntactic({ limits: { maxDepth: 2 } });
      const deep = { name: 'f', arguments: { a: { b: { c: 1 } } } };
      assertFails(() => metric.map({ tools: TOOLS, toolCall: deep }), { code: 'limit_exceeded' });
      const limits = { maxDepth: 0 };
      assertFails(() => new ReflectionToolCallingMetricSyntactic({ limits }), { code: 'invalid_option' });
    });

    test('are errors without judges too', async () => {
      for (const options of [{ maxRetries: -1 }, { fallbackJudges: [5] }, { aggregationMethod: 'mean' }]) {
        await rejection(reflect(options), 'invalid_option');
      }
    });
  });

  test('rejects, and does not throw, whatever is wrong', async () => {
    const inputs = [undefined, null, 5, 'x', [], {}, { tools: TOOLS }, { tools: TOOLS, toolCall: undefined }];
    for (const call of [reflectToolCall, repairToolCall]) {
      for (const input of inputs) await rejection(call(input), 'invalid_input');
      await rejection(call({ tools: TOOLS, toolCall: '{"name' }), 'invalid_json');
      await rejection(call({ tools: TOOLS, toolCall: Promise.resolve(CALL) }), 'invalid_input');
    }
  });
});

suite('repairToolCall', () => {
  const repairWith = (toolCall, answers, options = {}) =>
    repairToolCall({
      tools: TOOLS,
      toolCall,
      conversation: CONVERSATION,
      judges: [judgeOf(answers)],
      ...SOON,
      ...options,
    });
  const objecting = (correction, explanation = 'The user asked for 3 days.') => ({
    general_hallucination_check: [{ ...WRONG, explanation, correction }],
  });

  test('without judges gives what repairToolCallSync gives', async () => {
    for (const args of [RIGHT, { ...RIGHT, days: '3' }, { wind: 1 }]) {
      const input = { tools: TOOLS, toolCall: forecast(args), conversation: CONVERSATION };
      assert.deepEqual(await repairToolCall(input), repairToolCallSync(input));
      assert.deepEqual(await repairToolCall({ ...input, judges: [] }), repairToolCallSync(input));
    }
  });

  test('judges without objections change nothing', async () => {
    for (const args of [RIGHT, { ...RIGHT, days: '3' }]) {
      assert.deepEqual(await repairWith(forecast(args), {}), repair(forecast(args)));
    }
  });

  test('judges are asked about the repaired call', async () => {
    const judge = always(FINE);
    const toolCall = forecast({ ...RIGHT, days: '3' });
    await repairToolCall({ tools: TOOLS, toolCall, judges: [judge] });
    assert.deepEqual(shownBy(judge.asked[0]).toolCall, forecast({ ...RIGHT, days: 3 }));
  });

  test('judges are asked about a call that could not be repaired', async () => {
    const correction = { arguments: { ...RIGHT, days: 3 } };
    const result = await repairWith(forecast({ days: 3 }), objecting(correction));
    assert.deepEqual([result.status, result.arguments], ['repaired', { ...RIGHT, days: 3 }]);
  });

  for (const [provider, toolCall] of Object.entries(providerCalls('get_forecast', { ...RIGHT, days: 5 }))) {
    test(`the correction of a judge takes the place of the call: ${provider}`, async () => {
      const correction = { arguments: { ...RIGHT, days: 3 } };
      const { changes, message, ...result } = await repairWith(frozen(toolCall), objecting(correction));
      assert.deepEqual(result, {
        status: 'repaired',
        toolCall: providerCalls('get_forecast', { ...RIGHT, days: 3 })[provider],
        name: 'get_forecast',
        arguments: { ...RIGHT, days: 3 },
        problems: [],
      });
      const [{ description, ...change }] = changes;
      assert.deepEqual(change, { kind: 'judge', path: 'days', from: 5, to: 3 });
      assert.equal(message, `The call of "get_forecast" was repaired before it ran: ${description}.`);
    });
  }

  test('the correction may name another tool', async () => {
    const correction = { name: 'cancel_order', arguments: { order: 'W1' } };
    const result = await repairWith(forecast(RIGHT), {
      function_selection_appropriateness: [{ ...WRONG, correction }],
    });
    assert.deepEqual([result.status, result.name, result.arguments], ['repaired', 'cancel_order', { order: 'W1' }]);
    assert.deepEqual(result.toolCall, { name: 'cancel_order', arguments: { order: 'W1' } });
    assert.deepEqual(
      result.changes.map(({ kind, path, from, to }) => ({ kind, path, from, to })),
      [
        { kind: 'judge', path: '', from: 'get_forecast', to: 'cancel_order' },
        { kind: 'judge', path: 'city', from: 'Oslo', to: undefined },
        { kind: 'judge', path: 'unit', from: 'celsius', to: undefined },
        { kind: 'judge', path: 'order', from: undefined, to: 'W1' },
      ],
    );
  });

  test('a correction is repaired itself where that is clear', async () => {
    const result = await repairWith(forecast({ ...RIGHT, days: 5 }), objecting({ arguments: { ...RIGHT, days: '3' } }));
    assert.deepEqual([result.status, result.arguments], ['repaired', { ...RIGHT, days: 3 }]);
  });

  const useless = {
    'that is invalid': { arguments: { ...RIGHT, days: 99 } },
    'that lacks an argument': { arguments: { unit: 'celsius' } },
    'of a tool that there is not': { name: 'get_weather', arguments: RIGHT },
    'that is the call itself': { arguments: { ...RIGHT, days: 5 } },
    'without a call': {},
    'that is null': null,
  };
  for (const [title, correction] of Object.entries(useless)) {
    test(`a correction ${title} is refused, and the objection is the problem`, async () => {
      const toolCall = forecast({ ...RIGHT, days: 5 });
      const result = await repairWith(toolCall, objecting(correction));
      assert.deepEqual([result.status, result.toolCall, result.changes], ['unrepairable', toolCall, []]);
      assert.deepEqual(result.problems, [{ path: '', message: 'The user asked for 3 days.' }]);
      assert.match(result.message, /\n- The user asked for 3 days\.\n/);
      assert.deepEqual(result.refusal, { error: result.message });
    });
  }

  test('the model learns what is missing', async () => {
    const missing = ['Ask for the number of days.', 'Look up the unit.'];
    const { status, problems, message } = await repairWith(
      forecast(RIGHT),
      objecting({ missing }, 'Days are unknown.'),
    );
    assert.equal(status, 'unrepairable');
    assert.deepEqual(
      problems.map(({ message }) => message),
      ['Days are unknown.', ...missing.map(what => `needed first: ${what}`)],
    );
    for (const what of missing) assert.ok(message.includes(what));
  });

  test('objections to a call that is invalid too come with its problems', async () => {
    const { status, problems } = await repairWith(forecast({ unit: 'celsius' }), objecting(null));
    assert.equal(status, 'unrepairable');
    assert.deepEqual(
      problems.map(({ path }) => path),
      ['city', ''],
    );
  });

  test('an objection to an argument has its place', async () => {
    const answers = {
      parameter_hallucination_check: [
        request =>
          shownBy(request).judgedParameter.name === 'days' ? { ...WRONG, explanation: 'Nobody said 5.' } : FINE,
      ],
    };
    const options = { parameterMetrics: ['parameter_hallucination_check'] };
    const { status, problems, message } = await repairWith(forecast({ ...RIGHT, days: 5 }), answers, options);
    assert.equal(status, 'unrepairable');
    assert.deepEqual(problems, [{ path: 'days', message: 'Nobody said 5.' }]);
    assert.match(message, /\n- days: Nobody said 5\.\n/);
  });

  test('an unsure objection does not count', async () => {
    const toolCall = forecast({ ...RIGHT, days: 5 });
    const unsure = { ...WRONG, confidence: 0.3, correction: { arguments: RIGHT } };
    const result = await repairWith(toolCall, { general_hallucination_check: [unsure] });
    assert.deepEqual(result, repair(toolCall));
    const counted = await repairWith(toolCall, { general_hallucination_check: [unsure] }, { minConfidence: 0.3 });
    assert.equal(counted.status, 'repaired');
  });

  test('a judge without an answer changes nothing', async () => {
    for (const failing of [always(new Error('no power')), always('nonsense')]) {
      for (const args of [RIGHT, { ...RIGHT, days: '3' }, { wind: 1 }]) {
        const input = { tools: TOOLS, toolCall: forecast(args), judges: [failing], maxRetries: 0 };
        assert.deepEqual(await repairToolCall(input), repair(forecast(args)));
      }
    }
  });

  test('nobody is asked where there is no call, or there are no tools', async () => {
    const judge = always(WRONG);
    for (const input of [{ toolCall: { arguments: {} } }, { toolCall: '"text"' }, { tools: [] }]) {
      const { status } = await repairToolCall({ tools: TOOLS, toolCall: CALL, judges: [judge], ...input });
      assert.equal(status, 'unrepairable');
    }
    assert.equal(judge.asked.length, 0);
  });

  test('the call is not changed', async () => {
    const toolCall = frozen(forecast({ ...RIGHT, days: '5' }));
    const { status } = await repairWith(toolCall, objecting({ arguments: { ...RIGHT, days: 3 } }));
    assert.equal(status, 'repaired');
  });
});

suite('ReflectionToolCallingMetric', () => {
  const KEYS = [
    ...CHECKS.map(name => `static_${name}`),
    'semantic_general_hallucination_check',
    'semantic_general_value_format_alignment',
    'semantic_avg_score_general',
    'semantic_function_selection_appropriateness',
    'semantic_agentic_constraints_satisfaction',
    'semantic_avg_score_function_selection',
    'overall_valid',
  ];
  const CASE = { tools: TOOLS, toolCall: CALL, conversation: CONVERSATION };
  const NOT_JUDGED = Object.fromEntries(KEYS.filter(key => key.startsWith('semantic_')).map(key => [key, null]));

  /** The scores of `cases`, which are all 1 but for `expected`. */
  async function assertScores(options, cases, expected) {
    const metric = new ReflectionToolCallingMetric({ ...SOON, ...options });
    const scores = metric.reduce(await metric.map(cases));
    assert.deepEqual(Object.keys(scores), KEYS);
    assert.deepEqual(scores, { ...Object.fromEntries(KEYS.map(key => [key, 1])), ...expected });
  }

  test('all well scores 1', async () => {
    await assertScores({ judges: [always(FINE)] }, [CASE], {});
  });

  test('one issue lowers its metric, the average of its kind and the whole', async () => {
    const judges = [judgeOf({ general_value_format_alignment: [{ ...WRONG, output: 2 }] })];
    await assertScores({ judges }, [CASE], {
      semantic_general_value_format_alignment: 0,
      semantic_avg_score_general: 0.625,
      overall_valid: 0,
    });
  });

  test('an unsure issue is none, and its score is not in the average', async () => {
    const judges = [
      judgeOf({ agentic_constraints_satisfaction: [{ ...WRONG, confidence: 0.2 }] }, [{ ...FINE, output: 4 }]),
    ];
    await assertScores({ judges }, [CASE], {
      semantic_avg_score_general: 0.75,
      semantic_avg_score_function_selection: 0.75,
    });
  });

  test('a judge that fails and recovers counts like any other', async () => {
    await assertScores({ judges: [always(new Error('no power'), 'nonsense', FINE)] }, [CASE], {});
  });

  test('what no judge answered has no score, and the call is not valid', async () => {
    const judges = [judgeOf({ general_hallucination_check: ['nonsense'], function_selection_appropriateness: [{}] })];
    await assertScores({ judges, maxRetries: 1 }, [CASE], {
      semantic_general_hallucination_check: null,
      semantic_function_selection_appropriateness: null,
      overall_valid: 0,
    });
    await assertScores({ judges: [always(new Error('no power'))], maxRetries: 0 }, [CASE], {
      ...NOT_JUDGED,
      overall_valid: 0,
    });
  });

  test('without judges the semantic scores are null', async () => {
    await assertScores({}, [CASE], NOT_JUDGED);
  });

  test('calls that fail the static checks are judged too, unless continueOnStatic is false', async () => {
    const cases = [{ ...CASE, toolCall: forecast({ ...RIGHT, days: '3' }) }];
    const expected = { static_incorrect_parameter_type: 0, overall_valid: 0 };
    await assertScores({ judges: [always(FINE)] }, cases, expected);
    await assertScores({ judges: [always(FINE)], continueOnStatic: false }, cases, { ...NOT_JUDGED, ...expected });
  });

  test('many calls score their means, to three decimals, over those that have the score', async () => {
    const judges = [judgeOf({ general_hallucination_check: [FINE, { ...WRONG, output: 3 }, 'nonsense'] })];
    const cases = [
      CASE,
      CASE,
      CASE,
      { ...CASE, toolCall: { name: 'get_weather', arguments: {} }, tools: [] },
      { ...CASE, toolCall: { arguments: {} } },
      { ...CASE, toolCall: forecast({ ...RIGHT, wind: 1 }) },
    ];
    await assertScores({ judges, maxRetries: 0, maxConcurrency: 1 }, cases, {
      static_empty_api_spec: 0.833,
      static_invalid_tool_call: 0.833,
      static_non_existent_parameter: 0.833,
      semantic_general_hallucination_check: 0.5,
      semantic_avg_score_general: 0.938,
      overall_valid: 0.167,
    });
  });

  test('no calls score null throughout', async () => {
    await assertScores({ judges: [always(FINE)] }, [], Object.fromEntries(KEYS.map(key => [key, null])));
  });

  test('questions about arguments add three scores, before the last', async () => {
    const metric = new ReflectionToolCallingMetric({
      judges: [judgeOf({ parameter_hallucination_check: [FINE, FINE, { ...WRONG, output: 2 }] })],
      parameterMetrics: ['parameter_hallucination_check'],
      maxConcurrency: 1,
    });
    const scores = metric.reduce([await metric.map(CASE)]);
    assert.deepEqual(Object.keys(scores), [
      ...KEYS.slice(0, -1),
      'semantic_parameter_hallucination_check',
      'semantic_parameter_value_format_alignment',
      'semantic_avg_score_parameter',
      'overall_valid',
    ]);
    assert.deepEqual(Object.values(scores).slice(-4), [0.667, null, 0.75, 0]);
  });

  test('map takes one call or a list, and gives what reflectToolCall gives, in order', async () => {
    const metric = new ReflectionToolCallingMetric({ judges: [always(FINE)] });
    const wrong = { ...CASE, toolCall: forecast({}) };
    const [first, second] = await Promise.all(
      [CASE, wrong].map(it => reflectToolCall({ ...it, judges: [always(FINE)], continueOnStatic: true })),
    );
    assert.deepEqual(await metric.map(CASE), first);
    assert.deepEqual(await metric.map([CASE, wrong]), [first, second]);
    assert.deepEqual(await metric.map([]), []);
  });

  test('map asks at most 8 questions at a time over all calls', async () => {
    for (const [options, most] of [
      [{}, 8],
      [{ maxConcurrency: 3 }, 3],
    ]) {
      const judge = slowJudge();
      const metric = new ReflectionToolCallingMetric({ judges: [judge], ...options });
      const reflections = await metric.map(Array(20).fill(CASE));
      assert.deepEqual([reflections.length, judge.asked.length, judge.most], [20, 80, most]);
      assert.equal(metric.reduce(reflections).overall_valid, 1);
    }
  });

  test('map rejects when one call is no JSON, and asks no more', async () => {
    const judge = slowJudge();
    const metric = new ReflectionToolCallingMetric({ judges: [judge] });
    await rejection(metric.map([{ tools: TOOLS }]), 'invalid_input');
    await rejection(metric.map([...Array(20).fill(CASE), { ...CASE, toolCall: '{"name' }]), 'invalid_json');
    await new Promise(resolve => setTimeout(resolve, 50));
    assert.ok(judge.asked.length <= 8, `${judge.asked.length} questions`);
  });

  test('map of many calls does not look like a leak to Node.js', async t => {
    const program = `
      import { ReflectionToolCallingMetric } from 'toolgauge';
      const judge = async () => ({ evidence: '', explanation: '', output: 5, confidence: 1, correction: null });
      const it = { tools: [{ name: 'f', parameters: {} }], toolCall: { name: 'f', arguments: {} } };
      const { signal } = new AbortController();
      const metric = new ReflectionToolCallingMetric({ judges: Array(20).fill(judge), maxConcurrency: 64 });
      console.log((await metric.map(Array(20).fill(it), { signal })).length);`;
    const folder = folderIn(consumer, t, { 'many.mjs': program });
    const { code, stdout, stderr } = await run(process.execPath, ['many.mjs'], { cwd: folder });
    assert.deepEqual([code, stdout, stderr], [0, '20\n', '']);
  });

  test('reduce takes what was saved as JSON', async () => {
    const metric = new ReflectionToolCallingMetric({ judges: [always(FINE)] });
    const reflections = await metric.map([CASE, CASE]);
    assert.deepEqual(metric.reduce(JSON.parse(JSON.stringify(reflections))), metric.reduce(reflections));
  });

  test('reduce refuses what is no list', () => {
    for (const metric of [new ReflectionToolCallingMetric(), new ReflectionToolCallingMetricSyntactic()]) {
      for (const value of [undefined, null, 5, 'x', {}]) {
        assertFails(() => metric.reduce(value), { code: 'invalid_input' });
      }
    }
  });

  test('has a name and a main score', () => {
    const metrics = [new ReflectionToolCallingMetric(), new ReflectionToolCallingMetricSyntactic()];
    assert.deepEqual(
      metrics.map(({ name, mainScore }) => [name, mainScore]),
      [
        ['reflection', 'overall_valid'],
        ['reflection_syntactic', 'overall_valid'],
      ],
    );
  });
});

suite('ReflectionToolCallingMetricSyntactic', () => {
  const metric = new ReflectionToolCallingMetricSyntactic();
  const KEYS = [...CHECKS, 'overall_valid', 'score'];
  const cases = [RIGHT, { ...RIGHT, days: '3' }, { wind: 1 }].map(args => ({ tools: TOOLS, toolCall: forecast(args) }));

  test('map gives what checkToolCall gives, for one call or a list', () => {
    assert.deepEqual(metric.map(cases), cases.map(checkToolCall));
    assert.deepEqual(metric.map(cases[0]), checkToolCall(cases[0]));
    assert.deepEqual(metric.map([]), []);
  });

  test('reduce gives the share of calls that pass each check', () => {
    const scores = metric.reduce(metric.map(cases));
    assert.deepEqual(Object.keys(scores), KEYS);
    assert.deepEqual(scores, {
      ...Object.fromEntries(KEYS.map(key => [key, 1])),
      non_existent_parameter: 0.667,
      incorrect_parameter_type: 0.667,
      missing_required_parameter: 0.667,
      overall_valid: 0.333,
      score: 0.333,
    });
  });

  test('no calls score null throughout', () => {
    assert.deepEqual(metric.reduce([]), Object.fromEntries(KEYS.map(key => [key, null])));
  });
});
