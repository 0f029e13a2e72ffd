import { useEffect } from 'preact/hooks';
import { SEARCH_FIELD } from './issue-steps.tsx';
import type { Dispatch, State } from './state.ts';

/** What the keys do, outside of fields and of the editor. */
export const KEYS: readonly { readonly key: string; readonly does: string }[] = [
  { key: 'n', does: 'next issue' },
  { key: 'p', does: 'previous issue' },
  { key: '/', does: 'find in the conversation' },
  { key: 'i', does: 'only turns with issues, or all' },
  { key: 'r', does: 'raw text, or Markdown' },
  { key: 'w', does: 'waterfall' },
  { key: 't', does: 'tools' },
  { key: 's', does: 'fold or show the text' },
];

/** Makes the page follow {@link KEYS}. */
export function useKeys({ isSourceFolded, narrowing, isRaw, panels }: State, dispatch: Dispatch): void {
  useEffect(() => {
    const act = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event)) return;
      switch (event.key) {
        case 'n':
          return dispatch({ kind: 'issue stepped', by: 1 });
        case 'p':
          return dispatch({ kind: 'issue stepped', by: -1 });
        case 'i':
          return dispatch({
            kind: 'timeline narrowed',
            narrowing: { ...narrowing, onlyIssues: !narrowing.onlyIssues },
          });
        case 'r':
          return dispatch({ kind: 'reading changed', isRaw: !isRaw });
        case 'w':
          return dispatch({ kind: 'panel toggled', panel: 'waterfall', isOpen: !panels.has('waterfall') });
        case 't':
          return dispatch({ kind: 'panel toggled', panel: 'tools', isOpen: !panels.has('tools') });
        case 's':
          return dispatch({ kind: 'source folded', isFolded: !isSourceFolded });
        case '/':
          event.preventDefault();
          document.getElementById(SEARCH_FIELD)?.focus();
      }
    };
    addEventListener('keydown', act);
    return () => removeEventListener('keydown', act);
  }, [isSourceFolded, narrowing, isRaw, panels, dispatch]);
}

/** Whether a key belongs to a field, a list or the editor. */
export function isTyping(event: Event): boolean {
  const target = event.composedPath()[0];
  return (
    target instanceof Element && target.closest('input, select, textarea, [contenteditable], [role=listbox]') !== null
  );
}
