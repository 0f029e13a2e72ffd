import { useEffect } from 'preact/hooks';
import { givenText } from '../given.ts';
import { fromText, type Kept, toText } from '../session.ts';
import type { Dispatch, State } from './state.ts';

const KEY = 'toolgauge';

/** How long the page waits for more changes before it keeps them, in milliseconds. */
const PAUSE = 400;

/** What was kept in this tab. */
export function keptSession(): Kept | undefined {
  return fromText(sessionStorage.getItem(KEY));
}

/** Keeps what the user entered while the tab is open: it is there again after a reload, or after going back. */
export function useSession(state: State, dispatch: Dispatch): void {
  useEffect(() => {
    // A link that was not followed yet, and the files of `toolgauge inspect`, say themselves what to show.
    const kept = keptSession();
    if (kept === undefined || givenText() !== '' || kept.link !== location.hash) return;
    dispatch({ kind: 'session restored', session: kept.session });
  }, [dispatch]);

  const { documents, options, selected, active, fileName, isSourceFolded, isRaw, panels, filter, narrowing } = state;
  useEffect(() => {
    // Another link may be opened before the pause ends.
    const link = location.hash;
    const timer = setTimeout(() => {
      const session = {
        documents,
        options,
        selected,
        active,
        fileName,
        isSourceFolded,
        isRaw,
        panels,
        filter,
        narrowing,
      };
      keep(toText(session, { link, given: givenText() }));
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [documents, options, selected, active, fileName, isSourceFolded, isRaw, panels, filter, narrowing]);
}

/** If there is no room, nothing is kept, rather than something old. */
function keep(text: string | undefined): void {
  try {
    if (text === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, text);
  } catch {
    sessionStorage.removeItem(KEY);
  }
}
