import { useEffect } from 'preact/hooks';
import type { Dispatch } from './state.ts';
import { keptSession } from './use-session.ts';

/** Opens what the fragment of the page's address holds, now and whenever it changes. */
export function useLink(dispatch: Dispatch): void {
  useEffect(() => {
    const follow = async () => {
      if (location.hash === '') return;
      const { fromFragment } = await import('../link.ts');
      dispatch({ kind: 'link followed', link: await fromFragment(location.hash) });
    };
    // After a reload, the session holds what became of it.
    if (keptSession()?.link !== location.hash) void follow();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [dispatch]);
}
