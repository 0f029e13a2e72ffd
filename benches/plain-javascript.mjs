// The checks of toolgauge on chat messages, as one would write them with JSON.parse and Ajv.
import Ajv from 'ajv';

/**
 * Returns a function that takes rollouts as UTF-8 and counts their calls and the wrong ones: those of an unknown tool, with
 * arguments that violate the schema or are not JSON, or without a result.
 */
export function plainChecker(tools) {
  const ajv = new Ajv({ strict: false });
  const validators = new Map(tools.map(tool => [tool.function.name, ajv.compile(tool.function.parameters)]));
  const decoder = new TextDecoder();
  return bytes => {
    const total = { calls: 0, wrong: 0 };
    for (const rollout of JSON.parse(decoder.decode(bytes))) {
      checkMessages(rollout.messages ?? rollout.traj, validators, total);
    }
    return total;
  };
}

function checkMessages(messages, validators, total) {
  const results = new Map();
  const calls = [];
  for (const message of messages) {
    if (message.role === 'tool') results.set(message.tool_call_id, readNested(message.content));
    for (const call of message.tool_calls ?? []) calls.push(call);
  }
  for (const call of calls) {
    total.calls += 1;
    const validate = validators.get(call.function.name);
    const right = validate?.(readArguments(call.function.arguments)) && results.has(call.id);
    if (!right) total.wrong += 1;
  }
}

function readArguments(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readNested(content) {
  if (!/^\s*[[{]/.test(content)) return content;
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}
