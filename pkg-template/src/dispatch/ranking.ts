import { dispatchCore } from 'toolgauge';

/** A tool that can be searched for. */
export interface SearchableTool {
  readonly name: string;
  readonly description?: string | undefined;
}

/** The places of the tools that share a word with the query, the best match first. */
export function rankTools(query: string, tools: readonly SearchableTool[]): number[] {
  return dispatchCore.rankTools(
    query,
    tools.map(({ name, description = '' }) => ({ name, description })),
  );
}
