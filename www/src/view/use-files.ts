import { useCallback, useEffect } from 'preact/hooks';
import type { Checker } from '../checker/checker.ts';
import type { Answer, DocumentName } from '../checker/protocol.ts';
import { givenFiles, givenText, hasGivenFiles } from '../given.ts';
import { unpacked } from '../text/unpacked.ts';
import type { Action, Dispatch } from './state.ts';
import { keptSession } from './use-session.ts';

/** A file with more bytes than this is not loaded into the page, except one line at a time. */
const LONG_FILE = 1_000_000;

/** A single document with more bytes than this is not shown. */
const MOST_TEXT = 16_000_000;

const LINES_HINT = 'As JSON Lines, with one trajectory per line, it can have any length.';

/**
 * Opens the files that `toolgauge inspect` serves with the page, and returns a function that opens others. Its second
 * argument is the document for files whose kind is unknown.
 */
export function useFiles(checker: Checker, dispatch: Dispatch): (files: readonly File[], name: DocumentName) => void {
  useEffect(() => {
    const open = async () => {
      try {
        // The trajectory comes last, because the file that is opened last is shown.
        for (const { document, file } of (await givenFiles()).reverse())
          dispatch(await opening(file, document, checker, true));
        // The files may have changed since; how they were looked at has not.
        const kept = keptSession();
        if (hasGivenFiles() && kept?.given === givenText()) dispatch({ kind: 'view restored', session: kept.session });
      } catch (error) {
        dispatch({ kind: 'not opened', reason: error instanceof Error ? error.message : String(error) });
      }
    };
    void open();
  }, [checker, dispatch]);

  return useCallback(
    async (files, name) => {
      for (const file of files) dispatch(await opening(file, name, checker));
    },
    [checker, dispatch],
  );
}

/** How a file is opened: as the document that it looks like, or else as `otherwise`. */
async function opening(packed: File, otherwise: DocumentName, checker: Checker, isCertain = false): Promise<Action> {
  const file = await unpacked(packed).catch((error: unknown) => String(error instanceof Error ? error.message : error));
  if (typeof file === 'string') return notOpened(`${packed.name}: ${file}`);
  const isText = otherwise === 'before' || (isCertain && otherwise !== 'trajectory');
  const lines = isText ? undefined : await linesOf(file, checker);
  if (lines?.kind === 'unreadable') return notOpened(`${file.name}: ${lines.problems[0]?.message}`);
  if (lines?.kind === 'detected' && lines.document === 'trajectory') return { kind: 'long file opened', file };
  if (file.size > MOST_TEXT) return notOpened(`${file.name} is too large for one document. ${LINES_HINT}`);
  const text = await file.text();
  const answer = await checker.ask({ kind: 'detect', text });
  const { document = null, text: onLines = text } = answer.kind === 'detected' ? answer : {};
  const name = (!isCertain && documentOf(document, otherwise)) || otherwise;
  return { kind: 'document opened', name, text: onLines, fileName: file.name };
}

/** The document for a text of a kind: trajectories are the run before if that document is open. */
function documentOf(kind: DocumentName | null, open: DocumentName): DocumentName | null {
  return kind === 'trajectory' && open === 'before' ? 'before' : kind;
}

/** For a long file: whether each of its lines is a trajectory. */
async function linesOf(file: File, checker: Checker): Promise<Answer | undefined> {
  if (file.size <= LONG_FILE) return undefined;
  const head = await file.slice(0, LONG_FILE).text();
  return checker.ask({ kind: 'lines', head });
}

function notOpened(reason: string): Action {
  return { kind: 'not opened', reason };
}
