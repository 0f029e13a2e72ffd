import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Dispatch, State, Visit } from './state.ts';

/** What each entry of the browser's history showed last. It is in memory: the texts are too long for the history itself. */
const visited = new Map<number, Visit>();

/** Makes the browser's back and forward lead from trajectory to trajectory, and to what was open before. */
export function useHistory(state: State, dispatch: Dispatch): void {
  const { visits, documents, options, selected, active, fileName, file, chosenRow, filter, narrowing } = state;
  const entry = useRef(0);
  const known = useRef(visits);

  useEffect(() => {
    // After a reload, the entries before it are unknown: numbers go on from there.
    entry.current = numberOf(history.state) ?? 0;
    const go = ({ state: given }: PopStateEvent) => {
      const number = numberOf(given) ?? 0;
      const visit = visited.get(number);
      entry.current = number;
      if (visit !== undefined) dispatch({ kind: 'visit returned', visit });
    };
    addEventListener('popstate', go);
    return () => removeEventListener('popstate', go);
  }, [dispatch]);

  // Before the browser paints: whoever goes back as soon as a row is shown must find the entry before it.
  useLayoutEffect(() => {
    if (known.current !== visits) {
      known.current = visits;
      entry.current += 1;
      history.pushState({ entry: entry.current }, '');
    }
    const visit = { documents, options, selected, active, fileName, file, chosenRow, filter, narrowing };
    visited.set(entry.current, visit);
  }, [visits, documents, options, selected, active, fileName, file, chosenRow, filter, narrowing]);
}

function numberOf(state: unknown): number | undefined {
  const { entry } = Object(state);
  return Number.isSafeInteger(entry) ? entry : undefined;
}
