import type { CheckReport, LineVerdict, Severity } from 'toolgauge';
import type { Scores } from '../checker/protocol.ts';
import { worst } from '../view/labels.ts';

/** What a list shows of one trajectory, or of a line that cannot be read. */
export interface Row {
  /** Its line, from 1; 0 if the text is not read by lines. */
  readonly line: number;
  /** Its index in the text, or in its line, from 0. */
  readonly index: number;
  readonly id: string;
  /** From 0 to 1; null if it calls no tool or cannot be read. */
  readonly score: number | null;
  readonly issues: number;
  readonly worst: Severity | undefined;
  /** The types of its issues, without duplicates. */
  readonly types: readonly string[];
  readonly calls: number;
  /** Whether it passes the check and makes the calls that are expected of it. */
  readonly passed: boolean;
  /** How close its calls are to the expected ones, from 0 to 1; absent without expected calls. */
  readonly accuracy?: number;
  /** Why it cannot be read. */
  readonly error?: string;
}

/** The trajectories of a text. */
export function rowsOf(report: CheckReport, scores: Scores | undefined): Row[] {
  const accuracies = new Map(scores?.trajectories.map(({ index, accuracy }) => [index, accuracy]));
  return report.trajectories.map(trajectory => withAccuracy(rowOf(trajectory), accuracies.get(trajectory.index)));
}

/** The row with how close the calls are to the expected ones. */
export function withAccuracy(row: Row, accuracy: Scores['trajectories'][number]['accuracy'] | undefined): Row {
  if (accuracy === undefined) return row;
  const isAsExpected = accuracy.score === 1 && accuracy.failures === undefined;
  return { ...row, accuracy: accuracy.score, passed: row.passed && isAsExpected };
}

type Verdict = CheckReport['trajectories'][number] & { readonly line?: number };

/** The row of one verdict. */
export function rowOf(verdict: Verdict | LineVerdict): Row {
  const { line = 0 } = verdict;
  if ('error' in verdict) {
    const { message } = verdict.error;
    return {
      line,
      index: 0,
      id: '',
      score: null,
      issues: 0,
      worst: undefined,
      types: [],
      calls: 0,
      passed: false,
      error: message,
    };
  }
  const { index, id = '', score, calls, passed, results, resultIssues } = verdict;
  const issues = [...results.flatMap(({ issues }) => issues), ...resultIssues];
  return {
    line,
    index,
    id,
    score,
    issues: issues.length,
    worst: worst(issues.map(({ severity }) => severity)),
    types: [...new Set(issues.map(({ type }) => type))],
    calls,
    passed,
  };
}

/** The columns by which a list can be sorted. */
export type SortKey = 'place' | 'id' | 'score' | 'accuracy' | 'issues' | 'calls';

export interface Order {
  readonly by: SortKey;
  readonly descending: boolean;
}

export const IN_PLACE: Order = { by: 'place', descending: false };

/** Which rows a list shows. */
export interface RowFilter {
  /** A part of an id, or a line number; empty matches every row. */
  readonly text: string;
  /** A type of issue; empty matches every row. */
  readonly type: string;
  readonly onlyFailing: boolean;
}

export const ALL_ROWS: RowFilter = { text: '', type: '', onlyFailing: false };

/** The indexes of the rows to show, in the order to show them; undefined for all rows in their own order. */
export function arrange(rows: readonly Row[], filter: RowFilter, order: Order): Uint32Array | undefined {
  const isFiltered = filter.text !== '' || filter.type !== '' || filter.onlyFailing;
  if (!isFiltered && order.by === 'place' && !order.descending) return undefined;
  const places = new Uint32Array(rows.length);
  let count = 0;
  const text = filter.text.toLowerCase();
  rows.forEach((row, place) => {
    if (isFiltered && !passes(row, filter, text)) return;
    places[count] = place;
    count += 1;
  });
  return sorted(rows, places.subarray(0, count), order);
}

function sorted(rows: readonly Row[], places: Uint32Array, { by, descending }: Order): Uint32Array {
  if (by !== 'place' && by !== 'id') return sortedByNumber(rows, places, by, descending);
  if (by === 'id') places.sort((a, b) => compareText(rows[a]?.id ?? '', rows[b]?.id ?? '') || a - b);
  return descending ? places.reverse() : places;
}

/** Larger than any index. */
const PLACES = 2 ** 32;

/** The limit of a sorted number: together with an index it fits into the 53 bits of a double. */
const MOST = 2 ** 20;

/** Packs number and index into one double. Without a comparison function, sorting takes a tenth of the time. */
function sortedByNumber(
  rows: readonly Row[],
  places: Uint32Array,
  by: 'score' | 'accuracy' | 'issues' | 'calls',
  descending: boolean,
): Uint32Array {
  const keys = new Float64Array(places.length);
  for (let at = 0; at < places.length; at += 1) {
    const place = places[at] ?? 0;
    const value = rows[place]?.[by] ?? null;
    const isShare = by === 'score' || by === 'accuracy';
    const number = Math.min(isShare ? Math.round((value ?? 0) * 1000) : (value ?? 0), MOST - 1);
    // Rows without a score come last in either direction.
    keys[at] = (value === null ? MOST : descending ? MOST - 1 - number : number) * PLACES + place;
  }
  keys.sort();
  for (let at = 0; at < places.length; at += 1) places[at] = (keys[at] ?? 0) % PLACES;
  return places;
}

function passes(row: Row, { type, onlyFailing }: RowFilter, text: string): boolean {
  if (onlyFailing && row.passed) return false;
  if (type !== '' && !row.types.includes(type)) return false;
  return text === '' || row.id.toLowerCase().includes(text) || String(row.line) === text;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
