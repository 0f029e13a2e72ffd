import assert from 'node:assert/strict';
import { fromConsumer } from './consumer.mjs';

const { ToolgaugeError } = await fromConsumer('toolgauge');

const encoder = new TextEncoder();

/** A value in the three forms in which the package takes it. */
export function forms(value) {
  const text = JSON.stringify(value);
  return { object: value, text, bytes: encoder.encode(text) };
}

/** Asserts that `body` throws the package's error with these properties; `says` is a pattern of its message. */
export function assertFails(body, { says, ...properties }) {
  let error;
  try {
    body();
  } catch (thrown) {
    error = thrown;
  }
  assert.ok(error instanceof ToolgaugeError, `expected a ToolgaugeError, got ${error}`);
  const actual = Object.fromEntries(Object.keys(properties).map(name => [name, error[name]]));
  assert.deepEqual(actual, properties, error.message);
  if (says !== undefined) assert.match(error.message, says);
}

const CODES = [
  'invalid_json',
  'invalid_input',
  'invalid_option',
  'invalid_schema',
  'unknown_format',
  'limit_exceeded',
  'unsupported_value',
];

/** What `body` comes to: its result, or the package's error. Anything else that it throws, and `internal`, fails. */
export function outcomeOf(body, label) {
  try {
    return { result: body() };
  } catch (error) {
    return failureOf(error, label);
  }
}

/** The same of a `body` that gives a promise. */
export async function outcomeLater(body, label) {
  try {
    return { result: await body() };
  } catch (error) {
    return failureOf(error, label);
  }
}

function failureOf(error, label) {
  assert.ok(error instanceof ToolgaugeError, `${label}: threw ${error}`);
  assert.ok(CODES.includes(error.code), `${label}: ${error.code}: ${error.message}`);
  assert.notEqual(error.message, '', label);
  if (error.code === 'invalid_input') assert.ok(error.expected, `${label}: ${error.message}`);
  return { error };
}
