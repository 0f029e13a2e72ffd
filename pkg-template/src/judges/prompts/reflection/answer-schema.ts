import type { ReflectionForm } from '../../../types.js';

// The descriptions are part of the wording: raise the version of every metric with each change.

/**
 * The corrected call. Its arguments have other names for each tool, so the schema can't meet the strict mode of OpenAI,
 * which does not allow objects with free keys. Since nothing can be enforced that way, the schema asks for no more than
 * is needed: an answer with a member too many costs no second question.
 */
const CALL = {
  name: { type: 'string', description: 'The tool to call; leave it out if the tool stays the same' },
  arguments: {
    type: 'object',
    description: 'All arguments of the corrected call, also the unchanged ones; leave them out rather than guess',
    additionalProperties: true,
  },
  missing: {
    type: 'array',
    description: 'What to ask the user or look up by another call before this call can be made; then no arguments',
    items: { type: 'string' },
  },
} as const;

const RECOMMENDATIONS = {
  type: 'array',
  description: 'Changes to the tool description, a parameter description or the instructions of the agent',
  items: { type: 'string' },
} as const;

const RUNTIME_CORRECTION = { type: 'object', properties: CALL } as const;

const FULL_CORRECTION = {
  type: 'object',
  properties: { ...CALL, recommendations: RECOMMENDATIONS },
} as const;

/**
 * The JSON Schema of an answer. Models write members in this order, so the reasoning comes before the score. `anyOf`
 * makes the correction nullable: more servers accept that than a list of types.
 */
export function answerSchema(form: ReflectionForm): { readonly [keyword: string]: unknown } {
  return {
    type: 'object',
    properties: {
      evidence: {
        type: 'string',
        description: 'The decisive place in the conversation or the tool definition: which one, and its words',
      },
      explanation: { type: 'string', description: 'What follows from the evidence, in one to three sentences' },
      output: { type: 'integer', minimum: 1, maximum: 5, description: 'How valid the call is; 5 is the best' },
      confidence: { type: 'number', minimum: 0, maximum: 1, description: 'How sure you are of your output' },
      correction: {
        description:
          'null if nothing is wrong; an object without name, arguments and missing if no call should be made',
        anyOf: [{ type: 'null' }, form === 'full' ? FULL_CORRECTION : RUNTIME_CORRECTION],
      },
    },
    required: ['evidence', 'explanation', 'output', 'confidence'],
  };
}
