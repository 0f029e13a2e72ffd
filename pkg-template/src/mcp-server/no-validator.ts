/**
 * Stands in for the JSON Schema validator of the MCP SDK, which the server does not need: it asks clients for no input,
 * and the core checks the arguments of calls.
 */
export default class NoValidator {
  getValidator(): never {
    throw new Error('this server validates no JSON Schema through the SDK');
  }
}
