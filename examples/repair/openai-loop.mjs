// A plain agent loop over OpenAI chat completions: node openai-loop.mjs
import { repairToolCallSync } from 'toolgauge';
import { scriptedOpenAi } from './scripted-clients.mjs';

const parameters = {
  type: 'object',
  properties: {
    restaurant: { type: 'string' },
    guests: { type: 'integer' },
    date: { type: 'string', format: 'date' },
  },
  required: ['restaurant', 'guests', 'date'],
  additionalProperties: false,
};
const tools = [{ type: 'function', function: { name: 'book_table', description: 'Books a table', parameters } }];

const functions = {
  book_table: async ({ restaurant, guests, date }) => {
    console.log(`book_table runs: ${guests} guests, ${restaurant}, ${date}`);
    return { reference: 'R-1001' };
  },
};

const toolCall = (id, name, args) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(args) } });

const openai = scriptedOpenAi(
  { tool_calls: [toolCall('call_1', 'bookTable', { restaurant: 'Luigi', guests: '4', date: '2026-05-24' })] },
  { tool_calls: [toolCall('call_2', 'book_table', { restaurant: 'Noma', guests: 2 })] },
  { tool_calls: [toolCall('call_3', 'book_table', { restaurant: 'Noma', guests: 2, date: '2026-05-25' })] },
  { content: 'Both tables are booked.' },
);

const messages = [{ role: 'user', content: 'Book Luigi for 4 on 24 May 2026, and Noma for 2 the day after.' }];

for (;;) {
  const { choices } = await openai.chat.completions.create({ model: 'gpt-5-mini', messages, tools });
  const [{ message }] = choices;
  if (!message.tool_calls) {
    console.log(message.content);
    break;
  }
  const repairs = message.tool_calls.map(toolCall => repairToolCallSync({ tools, toolCall }));
  // The conversation goes on with the calls as they ran.
  messages.push({ ...message, tool_calls: repairs.map(({ toolCall }) => toolCall) });
  for (const repair of repairs) messages.push(await toolMessage(repair));
}

async function toolMessage(repair) {
  if (repair.status === 'unrepairable') {
    console.log(`refused: ${repair.message}`);
    return repair.refusal;
  }
  for (const { description } of repair.changes) console.log(`repaired: ${description}`);
  const result = await functions[repair.name](repair.arguments);
  return { role: 'tool', tool_call_id: repair.toolCall.id, content: JSON.stringify(result) };
}
