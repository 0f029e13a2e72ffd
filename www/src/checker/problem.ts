import { ToolgaugeError } from 'toolgauge';
import type { DocumentName, Problem } from './protocol.ts';

/** Why a document cannot be read. */
export function problemOf(document: DocumentName, thrown: unknown): Problem {
  if (!(thrown instanceof ToolgaugeError)) return { document, code: 'internal', message: String(thrown) };
  const { code, message, path } = thrown;
  return { document, code, message, ...(path !== undefined && { path }) };
}
