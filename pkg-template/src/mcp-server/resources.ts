import { explainIssues } from 'toolgauge';
import { explanationText } from '../cli/explain.js';
import type { ServedResource, Service } from './service.js';

const ISSUES = 'toolgauge://issues/';

/** The explanation of each type of issue, by its address. */
export function issueResources(): readonly ServedResource[] {
  return explainIssues().map(issue => ({
    uri: `${ISSUES}${issue.type}`,
    name: issue.type,
    title: `The issue ${issue.type}`,
    description: issue.meaning,
    mimeType: 'text/plain',
    read: () => explanationText(issue),
  }));
}

/** How the addresses of the explanations are made. */
export const ISSUE_TEMPLATE: Service['resourceTemplate'] = {
  uriTemplate: `${ISSUES}{type}`,
  name: 'issue',
  description: 'What a type of issue means, with an example and the remedy.',
};
