import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { PROJECTS, scriptedModel, sdkOf } from './support/ai-sdk.mjs';

const REQUEST = {
  name: 'quality',
  prompt: 'Is it good?',
  schema: {
    type: 'object',
    properties: { score: { type: 'number', minimum: 0, maximum: 1 } },
    required: ['score'],
    additionalProperties: false,
  },
  scoreField: 'score',
};

/** Sets the default provider of the SDK for one test. */
function useProvider(t, provider) {
  const before = globalThis.AI_SDK_DEFAULT_PROVIDER;
  globalThis.AI_SDK_DEFAULT_PROVIDER = provider;
  t.after(() => {
    globalThis.AI_SDK_DEFAULT_PROVIDER = before;
  });
}

for (const version of Object.keys(PROJECTS)) {
  const kit = await sdkOf(version);
  const { sdk, toolgauge, parts } = kit;
  const { aiSdkJudge } = parts;
  const { runJudges } = toolgauge;
  const good = () => scriptedModel(kit, '{"score": 0.5}');

  /** The result of one judge, which is asked again at most twice. */
  async function ask(judge) {
    const judges = [judge];
    const asked = await runJudges(REQUEST, { judges, maxRetries: 2, fallbackJudges: [async () => ({ score: 0 })] });
    return asked.results[0];
  }

  suite(`${version}: aiSdkJudge`, () => {
    test('asks a model of a provider, a registry or a middleware', async () => {
      const registry = sdk.createProviderRegistry({ mine: sdk.customProvider({ languageModels: { small: good() } }) });
      const models = [
        good(),
        registry.languageModel('mine:small'),
        sdk.wrapLanguageModel({ model: good(), middleware: {} }),
      ];
      for (const model of models) {
        const { score, judge, attempts } = await ask(aiSdkJudge(model));
        assert.deepEqual([score, judge, attempts], [0.5, 'mock-model-id', 1]);
      }
    });

    test('asks the model of an id, which the default provider knows', async t => {
      const languageModels = { small: good() };
      useProvider(t, sdk.createProviderRegistry({ mine: sdk.customProvider({ languageModels }) }));
      const { score, judge } = await ask(aiSdkJudge('mine:small'));
      assert.deepEqual([score, judge], [0.5, 'mine:small']);
    });

    test('says why a model is unknown, and is not asked again', async t => {
      useProvider(t, sdk.createProviderRegistry({ mine: sdk.customProvider({ languageModels: {} }) }));
      for (const [id, message] of [
        ['mine:big', /judge "mine:big" failed: No such languageModel: big/],
        ['other:big', /judge "other:big" failed: No such provider: other/],
      ]) {
        const judge = aiSdkJudge(id);
        const error = await runJudges(REQUEST, { judges: [judge], maxRetries: 2 }).catch(thrown => thrown);
        assert.equal(error.code, 'judge_failed');
        assert.match(error.message, message);
        const { usedFallback, attempts } = await ask(judge);
        assert.deepEqual([usedFallback, attempts], [true, 2], 'once, and once the fallback');
      }
    });

    test('says without colours that the gateway has no key', async t => {
      const before = process.env.AI_GATEWAY_API_KEY;
      delete process.env.AI_GATEWAY_API_KEY;
      t.after(() => {
        if (before !== undefined) process.env.AI_GATEWAY_API_KEY = before;
      });
      useProvider(t, undefined);
      const error = await aiSdkJudge('openai/gpt-5-mini')(REQUEST, {}).catch(thrown => thrown);
      assert.match(error.message, /Unauthenticated request to AI Gateway/);
      assert.ok(!error.message.includes('\u001b'));
      assert.deepEqual([error.code, error.retryable], ['judge_failed', false]);
    });

    test('refuses values that are not models', () => {
      for (const model of [undefined, null, '', {}, sdk.customProvider({ languageModels: {} })]) {
        assert.throws(() => aiSdkJudge(model), {
          code: 'invalid_option',
          path: 'model',
          message: /expected a model of the AI SDK/,
        });
      }
    });
  });
}
