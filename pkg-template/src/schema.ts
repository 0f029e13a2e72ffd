import * as core from '#glue';
import { guarded, withDocuments } from './boundary/call.js';
import { readingCaller } from './boundary/caller.js';
import { toPayload } from './boundary/json.js';
import { checkByTools } from './bridge.js';
import { ToolgaugeError } from './errors.js';
import type { LimitOptions } from './formats.js';
import type { JsonInput, ToolCallInput } from './input.js';
import type { SchemaSource } from './json-schema.js';
import { toPlainSchema } from './tool-definitions.js';
import type { ToolsInput } from './tools.js';
import type { ParameterSchema, SchemaValidationResult, ToolSchema } from './types.js';

/** The definition of a tool whose arguments have a schema with members, not `true` or `false`. */
export type ObjectToolSchema = ToolSchema & {
  /** The JSON Schema of the arguments. */
  parameters: Exclude<ParameterSchema, boolean>;
};

/**
 * Checks the arguments of one call against the one schema in `schema`, place by place.
 *
 * Throws `invalid_schema` when the schema is no JSON Schema, `invalid_input` when there is not exactly one.
 *
 * @example
 * const schema = createToolSchema('send', { properties: { to: { format: 'email' } }, required: ['subject'] });
 * validateSchema({ name: 'send', arguments: { to: 'nobody' } }, schema);
 * // { valid: true, score: 0.3, issues: [{ type: 'required_field_missing', path: 'subject', … }, { type: 'invalid_format', path: 'to', … }] }
 */
export function validateSchema(
  toolCall: JsonInput<ToolCallInput>,
  schema: ToolsInput,
  options?: LimitOptions,
): SchemaValidationResult {
  return checkByTools(core.validateSchema, { value: toolCall, name: 'the tool call' }, schema, options);
}

/**
 * Makes the definition of a tool from the schema of its arguments: JSON Schema (also as JSON text or bytes), zod 4,
 * any Standard Schema that exports JSON Schema, or an AI SDK schema. All keywords are kept.
 *
 * Throws `invalid_schema`, naming the tool and the place, when that is not a valid schema.
 *
 * @example
 * createToolSchema('send', z.object({ to: z.email() }), 'Sends a message');
 * // { name: 'send', description: 'Sends a message', parameters: { type: 'object', properties: { to: { type: 'string', format: 'email', … } }, required: ['to'], … } }
 */
export function createToolSchema(name: string, schema: SchemaSource | object, description?: string): ObjectToolSchema;
/**
 * The same with the schema as JSON text or UTF-8 bytes, or a schema that accepts everything or nothing.
 *
 * @example
 * createToolSchema('ping', true); // { name: 'ping', parameters: true }
 */
export function createToolSchema(
  name: string,
  schema: string | Uint8Array | boolean | SchemaSource | object,
  description?: string,
): ToolSchema;
export function createToolSchema(
  name: string,
  schema: JsonInput<SchemaSource | object | boolean>,
  description?: string,
): ToolSchema {
  if (typeof name !== 'string') throw notText('the tool name', name);
  if (description !== undefined && typeof description !== 'string') throw notText('the description', description);
  const subject = `the schema of tool ${JSON.stringify(name)}`;
  const payload = toPayload(
    readingCaller(subject, () => toPlainSchema(schema, name)),
    subject,
  );
  return guarded(target =>
    withDocuments(target, [payload], undefined, document =>
      JSON.parse(core.createToolSchema(name, document, description)),
    ),
  );
}

function notText(subject: string, value: unknown): ToolgaugeError {
  return new ToolgaugeError('invalid_input', `${subject} is ${typeof value}; expected text`, { expected: 'text' });
}
