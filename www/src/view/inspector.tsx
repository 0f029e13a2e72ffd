import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Closest, TrajectoryFormat } from 'toolgauge';
import { FileCheck, type FileProgress } from '../batch/file-check.ts';
import { type Row, rowsOf } from '../batch/rows.ts';
import { EXAMPLES, type Example } from '../examples.ts';
import { givenFiles } from '../given.ts';
import { JudgeClient } from '../judge/client.ts';
import {
  type Answer,
  type Case,
  DEFAULT_OPTIONS,
  type DocumentName,
  type Documents,
  type Finding,
  FORMATS,
  type Judged,
  type Options,
  type Problem,
} from '../judge/protocol.ts';
import type { Shown } from '../text/editor.tsx';
import { indented } from '../text/indent.ts';
import { placeOfCall, placeOfFact, quoteIn } from '../text/places.ts';
import { Comparison } from './comparison.tsx';
import { FileProgressBar, Totals } from './file-progress.tsx';
import { type Filter, Issues, NO_FILTER } from './issues.tsx';
import { TrajectoryList } from './list.tsx';
import { FormatChoice, OptionsPanel, withRule } from './options.tsx';
import { Source } from './source.tsx';
import { Summary } from './summary.tsx';
import { TakeAway } from './take-away.tsx';
import { ThemeButton } from './theme.tsx';
import { type Target, Timeline } from './timeline.tsx';

const EMPTY: Documents = { trajectory: '', tools: '', expected: '' };

/** How long the page waits for more typing before it judges, in milliseconds. */
const PAUSE = 120;

/** Of a file with more bytes than this only one line at a time is text on the page. */
const LONG_FILE = 1_000_000;

/** One document of more bytes than this is not shown. */
const MOST_TEXT = 16_000_000;

const LINES_HINT = 'As JSON Lines, a trajectory on each line, it may have any length.';

/** Of a file that is too long to be a text on the page: whether each of its lines is a document. */
async function linesOf(file: File, client: JudgeClient): Promise<Answer | undefined> {
  if (file.size <= LONG_FILE) return undefined;
  const head = await file.slice(0, LONG_FILE).text();
  return client.ask({ kind: 'lines', head });
}

/** The whole page. */
export function Inspector() {
  const client = useMemo(() => new JudgeClient(), []);
  const [documents, setDocuments] = useState(EMPTY);
  const [options, setOptions] = useState<Options>(DEFAULT_OPTIONS);
  const [active, setActive] = useState<DocumentName>('trajectory');
  const [selected, setSelected] = useState(0);
  const [fileName, setFileName] = useState<string>();
  const [judged, setJudged] = useState<Judged>();
  /** What the verdict is of: the texts may have changed since. */
  const [judgedCase, setJudgedCase] = useState<Case>({ documents, options, selected });
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [busy, setBusy] = useState(false);
  const [filter, setFilter] = useState<Filter>(NO_FILTER);
  const [target, setTarget] = useState<Target>();
  const [shown, setShown] = useState<Shown>();
  const [dropping, setDropping] = useState(false);
  const [damaged, setDamaged] = useState(false);
  /** A file that is too long to be a text on the page. */
  const [file, setFile] = useState<File>();
  const [progress, setProgress] = useState<FileProgress>();
  const [chosenRow, setChosenRow] = useState<number>();
  const fileCheck = useRef<FileCheck | undefined>(undefined);
  const [unopened, setUnopened] = useState<string>();

  // The page is drawn before the part that judges is loaded, which is the larger one.
  useEffect(() => {
    const start = () => {
      client.start();
      // So that nothing is asked for later, when one may be offline.
      void Promise.all([import('../link.ts'), import('../vitest-test.ts')]);
    };
    if (document.readyState === 'complete') setTimeout(start);
    else addEventListener('load', () => setTimeout(start), { once: true });
  }, [client]);

  useEffect(() => {
    const follow = async () => {
      if (location.hash === '') return;
      const { fromFragment } = await import('../link.ts');
      const state = await fromFragment(location.hash);
      setDamaged(state === undefined);
      if (!state) return;
      setDocuments(state.documents);
      setOptions(state.options);
      setSelected(state.selected);
      setActive('trajectory');
    };
    void follow();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);

  useEffect(() => {
    if (documents.trajectory.trim() === '') {
      setJudged(undefined);
      setProblems([]);
      return;
    }
    let overtaken = false;
    const timer = setTimeout(async () => {
      setBusy(true);
      const answer = await client.ask({ kind: 'judge', documents, options, selected });
      if (overtaken) return;
      setBusy(false);
      if (answer.kind === 'judged') {
        setJudged(answer.judged);
        setJudgedCase({ documents, options, selected: answer.judged.selected });
        setProblems(answer.judged.problems);
      } else if (answer.kind === 'unreadable') {
        setJudged(undefined);
        setProblems(answer.problems);
      }
    }, PAUSE);
    return () => {
      overtaken = true;
      clearTimeout(timer);
    };
  }, [client, documents, options, selected]);

  const { tools } = documents;
  const { format, strict, allowUnknownTools, hallucinationThreshold, failOn, minScore, rules } = options;
  // Of the options those are named that count in a check.
  useEffect(() => {
    if (file === undefined) return setProgress(undefined);
    const timer = setTimeout(() => {
      fileCheck.current = new FileCheck(file, tools, options, setProgress);
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      fileCheck.current?.discard();
      fileCheck.current = undefined;
    };
  }, [file, tools, format, strict, allowUnknownTools, hallucinationThreshold, failOn, minScore, rules]);

  const openRow = useCallback(async (row: Row, place: number) => {
    const check = fileCheck.current;
    const line = await check?.lineOf(row);
    // Another file may have been opened meanwhile.
    if (line === undefined || check !== fileCheck.current) return;
    setChosenRow(place);
    setDocuments(before => ({ ...before, trajectory: indented(line) }));
    setSelected(row.index);
    setFilter(NO_FILTER);
    setTarget(undefined);
    setShown(undefined);
    setActive('trajectory');
  }, []);

  // The first line is shown as soon as it is known.
  const firstRow = progress?.file === file ? progress?.rows[0] : undefined;
  useEffect(() => {
    if (firstRow !== undefined && chosenRow === undefined) void openRow(firstRow, 0);
  }, [firstRow, chosenRow, openRow]);

  const replace = useCallback((changed: Partial<Documents>) => {
    setDocuments(before => ({ ...before, ...changed }));
    setTarget(undefined);
    setShown(undefined);
  }, []);

  const begin = (changed: Partial<Documents>, name?: string) => {
    replace(changed);
    setSelected(0);
    setFilter(NO_FILTER);
    setOptions(before => ({ ...before, format: 'auto' }));
    setFileName(name);
    setUnopened(undefined);
    if (changed.trajectory === undefined) return;
    setFile(undefined);
    setChosenRow(undefined);
  };

  const openExample = (example: Example) => {
    begin(example.documents);
    setActive('trajectory');
  };

  /** Puts a file in its place: where it says what it is, or else where `otherwise` says. */
  const openFile = async (file: File, otherwise: DocumentName, isCertain = false) => {
    const lines = isCertain && otherwise !== 'trajectory' ? undefined : await linesOf(file, client);
    if (lines?.kind === 'unreadable') return setUnopened(`${file.name}: ${lines.problems[0]?.message}`);
    if (lines?.kind === 'detected' && lines.document === 'trajectory') {
      begin({ trajectory: '' }, file.name);
      setFile(file);
      setActive('trajectory');
      return;
    }
    if (file.size > MOST_TEXT) return setUnopened(`${file.name} is too large for one document. ${LINES_HINT}`);
    const text = await file.text();
    const answer = isCertain ? undefined : await client.ask({ kind: 'detect', text });
    const name = (answer?.kind === 'detected' && answer.document) || otherwise;
    // What a program wrote on one line nobody can read.
    begin({ [name]: /\n./.test(text) ? text : indented(text) }, file.name);
    setActive(name);
  };

  const openFiles = async (files: readonly File[]) => {
    for (const file of files) await openFile(file, active);
  };

  useEffect(() => {
    const open = async () => {
      try {
        // The trajectory last: then it is the one that is shown.
        for (const { document, file } of (await givenFiles()).reverse()) await openFile(file, document, true);
      } catch (error) {
        setUnopened(error instanceof Error ? error.message : String(error));
      }
    };
    void open();
  }, []);

  const inspection = judged?.inspection;
  const latest = useRef({ documents, judged });
  latest.current = { documents, judged };

  const showCall = useCallback((turn: number, call: number, argument?: string) => {
    const { documents, judged } = latest.current;
    if (judged?.inspection === undefined) return;
    const wanted = { turn, call, index: judged.selected, ...(argument !== undefined && { argument }) };
    const place = placeOfCall(documents.trajectory, judged.inspection.trajectory, wanted);
    setActive('trajectory');
    setShown({ place: place ?? { from: 0, to: 0 } });
  }, []);

  const showFinding = (finding: Finding) => {
    const details = finding.issue.details;
    const said = details?.facts?.[0] ?? quoteIn(inspection?.trajectory.turns[finding.turn], details);
    const place = said && inspection && placeOfFact(documents.trajectory, inspection.trajectory, said);
    if (place === undefined) {
      const argument = details !== undefined && 'path' in details ? details.path : undefined;
      showCall(finding.turn, finding.call ?? 0, argument);
      return;
    }
    setActive('trajectory');
    setShown({ place });
  };

  const showEvidence = useCallback((turn: number, { tool }: Closest) => {
    const turns = latest.current.judged?.inspection?.trajectory.turns ?? [];
    for (let index = turn; index >= 0; index -= 1) {
      const call = (turns[index]?.tool_calls ?? []).findLastIndex(({ name }) => name === tool);
      if (call >= 0) return setTarget({ turn: index, call });
    }
  }, []);

  // The same element is not drawn again, as while one types or filters.
  const timeline = useMemo(
    () =>
      inspection && <Timeline inspection={inspection} target={target} onSource={showCall} onEvidence={showEvidence} />,
    [inspection, target, showCall, showEvidence],
  );
  const readAs: TrajectoryFormat | undefined = judged?.report.format;
  const isEmpty = documents.trajectory.trim() === '' && file === undefined;
  const rows = useMemo(() => (judged === undefined ? [] : rowsOf(judged.report)), [judged]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files may be dropped anywhere; the button opens them too
    <div
      class={dropping ? 'page dropping' : 'page'}
      onDragOver={event => {
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={event => {
        if (event.relatedTarget === null) setDropping(false);
      }}
      onDrop={event => {
        event.preventDefault();
        setDropping(false);
        void openFiles([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <a class="skip" href="#results">
        Skip to the results
      </a>
      <header class="masthead">
        <h1>
          <img src="./favicon.svg" alt="" width="28" height="28" /> toolgauge <span>inspector</span>
        </h1>
        <p class="promise">Judged in this page. Nothing is sent anywhere.</p>
        <ThemeButton />
      </header>
      <main>
        <Source
          documents={documents}
          active={active}
          problems={problems}
          shown={active === 'trajectory' ? shown : undefined}
          fileName={fileName}
          onActivate={setActive}
          onEdit={(name, text) => replace({ [name]: text })}
          onExample={openExample}
          onFiles={openFiles}
        />
        <div class="results" id="results" tabIndex={-1} aria-busy={busy}>
          <div class="results-bar">
            <FormatChoice options={options} detected={isEmpty ? undefined : readAs} onChange={setOptions} />
            <p class="hidden" role="status">
              {isEmpty ? 'No trajectory yet' : busy ? 'Judging' : judged === undefined ? 'Not readable' : 'Judged'}
            </p>
            <OptionsPanel options={options} onChange={setOptions} />
          </div>
          {unopened !== undefined && (
            <p class="warnings" role="alert">
              {unopened}
            </p>
          )}
          {progress !== undefined && (
            <>
              <FileProgressBar progress={progress} onStop={() => fileCheck.current?.stop()} />
              <TrajectoryList
                rows={progress.rows}
                length={progress.rows.length}
                selected={chosenRow}
                onSelect={openRow}
              />
            </>
          )}
          {isEmpty && damaged && (
            <p class="warnings" role="alert">
              The link is damaged: nothing could be read from it.
            </p>
          )}
          {isEmpty && <Welcome onExample={openExample} />}
          {!isEmpty && judged === undefined && problems.length > 0 && (
            <Unreadable problems={problems} onShow={setActive} />
          )}
          {judged !== undefined && (
            <>
              {progress === undefined && rows.length > 1 && (
                <>
                  <Totals {...judged.report} />
                  <TrajectoryList
                    rows={rows}
                    length={rows.length}
                    selected={judged.selected}
                    onSelect={row => setSelected(row.index)}
                  />
                </>
              )}
              <Summary judged={judged} failOn={judgedCase.options.failOn} />
              <TakeAway client={client} shown={judgedCase} fileName={fileName} inspection={inspection} />
              {(judged.report.warnings.length > 0 || problems.length > 0) && (
                <ul class="warnings" aria-label="Notes">
                  {problems.map(({ document, message }) => (
                    <li key={document}>
                      <b>{document}</b> {message}
                    </li>
                  ))}
                  {judged.report.warnings.slice(0, 8).map(({ path, message }, index) => (
                    <li key={index}>
                      {path !== '' && <code>{path}</code>} {message}
                    </li>
                  ))}
                </ul>
              )}
              {inspection !== undefined && (
                <div class="findings">
                  <Issues
                    findings={inspection.findings}
                    filter={filter}
                    onFilter={setFilter}
                    onCall={({ turn, call }) => setTarget({ turn, call })}
                    onSource={showFinding}
                    onSwitchOff={type =>
                      setOptions(before => ({ ...before, rules: withRule(before.rules, type, 'off') }))
                    }
                    numberOf={turn => inspection.trajectory.turns[turn]?.turn_id ?? turn + 1}
                  />
                  <section class="conversation" aria-labelledby="timeline-heading">
                    <h2 id="timeline-heading">Timeline</h2>
                    {timeline}
                  </section>
                  {inspection.accuracy !== undefined && <Comparison accuracy={inspection.accuracy} />}
                </div>
              )}
            </>
          )}
        </div>
      </main>
    </div>
  );
}

/** Formats under the names that the welcome spells out: some have several. */
const NAMED_FORMATS = FORMATS.filter(format =>
  /^(openai|anthropic|gemini|bedrock|ai-sdk|langchain|otel)/.test(format),
).length;

function Welcome({ onExample }: { readonly onExample: (example: Example) => void }) {
  return (
    <section class="welcome" aria-labelledby="welcome-heading">
      <h2 id="welcome-heading">See what went wrong</h2>
      <p>
        Paste what your agent did. You see which calls were wrong and why, what it says that no tool returned, and how
        far it is from the calls that you expected.
      </p>
      <p class="reads">
        Reads the logs of OpenAI, Anthropic, Gemini, Bedrock, the AI SDK, LangChain and OpenTelemetry, and{' '}
        {FORMATS.length - NAMED_FORMATS} other formats. Tools and expected calls have tabs of their own, and may be left
        out.
      </p>
      <h3>Or start from an example</h3>
      <ul class="example-cards">
        {EXAMPLES.map(example => (
          <li key={example.name}>
            <button type="button" onClick={() => onExample(example)}>
              <b>{example.name}</b>
              <span>{example.description}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Unreadable({
  problems,
  onShow,
}: {
  readonly problems: readonly Problem[];
  readonly onShow: (name: DocumentName) => void;
}) {
  return (
    <section class="unreadable" aria-labelledby="unreadable-heading">
      <h2 id="unreadable-heading">This cannot be read yet</h2>
      <ul>
        {problems.map(({ document, message }) => (
          <li key={document}>
            <button type="button" class="link" onClick={() => onShow(document)}>
              {document}
            </button>{' '}
            {message}
          </li>
        ))}
      </ul>
    </section>
  );
}
