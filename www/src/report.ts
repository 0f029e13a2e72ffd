import type { Documents, Inspection, Judged } from './judge/protocol.ts';

/** The verdict for programs. */
export function jsonReport({ report, selected, inspection }: Judged): string {
  const { findings, facts, accuracy } = inspection ?? {};
  const issues = findings?.map(({ issue, counts }) => ({ ...issue, counts }));
  return `${JSON.stringify({ report, inspected: { trajectory: selected, issues, unsupportedFacts: facts, accuracy } }, null, 2)}\n`;
}

/** The verdict on the shown trajectory for people. */
export function markdownReport({ report, selected, inspection }: Judged): string {
  const checked = report.trajectories.find(({ index }) => index === selected);
  const title = checked?.id ?? `Trajectory ${selected + 1}`;
  const gate = report.gate.passed ? 'It passes.' : `It fails: ${report.gate.failures.join('; ')}.`;
  const lines = [`# ${plain(title)}`, '', plain(gate), '', `- Score: ${checked?.score ?? 'none'}`];
  if (inspection?.accuracy !== undefined) lines.push(`- ${plain(inspection.accuracy.summary)}`);
  lines.push(`- Format: ${report.format}`, '', '## Issues', '');
  const findings = inspection?.findings ?? [];
  if (findings.length === 0) lines.push('None.');
  else lines.push('| Severity | Type | Turn | Tool | What |', '| --- | --- | --- | --- | --- |');
  for (const { issue } of findings) {
    const cells = [issue.severity, issue.type, String(issue.turnId ?? ''), issue.toolName ?? '', issue.description];
    lines.push(`| ${cells.map(plain).join(' | ')} |`);
  }
  return `${lines.join('\n')}\n`;
}

/** A test that fails until the shown trajectory has no issue that is high or worse. */
export function vitestTest(inspection: Inspection, documents: Documents): string {
  const { trajectory } = inspection;
  const tools = parsed(documents.tools);
  const name = `${trajectory.trajectory_id ?? 'the trajectory'} has no grave issue`;
  return `import { validateTrajectory } from 'toolgauge';
import { expect, test } from 'vitest';

const trajectory = ${literal(trajectory)};
${tools === undefined ? '' : `\nconst tools = ${literal(tools)};\n`}
test(${JSON.stringify(name)}, () => {
  const issues = validateTrajectory(trajectory${tools === undefined ? '' : ', tools'}).flatMap(result => result.issues);
  const grave = issues.filter(({ severity }) => severity === 'high' || severity === 'critical');
  expect(grave.map(({ turnId, description }) => \`turn \${turnId}: \${description}\`)).toEqual([]);
});
`;
}

/** Text that Markdown takes for nothing else, on one line. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_{}[\]<>()#+!|~&]/g, character => `\\${character}`);
}

/** In a literal of an object `__proto__` would not be a member. */
function literal(value: unknown): string {
  const json = JSON.stringify(value, null, 2);
  return json.includes('"__proto__"') ? `JSON.parse(${JSON.stringify(json)})` : json;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
