import type { ToolCall, Trajectory, Turn } from 'toolgauge';
import type { Answer } from './protocol.ts';

/** What a turn says and what its calls hold, in lower case. */
interface Searchable {
  readonly own: string;
  readonly calls: readonly string[];
}

let turns: readonly Turn[] = [];
let searchable: readonly Searchable[] | undefined;

/** Makes a trajectory the one to search. Its texts are prepared when the first search comes. */
export function makeSearchable(trajectory: Trajectory): void {
  turns = trajectory.turns;
  searchable = undefined;
}

/** Finds a text in the trajectory checked last, in upper or lower case. */
export function search(text: string): Extract<Answer, { kind: 'found' }> {
  const wanted = text.trim().toLowerCase();
  searchable ??= turns.map(textsOf);
  const found: number[] = [];
  const calls: string[] = [];
  searchable.forEach((turn, index) => {
    const holding = turn.calls.flatMap((call, place) => (call.includes(wanted) ? [`${index}.${place}`] : []));
    if (holding.length > 0 || turn.own.includes(wanted)) found.push(index);
    calls.push(...holding);
  });
  return { kind: 'found', turns: found, calls };
}

function textsOf({ role, content, tool_calls = [] }: Turn): Searchable {
  return { own: `${role}\n${content}`.toLowerCase(), calls: tool_calls.map(textOf) };
}

/** Texts are searched as they are; the rest of a value as JSON. */
function textOf({ name, arguments: given, rawArguments, error, result }: ToolCall): string {
  const values = [given, error, result].map(value => (typeof value === 'string' ? value : JSON.stringify(value)));
  return [name, rawArguments, ...values].join('\n').toLowerCase();
}
