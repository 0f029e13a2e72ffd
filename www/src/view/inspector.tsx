import type { ComponentChildren } from 'preact';
import { useCallback, useReducer, useState } from 'preact/hooks';
import type { Example } from '../examples.ts';
import { Results } from './results.tsx';
import { Source } from './source.tsx';
import { INITIAL, reduce, type State } from './state.ts';
import { ThemeButton } from './theme.tsx';
import { useCheck, useChecker, useLint, useRunDiff, useSearch } from './use-checker.ts';
import { useFiles } from './use-files.ts';
import { useHistory } from './use-history.ts';
import { useKeys } from './use-keys.ts';
import { useLink } from './use-link.ts';
import { usePaste } from './use-paste.ts';
import { useSession } from './use-session.ts';

function initial(state: State): State {
  return { ...state, isNarrow: matchMedia('(max-width: 899px)').matches };
}

/** The whole page. */
export function Inspector() {
  const [state, dispatch] = useReducer(reduce, INITIAL, initial);
  const { checker, isLoaded, readsMarkdown } = useChecker();
  useLink(dispatch);
  useCheck(checker, state, dispatch);
  useRunDiff(checker, state, dispatch);
  useLint(checker, state, dispatch);
  useSearch(checker, state, dispatch);
  const openFiles = useFiles(checker, dispatch);
  const { documents, active, problems, shown, fileName, isSourceFolded } = state;
  useSession(state, dispatch);
  useHistory(state, dispatch);
  useKeys(state, dispatch);
  const openHere = useCallback((files: readonly File[]) => openFiles(files, active), [openFiles, active]);
  usePaste(openHere);
  const openExample = ({ documents }: Example) => dispatch({ kind: 'example opened', documents });
  return (
    <DropArea onFiles={openHere} isFolded={isSourceFolded}>
      <a class="skip" href="#results">
        Skip to the results
      </a>
      <header class="masthead">
        <h1>
          <img src="./favicon.svg" alt="" width="28" height="28" /> toolgauge <span>inspector</span>
        </h1>
        <p class="promise">Checked in this page. Nothing is sent anywhere.</p>
        <ThemeButton />
      </header>
      <main>
        <Source
          documents={documents}
          active={active}
          problems={problems}
          shown={shown?.document === active ? shown : undefined}
          fileName={fileName}
          onActivate={name => dispatch({ kind: 'document activated', name })}
          onEdit={(name, text) => dispatch({ kind: 'edited', documents: { [name]: text } })}
          onExample={openExample}
          onFiles={openHere}
          isFolded={isSourceFolded}
          onFold={isFolded => dispatch({ kind: 'source folded', isFolded })}
        />
        <Results
          state={state}
          dispatch={dispatch}
          checker={checker}
          isLoaded={isLoaded}
          readsMarkdown={readsMarkdown}
          onExample={openExample}
        />
      </main>
    </DropArea>
  );
}

/** The page as a place to drop files. */
function DropArea({
  onFiles,
  isFolded,
  children,
}: {
  readonly onFiles: (files: readonly File[]) => void;
  /** Whether the texts are folded. */
  readonly isFolded: boolean;
  readonly children: ComponentChildren;
}) {
  const [isDropping, setDropping] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files may be dropped anywhere; the button opens them too
    <div
      class={`page${isDropping ? ' dropping' : ''}${isFolded ? ' folded' : ''}`}
      onDragOver={event => {
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={event => {
        if (event.relatedTarget === null) setDropping(false);
      }}
      onDrop={event => {
        event.preventDefault();
        setDropping(false);
        onFiles([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      {children}
    </div>
  );
}
