import { useEffect } from 'preact/hooks';
import { fromText, toText } from '../session.ts';
import type { Dispatch, State } from './state.ts';

const KEY = 'toolgauge';

/** How long the page waits for more changes before it keeps them, in milliseconds. */
const PAUSE = 400;

/** Keeps what the user entered while the tab is open: it is there again after a reload, or after going back. */
export function useSession(state: State, dispatch: Dispatch): void {
  useEffect(() => {
    // A link, and the files of `toolgauge inspect`, say themselves what to show.
    if (location.hash !== '' || document.getElementById('given')?.textContent) return;
    const session = fromText(sessionStorage.getItem(KEY));
    if (session !== undefined) dispatch({ kind: 'session restored', session });
  }, [dispatch]);

  const { documents, options, selected, active, fileName, isSourceFolded } = state;
  useEffect(() => {
    const timer = setTimeout(() => {
      try {
        sessionStorage.setItem(KEY, toText({ documents, options, selected, active, fileName, isSourceFolded }));
      } catch {
        // There is no room for it: then nothing is kept, rather than something old.
        sessionStorage.removeItem(KEY);
      }
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [documents, options, selected, active, fileName, isSourceFolded]);
}
