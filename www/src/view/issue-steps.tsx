import type { Finding } from '../checker/protocol.ts';
import { type Filter, passes } from './issues.tsx';
import { count } from './labels.ts';
import type { Narrowing } from './timeline.tsx';

interface Props {
  readonly findings: readonly Finding[];
  readonly filter: Filter;
  /** The id of the issue that was followed last. */
  readonly current: number | undefined;
  readonly narrowing: Narrowing;
  readonly onStep: (by: 1 | -1) => void;
  readonly onNarrow: (narrowing: Narrowing) => void;
}

/** The id of the field that searches the conversation. */
export const SEARCH_FIELD = 'search-conversation';

/** Leads from issue to issue, and narrows the conversation to what matters. */
export function IssueSteps({ findings, filter, current, narrowing, onStep, onNarrow }: Props) {
  const shown = findings.filter(finding => passes(filter, finding));
  const place = shown.findIndex(({ id }) => id === current) + 1;
  return (
    <div class="steps">
      <button type="button" class="button" disabled={shown.length === 0} onClick={() => onStep(-1)}>
        <span aria-hidden="true">↑ p</span>
        <span class="hidden">Previous issue</span>
      </button>
      <button type="button" class="button" disabled={shown.length === 0} onClick={() => onStep(1)}>
        <span aria-hidden="true">↓</span> Next issue <span aria-hidden="true">n</span>
      </button>
      <span class="quiet" role="status">
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
      <label class="check">
        <input
          type="checkbox"
          checked={narrowing.onlyIssues}
          onChange={event => onNarrow({ ...narrowing, onlyIssues: event.currentTarget.checked })}
        />
        Only turns with issues
      </label>
    </div>
  );
}
