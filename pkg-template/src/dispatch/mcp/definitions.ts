import type { ToolSchema } from '../../types.js';

/** How many tools a search lists unless the call sets a limit, and at most. */
export const SEARCH_LIMIT: { readonly usual: number; readonly most: number } = { usual: 8, most: 50 };

const TOOL = { type: 'string', description: 'The name of the tool, as the search lists it' };

/** The three functions by which a model uses a server. `about` says what the server is for. */
export function metaFunctions(server: string, about: string | undefined): readonly ToolSchema[] {
  return [
    {
      name: `mcp_search_${server}`,
      description: `Searches the tools of the MCP server "${server}". Returns the names of the best matches with the beginning of their descriptions. Look at a tool with mcp_describe_${server} before you call it with mcp_invoke_${server}.${about === undefined ? '' : `\nAbout the server: ${about}`}`,
      parameters: parametersOf(
        {
          query: {
            type: 'string',
            description: 'What the tool should do, in a few words. An empty text lists all tools.',
          },
          limit: {
            type: 'integer',
            minimum: 1,
            maximum: SEARCH_LIMIT.most,
            default: SEARCH_LIMIT.usual,
            description: 'How many tools to list at most',
          },
        },
        'query',
      ),
    },
    {
      name: `mcp_describe_${server}`,
      description: `Describes a tool of the MCP server "${server}": what it does, and the JSON Schema of its arguments.`,
      parameters: parametersOf({ tool: TOOL }, 'tool'),
    },
    {
      name: `mcp_invoke_${server}`,
      description: `Calls a tool of the MCP server "${server}" and returns its result.`,
      parameters: parametersOf(
        {
          tool: TOOL,
          arguments: {
            type: 'object',
            description: `The arguments of the tool, which have to fit the schema that mcp_describe_${server} returns. Default: none.`,
          },
        },
        'tool',
      ),
    },
  ];
}

function parametersOf(properties: Record<string, object>, required: string): ToolSchema['parameters'] {
  return { type: 'object', properties, required: [required], additionalProperties: false } as ToolSchema['parameters'];
}
