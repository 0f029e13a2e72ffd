import { type ResultVerificationResult, verifyResult } from 'toolgauge';
import { type ModelTool, modelTool } from '../model-tool.js';
import { CALL_THAT_RAN, type ModelCallThatRan, objectOf, toPlainCall } from './schemas.js';

/** What the tool takes: a call with its result, what the agent made of it, and what the user had asked. */
export interface ResultVerificationInput {
  /** The call, with its result. */
  readonly call: ModelCallThatRan;
  /** The exact text of the agent's reply after the call. */
  readonly reply: string;
  /** The exact text of the user's request. Default: unknown. */
  readonly request?: string | undefined;
}

/** An AI SDK tool whose `execute` may also be called by itself, with the input alone. */
export type ResultVerificationTool = ModelTool<ResultVerificationInput, ResultVerificationResult>;

/**
 * Says whether a reply is true to the result of a call, as a tool for a model and as a function. The result is that of
 * `verifyResult`.
 *
 * @example
 * const { hallucinated } = await verifyResultTool.execute({
 *   call: { tool: 'get_price', args: { item: 'lamp' }, result: { price: 49 } },
 *   reply: 'The lamp costs $59.',
 * });
 * hallucinated; // true
 */
export const verifyResultTool: ResultVerificationTool = modelTool<ResultVerificationInput, ResultVerificationResult>({
  description:
    'Checks whether a reply of an agent is true to the result of a tool call. Returns whether the reply uses the ' +
    'result, contradicts it, or states facts that neither the result nor the request holds.',
  parameters: objectOf(
    {
      call: CALL_THAT_RAN,
      reply: { type: 'string', description: "The exact text of the agent's reply to the user after the call" },
      request: { type: 'string', description: "The exact text of the user's request" },
    },
    ['call', 'reply'],
  ),
  expected: 'a call, {tool, args, result}, and the reply to it',
  run: ({ call, reply, request }) => {
    const made = toPlainCall(call);
    const turn = { turn_id: 2, role: 'agent', content: '', tool_calls: [made] } as const;
    const asked = request === undefined ? [] : [{ turn_id: 1, role: 'user', content: request } as const];
    return verifyResult(made, turn, { turns: [...asked, turn, { turn_id: 3, role: 'agent', content: reply }] });
  },
});
