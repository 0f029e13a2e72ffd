import { useCallback, useMemo } from 'preact/hooks';
import type { Closest } from 'toolgauge';
import { rowsOf } from '../batch/rows.ts';
import type { Checker } from '../checker/checker.ts';
import type { CheckResult, Inspection } from '../checker/protocol.ts';
import type { Example } from '../examples.ts';
import { Comparison } from './comparison.tsx';
import { FileProgressBar, Totals } from './file-progress.tsx';
import { IssueSteps } from './issue-steps.tsx';
import { Issues } from './issues.tsx';
import { TrajectoryList } from './list.tsx';
import { Notes, Unreadable } from './notes.tsx';
import { FormatChoice, OptionsPanel, withRule } from './options.tsx';
import { RunDiffPanel } from './run-diff.tsx';
import { type Checked, type Dispatch, isEmpty, type Panel, type State } from './state.ts';
import { Summary } from './summary.tsx';
import { TakeAway } from './take-away.tsx';
import { Timeline } from './timeline.tsx';
import { LintIssues, ToolsPanel } from './tools.tsx';
import { TrialsPanel } from './trials.tsx';
import { useFileCheck } from './use-file-check.ts';
import { KEYS } from './use-keys.ts';
import { Waterfall } from './waterfall.tsx';
import { Welcome } from './welcome.tsx';

interface Props {
  readonly state: State;
  readonly dispatch: Dispatch;
}

/** The right side of the page: what was found. */
export function Results({
  state,
  dispatch,
  checker,
  isLoaded,
  readsMarkdown,
  onExample,
}: Props & {
  readonly checker: Checker;
  /** `false` as long as the checker is being loaded. */
  readonly isLoaded: boolean;
  /** Whether texts can be shown as Markdown. */
  readonly readsMarkdown: boolean;
  readonly onExample: (example: Example) => void;
}) {
  const { options, checked, problems, isChecking, unopened, isLinkDamaged } = state;
  const isBlank = isEmpty(state);
  const isUnreadable = !isBlank && checked === undefined && problems.length > 0;
  return (
    <div class="results" id="results" tabIndex={-1} aria-busy={isChecking}>
      <div class="results-bar">
        <FormatChoice
          options={options}
          detected={isBlank ? undefined : checked?.result.report.format}
          onChange={options => dispatch({ kind: 'options changed', options })}
        />
        <p class="hidden" role="status">
          {statusOf(state)}
        </p>
        <OptionsPanel options={options} onChange={options => dispatch({ kind: 'options changed', options })} />
      </div>
      {unopened !== undefined && <Warning text={unopened} />}
      {state.comparison !== undefined && (
        <RunDiffPanel comparison={state.comparison} onTask={task => dispatch({ kind: 'task followed', task })} />
      )}
      <LongFile state={state} dispatch={dispatch} />
      {isBlank && isLinkDamaged && <Warning text="The link is damaged: nothing could be read from it." />}
      {isBlank && state.lint !== undefined && (
        <div class="panel">
          <LintIssues
            lint={state.lint}
            isAlone
            onPlace={path => dispatch({ kind: 'definition located', path, document: 'tools' })}
          />
        </div>
      )}
      {isBlank && <Welcome onExample={onExample} />}
      {isChecking && !isLoaded && (
        <p class="quiet loading">The checker is still loading. The check starts by itself.</p>
      )}
      {isUnreadable && (
        <Unreadable
          problems={problems}
          onShow={name => dispatch({ kind: 'document activated', name })}
          onMoveToTools={() => dispatch({ kind: 'tools moved' })}
        />
      )}
      {checked !== undefined && (
        <Result state={state} dispatch={dispatch} checked={checked} checker={checker} readsMarkdown={readsMarkdown} />
      )}
    </div>
  );
}

function statusOf(state: State): string {
  if (isEmpty(state)) return 'No trajectory yet';
  if (state.isChecking) return 'Checking';
  return state.checked === undefined ? 'Not readable' : 'Checked';
}

function Warning({ text }: { readonly text: string }) {
  return (
    <p class="warnings" role="alert">
      {text}
    </p>
  );
}

/** The check of a file that is too long to be a text on the page. */
function LongFile({ state, dispatch }: Props) {
  const { openRow, stop } = useFileCheck(state, dispatch);
  const { progress, chosenRow } = state;
  if (progress === undefined) return null;
  return (
    <>
      <FileProgressBar progress={progress} onStop={stop} />
      <TrialsPanel trials={progress.trials} onTrial={undefined} />
      <TrajectoryList rows={progress.rows} length={progress.rows.length} selected={chosenRow} onSelect={openRow} />
    </>
  );
}

/** The result of a check. */
function Result({
  state,
  dispatch,
  checked: { result, of },
  checker,
  readsMarkdown,
}: Props & { readonly checked: Checked; readonly checker: Checker; readonly readsMarkdown: boolean }) {
  const { problems, fileName, progress } = state;
  const { report, inspection } = result;
  return (
    <>
      {progress === undefined && report.trajectories.length > 1 && <Several result={result} dispatch={dispatch} />}
      <Summary result={result} failOn={of.options.failOn} />
      <Notes problems={problems} warnings={report.warnings} />
      {inspection !== undefined && <Panels state={state} dispatch={dispatch} result={result} inspection={inspection} />}
      {inspection !== undefined && (
        <Findings
          state={state}
          dispatch={dispatch}
          inspection={inspection}
          earlier={result.earlier}
          readsMarkdown={readsMarkdown}
        />
      )}
      <TakeAway checker={checker} shown={of} fileName={fileName} inspection={inspection} />
      <p class="quiet keys">
        {KEYS.map(({ key, does }) => (
          <span key={key}>
            <kbd>{key}</kbd> {does}
          </span>
        ))}
      </p>
    </>
  );
}

/** The trajectories of one text. */
function Several({
  result: { report, scores, selected },
  dispatch,
}: { readonly result: CheckResult } & Pick<Props, 'dispatch'>) {
  const rows = useMemo(() => rowsOf(report, scores), [report, scores]);
  const trials = scores?.trials ?? report.trials;
  return (
    <>
      <Totals {...report} accuracies={scores?.trajectories.map(({ accuracy }) => accuracy.score)} />
      <TrialsPanel trials={trials} onTrial={index => dispatch({ kind: 'trajectory selected', index })} />
      <TrajectoryList
        rows={rows}
        length={rows.length}
        selected={selected}
        onSelect={({ index }) => dispatch({ kind: 'trajectory selected', index })}
      />
    </>
  );
}

/** What the trajectory took, and what its tools show: folded, so that the timeline stays near the top. */
function Panels({
  state: { panels, narrowing },
  dispatch,
  result: { lint },
  inspection,
}: Props & { readonly result: CheckResult; readonly inspection: Inspection }) {
  const toggle = (panel: Panel) => (isOpen: boolean) => dispatch({ kind: 'panel toggled', panel, isOpen });
  const follow = useCallback(
    (turn: number, call: number | undefined) => dispatch({ kind: 'place followed', turn, call }),
    [dispatch],
  );
  return (
    <div class="folded-panels">
      <Waterfall
        inspection={inspection}
        isOpen={panels.has('waterfall')}
        onToggle={toggle('waterfall')}
        onPlace={follow}
      />
      <ToolsPanel
        tools={inspection.tools}
        lint={lint}
        chosen={narrowing.tool}
        isOpen={panels.has('tools')}
        onToggle={toggle('tools')}
        onChoose={tool => dispatch({ kind: 'timeline narrowed', narrowing: { ...narrowing, tool } })}
        onPlace={path => lint !== undefined && dispatch({ kind: 'definition located', path, document: lint.document })}
      />
    </div>
  );
}

/** The issues of the selected trajectory, its timeline and its expected calls. */
function Findings({
  state,
  dispatch,
  inspection,
  earlier,
  readsMarkdown,
}: Props & {
  readonly inspection: Inspection;
  readonly earlier: CheckResult['earlier'];
  readonly readsMarkdown: boolean;
}) {
  const { options, selected, filter, current, narrowing, matches, target, isRaw } = state;
  const toSource = useCallback(
    (turn: number, call: number, argument?: string) => dispatch({ kind: 'call located', turn, call, argument }),
    [dispatch],
  );
  const toEvidence = useCallback(
    (turn: number, closest: Closest) => dispatch({ kind: 'evidence followed', turn, closest }),
    [dispatch],
  );
  // Typing and filtering do not draw the same element again.
  const timeline = useMemo(
    () => (
      <Timeline
        // What was unfolded in one trajectory says nothing about another.
        key={`${selected} ${inspection.trajectory.trajectory_id}`}
        inspection={inspection}
        narrowing={narrowing}
        matches={matches}
        target={target}
        isRaw={isRaw || !readsMarkdown}
        onSource={toSource}
        onEvidence={toEvidence}
      />
    ),
    [selected, inspection, narrowing, matches, target, isRaw, readsMarkdown, toSource, toEvidence],
  );
  return (
    <div class="findings">
      <section class="conversation" aria-labelledby="timeline-heading">
        <h2 id="timeline-heading">Timeline</h2>
        <IssueSteps
          findings={inspection.findings}
          filter={filter}
          current={current}
          narrowing={narrowing}
          matches={matches}
          isRaw={isRaw}
          onStep={by => dispatch({ kind: 'issue stepped', by })}
          onNarrow={narrowing => dispatch({ kind: 'timeline narrowed', narrowing })}
          onRaw={isRaw => dispatch({ kind: 'reading changed', isRaw })}
        />
        {timeline}
      </section>
      <Issues
        findings={inspection.findings}
        current={current}
        filter={filter}
        onFilter={filter => dispatch({ kind: 'issues filtered', filter })}
        onCall={finding => dispatch({ kind: 'finding followed', finding })}
        onSource={finding => dispatch({ kind: 'finding located', finding })}
        onSwitchOff={type =>
          dispatch({ kind: 'options changed', options: { ...options, rules: withRule(options.rules, type, 'off') } })
        }
        numberOf={turn => inspection.trajectory.turns[turn]?.turn_id ?? turn + 1}
      />
      <div class="comparisons">
        {inspection.accuracy !== undefined && <Comparison kind="expected" accuracy={inspection.accuracy} />}
        {earlier !== undefined && <Comparison kind="before" accuracy={earlier} />}
      </div>
    </div>
  );
}
