import { useMemo, useRef } from 'preact/hooks';
import type { DocumentName, Documents, Problem } from '../checker/protocol.ts';
import { EXAMPLES, type Example } from '../examples.ts';
import { Editor, type Shown } from '../text/editor.tsx';
import { lineOf, placeOfProblem } from '../text/problems.ts';

export const DOCUMENTS: readonly DocumentName[] = ['trajectory', 'tools', 'expected', 'before'];

const TITLES: Readonly<Record<DocumentName, string>> = {
  trajectory: 'Trajectory',
  tools: 'Tools',
  expected: 'Expected calls',
  before: 'Before',
};

const HINTS: Readonly<Record<DocumentName, string>> = {
  trajectory: 'Paste, drop or open a conversation with its tool calls, as JSON or JSONL, in any known format.',
  tools: 'The tool definitions, in any known format. Without them, arguments are not checked.',
  expected: 'The calls that you expect, for example [{"tool": "search", "args": {"q": "news"}}].',
  before: 'An earlier run of the same tasks, as trajectories or verdicts. The page compares both runs, task by task.',
};

interface Props {
  readonly documents: Documents;
  readonly active: DocumentName;
  readonly problems: readonly Problem[];
  readonly shown: Shown | undefined;
  readonly fileName: string | undefined;
  readonly onActivate: (name: DocumentName) => void;
  readonly onEdit: (name: DocumentName, text: string) => void;
  readonly onExample: (example: Example) => void;
  readonly onFiles: (files: readonly File[]) => void;
  readonly isFolded: boolean;
  readonly onFold: (isFolded: boolean) => void;
}

/** The texts, and the controls to fill them. */
export function Source(props: Props) {
  const { documents, active, problems, shown, fileName, isFolded, onActivate, onEdit, onExample, onFiles, onFold } =
    props;
  const picker = useRef<HTMLInputElement>(null);
  const problem = problems.find(({ document }) => document === active);
  const text = documents[active];
  const place = useMemo(() => problem && placeOfProblem(text, problem), [text, problem]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const last = DOCUMENTS.length - 1;
    const next = event.key === 'Home' ? 0 : event.key === 'End' ? last : step && DOCUMENTS.indexOf(active) + step;
    const name = next === undefined ? undefined : DOCUMENTS[(next + DOCUMENTS.length) % DOCUMENTS.length];
    if (name === undefined) return;
    event.preventDefault();
    onActivate(name);
    document.getElementById(`tab-${name}`)?.focus();
  };

  return (
    <section class="source" aria-label="Input">
      <div class="source-bar">
        <label class="examples">
          <span class="hidden">Examples</span>
          <select
            value=""
            onChange={event => {
              const chosen = EXAMPLES[Number(event.currentTarget.value)];
              event.currentTarget.value = '';
              if (chosen !== undefined) onExample(chosen);
            }}
          >
            <option value="" disabled>
              Examples
            </option>
            {EXAMPLES.map(({ name }, index) => (
              <option key={name} value={index}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button type="button" class="button" onClick={() => picker.current?.click()}>
          Open files
        </button>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={event => {
            onFiles([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = '';
          }}
        />
        {fileName !== undefined && <span class="file-name">{fileName}</span>}
        <button type="button" class="button fold" aria-expanded={!isFolded} onClick={() => onFold(!isFolded)}>
          {isFolded ? 'Show the text' : 'Fold'}
        </button>
      </div>
      <div class="tabs" role="tablist" aria-label="Documents" onKeyDown={onKeyDown}>
        {DOCUMENTS.map(name => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={name === active}
            aria-controls="document"
            tabIndex={name === active ? 0 : -1}
            onClick={() => onActivate(name)}
          >
            {TITLES[name]}
            {problems.some(({ document }) => document === name) ? (
              <span class="dot problem" role="img" aria-label="has an error" />
            ) : (
              documents[name].trim() !== '' && <span class="dot" aria-hidden="true" />
            )}
          </button>
        ))}
      </div>
      <div class="document" id="document" role="tabpanel" aria-labelledby={`tab-${active}`}>
        {documents[active] === '' && <p class="hint">{HINTS[active]}</p>}
        <Editor
          key={active}
          label={`${TITLES[active]}, JSON`}
          text={documents[active]}
          onChange={text => onEdit(active, text)}
          problem={problem && place && { place, message: problem.message }}
          shown={shown}
        />
      </div>
      {problem !== undefined && place !== undefined && (
        <p class="problem-line" role="alert">
          {documents[active].trim() !== '' && <b>Line {lineOf(documents[active], place)}:</b>} {problem.message}
        </p>
      )}
    </section>
  );
}
