import type { ToolCall, Trajectory, Turn } from 'toolgauge';
import {
  ALL_TOKENS_MEMBERS,
  COST_MEMBERS,
  END_MEMBERS,
  INPUT_TOKENS_MEMBERS,
  OUTPUT_TOKENS_MEMBERS,
  START_MEMBERS,
  USAGE_MEMBERS,
} from 'toolgauge/values';
import type { CallFigures, RunFigures, Span, Tokens, TurnFigures } from './protocol.ts';

/** The members that hold a duration, with their unit in seconds. Members whose unit differs by system are left out. */
const DURATIONS: readonly (readonly [string, number])[] = [
  ['duration_ms', 0.001],
  ['durationMs', 0.001],
  ['latency_ms', 0.001],
  ['latencyMs', 0.001],
  ['duration_seconds', 1],
  ['working_time', 1],
];

/** Timestamps from these numbers on count nanoseconds, microseconds or milliseconds since 1970: how many are in a second. */
const UNITS: readonly (readonly [number, number])[] = [
  [1e17, 1e9],
  [1e14, 1e6],
  [1e11, 1e3],
];

type Members = Readonly<Record<string, unknown>>;

/** A span before it is known when the run began: seconds since 1970. */
interface Moment {
  readonly at: number | undefined;
  /** In seconds; undefined if the log does not say. */
  readonly duration: number | undefined;
}

/** The durations, tokens and costs of a run; undefined if its log holds none. */
export function figuresOf(trajectory: Trajectory): RunFigures | undefined {
  const events = eventsOf(trajectory);
  const moments = trajectory.turns.map(turn => momentOf(sources(turn, events.get(idOf(turn)))));
  const callMoments = trajectory.turns.map(turn => (turn.tool_calls ?? []).map(call => callMoment(call, events)));
  const known = [...moments, ...callMoments.flat()].flatMap(({ at }) => at ?? []);
  const start = known.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);
  const nexts = nextTimes(moments);
  const turns = trajectory.turns.map((turn, index): TurnFigures => {
    const span = spanOf(moments[index], nexts[index], start);
    const calls = (callMoments[index] ?? []).map(moment => callFigures(moment, start, span));
    return { ...figures(span, sources(turn, events.get(idOf(turn)))), calls };
  });
  return totalsOf(trajectory, turns);
}

function totalsOf(trajectory: Trajectory, turns: readonly TurnFigures[]): RunFigures | undefined {
  const spans = turns.flatMap(({ span, calls }) => [span, ...calls.map(call => call.span)]).filter(span => span);
  const seconds = spans.reduce((most, span) => Math.max(most, (span?.start ?? 0) + (span?.duration ?? 0)), 0);
  const own = sources(trajectory);
  const tokens = tokensOf(own) ?? sumOfTokens(turns);
  const cost = numberOf(own, COST_MEMBERS) ?? sumOf(turns.map(turn => turn.cost));
  const hasDurations = turns.some(({ calls }) => calls.some(call => call.seconds !== undefined));
  if (seconds <= 0 && tokens === undefined && cost === undefined && !hasDurations) return undefined;
  return {
    turns: seconds > 0 ? turns : turns.map(withoutSpans),
    ...(seconds > 0 && { seconds }),
    ...(tokens && { tokens }),
    ...(cost !== undefined && { cost }),
  };
}

/** Spans that all lie at one moment say nothing. */
function withoutSpans({ span: _, calls, ...turn }: TurnFigures): TurnFigures {
  return { ...turn, calls: calls.map(({ span: _, ...call }) => call) };
}

function figures(span: Span | undefined, places: readonly Members[]): Omit<TurnFigures, 'calls'> {
  const tokens = tokensOf(places);
  const cost = numberOf(places, COST_MEMBERS);
  return { ...(span && { span }), ...(tokens && { tokens }), ...(cost !== undefined && { cost }) };
}

/** For each turn when the next one begins that has a time. */
function nextTimes(moments: readonly Moment[]): readonly (number | undefined)[] {
  let next: number | undefined;
  const times = [...moments].reverse().map(({ at }) => {
    const later = next;
    next = at ?? next;
    return later;
  });
  return times.reverse();
}

/** If the log does not say how long a turn took, its span ends when the next turn begins. */
function spanOf({ at, duration }: Partial<Moment> = {}, next: number | undefined, start: number): Span | undefined {
  if (at === undefined) return undefined;
  if (duration !== undefined) return { start: at - start, duration, isMeasured: true };
  return { start: at - start, duration: Math.max(0, (next ?? at) - at), isMeasured: false };
}

/**
 * A call without a time of its own begins when its turn has been written. If the log only says when its result came, the
 * span lasts until then.
 */
function callFigures({ at, duration }: Moment, start: number, turn: Span | undefined): CallFigures {
  const ofTurn = turn && turn.start + (turn.isMeasured ? turn.duration : 0);
  if (duration === undefined) {
    if (at === undefined || ofTurn === undefined || at - start < ofTurn) return {};
    return { span: { start: ofTurn, duration: at - start - ofTurn, isMeasured: false } };
  }
  const begin = at === undefined ? ofTurn : at - start;
  return { seconds: duration, ...(begin !== undefined && { span: { start: begin, duration, isMeasured: true } }) };
}

function callMoment(call: ToolCall, events: ReadonlyMap<string, Members>): Moment {
  return momentOf([call, membersOf(call.toolUseResult), membersOf(events.get(call.id ?? ''))]);
}

function momentOf(places: readonly Members[]): Moment {
  const begin = timeOf(places, START_MEMBERS) ?? timeOf(places, ['timestamp']);
  const end = timeOf(places, END_MEMBERS);
  const given = DURATIONS.flatMap(([name, unit]) => {
    const number = numberOf(places, [name]);
    return number === undefined || number < 0 ? [] : [number * unit];
  })[0];
  const between = begin !== undefined && end !== undefined && end >= begin ? end - begin : undefined;
  const duration = between ?? given;
  // Some logs only say when a result came.
  return { at: begin ?? (end === undefined ? undefined : end - (duration ?? 0)), duration };
}

/** The members of a turn that may hold figures: its own, those of its event, and of what they say was used. */
function sources(own: Members, event?: Members): readonly Members[] {
  const output = membersOf(event?.output);
  const usages = USAGE_MEMBERS.map(name => membersOf(own[name]));
  const apart = [own, ...usages].map(place => membersOf(place.tokens));
  return [own, ...usages, ...apart, ...apart.map(tokensApart), event ?? {}, membersOf(output.usage)];
}

/** An object with nothing but numbers of tokens may name them `input`, `output` and `total`. */
function tokensApart({ input, output, total }: Members): Members {
  return { input_tokens: input, output_tokens: output, total_tokens: total };
}

/** The events of an Inspect log, by the id of the message or of the call that they are about. */
function eventsOf(trajectory: Trajectory): ReadonlyMap<string, Members> {
  const byId = new Map<string, Members>();
  for (const event of listOf(trajectory.events).map(membersOf)) {
    const [choice] = listOf(membersOf(event.output).choices);
    const id = event.event === 'tool' ? event.id : membersOf(membersOf(choice).message).id;
    if (typeof id === 'string' && id !== '') byId.set(id, event);
  }
  return byId;
}

function idOf(turn: Turn): string {
  return typeof turn.id === 'string' ? turn.id : '';
}

function tokensOf(places: readonly Members[]): Tokens | undefined {
  for (const place of places) {
    const input = numberOf([place], INPUT_TOKENS_MEMBERS);
    const output = numberOf([place], OUTPUT_TOKENS_MEMBERS);
    const all = numberOf([place], ALL_TOKENS_MEMBERS) ?? (input ?? 0) + (output ?? 0);
    if (all > 0) return { all, ...(input !== undefined && { input }), ...(output !== undefined && { output }) };
  }
  return undefined;
}

function sumOfTokens(turns: readonly TurnFigures[]): Tokens | undefined {
  const all = sumOf(turns.map(({ tokens }) => tokens?.all));
  if (all === undefined) return undefined;
  const input = sumOf(turns.map(({ tokens }) => tokens?.input));
  const output = sumOf(turns.map(({ tokens }) => tokens?.output));
  return { all, ...(input !== undefined && { input }), ...(output !== undefined && { output }) };
}

/** The sum of the numbers that are there; undefined if none is. */
function sumOf(numbers: readonly (number | undefined)[]): number | undefined {
  const known = numbers.filter(number => number !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, number) => sum + number, 0);
}

function numberOf(places: readonly Members[], names: readonly string[]): number | undefined {
  for (const place of places) {
    for (const name of names) {
      const value = place[name];
      if (typeof value === 'number' && Number.isFinite(value)) return value;
    }
  }
  return undefined;
}

function timeOf(places: readonly Members[], names: readonly string[]): number | undefined {
  for (const place of places) {
    for (const name of names) {
      const time = readTime(place[name]);
      if (time !== undefined) return time;
    }
  }
  return undefined;
}

/** Seconds since 1970; a time without an offset is read as UTC. */
function readTime(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const number = Number(value);
  if (value !== '' && Number.isFinite(number)) {
    const [, perSecond] = UNITS.find(([from]) => number >= from) ?? [0, 1];
    return number / perSecond;
  }
  const text = String(value).trim().replace(' ', 'T');
  if (!/^\d{4}-\d{2}-\d{2}T/.test(text)) return undefined;
  const time = Date.parse(/(Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}Z`);
  return Number.isNaN(time) ? undefined : time / 1000;
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
