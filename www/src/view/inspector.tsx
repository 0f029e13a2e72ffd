import type { ComponentChildren } from 'preact';
import { useReducer, useState } from 'preact/hooks';
import type { Example } from '../examples.ts';
import { Results } from './results.tsx';
import { Source } from './source.tsx';
import { INITIAL, reduce } from './state.ts';
import { ThemeButton } from './theme.tsx';
import { useCheck, useChecker, useRunDiff } from './use-checker.ts';
import { useFiles } from './use-files.ts';
import { useLink } from './use-link.ts';

/** The whole page. */
export function Inspector() {
  const [state, dispatch] = useReducer(reduce, INITIAL);
  const { checker, isLoaded } = useChecker();
  useLink(dispatch);
  useCheck(checker, state, dispatch);
  useRunDiff(checker, state, dispatch);
  const openFiles = useFiles(checker, dispatch);
  const { documents, active, problems, shown, fileName } = state;
  const openExample = ({ documents }: Example) => dispatch({ kind: 'example opened', documents });
  return (
    <DropArea onFiles={files => openFiles(files, active)}>
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
          shown={active === 'trajectory' ? shown : undefined}
          fileName={fileName}
          onActivate={name => dispatch({ kind: 'document activated', name })}
          onEdit={(name, text) => dispatch({ kind: 'edited', documents: { [name]: text } })}
          onExample={openExample}
          onFiles={files => openFiles(files, active)}
        />
        <Results state={state} dispatch={dispatch} checker={checker} isLoaded={isLoaded} onExample={openExample} />
      </main>
    </DropArea>
  );
}

/** The page as a place to drop files. */
function DropArea({
  onFiles,
  children,
}: {
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ComponentChildren;
}) {
  const [isDropping, setDropping] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files may be dropped anywhere; the button opens them too
    <div
      class={isDropping ? 'page dropping' : 'page'}
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
