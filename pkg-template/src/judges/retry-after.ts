/**
 * The seconds that a response asks to be left alone: in milliseconds by a header of its own, or as HTTP has it, by a
 * number of seconds or a date.
 */
export function retryAfter(headers: Headers): number | undefined {
  const milliseconds = toNumber(headers.get('retry-after-ms'));
  if (milliseconds !== undefined) return milliseconds / 1000;
  const value = headers.get('retry-after');
  const seconds = toNumber(value);
  if (seconds !== undefined || value === null) return seconds;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}

function toNumber(header: string | null): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const number = Number(header);
  return Number.isFinite(number) && number >= 0 ? number : undefined;
}
