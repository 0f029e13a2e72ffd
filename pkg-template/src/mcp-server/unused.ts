// Stands in for packages that the MCP SDK imports and this server does not use: it asks clients for no input, whose schema
// ajv would check, and its tools have JSON Schemas that zod-to-json-schema need not make.

/** Stands in for the validator. */
export default class Unused {
  getValidator(): never {
    throw unused();
  }
}

/** Stands in for the conversion of schemas. */
export function zodToJsonSchema(): never {
  throw unused();
}

function unused(): Error {
  return new Error('the MCP server of toolgauge does not use this part of the SDK');
}
