import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { Closest, UnsupportedFact } from 'toolgauge';
import { words } from './labels.ts';

interface Props {
  readonly content: string;
  /** The unsupported facts of this text. */
  readonly facts: readonly UnsupportedFact[];
  readonly onEvidence: (closest: Closest) => void;
}

/** The content of a turn, with its unsupported facts marked. */
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
  return <Folded isLong={facts.length === 0 && isLong(content)}>{parts}</Folded>;
}

/** A text with more UTF-16 units or lines is folded. A text with marks is never folded. */
const LONG = 480;
const MANY_LINES = 7;

function isLong(content: string): boolean {
  return content.length > LONG || content.split('\n', MANY_LINES + 1).length > MANY_LINES;
}

function Folded({ isLong, children }: { readonly isLong: boolean; readonly children: ComponentChildren }) {
  const [open, setOpen] = useState(false);
  if (!isLong) return <div class="reply">{children}</div>;
  return (
    <>
      <div class={open ? 'reply' : 'reply folded'}>{children}</div>
      <button type="button" class="link" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Show less' : 'Show all'}
      </button>
    </>
  );
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
  const evidence = useRef<HTMLSpanElement>(null);
  const [dismissed, setDismissed] = useState(false);

  const place = () => {
    setDismissed(false);
    // Its position is known once it is drawn.
    requestAnimationFrame(() => {
      const element = evidence.current;
      if (element === null) return;
      element.style.left = '0';
      const over = element.getBoundingClientRect().right - (document.documentElement.clientWidth - 8);
      if (over > 0) element.style.left = `${-over}px`;
    });
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only the place of the evidence depends on it
    <span
      class={dismissed ? 'fact dismissed' : 'fact'}
      onMouseEnter={place}
      onFocusIn={place}
      onKeyDown={event => event.key === 'Escape' && setDismissed(true)}
    >
      <button type="button" aria-describedby={id} onClick={() => closest !== undefined && onEvidence(closest)}>
        {text}
      </button>
      <span class="evidence" role="tooltip" id={id} ref={evidence}>
        <strong>No result, message or instruction states this {words(fact.kind)}.</strong>
        {closest === undefined ? (
          <span>Nothing similar was found.</span>
        ) : (
          <span>
            Closest: <code>{closest.value}</code> {sourceOf(closest)}
          </span>
        )}
        <span>Confidence: {fact.confidence}</span>
      </span>
    </span>
  );
}

function sourceOf({ tool, path }: Closest): string {
  if (tool === undefined) return 'in the conversation';
  return path === undefined || path === '' ? `in ${tool}` : `in ${tool}, at ${path}`;
}
