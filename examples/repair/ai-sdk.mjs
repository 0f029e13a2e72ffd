// An agent on the AI SDK whose model writes wrong tool calls: node ai-sdk.mjs
import { generateText, stepCountIs, streamText, tool } from 'ai';
import { guardTools, repairToolCall } from 'toolgauge/ai-sdk';
import { z } from 'zod';
import { scriptedModel } from './scripted-model.mjs';

const tools = {
  book_table: tool({
    description: 'Books a table in a restaurant',
    inputSchema: z.object({ restaurant: z.string(), guests: z.number().int(), date: z.iso.date() }),
    execute: async ({ restaurant, guests, date }) => {
      console.log(`  book_table runs: ${guests} guests, ${restaurant}, ${date}`);
      return { reference: 'R-1001' };
    },
  }),
};

const onRepair = ({ changes }) => console.log(`  repaired: ${changes.map(change => change.description).join('; ')}`);

const settings = () => ({
  model: scriptedModel(
    // A wrong tool name, and a number as text: both can be repaired.
    [{ toolName: 'bookTable', input: { restaurant: 'Luigi', guests: '4', date: '2026-05-24' } }],
    // Nobody but the model knows the missing date: it gets a message and writes the call again.
    [{ toolName: 'book_table', input: { restaurant: 'Noma', guests: 2 } }],
    [{ toolName: 'book_table', input: { restaurant: 'Noma', guests: 2, date: '2026-05-25' } }],
    'Both tables are booked.',
  ),
  // Checks and repairs the input of each tool.
  tools: guardTools(tools, { onRepair }),
  // Repairs tool names as well. Called repairToolCall from ai 7 on.
  experimental_repairToolCall: repairToolCall({ onRepair }),
  onStepFinish: ({ content }) => {
    for (const { type, error } of content) if (type === 'tool-error') console.log(`  refused: ${error}`);
  },
  stopWhen: stepCountIs(5),
  prompt: 'Book a table for 4 at Luigi on 24 May 2026, and one for 2 at Noma the day after.',
});

console.log('generateText');
const { text } = await generateText(settings());
console.log(`  ${text}`);

console.log('streamText');
for await (const delta of streamText(settings()).textStream) console.log(`  ${delta}`);
