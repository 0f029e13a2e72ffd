import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  GutterMarker,
  gutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'preact/hooks';
import type { Place } from './places.ts';

/** A place to show; a new object shows it again. */
export interface Shown {
  readonly place: Place;
  /** Whether the text only follows what is selected elsewhere: then it does not get the focus. */
  readonly isFollowing?: boolean;
}

interface Props {
  readonly text: string;
  readonly label: string;
  readonly onChange: (text: string) => void;
  readonly problem: { readonly place: Place; readonly message: string } | undefined;
  readonly shown: Shown | undefined;
}

/** The editor of a document. It is in a shadow tree, because there a strict policy allows it to set styles. */
export function Editor({ text, label, onChange, problem, shown }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const change = useRef(onChange);
  change.current = onChange;

  useEffect(() => {
    if (host.current === null) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const editor = new EditorView({ parent: root, root, state: stateOf(text, label, change) });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, [label]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === text) return;
    editor.setState(stateOf(text, label, change));
  }, [text, label]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const length = editor.state.doc.length;
    const place = problem === undefined || length === 0 ? undefined : within(problem.place, length);
    editor.dispatch({ effects: markProblem.of(place && { place, message: problem?.message ?? '' }) });
  }, [problem, text, label]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || shown === undefined) return;
    const { from, to } = within(shown.place, editor.state.doc.length);
    editor.dispatch({
      selection: { anchor: from },
      effects: [EditorView.scrollIntoView(from, { y: 'start', yMargin: 48 }), showPlace.of({ from, to })],
    });
    if (shown.isFollowing) return;
    host.current?.scrollIntoView({ block: 'nearest' });
    editor.focus();
  }, [shown]);

  return <div class="editor" ref={host} />;
}

function within({ from, to }: Place, length: number): Place {
  const start = Math.min(from, Math.max(0, length - 1));
  return { from: start, to: Math.max(start, Math.min(to, length)) };
}

const showPlace = StateEffect.define<Place>();

/** The highlighted place, until the text changes. */
const shownPlace = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, transaction) => {
    const effect = transaction.effects.find(candidate => candidate.is(showPlace));
    if (effect !== undefined) {
      const { from, to } = effect.value as Place;
      return from < to ? Decoration.set([Decoration.mark({ class: 'cm-shown' }).range(from, to)]) : Decoration.none;
    }
    return transaction.docChanged ? Decoration.none : marks;
  },
  provide: field => EditorView.decorations.from(field),
});

const markProblem = StateEffect.define<Props['problem']>();

/** The place of the problem, underlined. It moves with the text until the next result. */
const problemPlace = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, transaction) => {
    const effect = transaction.effects.find(candidate => candidate.is(markProblem));
    if (effect === undefined) return marks.map(transaction.changes);
    const problem = effect.value as Props['problem'];
    if (problem === undefined || problem.place.from >= problem.place.to) return Decoration.none;
    const mark = Decoration.mark({ class: 'cm-problem', attributes: { title: problem.message } });
    return Decoration.set([mark.range(problem.place.from, problem.place.to)]);
  },
  provide: field => EditorView.decorations.from(field),
});

/** A sign beside the line of the problem. */
const problemGutter = gutter({
  class: 'cm-problem-gutter',
  lineMarker: (view, line) => {
    let isThere = false;
    view.state.field(problemPlace).between(line.from, line.to, from => {
      isThere ||= from >= line.from;
    });
    return isThere ? problemSign : null;
  },
  lineMarkerChange: update => update.transactions.some(({ effects }) => effects.some(effect => effect.is(markProblem))),
});

const problemSign = new (class extends GutterMarker {
  override toDOM(): Node {
    const sign = document.createElement('span');
    sign.className = 'cm-problem-sign';
    sign.textContent = '●';
    return sign;
  }
})();

const highlighting = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--code-key)' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: [tags.separator, tags.squareBracket, tags.brace], color: 'var(--text-quiet)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--text)', backgroundColor: 'var(--surface)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--text)', padding: '10px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-quiet)', border: 'none' },
  '.cm-problem-gutter': { width: '14px' },
  '.cm-problem-sign': { color: 'var(--high)', paddingLeft: '3px' },
  '.cm-problem': {
    backgroundColor: 'var(--high-soft)',
    textDecoration: 'underline wavy var(--high)',
    textUnderlineOffset: '3px',
    textDecorationSkipInk: 'none',
  },
  '.cm-shown': { backgroundColor: 'var(--shown)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selection)',
  },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--surface-sunk)', color: 'var(--text-quiet)', border: 'none' },
});

function stateOf(text: string, label: string, change: { readonly current: (text: string) => void }): EditorState {
  return EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(),
      foldGutter(),
      problemGutter,
      history(),
      drawSelection(),
      bracketMatching(),
      json(),
      syntaxHighlighting(highlighting),
      shownPlace,
      problemPlace,
      theme,
      keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap]),
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', spellcheck: 'false' }),
      EditorView.updateListener.of(update => {
        if (update.docChanged) change.current(update.state.doc.toString());
      }),
    ],
  });
}
