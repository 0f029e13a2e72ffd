// A whole agent loop without a network: node agent.mjs [file for the trajectory]
//
// A lead agent plans a trip. It calls functions, repeats itself until the dispatcher stops it, hands the packing to
// another agent, answers that agent's question, and reports.
import { writeFileSync } from 'node:fs';
import { checkTrajectories } from 'toolgauge';
import { createDispatcher, createSupervisor } from 'toolgauge/dispatch';
import { lead, packer } from './scripted-models.mjs';

const text = { type: 'string' };
const object = (properties, required = Object.keys(properties)) => ({ type: 'object', properties, required });

const functions = [
  { name: 'find_train', description: 'Finds a train', parameters: object({ from: text, to: text, date: text }) },
  { name: 'get_forecast', description: 'The weather of a day', parameters: object({ city: text, date: text }) },
];
const handlers = {
  find_train: ({ from, to, date }) => ({ train: 'IC 2041', from, to, date, departs: '08:12', price: 49 }),
  get_forecast: ({ city, date }) => ({ city, date, sky: 'rain', celsius: 14 }),
};

const supervisor = createSupervisor({
  agents: {
    packer: {
      description: 'Writes a packing list',
      run: ({ prompt, run }) => converse(packer, createDispatcher({ agentRun: run, onWarning: show }), prompt),
    },
  },
});

const dispatcher = createDispatcher({
  functions,
  handlers,
  supervisor,
  agent: { name: 'lead' },
  invalidCalls: 'repair',
  onCall: ({ name }) => console.log(`  calls ${name}`),
  onResult: ({ name, status }) => status !== 'success' && console.log(`  ${status}: ${name}`),
  onWarning: show,
});

/** The loop of every agent: the model answers, its calls run, and their outputs go back to it. */
async function converse(model, tools, prompt) {
  tools.addMessage('user', prompt);
  const messages = [{ role: 'user', content: prompt }];
  for (;;) {
    const message = await model(messages, tools.functions);
    messages.push(message);
    if (!message.tool_calls) {
      tools.addMessage('agent', message.content);
      return message.content;
    }
    const results = await tools.evalToolCalls(message.tool_calls, { content: message.content });
    for (const { call, output, notification } of results) {
      const content = JSON.stringify(output);
      messages.push(notification ? { role: 'system', content } : { role: 'tool', tool_call_id: call.id, content });
    }
  }
}

function show({ kind, message }) {
  console.log(`  ${kind}: ${message}`);
}

console.log(await converse(lead, dispatcher, 'Plan my trip from Basel to Bern on 2026-05-24, and what to pack.'));
await supervisor.close();

const trajectory = dispatcher.trajectory('trip');
const { summary } = checkTrajectories(trajectory);
console.log(`checked ${summary.calls} calls: ${summary.passed === 1 ? 'passed' : 'failed'}`);
const [, , file] = process.argv;
if (file !== undefined) writeFileSync(file, JSON.stringify(trajectory, null, 2));
