import { checkToolCall, type ToolCallCheckInput, type ToolCallRepair } from 'toolgauge';

/** A message shows no more characters of corrected arguments than this. */
const MOST_SHOWN = 2_000;

/**
 * Why a call is refused, as a message for the model: what is wrong, and what to do. `repair` is what became of the call
 * when it was repaired, which shows what would fit.
 */
export function refusalOf(input: ToolCallCheckInput, repair: ToolCallRepair): string {
  const { status, message, name, arguments: repaired } = repair;
  if (status === 'unrepairable') return message ?? 'The call was not run, because it is not valid.';
  const metrics = Object.values(checkToolCall(input).metrics);
  const problems = metrics.flatMap(({ explanation }) => (explanation === null ? [] : `- ${explanation}`));
  const fitting = JSON.stringify(repaired);
  const suggestion = fitting.length > MOST_SHOWN ? '' : ` This would be valid: ${name}(${fitting})`;
  const lines = ['The call was not run:', ...problems, `Call again with this corrected.${suggestion}`];
  return lines.join('\n');
}
