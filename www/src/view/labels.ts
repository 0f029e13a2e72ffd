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

/** The worst severity; undefined for an empty list. */
export function worst(severities: readonly Severity[]): Severity | undefined {
  return SEVERITIES.find(severity => severities.includes(severity));
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
