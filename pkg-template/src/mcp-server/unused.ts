// Replaces packages that the MCP SDK imports and this server never calls. ajv would check the input that a server asks its
// client for, and zod-to-json-schema would write schemas: this server asks for nothing, and writes its schemas itself.

/** Replaces the validator, ajv. */
export default class Unused {
  getValidator(): never {
    throw unused();
  }
}

/** Replaces the function of zod-to-json-schema. */
export function zodToJsonSchema(): never {
  throw unused();
}

function unused(): Error {
  return new Error('the MCP server of toolgauge does not use this part of the SDK');
}
