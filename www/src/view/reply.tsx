import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { Closest, UnsupportedFact } from 'toolgauge';
import { words } from './labels.ts';
import { Markdown } from './markdown.tsx';

interface Props {
  readonly content: string;
  /** The unsupported facts of this text. */
  readonly facts: readonly UnsupportedFact[];
  /** Whether the text is shown as it is written, and not as Markdown. */
  readonly isRaw: boolean;
  readonly onEvidence: (closest: Closest) => void;
}

/** A text with more UTF-16 units or lines is folded. A text with marks is never folded. */
const LONG = 480;
const MANY_LINES = 7;

/** Of a folded text, no more than this is drawn, in UTF-16 units. */
const DRAWN = 1_500;

/** The content of a turn, with its unsupported facts marked. */
export function Reply({ content, facts, isRaw, onEvidence }: Props) {
  const [open, setOpen] = useState(false);
  const isFolded = facts.length === 0 && isLong(content) && !open;
  const text = isFolded ? content.slice(0, DRAWN) : content;
  const draw = (from: number, to: number) => withMarks(text, facts, from, to, onEvidence);
  return (
    <>
      <div class={isFolded ? 'reply folded' : 'reply'}>
        {isRaw ? <div class="plain">{draw(0, text.length)}</div> : <Markdown text={text} draw={draw} />}
      </div>
      {facts.length === 0 && isLong(content) && (
        <button type="button" class="link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Show less' : 'Show all'}
        </button>
      )}
    </>
  );
}

function isLong(content: string): boolean {
  return content.length > LONG || content.split('\n', MANY_LINES + 1).length > MANY_LINES;
}

/** The text between two offsets. A fact that lies in several parts of the text is marked in each. */
function withMarks(
  text: string,
  facts: readonly UnsupportedFact[],
  from: number,
  to: number,
  onEvidence: Props['onEvidence'],
): ComponentChildren {
  if (facts.length === 0) return text.slice(from, to);
  const parts: ComponentChildren[] = [];
  let end = from;
  for (const fact of [...facts].sort((a, b) => a.start - b.start)) {
    const [start, stop] = [Math.max(fact.start, end), Math.min(fact.end, to)];
    if (start >= stop) continue;
    parts.push(text.slice(end, start));
    parts.push(<Fact key={start} fact={fact} text={text.slice(start, stop)} onEvidence={onEvidence} />);
    end = stop;
  }
  parts.push(text.slice(end, to));
  return parts;
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
          <span>Nothing close was found.</span>
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
