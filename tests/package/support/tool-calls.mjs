/** The names of the static checks, in their order. */
export const CHECKS = [
  'non_existent_function',
  'non_existent_parameter',
  'incorrect_parameter_type',
  'missing_required_parameter',
  'allowed_values_violation',
  'json_schema_violation',
  'empty_api_spec',
  'invalid_api_spec',
  'invalid_tool_call',
];

/** A tool with one argument for each kind of rule. */
export const FORECAST = {
  name: 'get_forecast',
  description: 'The forecast for a city',
  parameters: {
    type: 'object',
    properties: {
      city: { type: 'string', minLength: 2 },
      days: { type: 'integer', minimum: 1, maximum: 14 },
      unit: { type: 'string', enum: ['celsius', 'fahrenheit'], default: 'celsius' },
      hourly: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'integer' } },
      area: { type: 'object', properties: { zip: { type: 'string' } }, additionalProperties: false },
      kind: { const: 'weather' },
      at: { anyOf: [{ type: 'integer' }, { type: 'object' }] },
    },
    required: ['city', 'unit'],
  },
};
export const CANCEL = {
  name: 'cancel_order',
  description: 'Cancels an order',
  parameters: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
};
export const TOOLS = [FORECAST, CANCEL];

/** Valid arguments of FORECAST, and a call of it. */
export const RIGHT = { city: 'Oslo', unit: 'celsius' };
export const forecast = args => ({ name: 'get_forecast', arguments: args });

/** Freezes a value and all that is in it, so that any attempt to change it throws. */
export function frozen(value) {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
