/** The part of a prompt that says in which form to answer. */
export function answerFormat(schema: object): string {
  return `Answer with one JSON object that fits this JSON Schema. Write nothing before or after it.
${JSON.stringify(schema)}`;
}
