// These clients replace `new OpenAI()` and `new Anthropic()`, so that the examples run without a network.

/** Answers with the given messages, one after the other. */
export function scriptedOpenAi(...messages) {
  const create = async () => ({ choices: [{ message: { role: 'assistant', content: null, ...messages.shift() } }] });
  return { chat: { completions: { create } } };
}

/** Answers with the given lists of content blocks, one after the other. */
export function scriptedAnthropic(...contents) {
  const create = async () => {
    const content = contents.shift();
    const calls = content.some(({ type }) => type === 'tool_use');
    return { role: 'assistant', content, stop_reason: calls ? 'tool_use' : 'end_turn' };
  };
  return { messages: { create } };
}
