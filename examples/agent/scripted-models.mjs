// Replaces real models, so that the example runs without a network. A model takes the messages so far and answers with
// a message of OpenAI chat completions.

const day = { date: '2026-05-24' };
const train = { from: 'Basel', to: 'Bern', ...day };
const weather = { city: 'Bern', ...day };

/** Finds a train, asks for the weather too often, and leaves the packing to the packer. */
export const lead = scripted(
  () => [call('find_train', train), call('get_forecast', weather)],
  () => [call('get_forecast', weather)],
  // One too many: the dispatcher refuses it.
  () => [call('get_forecast', weather)],
  () => [call('agent__spawn', { agent: 'packer', prompt: 'Pack for a day in Bern. It rains, at 14 degrees.' })],
  messages => [call('agent__collect', { id: last(messages).id })],
  messages => [reply(last(messages).pending_escalations[0])],
  messages => [call('agent__collect', { id: first(messages, 'id').id })],
  messages =>
    `Take the IC 2041 at 08:12 on 24 May 2026; it costs 49. In Bern it rains at 14 degrees. ${last(messages).result}`,
);

/** Asks whether an umbrella is wanted, and can't reach the user itself: the question goes to the lead agent. */
export const packer = scripted(
  () => [call('user__confirm', { question: 'Is there room for an umbrella?' })],
  messages => (last(messages).answer ? 'Pack an umbrella.' : 'Pack a coat with a hood.'),
);

function scripted(...steps) {
  return async messages => {
    const step = steps[messages.filter(({ role }) => role === 'assistant').length];
    const said = step(messages);
    return typeof said === 'string'
      ? { role: 'assistant', content: said }
      : { role: 'assistant', content: '', tool_calls: said };
  };
}

let calls = 0;

function call(name, args) {
  calls += 1;
  return { id: `call_${calls}`, type: 'function', function: { name, arguments: JSON.stringify(args) } };
}

function reply({ escalation_id }) {
  return call('agent__reply_escalation', { id: escalation_id, reply: 'yes' });
}

function outputs(messages) {
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => JSON.parse(content));
}

function last(messages) {
  return outputs(messages).at(-1);
}

function first(messages, member) {
  return outputs(messages).find(output => output[member] !== undefined);
}
