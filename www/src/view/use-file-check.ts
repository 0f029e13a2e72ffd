import { useCallback, useEffect, useRef } from 'preact/hooks';
import { FileCheck } from '../batch/file-check.ts';
import type { Row } from '../batch/rows.ts';
import { indented } from '../text/indent.ts';
import type { Dispatch, State } from './state.ts';
import { PAUSE } from './use-checker.ts';

/** What a user can do with a long file. */
interface FileActions {
  /** Makes the line of a row the trajectory; `place` is the index of the row. */
  readonly openRow: (row: Row, place: number) => Promise<void>;
  /** Stops the check. */
  readonly stop: () => void;
}

/** Checks the long file, if there is one, and shows its first row as soon as it is there. */
export function useFileCheck(
  { file, documents, options, progress, chosenRow }: State,
  dispatch: Dispatch,
): FileActions {
  const current = useRef<FileCheck | undefined>(undefined);
  const { tools, expected } = documents;

  useEffect(() => {
    if (file === undefined) return dispatch({ kind: 'file progressed', progress: undefined });
    const timer = setTimeout(() => {
      current.current = new FileCheck(file, { tools, expected }, options, progress =>
        dispatch({ kind: 'file progressed', progress }),
      );
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      current.current?.discard();
      current.current = undefined;
    };
  }, [file, tools, expected, options, dispatch]);

  const open = useCallback(
    async (row: Row, place: number, isChosen: boolean) => {
      const check = current.current;
      const line = await check?.lineOf(row);
      // Another file may have been opened meanwhile.
      if (line === undefined || check !== current.current) return;
      dispatch({ kind: 'row opened', place, text: indented(line), index: row.index, isChosen });
    },
    [dispatch],
  );

  const firstRow = progress?.file === file ? progress?.rows[0] : undefined;
  useEffect(() => {
    if (firstRow !== undefined && chosenRow === undefined) void open(firstRow, 0, false);
  }, [firstRow, chosenRow, open]);

  const openRow = useCallback((row: Row, place: number) => open(row, place, true), [open]);

  return { openRow, stop: () => current.current?.stop() };
}
