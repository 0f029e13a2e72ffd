import type * as core from '#glue';
import { type Documents, guarded, withDocuments } from './boundary/call.js';
import { maxInputBytes } from './boundary/documents.js';
import { optionsToPayload, toPayload } from './boundary/json.js';
import { takeMembers } from './boundary/members.js';
import { handleOf, toRecipe, withTools } from './boundary/tool-handle.js';
import type { ToolCallCheckInput } from './tool-call-check.js';

/** A function of the core that holds a call against tools: compiled ones, or definitions in their place. */
type HeldAgainst = (
  tools: core.Tools,
  call: core.Document,
  definitions: core.Document | undefined,
  options: core.Document | undefined,
) => string;

/** Holds a call against tools. Those that can't be used are for the core to report. */
export function holdAgainst<Result>(input: ToolCallCheckInput, hold: HeldAgainst): Result {
  const { tools, toolCall, limits } = takeMembers(input, 'the input', '{tools, toolCall}', taken => ({
    tools: taken.tools,
    toolCall: taken.toolCall,
    limits: taken.limits,
  }));
  const options = limits === undefined ? undefined : { limits };
  const handle = handleOf(tools);
  const definitions = handle === undefined ? toRecipe(tools ?? null, undefined).source : undefined;
  const payloads = [toPayload(toolCall, 'the tool call'), definitions, optionsToPayload(options)] as const;
  return guarded(target =>
    withTools(target, handle, compiled =>
      withDocuments(target, payloads, maxInputBytes(options), (...documents: Documents<typeof payloads>) =>
        JSON.parse(hold(compiled, ...documents)),
      ),
    ),
  );
}
