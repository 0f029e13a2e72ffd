import type { Severity } from 'toolgauge';

/** A sign for each severity, because not everyone can distinguish the colours. */
export function Verdict({ severity }: { readonly severity: Severity | undefined }) {
  const sign = severity === undefined ? '✓' : severity === 'low' ? '·' : severity === 'medium' ? '!' : '✕';
  return (
    <span class={`verdict ${severity ?? 'fine'}`} role="img" aria-label={severity ?? 'no issue'}>
      {sign}
    </span>
  );
}
