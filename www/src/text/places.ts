import { jsonLanguage } from '@codemirror/lang-json';
import type { Trajectory, Turn, UnsupportedFact } from 'toolgauge';

/** A range of a text, in UTF-16 units. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

type Node = ReturnType<typeof jsonLanguage.parser.parse>['topNode'];

/** The first syntax error of a JSON text; undefined if there is none. */
export function placeOfSyntaxError(text: string): Place | undefined {
  let found: Place | undefined;
  jsonLanguage.parser.parse(text).iterate({
    enter: node => {
      if (found === undefined && node.type.isError) found = { from: node.from, to: Math.max(node.to, node.from + 1) };
      return found === undefined;
    },
  });
  return found;
}

/** The place of the trajectory at an index, in a list or in lines of JSON; undefined if the text is that of one trajectory. */
export function placeOfTrajectory(text: string, index: number): Place | undefined {
  const top = jsonLanguage.parser.parse(text).topNode.firstChild;
  if (top?.name === 'Array') {
    const item = trajectoryIn(text, top, index);
    return item && placeOf(item);
  }
  return lineOfIndex(text, index);
}

/** The place of the value at a path like `turns[2].tool_calls[0].name`, or else of the nearest value around it. */
export function placeOfPath(text: string, path: string): Place | undefined {
  const root = jsonLanguage.parser.parse(text).topNode.firstChild;
  const [first, ...rest] = stepsOf(path);
  const line = typeof first === 'number' && root?.name !== 'Array' ? lineOfIndex(text, first) : undefined;
  if (line !== undefined) return placeInLine(text, line, rest);
  return root === null ? undefined : placeOf(descend(text, root, stepsOf(path)));
}

/** The place of the document at an index, in a text of one JSON document per line. */
function lineOfIndex(text: string, index: number): Place | undefined {
  const lines = [...text.matchAll(/^.*\S.*$/gm)];
  const line = lines.length > 1 && lines.every(([line]) => line.startsWith('{')) ? lines[index] : undefined;
  return line && { from: line.index, to: line.index + line[0].length };
}

function placeInLine(text: string, { from, to }: Place, steps: readonly (string | number)[]): Place {
  const line = text.slice(from, to);
  const root = jsonLanguage.parser.parse(line).topNode.firstChild;
  if (root === null) return { from, to };
  const place = placeOf(descend(line, root, steps));
  return { from: from + place.from, to: from + place.to };
}

/**
 * The place of a call, or of one of its arguments, in the text that its trajectory was read from.
 *
 * In toolgauge's own shape the path gives the place. In other formats the call is found by its id, or else by counting
 * the calls of the same tool before it.
 */
export function placeOfCall(
  text: string,
  trajectory: Trajectory,
  place: { readonly turn: number; readonly call: number; readonly argument?: string; readonly index: number },
): Place | undefined {
  const top = jsonLanguage.parser.parse(text).topNode.firstChild;
  if (top === null) return undefined;
  const root = top.name === 'Array' ? (trajectoryIn(text, top, place.index) ?? top) : top;
  const call = trajectory.turns[place.turn]?.tool_calls?.[place.call];
  if (call === undefined) return undefined;
  const own = exactly(text, root, ['turns', place.turn, 'tool_calls', place.call]);
  const node = own ?? callLike(text, root, trajectory, place);
  if (node === undefined) return undefined;
  if (place.argument === undefined) return placeOf(node);
  const holder = ARGUMENTS.flatMap(name => valueUnder(text, node, name) ?? [])[0];
  return placeOf(holder === undefined ? node : descend(text, holder, stepsOf(place.argument)));
}

/** A part of the content of a turn: its start and end in UTF-16 units. */
export type Excerpt = Pick<UnsupportedFact, 'turnId' | 'start' | 'end'>;

/** The sentence that an issue quotes, as a part of its turn. */
export function quoteIn(turn: Turn | undefined, details: object | undefined): Excerpt | undefined {
  const quote = details !== undefined && 'quote' in details ? String(details.quote) : undefined;
  const start = quote === undefined ? -1 : (turn?.content.indexOf(quote) ?? -1);
  if (turn === undefined || quote === undefined || start < 0) return undefined;
  return { turnId: turn.turn_id, start, end: start + quote.length };
}

/** The place of a part of a reply; undefined if the text escapes the reply in another way than `JSON.stringify`. */
export function placeOfExcerpt(text: string, trajectory: Trajectory, excerpt: Excerpt): Place | undefined {
  const content = trajectory.turns.find(turn => turn.turn_id === excerpt.turnId)?.content;
  if (content === undefined) return undefined;
  const written = text.indexOf(JSON.stringify(content));
  if (written < 0) return undefined;
  const from = written + JSON.stringify(content.slice(0, excerpt.start)).length - 1;
  return { from, to: from + JSON.stringify(content.slice(excerpt.start, excerpt.end)).length - 2 };
}

const ARGUMENTS = ['arguments', 'args', 'input', 'function_args', 'inputParameters', 'parameters', 'kwargs'];

function placeOf(node: Node): Place {
  return { from: node.from, to: node.to };
}

function stepsOf(path: string): (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([^.[\]]+)/g)].map(([, index, quoted, name]) =>
    index === undefined ? (quoted ?? name ?? '') : Number(index),
  );
}

function descend(text: string, start: Node, steps: readonly (string | number)[]): Node {
  let node = start;
  for (const step of steps) {
    const next = child(text, node, step);
    if (next === undefined) return node;
    node = next;
  }
  return node;
}

function exactly(text: string, start: Node, steps: readonly (string | number)[]): Node | undefined {
  let node: Node | undefined = start;
  for (const step of steps) node = node && child(text, node, step);
  return node;
}

function child(text: string, node: Node, step: string | number): Node | undefined {
  if (typeof step === 'string') return node.name === 'Object' ? member(text, node, step) : undefined;
  return node.name === 'Array' ? values(node)[step] : undefined;
}

function values(array: Node): Node[] {
  const all: Node[] = [];
  for (let node = array.firstChild; node !== null; node = node.nextSibling) {
    if (!['[', ']', ','].includes(node.name)) all.push(node);
  }
  return all;
}

function member(text: string, object: Node, name: string): Node | undefined {
  for (const property of object.getChildren('Property')) {
    const key = property.getChild('PropertyName');
    if (key !== null && stringAt(text, key) === name) return property.lastChild ?? undefined;
  }
  return undefined;
}

/** The value of a member, in the object itself or in an object directly inside it, like `function.arguments`. */
function valueUnder(text: string, node: Node, name: string): Node | undefined {
  const direct = member(text, node, name);
  if (direct !== undefined) return direct;
  for (const property of node.getChildren('Property')) {
    const value = property.lastChild;
    const inner = value?.name === 'Object' ? member(text, value, name) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function stringAt(text: string, node: Node): string {
  try {
    return String(JSON.parse(text.slice(node.from, node.to)));
  } catch {
    return '';
  }
}

/** The trajectory at `index` in a list; undefined if the list itself is one trajectory. */
function trajectoryIn(text: string, list: Node, index: number): Node | undefined {
  const items = values(list);
  const isMessages = items.some(item => item.name === 'Object' && member(text, item, 'role') !== undefined);
  return isMessages ? undefined : items[index];
}

function callLike(
  text: string,
  root: Node,
  trajectory: Trajectory,
  place: { readonly turn: number; readonly call: number },
): Node | undefined {
  const wanted = trajectory.turns[place.turn]?.tool_calls?.[place.call];
  const before = trajectory.turns
    .flatMap((turn, turnIndex) => (turn.tool_calls ?? []).map((call, callIndex) => ({ call, turnIndex, callIndex })))
    .filter(({ call }) => call.name === wanted?.name)
    .findIndex(({ turnIndex, callIndex }) => turnIndex === place.turn && callIndex === place.call);
  const candidates: Node[] = [];
  const quotedId = wanted?.id === undefined ? undefined : JSON.stringify(wanted.id);
  let byId: Node | undefined;
  root.cursor().iterate(cursor => {
    if (cursor.name !== 'Object') return;
    const object = cursor.node;
    const isCall = ['name', 'tool', 'toolName', 'tool_name', 'function_name', 'type'].some(name => {
      const value = valueUnder(text, object, name);
      return value?.name === 'String' && stringAt(text, value).replace(/^tool-/, '') === wanted?.name;
    });
    if (!isCall || !ARGUMENTS.some(name => valueUnder(text, object, name) !== undefined)) return;
    const last = candidates.at(-1);
    // The inner object of `{function: {name, arguments}}` is the same call.
    if (last !== undefined && last.to >= object.to) return;
    candidates.push(object);
    if (quotedId !== undefined && byId === undefined && text.slice(object.from, object.to).includes(quotedId)) {
      byId = object;
    }
  });
  return byId ?? candidates[before];
}
