// A plain agent loop over Anthropic messages: node anthropic-loop.mjs
import { repairToolCallSync } from 'toolgauge';
import { scriptedAnthropic } from './scripted-clients.mjs';

const input_schema = {
  type: 'object',
  properties: {
    restaurant: { type: 'string' },
    guests: { type: 'integer' },
    date: { type: 'string', format: 'date' },
  },
  required: ['restaurant', 'guests', 'date'],
  additionalProperties: false,
};
const tools = [{ name: 'book_table', description: 'Books a table', input_schema }];

const functions = {
  book_table: async ({ restaurant, guests, date }) => {
    console.log(`book_table runs: ${guests} guests, ${restaurant}, ${date}`);
    return { reference: 'R-1001' };
  },
};

const toolUse = (id, name, input) => ({ type: 'tool_use', id, name, input });

const anthropic = scriptedAnthropic(
  [toolUse('toolu_1', 'bookTable', { restaurant: 'Luigi', guests: '4', date: '2026-05-24' })],
  [toolUse('toolu_2', 'book_table', { restaurant: 'Noma', guests: 2 })],
  [toolUse('toolu_3', 'book_table', { restaurant: 'Noma', guests: 2, date: '2026-05-25' })],
  [{ type: 'text', text: 'Both tables are booked.' }],
);

const messages = [{ role: 'user', content: 'Book Luigi for 4 on 24 May 2026, and Noma for 2 the day after.' }];

for (;;) {
  const response = await anthropic.messages.create({ model: 'claude-sonnet-4-5', max_tokens: 1024, messages, tools });
  if (response.stop_reason !== 'tool_use') {
    console.log(response.content.map(({ text }) => text).join(''));
    break;
  }
  const content = [];
  const results = [];
  for (const block of response.content) {
    const repair = block.type === 'tool_use' ? repairToolCallSync({ tools, toolCall: block }) : undefined;
    // The conversation goes on with the calls as they ran.
    content.push(repair?.toolCall ?? block);
    if (repair) results.push(await toolResult(repair));
  }
  messages.push({ role: 'assistant', content }, { role: 'user', content: results });
}

async function toolResult(repair) {
  if (repair.status === 'unrepairable') {
    console.log(`refused: ${repair.message}`);
    return repair.refusal;
  }
  for (const { description } of repair.changes) console.log(`repaired: ${description}`);
  const result = await functions[repair.name](repair.arguments);
  return { type: 'tool_result', tool_use_id: repair.toolCall.id, content: JSON.stringify(result) };
}
