import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { assertFails, forms } from './support/assertions.mjs';
import { fromConsumer } from './support/consumer.mjs';
import { VERIFICATIONS } from './support/inputs.mjs';

const { checkTrajectories, compileTools, summarizeResultVerification, verifyResult, verifyTurnResults } =
  await fromConsumer('toolgauge');
const { z } = await fromConsumer('zod');
const { tool } = await fromConsumer('ai');

const verify = ([call, turn]) => verifyResult(call, turn);
const typesOf = ({ issues }) => issues.map(({ type }) => type);

suite('verifyResult', () => {
  for (const [type, given] of Object.entries(VERIFICATIONS)) {
    test(`finds ${type}, and where`, () => {
      const [call, turn] = given;
      const issue = verify(given).issues.find(found => found.type === type);
      assert.deepEqual([issue?.turnId, issue?.toolName], [turn.turn_id, call.name], JSON.stringify(verify(given)));
    });
  }

  test('finds nothing wrong with a result that the response gives as it is', () => {
    const call = { name: 'find_order', arguments: {}, result: { order: 'R1234567' } };
    const turn = { turn_id: 1, role: 'agent', content: 'Your order is R1234567.', tool_calls: [call] };
    assert.deepEqual(verifyResult(call, turn), {
      valid: true,
      issues: [],
      score: 1,
      hallucinated: false,
      integrated: true,
    });
  });

  test('a result is not integrated if the reply states another value', () => {
    const call = { name: 'get_price', arguments: { item: 'lamp' }, result: { price: 49 } };
    const said = content => verifyResult(call, { turn_id: 2, role: 'agent', content, tool_calls: [call] });
    assert.deepEqual([said('It costs $59.').hallucinated, said('It costs $59.').integrated], [true, false]);
    assert.equal(said('It costs $49.').integrated, true);
    assert.equal(said('It costs $49, and $12 to send.').integrated, true);
  });

  test('reports which fact nothing shows, where it is, and the nearest value', () => {
    const [call, turn] = VERIFICATIONS.hallucinated_content;
    const { valid, hallucinated, issues } = verifyResult(call, turn);
    assert.deepEqual([valid, hallucinated], [false, true]);
    const [fact] = issues.find(({ type }) => type === 'hallucinated_content').details.facts;
    assert.deepEqual([fact.text, turn.content.slice(fact.start, fact.end)], ['R1234568', 'R1234568']);
    assert.equal(fact.closest.value, 'R1234567');
  });

  test('takes what the trajectory says before as evidence, and what follows as response', () => {
    const [call, turn] = VERIFICATIONS.hallucinated_content;
    const asked = { turn_id: 0, role: 'user', content: 'Where is R1234568?' };
    assert.ok(!typesOf(verifyResult(call, turn, { turns: [asked, turn] })).includes('hallucinated_content'));
    const silent = { ...turn, content: '' };
    const later = { turn_id: 2, role: 'agent', content: turn.content };
    assert.ok(!verifyResult(call, silent).hallucinated);
    assert.ok(verifyResult(call, silent, { turns: [silent, later] }).hallucinated);
  });

  test('looks for what the options ask for alone', () => {
    for (const [option, type] of [
      ['checkUsage', 'unused_result'],
      ['detectHallucination', 'hallucinated_content'],
      ['checkContradictions', 'contradicts_response'],
    ]) {
      const [call, turn] = VERIFICATIONS[type];
      assert.ok(!typesOf(verifyResult(call, turn, undefined, { [option]: false })).includes(type), option);
    }
    const [call, turn] = VERIFICATIONS.hallucinated_content;
    assert.equal(verifyResult(call, turn, undefined, { hallucinationThreshold: 1 }).hallucinated, false);
    assertFails(() => verifyResult(call, turn, undefined, { threshold: 1 }), {
      code: 'invalid_option',
      says: /threshold/,
    });
  });

  test('says in which of its inputs a mistake is', () => {
    const [call, turn] = VERIFICATIONS.unused_result;
    const [brokenCall, brokenTurn] = [forms(call).text.slice(0, 9), forms(turn).bytes.slice(0, 9)];
    assertFails(() => verifyResult(brokenCall, turn), { code: 'invalid_json', says: /toolCall/ });
    assertFails(() => verifyResult(call, brokenTurn), { code: 'invalid_json', says: /inside turn/ });
    assertFails(() => verifyResult(call, turn, '{'), { code: 'invalid_json', says: /inside trajectory/ });
    assertFails(() => verifyResult(undefined, turn), { code: 'invalid_input', says: /the tool call/ });
    assertFails(() => verifyResult(call, undefined), { code: 'invalid_input', says: /the turn/ });
  });
});

suite('a result and the output schema of its tool', () => {
  const output = { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] };
  const made = result => {
    const call = { id: 'v1', name: 'find_order', arguments: {}, result };
    return { call, turn: { turn_id: 1, role: 'agent', content: 'Your order is R1234567.', tool_calls: [call] } };
  };
  const [good, bad] = [made({ order: 'R1234567' }), made({ number: 'R1234567' })];
  const mcp = { tools: [{ name: 'find_order', inputSchema: {}, outputSchema: output }] };

  const forms = {
    'definitions of MCP': mcp,
    'JSON text': JSON.stringify(mcp),
    bytes: new TextEncoder().encode(JSON.stringify(mcp)),
    'a record': { find_order: { name: 'find_order', parameters: {}, outputSchema: output } },
    'an AI SDK tool': {
      find_order: tool({ inputSchema: z.object({}), outputSchema: z.object({ order: z.string() }) }),
    },
    'compiled tools': compileTools(mcp),
  };
  for (const [form, tools] of Object.entries(forms)) {
    test(`is held to it, given as ${form}`, () => {
      assert.deepEqual(typesOf(verifyResult(good.call, good.turn, undefined, { tools })), []);
      const { valid, score, issues } = verifyResult(bad.call, bad.turn, undefined, { tools });
      assert.deepEqual([valid, score, issues.length], [false, 0.4, 1]);
      const [{ details, ...issue }] = issues;
      assert.deepEqual(issue, {
        type: 'malformed_result',
        severity: 'high',
        description:
          'the result of "find_order" does not match its output schema: order: required, but missing (string)',
        turnId: 1,
        toolName: 'find_order',
      });
      const [{ type, path, keyword, expected }] = details.violations;
      assert.deepEqual([type, path, keyword, expected], ['required_field_missing', 'order', 'required', 'string']);
    });
  }

  test('is reported alike by every function that checks results', () => {
    const trajectory = { turns: [bad.turn] };
    const { issues } = verifyResult(bad.call, bad.turn, trajectory, { tools: mcp });
    assert.deepEqual(verifyTurnResults(bad.turn, trajectory, { tools: mcp })[0].issues, issues);
    assert.deepEqual(summarizeResultVerification(trajectory, { tools: mcp }).issues, issues);
    const { trajectories, summary, gate } = checkTrajectories(trajectory, mcp);
    assert.deepEqual(trajectories[0].resultIssues, issues);
    assert.deepEqual([summary.issuesByType, summary.clean, gate.passed], [{ malformed_result: 1 }, 0, false]);
    for (const off of ['validateSchemas', 'checkResultUsage']) {
      assert.deepEqual(checkTrajectories(trajectory, mcp, { [off]: false }).trajectories[0].resultIssues, []);
    }
  });

  test('is kept as it is passed: other options beside the tools, numbers that JSON can not carry', () => {
    const options = { tools: mcp, checkUsage: false, limits: { maxIssuesPerCall: 1 } };
    const { issues } = verifyResult(made({ order: Number.NaN }).call, bad.turn, undefined, options);
    assert.equal(issues[0].details.violations[0].actual, 'NaN');
    assertFails(() => verifyResult(bad.call, bad.turn, undefined, { tools: mcp, threshold: 1 }), {
      code: 'invalid_option',
      says: /threshold/,
    });
  });

  test('is an error where the schema is not valid, but only for who looks at results', () => {
    const tools = [{ name: 'find_order', inputSchema: {}, outputSchema: { properties: { order: { type: 'txt' } } } }];
    assertFails(() => verifyResult(good.call, good.turn, undefined, { tools }), {
      code: 'invalid_schema',
      path: 'outputSchema.properties.order.type',
      says: /"find_order"/,
    });
    assert.equal(compileTools(tools).names.length, 1);
    assertFails(() => compileTools([{ ...tools[0], outputSchema: 'text' }]), {
      code: 'invalid_input',
      path: '[0].outputSchema',
    });
    assertFails(() => compileTools({ when: tool({ inputSchema: z.object({}), outputSchema: z.date() }) }), {
      code: 'invalid_schema',
      says: /"when", outputSchema: .*zod/,
    });
  });

  test('is not judged without the tools', () => {
    assert.deepEqual(typesOf(verifyResult(bad.call, bad.turn)), []);
    assert.deepEqual(typesOf(verifyResult(bad.call, bad.turn, undefined, { tools: undefined })), []);
  });
});

suite('verifyTurnResults and summarizeResultVerification', () => {
  const turns = Object.values(VERIFICATIONS).map(([, turn], at) => ({ ...turn, turn_id: 2 * at }));
  const questions = turns.map(({ turn_id }) => ({ turn_id: turn_id + 1, role: 'user', content: 'And then?' }));
  const trajectory = { turns: turns.flatMap((turn, at) => [turn, questions[at]]) };
  const results = turns.flatMap(turn => verifyTurnResults(turn, trajectory));

  test('verify each call as verifyResult does', () => {
    const one = turns.flatMap(turn => turn.tool_calls.map(call => verifyResult(call, turn, trajectory)));
    assert.deepEqual(results, one);
    assert.equal(results.length, turns.length);
  });

  test('give one result for each call of the turn, and none for a turn without calls', () => {
    const [{ tool_calls }] = turns;
    assert.equal(verifyTurnResults({ ...turns[0], tool_calls: [...tool_calls, ...tool_calls] }).length, 2);
    assert.deepEqual(verifyTurnResults({ turn_id: 1, role: 'agent', content: 'Hello!' }), []);
  });

  test('add up', () => {
    const summary = summarizeResultVerification(trajectory);
    const count = property => results.filter(result => result[property]).length;
    const mean = results.reduce((sum, { score }) => sum + score, 0) / results.length;
    assert.deepEqual(summary, {
      totalTools: results.length,
      validResults: count('valid'),
      hallucinatedResults: count('hallucinated'),
      integratedResults: count('integrated'),
      averageScore: Math.round(mean * 1000) / 1000,
      issues: results.flatMap(({ issues }) => issues),
    });
  });
});
