import type { JsonValue, Severity } from 'toolgauge';

export const SEVERITIES: readonly Severity[] = ['critical', 'high', 'medium', 'low'];

/** Turns `missing_required_param` into `missing required param`. */
export function words(name: string): string {
  return name.replaceAll('_', ' ');
}

/** `1 call`, `2 calls`. */
export function count(number: number, noun: string, nouns = `${noun}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : nouns}`;
}

/** The items by a key of theirs. */
export function groupBy<T, Key>(items: readonly T[], keyOf: (item: T) => Key): ReadonlyMap<Key, readonly T[]> {
  const groups = new Map<Key, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** The worst severity; undefined for an empty list. */
export function worst(severities: readonly Severity[]): Severity | undefined {
  return SEVERITIES.find(severity => severities.includes(severity));
}

/** Seconds as people say them: `0 s`, `350 ms`, `3.6 s`, `2 min 05 s`, `1 h 03 min`. */
export function duration(seconds: number): string {
  if (seconds === 0) return '0 s';
  if (seconds < 0.9995) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const [most, least, unit, below] = whole < 3600 ? [60, 1, 'min', 's'] : [3600, 60, 'h', 'min'];
  return `${Math.floor(whole / most)} ${unit} ${String(Math.floor((whole % most) / least)).padStart(2, '0')} ${below}`;
}

/** A number of characters: `640`, `12.5k`, `3.1M`. */
export function size(characters: number): string {
  if (characters < 1000) return String(Math.round(characters));
  const [number, unit] = characters < 1e6 ? [characters / 1e3, 'k'] : [characters / 1e6, 'M'];
  return `${number.toFixed(number < 100 ? 1 : 0)}${unit}`;
}

/** A cost, in the log's currency: as many decimals as its size needs. */
export function money(cost: number): string {
  if (cost === 0 || cost >= 1) return cost.toFixed(2);
  return cost.toPrecision(2).includes('e') ? cost.toExponential(1) : String(Number(cost.toPrecision(3)));
}

/** A value on one line, cut to a length. */
export function brief(value: JsonValue | undefined, length = 72): string {
  if (value === undefined) return '';
  const text =
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value)
          .map(([key, member]) => `${key}: ${JSON.stringify(member)}`)
          .join(', ')
      : JSON.stringify(value);
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** A value as JSON, cut to a length. */
export function json(value: JsonValue | undefined, length = Number.POSITIVE_INFINITY): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
