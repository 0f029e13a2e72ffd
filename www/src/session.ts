import { caseOf } from './case.ts';
import type { DocumentName } from './checker/protocol.ts';
import type { Session } from './view/state.ts';

const NAMES: readonly DocumentName[] = ['trajectory', 'tools', 'expected', 'before'];

/** A session as a text to keep. */
export function toText(session: Session): string {
  return JSON.stringify(session);
}

/** The session in a kept text; undefined if there is none. */
export function fromText(text: string | null): Session | undefined {
  if (text === null) return undefined;
  try {
    const kept = Object(JSON.parse(text));
    const active = NAMES.find(name => name === kept.active) ?? 'trajectory';
    const fileName = typeof kept.fileName === 'string' ? kept.fileName : undefined;
    return { ...caseOf(kept), active, fileName, isSourceFolded: kept.isSourceFolded === true };
  } catch {
    return undefined;
  }
}
