import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** The name of the highlight in the style sheet. */
const NAME = 'found';

/** At most so many places are highlighted. */
const MOST = 500;

/** Highlights a text wherever it is drawn inside an element, where the browser can. `drawn` changes with what is drawn. */
export function useHighlight(element: RefObject<HTMLElement | null>, text: string, drawn: unknown): void {
  useEffect(() => {
    const root = element.current;
    const wanted = text.trim().toLowerCase();
    if (root === null || wanted === '' || !('highlights' in CSS)) return;
    const highlight = () => CSS.highlights.set(NAME, new Highlight(...placesOf(root, wanted)));
    highlight();
    // A call draws what it holds once it is open.
    const later = () => requestAnimationFrame(highlight);
    root.addEventListener('toggle', later, true);
    return () => {
      root.removeEventListener('toggle', later, true);
      CSS.highlights.delete(NAME);
    };
  }, [element, text, drawn]);
}

function placesOf(root: HTMLElement, wanted: string): readonly Range[] {
  const places: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null && places.length < MOST; node = walker.nextNode()) {
    const text = node.nodeValue?.toLowerCase() ?? '';
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, Math.min(at + wanted.length, node.nodeValue?.length ?? 0));
      places.push(range);
    }
  }
  return places;
}
