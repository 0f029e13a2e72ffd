import type { CheckReport } from 'toolgauge';
import type { DocumentName, Problem } from '../checker/protocol.ts';

/** At most this many warnings of the import are shown. */
const MOST_WARNINGS = 8;

/** Why a trajectory cannot be read. */
export function Unreadable({
  problems,
  onShow,
  onMoveToTools,
}: {
  readonly problems: readonly Problem[];
  readonly onShow: (name: DocumentName) => void;
  /** Makes the trajectory the tools. */
  readonly onMoveToTools: () => void;
}) {
  return (
    <section class="unreadable" aria-labelledby="unreadable-heading">
      <h2 id="unreadable-heading">This can't be read yet</h2>
      <ul>
        {problems.map(({ document, message, areTools }) => (
          <li key={document}>
            <button type="button" class="link" onClick={() => onShow(document)}>
              {document}
            </button>{' '}
            {areTools ? 'These are tool definitions.' : message}{' '}
            {areTools && (
              <button type="button" class="button" onClick={onMoveToTools}>
                Move them to Tools
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What was left out of a result: documents that cannot be read, and warnings of the import. */
export function Notes({
  problems,
  warnings,
}: {
  readonly problems: readonly Problem[];
  readonly warnings: CheckReport['warnings'];
}) {
  if (warnings.length === 0 && problems.length === 0) return null;
  return (
    <ul class="warnings" aria-label="Notes">
      {problems.map(({ document, message }) => (
        <li key={document}>
          <b>{document}</b> {message}
        </li>
      ))}
      {warnings.slice(0, MOST_WARNINGS).map(({ path, message }, index) => (
        <li key={index}>
          {path !== '' && <code>{path}</code>} {message}
        </li>
      ))}
    </ul>
  );
}
