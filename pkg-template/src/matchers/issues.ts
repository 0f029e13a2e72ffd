import { type CheckReport, visible } from 'toolgauge';
import type { Paint } from './message.js';

/** All issues, below the turn and the tool that they are of. */
export function issueLines({ trajectories }: CheckReport, paint: Paint): string[] {
  return trajectories.flatMap(({ index, id, results, resultIssues }) => {
    const issues = [...results.flatMap(({ issues }) => issues), ...resultIssues];
    if (issues.length === 0) return [];
    const lines = issues.map(({ turnId, toolName, severity, type, description, details }) => {
      const label = severity === 'high' || severity === 'critical' ? paint.wrong(severity) : severity;
      const isReply = details !== undefined && 'quote' in details;
      const subject = toolName ?? (isReply ? 'reply' : '(no name)');
      return `  turn ${turnId}  ${visible(subject)}  ${label} ${type}: ${visible(description)}`;
    });
    return trajectories.length === 1 ? lines : [visible(id ?? `#${index}`), ...lines];
  });
}
