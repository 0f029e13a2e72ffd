/** What may name a tool, hold the arguments of a call, and be its id, in any format. */
const NAMES = ['name', 'toolName', 'tool_name', 'function_name', 'function', 'tool'];
const ARGUMENTS = ['arguments', 'args', 'input', 'toolArgs'];
const IDS = ['call_id', 'callId', 'tool_call_id', 'toolCallId', 'toolUseId', 'id'];

/** Members that hold no call that was made. */
const OTHERS = /^(tools|functions|parameters|schema|input_?schema|result|output_?schema|expected.*|reference.*)$/i;

const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (object, keys) => keys.map(key => object[key]).find(value => typeof value === 'string');

/**
 * The calls in a JSON value, wherever they are, found without knowing its format: objects with a name and arguments
 * that have an id, or are the only value of a member that is called after calls.
 */
export function callsIn(value, path = '') {
  if (Array.isArray(value)) return value.flatMap((item, at) => callsIn(item, `${path}[${at}]`));
  if (typeof value === 'string') return callsInText(value, path);
  if (!isObject(value) || isResult(value)) return [];
  const call = callOf(value, path);
  if (call !== undefined) return [call];
  return Object.entries(value).flatMap(([key, inner]) => (OTHERS.test(key) ? [] : callsIn(inner, `${path}.${key}`)));
}

function callsInText(text, path) {
  if (!/^\s*[{[]/.test(text)) return [];
  try {
    return callsIn(JSON.parse(text), path);
  } catch {
    return [];
  }
}

function isResult({ role, type }) {
  return ['tool', 'function'].includes(role) || /(result|output)/.test(String(type));
}

function callOf(object, path) {
  const wrapper = ['functionCall', 'function_call', 'toolUse', 'function'].find(key => hasArguments(object[key]));
  const inner = wrapper === undefined ? object : object[wrapper];
  const name = textOf(inner, NAMES);
  if (!name || !hasArguments(inner)) return undefined;
  const id = textOf(inner, IDS) ?? textOf(object, IDS);
  const isCall = wrapper !== undefined || (id !== undefined && isCallType(object));
  return isCall ? { id, name, path } : undefined;
}

function hasArguments(value) {
  return isObject(value) && ARGUMENTS.some(key => value[key] !== undefined);
}

/** A span or a run has a name, an input and an id, too. */
function isCallType({ type, ...object }) {
  if (typeof type === 'string')
    return /^(function|tool|mcp|custom|server)[-_]?(call|use)?$|^(function|tool)/i.test(type);
  return object.arguments !== undefined || object.args !== undefined;
}
