import type { Finding } from '../checker/protocol.ts';
import { type Filter, passes } from './issues.tsx';
import { count } from './labels.ts';
import type { Matches, Narrowing } from './timeline.tsx';

interface Props {
  readonly findings: readonly Finding[];
  readonly filter: Filter;
  /** The id of the issue that was followed last. */
  readonly current: number | undefined;
  readonly narrowing: Narrowing;
  /** Undefined as long as no text is searched. */
  readonly matches: Matches | undefined;
  /** Whether texts are shown as they are written, and not as Markdown. */
  readonly isRaw: boolean;
  readonly onStep: (by: 1 | -1) => void;
  readonly onNarrow: (narrowing: Narrowing) => void;
  readonly onRaw: (isRaw: boolean) => void;
}

/** The id of the field that searches the conversation. */
export const SEARCH_FIELD = 'search-conversation';

/** Leads from issue to issue, and narrows the conversation to what matters. */
export function IssueSteps({ findings, filter, current, narrowing, matches, isRaw, onStep, onNarrow, onRaw }: Props) {
  const shown = findings.filter(finding => passes(filter, finding));
  const place = shown.findIndex(({ id }) => id === current) + 1;
  return (
    <div class="steps">
      <button type="button" class="button" disabled={shown.length === 0} onClick={() => onStep(-1)}>
        <span aria-hidden="true">
          ↑ <kbd>p</kbd>
        </span>
        <span class="hidden">Previous issue</span>
      </button>
      <button type="button" class="button" disabled={shown.length === 0} onClick={() => onStep(1)}>
        <span aria-hidden="true">↓</span> Next issue{' '}
        <span aria-hidden="true">
          <kbd>n</kbd>
        </span>
      </button>
      <span class="quiet place" role="status">
        {place > 0 ? `${place} of ${shown.length}` : count(shown.length, 'issue')}
      </span>
      <input
        id={SEARCH_FIELD}
        type="search"
        aria-label="Find in the conversation"
        placeholder="Find in the conversation  /"
        value={narrowing.text}
        onInput={event => onNarrow({ ...narrowing, text: event.currentTarget.value })}
      />
      <span class="checks">
        <label class="check">
          <input
            type="checkbox"
            checked={narrowing.onlyIssues}
            onChange={event => onNarrow({ ...narrowing, onlyIssues: event.currentTarget.checked })}
          />
          Only turns with issues
        </label>
        <label class="check">
          <input type="checkbox" checked={isRaw} onChange={event => onRaw(event.currentTarget.checked)} />
          Raw text
        </label>
      </span>
      {narrowing.tool !== undefined && (
        <button type="button" class="chip" onClick={() => onNarrow({ ...narrowing, tool: undefined })}>
          Only turns that call <span class="tool">{narrowing.tool === '' ? 'no name' : narrowing.tool}</span>{' '}
          <span aria-hidden="true">✕</span>
          <span class="hidden">: show all</span>
        </button>
      )}
      {matches !== undefined && (
        <p class="quiet found" role="status">
          {matches.turns.size === 0
            ? 'Nothing contains the text.'
            : `${count(matches.turns.size, 'turn')} and ${count(matches.calls.size, 'call')} contain the text.`}
        </p>
      )}
    </div>
  );
}
