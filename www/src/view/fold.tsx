import type { ComponentChildren } from 'preact';

interface Props {
  readonly name: string;
  /** What it says as long as it is folded. */
  readonly brief: ComponentChildren;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
  readonly children: () => ComponentChildren;
}

/** A panel that is folded to one line until the user wants it, so that the timeline stays near the top. */
export function FoldedPanel({ name, brief, isOpen, onToggle, children }: Props) {
  return (
    <details
      class="folded-panel"
      open={isOpen}
      onToggle={event => event.currentTarget.open !== isOpen && onToggle(event.currentTarget.open)}
    >
      <summary>
        <h2>{name}</h2> <span class="brief">{brief}</span>
      </summary>
      {isOpen && children()}
    </details>
  );
}
