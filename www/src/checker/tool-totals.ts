import type { Severity, ToolTally, Trajectory } from 'toolgauge';
import type { CallRow, Finding, RunFigures, ToolTotal } from './protocol.ts';

interface Counted {
  readonly issues: Record<Severity, number>;
  readonly sizes: number[];
  readonly seconds: number[];
  calls: number;
}

/** What the calls of each tool show together. `tallies` are the counts of the check, by tool. */
export function toolTotals(
  { turns }: Trajectory,
  rows: readonly (readonly CallRow[])[],
  findings: readonly Pick<Finding, 'issue' | 'turn' | 'call'>[],
  tallies: Readonly<Record<string, ToolTally>>,
  figures: RunFigures | undefined,
): readonly ToolTotal[] {
  const tools = new Map<string, Counted>();
  const of = (name: string): Counted => {
    const counted = tools.get(name) ?? {
      issues: { critical: 0, high: 0, medium: 0, low: 0 },
      sizes: [],
      seconds: [],
      calls: 0,
    };
    tools.set(name, counted);
    return counted;
  };
  turns.forEach(({ tool_calls = [] }, turn) => {
    tool_calls.forEach(({ name = '' }, place) => {
      const counted = of(name);
      counted.calls += 1;
      counted.sizes.push(rows[turn]?.[place]?.size ?? 0);
      const seconds = figures?.turns[turn]?.calls[place]?.seconds;
      if (seconds !== undefined) counted.seconds.push(seconds);
    });
  });
  for (const { issue, turn, call } of findings) {
    if (call === undefined) continue;
    of(turns[turn]?.tool_calls?.[call]?.name ?? '').issues[issue.severity] += 1;
  }
  return [...tools]
    .map(([name, { calls, issues, sizes, seconds }]) => ({
      name,
      calls,
      errors: Object.hasOwn(tallies, name) ? (tallies[name]?.errors ?? 0) : 0,
      issues,
      size: spread(sizes),
      ...(seconds.length > 0 && { seconds: spread(seconds) }),
    }))
    .sort((a, b) => b.calls - a.calls);
}

/** Median and maximum. */
function spread(numbers: readonly number[]): { readonly median: number; readonly most: number } {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
  return { median, most: sorted.at(-1) ?? 0 };
}
