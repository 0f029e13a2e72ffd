import { hasGivenFiles } from './given.ts';

/**
 * Forbids every connection of the page from now on, and of the workers that it opens later. A policy can only become
 * stricter. The page of `toolgauge inspect` keeps the policy of its server, which names the files that the page may fetch:
 * they may still be on their way.
 */
export function closeConnections(): void {
  if (hasGivenFiles()) return;
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = "connect-src 'none'";
  document.head.append(policy);
}
