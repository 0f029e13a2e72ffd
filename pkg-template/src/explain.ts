import * as core from '#glue';
import { answer } from './bridge.js';
import type { IssueExplanation } from './types.js';

/**
 * Says what each type of issue means: its severity, an example, and what to do about it. What `toolgauge explain` prints.
 *
 * @example
 * explainIssues().find(({ type }) => type === 'contradicts_response')?.severity; // 'high'
 */
export function explainIssues(): IssueExplanation[] {
  return answer(() => core.explainIssues(), [], undefined);
}
