import { useEffect, useMemo, useState } from 'preact/hooks';
import { Checker } from '../checker/checker.ts';
import type { Answer } from '../checker/protocol.ts';
import { loadMarkdown } from '../text/markdown-reader.ts';
import type { Dispatch, RunComparison, State } from './state.ts';

/** How long the page waits for more typing before it checks, in milliseconds. */
export const PAUSE = 120;

/** The checker and what else is loaded once the page is drawn, because it is the larger part. */
interface Loaded {
  readonly checker: Checker;
  readonly isLoaded: boolean;
  /** Whether texts can be shown as Markdown. */
  readonly readsMarkdown: boolean;
}

export function useChecker(): Loaded {
  const [isLoaded, setLoaded] = useState(false);
  const [readsMarkdown, setReadsMarkdown] = useState(false);
  const checker = useMemo(() => new Checker(() => setLoaded(true)), []);
  useEffect(() => {
    const start = () => {
      checker.start();
      // Loaded now, because the user may be offline when these are needed.
      void Promise.all([import('../link.ts'), import('../vitest-test.ts')]);
      loadMarkdown().then(
        () => setReadsMarkdown(true),
        () => setReadsMarkdown(false),
      );
    };
    if (document.readyState === 'complete') setTimeout(start);
    else addEventListener('load', () => setTimeout(start), { once: true });
  }, [checker]);
  return { checker, isLoaded, readsMarkdown };
}

/** Compares the run with the one before, whenever one of them or the options change. */
export function useRunDiff(checker: Checker, { documents, file, options }: State, dispatch: Dispatch): void {
  const { trajectory, tools, expected, before } = documents;
  // The page shows one line of a long file as its trajectory: that line is not the run.
  const run = file === undefined ? trajectory : '';
  useEffect(() => {
    if (before.trim() === '' || (run.trim() === '' && file === undefined))
      return dispatch({ kind: 'runs compared', comparison: undefined });
    let isOvertaken = false;
    const timer = setTimeout(async () => {
      const answer = await checker.ask({
        kind: 'diff',
        documents: { trajectory: run, tools, expected, before },
        file,
        options,
      });
      if (!isOvertaken) dispatch({ kind: 'runs compared', comparison: comparisonOf(answer) });
    }, PAUSE);
    return () => {
      isOvertaken = true;
      clearTimeout(timer);
    };
  }, [checker, run, file, tools, expected, before, options, dispatch]);
}

function comparisonOf(answer: Answer): RunComparison | undefined {
  switch (answer.kind) {
    case 'compared':
      return { diff: answer.diff };
    case 'unreadable':
      return { reason: answer.problems[0]?.message ?? '' };
    case 'checked':
    case 'reported':
    case 'linted':
    case 'found':
    case 'detected':
      return undefined;
  }
}

/** Lints the tools as long as there is no trajectory: its check lints them otherwise. */
export function useLint(checker: Checker, { documents, file }: State, dispatch: Dispatch): void {
  const { tools } = documents;
  const isWanted = tools.trim() !== '' && documents.trajectory.trim() === '' && file === undefined;
  useEffect(() => {
    if (!isWanted) return dispatch({ kind: 'tools linted', lint: undefined });
    let isOvertaken = false;
    const timer = setTimeout(async () => {
      const answer = await checker.ask({ kind: 'lint', tools });
      if (!isOvertaken && answer.kind === 'linted') dispatch({ kind: 'tools linted', lint: answer.lint });
    }, PAUSE);
    return () => {
      isOvertaken = true;
      clearTimeout(timer);
    };
  }, [checker, tools, isWanted, dispatch]);
}

/** Searches the trajectory whenever the wanted text or the trajectory changes. */
export function useSearch(checker: Checker, { narrowing, checked }: State, dispatch: Dispatch): void {
  const text = narrowing.text.trim();
  useEffect(() => {
    if (text === '' || checked === undefined) return dispatch({ kind: 'searched', matches: undefined });
    let isOvertaken = false;
    const ask = async () => {
      const answer = await checker.ask({ kind: 'search', text });
      if (isOvertaken || answer.kind !== 'found') return;
      dispatch({ kind: 'searched', matches: { turns: new Set(answer.turns), calls: new Set(answer.calls) } });
    };
    void ask();
    return () => {
      isOvertaken = true;
    };
  }, [checker, text, checked, dispatch]);
}

/** Checks the documents whenever they, the options or the selected trajectory change. */
export function useCheck(checker: Checker, { documents, options, selected }: State, dispatch: Dispatch): void {
  useEffect(() => {
    if (documents.trajectory.trim() === '') return dispatch({ kind: 'nothing to check' });
    let isOvertaken = false;
    const timer = setTimeout(async () => {
      dispatch({ kind: 'check begun' });
      const of = { documents, options, selected };
      const answer = await checker.ask({ kind: 'check', ...of });
      if (!isOvertaken) dispatch({ kind: 'check answered', answer, of });
    }, PAUSE);
    return () => {
      isOvertaken = true;
      clearTimeout(timer);
    };
  }, [checker, documents, options, selected, dispatch]);
}
