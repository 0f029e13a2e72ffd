/**
 * One call as each provider and framework writes it before it runs, by who writes it. `id` ties the call to its result;
 * `{tool, args}` has none.
 */
export function providerCalls(name, args, id = 'call_1') {
  const text = JSON.stringify(args);
  return {
    toolgauge: { id, name, arguments: args },
    'toolgauge, arguments as text': { id, name, arguments: text },
    'scores: {tool, args}': { tool: name, args },
    'OpenAI chat': { id, type: 'function', function: { name, arguments: text } },
    'OpenAI Responses': { type: 'function_call', id: 'fc_1', call_id: id, name, arguments: text, status: 'completed' },
    Anthropic: { type: 'tool_use', id, name, input: args },
    'AI SDK call': { type: 'tool-call', toolCallId: id, toolName: name, input: args },
    'AI SDK 4 call': { type: 'tool-call', toolCallId: id, toolName: name, args },
    'AI SDK part of a UI message': { type: `tool-${name}`, toolCallId: id, state: 'input-available', input: args },
    'AI SDK dynamic part of a UI message': {
      type: 'dynamic-tool',
      toolName: name,
      toolCallId: id,
      state: 'input-available',
      input: args,
    },
    'AI SDK call of a language model, input as text': {
      type: 'tool-call',
      toolCallId: id,
      toolName: name,
      input: text,
    },
    Gemini: { functionCall: { id, name, args } },
    'Amazon Bedrock': { toolUse: { toolUseId: id, name, input: args } },
    MCP: { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } },
    LangChain: { type: 'tool_call', id, name, args },
  };
}

/** The message that refuses each of `providerCalls`, as whoever wrote the call expects it, by the same names. */
export function providerRefusals(name, args, message, id = 'call_1') {
  const calls = providerCalls(name, args, id);
  // A UI message has no results of their own: the part with the call becomes the one with the error.
  const uiPart = part => ({ ...calls[part], state: 'output-error', errorText: message });
  const aiSdk = {
    type: 'tool-result',
    toolCallId: id,
    toolName: name,
    output: { type: 'error-text', value: message },
  };
  return {
    toolgauge: { error: message },
    'toolgauge, arguments as text': { error: message },
    'scores: {tool, args}': { error: message },
    'OpenAI chat': { role: 'tool', tool_call_id: id, content: message },
    'OpenAI Responses': { type: 'function_call_output', call_id: id, output: message },
    Anthropic: { type: 'tool_result', tool_use_id: id, is_error: true, content: message },
    'AI SDK call': aiSdk,
    'AI SDK 4 call': aiSdk,
    'AI SDK part of a UI message': uiPart('AI SDK part of a UI message'),
    'AI SDK dynamic part of a UI message': uiPart('AI SDK dynamic part of a UI message'),
    'AI SDK call of a language model, input as text': aiSdk,
    Gemini: { functionResponse: { id, name, response: { error: message } } },
    'Amazon Bedrock': { toolResult: { toolUseId: id, status: 'error', content: [{ text: message }] } },
    MCP: { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: message }], isError: true } },
    LangChain: { type: 'tool', tool_call_id: id, status: 'error', content: message },
  };
}
