import type { ComponentChildren } from 'preact';

/** What may be wider than its place: it then scrolls on its own, by keyboard, too. */
export function Wide({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, a keyboard can't scroll the table
    <section class="wide" aria-label={name} tabIndex={0}>
      {children}
    </section>
  );
}
