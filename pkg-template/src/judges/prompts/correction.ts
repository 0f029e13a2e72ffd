/** The most of a wrong answer that is shown to the judge again. */
const LONGEST = 4000;

/** The prompt of a request, with what was wrong with the last answer. */
export function correctionPrompt(prompt: string, said: string, problems: readonly string[]): string {
  const shown = said.length > LONGEST ? `${said.slice(0, LONGEST)} […]` : said;
  return `${prompt}

You answered this before, but your answer could not be used. You wrote:

<previous_answer>
${shown}
</previous_answer>

What is wrong with it:
${problems.map(problem => `- ${problem}`).join('\n')}

Judge the case again and answer with one JSON object that has none of these faults.`;
}
