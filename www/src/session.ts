import { SEVERITIES } from 'toolgauge/values';
import { caseOf } from './case.ts';
import type { DocumentName } from './checker/protocol.ts';
import type { Panel, Session } from './view/state.ts';

const NAMES: readonly DocumentName[] = ['trajectory', 'tools', 'expected', 'before'];
const PANELS: readonly Panel[] = ['waterfall', 'tools'];

/** Longer texts are not kept, in UTF-16 units: browsers keep no more than about twice this, and it would take them long. */
const LONGEST = 2_000_000;

/** Where the texts of a session came from. */
export interface Origin {
  /** The fragment of the page's address: a link, or empty. */
  readonly link: string;
  /** The list of the files that `toolgauge inspect` serves, or empty. */
  readonly given: string;
}

/** A session that was kept, and where its texts came from. */
export interface Kept extends Origin {
  readonly session: Session;
}

/** A session as a text to keep; undefined if it is too long. */
export function toText(session: Session, origin: Origin): string | undefined {
  const { documents, filter, narrowing, panels } = session;
  const length = Object.values(documents).reduce((sum, text) => sum + text.length, origin.link.length);
  if (length > LONGEST) return undefined;
  const { severities, types } = filter;
  const sets = { filter: { severities: [...severities], types: [...types] }, panels: [...panels] };
  return JSON.stringify({ ...session, ...sets, narrowing, ...origin });
}

/** The session in a kept text; undefined if there is none. */
export function fromText(text: string | null): Kept | undefined {
  if (text === null) return undefined;
  try {
    const kept = Object(JSON.parse(text));
    const filter = Object(kept.filter);
    const narrowing = Object(kept.narrowing);
    const session: Session = {
      ...caseOf(kept),
      active: NAMES.find(name => name === kept.active) ?? 'trajectory',
      fileName: textOr(kept.fileName, undefined),
      isSourceFolded: kept.isSourceFolded === true,
      isRaw: kept.isRaw === true,
      panels: new Set(PANELS.filter(panel => listOf(kept.panels).includes(panel))),
      filter: {
        severities: new Set(SEVERITIES.filter(severity => listOf(filter.severities).includes(severity))),
        types: new Set(listOf(filter.types).filter(type => typeof type === 'string')),
      },
      narrowing: {
        text: textOr(narrowing.text, ''),
        onlyIssues: narrowing.onlyIssues === true,
        tool: textOr(narrowing.tool, undefined),
      },
    };
    return { session, link: textOr(kept.link, ''), given: textOr(kept.given, '') };
  } catch {
    return undefined;
  }
}

function textOr<T>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' ? value : otherwise;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
