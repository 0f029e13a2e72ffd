import type { Command } from 'commander';
import { explainIssues, type IssueExplanation } from 'toolgauge';
import { excerpt } from '../excerpt.js';
import { Failure } from './failure.js';
import type { Outcome } from './options.js';

/** Adds `toolgauge explain`. */
export function addExplain(program: Command, finish: (outcome: Outcome) => Promise<void>): void {
  program
    .command('explain')
    .argument('[type]', 'a type of issue, such as contradicts_response; default: a list of all')
    .summary('explain an issue, with an example and the remedy')
    .description('Explains a type of issue, with an example and the remedy.')
    .action((type: string | undefined) => finish({ output: explain(type), verdict: 'passed' }));
}

function explain(type: string | undefined): string {
  const all = explainIssues();
  if (type === undefined) return all.map(explanationLine).join('');
  const explanation = all.find(known => known.type === type);
  if (explanation === undefined) {
    throw new Failure(`there is no type of issue ${JSON.stringify(excerpt(type))}`, 'toolgauge explain lists all');
  }
  return explanationText(explanation);
}

/** A line for the list of all types. */
export function explanationLine({ type, severity, meaning }: IssueExplanation): string {
  return `${type.padEnd(36)} ${severity.padEnd(8)} ${meaning}\n`;
}

/** What an issue means, with an example and the remedy. */
export function explanationText({ type, severity, meaning, example, remedy }: IssueExplanation): string {
  return `${type}  ${severity}

  ${meaning}

example   ${example}
remedy    ${remedy}
rate it   --rule ${type}=low, or in toolgauge.config.json: { "rules": { "${type}": "low" } }
turn off  --rule ${type}=off
ignore    in toolgauge.config.json: { "ignore": [{ "type": "${type}", "tool": "…", "reason": "…" }] }
`;
}
