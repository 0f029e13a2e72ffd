import { useId } from 'preact/hooks';
import type { Closest, UnsupportedFact } from 'toolgauge';
import { words } from './labels.ts';

interface Props {
  readonly content: string;
  /** The unsupported facts of this text. */
  readonly facts: readonly UnsupportedFact[];
  readonly onEvidence: (closest: Closest) => void;
}

/** What was said, with the facts marked that nothing shows. */
export function Reply({ content, facts, onEvidence }: Props) {
  const parts = [];
  let end = 0;
  for (const fact of [...facts].sort((a, b) => a.start - b.start)) {
    if (fact.start < end) continue;
    parts.push(content.slice(end, fact.start));
    parts.push(
      <Fact key={fact.start} fact={fact} text={content.slice(fact.start, fact.end)} onEvidence={onEvidence} />,
    );
    end = fact.end;
  }
  parts.push(content.slice(end));
  return <div class="reply">{parts}</div>;
}

function Fact({
  fact,
  text,
  onEvidence,
}: {
  readonly fact: UnsupportedFact;
  readonly text: string;
  readonly onEvidence: Props['onEvidence'];
}) {
  const id = useId();
  const { closest } = fact;
  return (
    <span class="fact">
      <button type="button" aria-describedby={id} onClick={() => closest !== undefined && onEvidence(closest)}>
        {text}
      </button>
      <span class="evidence" role="tooltip" id={id}>
        <strong>Nothing shows this {words(fact.kind)}.</strong>
        {closest === undefined ? (
          <span>The evidence holds nothing like it.</span>
        ) : (
          <span>
            Closest: <code>{closest.value}</code> {sourceOf(closest)}
          </span>
        )}
      </span>
    </span>
  );
}

function sourceOf({ tool, path }: Closest): string {
  if (tool === undefined) return 'in the conversation';
  return path === undefined || path === '' ? `in ${tool}` : `in ${tool}, at ${path}`;
}
