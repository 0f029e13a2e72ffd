import type { Closest, RunDiff } from 'toolgauge';
import type { FileProgress } from '../batch/file-check.ts';
import {
  type Answer,
  type Case,
  type CheckResult,
  DEFAULT_OPTIONS,
  type DocumentName,
  type Documents,
  type Finding,
  type Lint,
  type Options,
  type Problem,
} from '../checker/protocol.ts';
import type { LinkState } from '../link.ts';
import type { Shown } from '../text/editor.tsx';
import { type Place, placeOfCall, placeOfExcerpt, placeOfPath, placeOfTrajectory, quoteIn } from '../text/places.ts';
import { type Filter, NO_FILTER, passes } from './issues.tsx';
import { type Matches, type Narrowing, NOTHING_HIDDEN, type Target } from './timeline.tsx';

/** A place to show, and the document that it is in. */
export interface ShownPlace extends Shown {
  readonly document: DocumentName;
}

/** A result, and the case that it is of: the texts may have changed since. */
export interface Checked {
  readonly result: CheckResult;
  readonly of: Case;
}

/** The difference of two runs, or the reason why there is none. */
export type RunComparison = { readonly diff: RunDiff } | { readonly reason: string };

/** A panel that the user can unfold. */
export type Panel = 'waterfall' | 'tools';

/** What survives a reload of the page. */
export type Session = Pick<
  State,
  | 'documents'
  | 'options'
  | 'selected'
  | 'active'
  | 'fileName'
  | 'isSourceFolded'
  | 'isRaw'
  | 'panels'
  | 'filter'
  | 'narrowing'
>;

/** What the browser's back and forward lead to. */
export type Visit = Pick<
  State,
  'documents' | 'options' | 'selected' | 'active' | 'fileName' | 'file' | 'chosenRow' | 'filter' | 'narrowing'
>;

/** Everything that the page shows. */
export interface State {
  readonly documents: Documents;
  readonly options: Options;
  /** The index of the selected trajectory, from 0. */
  readonly selected: number;
  /** The document in the editor. */
  readonly active: DocumentName;
  readonly fileName: string | undefined;
  readonly checked: Checked | undefined;
  readonly problems: readonly Problem[];
  readonly isChecking: boolean;
  readonly filter: Filter;
  /** The id of the issue that was followed last. */
  readonly current: number | undefined;
  /** Which turns the timeline shows. */
  readonly narrowing: Narrowing;
  /** What contains the text that is searched; undefined as long as none is. */
  readonly matches: Matches | undefined;
  /** Whether texts are shown as they are written, and not as Markdown. */
  readonly isRaw: boolean;
  /** The panels that are unfolded. */
  readonly panels: ReadonlySet<Panel>;
  /** The issues of the tool definitions, as long as there is no trajectory. */
  readonly lint: Lint | undefined;
  /** How often the user went on to other texts or another trajectory: each time is an entry in the browser's history. */
  readonly visits: number;
  /** Whether the texts are folded. */
  readonly isSourceFolded: boolean;
  /** Whether the window has no room for texts and results side by side. */
  readonly isNarrow: boolean;
  /** The call or reply to bring into view. */
  readonly target: Target | undefined;
  /** The place to show in the text. */
  readonly shown: ShownPlace | undefined;
  readonly isLinkDamaged: boolean;
  /** A file that is too long to be a text on the page. */
  readonly file: File | undefined;
  readonly progress: FileProgress | undefined;
  /** The index of the row of that file whose line is the trajectory. */
  readonly chosenRow: number | undefined;
  /** How the run differs from the one before, or why both cannot be compared. */
  readonly comparison: RunComparison | undefined;
  /** Why a file could not be opened. */
  readonly unopened: string | undefined;
}

export const INITIAL: State = {
  documents: { trajectory: '', tools: '', expected: '', before: '' },
  options: DEFAULT_OPTIONS,
  selected: 0,
  active: 'trajectory',
  fileName: undefined,
  checked: undefined,
  problems: [],
  isChecking: false,
  filter: NO_FILTER,
  current: undefined,
  narrowing: NOTHING_HIDDEN,
  matches: undefined,
  isRaw: false,
  panels: new Set(),
  lint: undefined,
  visits: 0,
  isSourceFolded: false,
  isNarrow: false,
  target: undefined,
  shown: undefined,
  isLinkDamaged: false,
  file: undefined,
  progress: undefined,
  chosenRow: undefined,
  comparison: undefined,
  unopened: undefined,
};

/** The place of a call in the trajectory. */
interface CallPlace {
  readonly turn: number;
  readonly call: number;
  /** The path of one of its arguments. */
  readonly argument?: string | undefined;
}

export type Action =
  /** A link was followed: `null` without one, undefined for a damaged one. */
  | { readonly kind: 'link followed'; readonly link: LinkState | null | undefined }
  | { readonly kind: 'edited'; readonly documents: Partial<Documents> }
  | { readonly kind: 'example opened'; readonly documents: Documents }
  | { readonly kind: 'document opened'; readonly name: DocumentName; readonly text: string; readonly fileName: string }
  | { readonly kind: 'long file opened'; readonly file: File }
  | {
      readonly kind: 'row opened';
      readonly place: number;
      readonly text: string;
      readonly index: number;
      /** Whether the user chose it. The first row opens by itself. */
      readonly isChosen: boolean;
    }
  | { readonly kind: 'not opened'; readonly reason: string }
  | { readonly kind: 'file progressed'; readonly progress: FileProgress | undefined }
  | { readonly kind: 'check begun' }
  | { readonly kind: 'check answered'; readonly answer: Answer; readonly of: Case }
  | { readonly kind: 'nothing to check' }
  | { readonly kind: 'runs compared'; readonly comparison: RunComparison | undefined }
  | { readonly kind: 'options changed'; readonly options: Options }
  | { readonly kind: 'trajectory selected'; readonly index: number }
  | { readonly kind: 'task followed'; readonly task: string }
  | { readonly kind: 'document activated'; readonly name: DocumentName }
  | { readonly kind: 'issues filtered'; readonly filter: Filter }
  | { readonly kind: 'finding followed'; readonly finding: Finding }
  /** The next issue or the one before is wanted. */
  | { readonly kind: 'issue stepped'; readonly by: 1 | -1 }
  | { readonly kind: 'timeline narrowed'; readonly narrowing: Narrowing }
  | { readonly kind: 'searched'; readonly matches: Matches | undefined }
  | { readonly kind: 'tools linted'; readonly lint: Lint | undefined }
  | { readonly kind: 'reading changed'; readonly isRaw: boolean }
  | { readonly kind: 'panel toggled'; readonly panel: Panel; readonly isOpen: boolean }
  | { readonly kind: 'place followed'; readonly turn: number; readonly call: number | undefined }
  | { readonly kind: 'definition located'; readonly path: string; readonly document: DocumentName }
  /** The browser went back or forward. */
  | { readonly kind: 'visit returned'; readonly visit: Visit }
  | { readonly kind: 'source folded'; readonly isFolded: boolean }
  | { readonly kind: 'session restored'; readonly session: Session }
  /** The files of `toolgauge inspect` were opened again: they are shown as they were. */
  | { readonly kind: 'view restored'; readonly session: Session }
  | { readonly kind: 'tools moved' }
  | { readonly kind: 'evidence followed'; readonly turn: number; readonly closest: Closest }
  | ({ readonly kind: 'call located' } & CallPlace)
  | { readonly kind: 'finding located'; readonly finding: Finding };

export type Dispatch = (action: Action) => void;

/** The state after an action. */
export function reduce(state: State, action: Action): State {
  switch (action.kind) {
    case 'link followed':
      return withLink(state, action.link);
    case 'edited':
      return withDocuments(state, action.documents);
    case 'example opened':
      return { ...opened(state, action.documents, undefined), active: 'trajectory' };
    case 'document opened':
      return { ...opened(state, { [action.name]: action.text }, action.fileName), active: action.name };
    case 'long file opened':
      return { ...opened(state, { trajectory: '' }, action.file.name), file: action.file, active: 'trajectory' };
    case 'row opened':
      if (!action.isChosen && state.chosenRow !== undefined) return state;
      return {
        ...withDocuments(state, { trajectory: action.text }),
        visits: state.visits + (action.isChosen && action.place !== state.chosenRow ? 1 : 0),
        chosenRow: action.place,
        selected: action.index,
        filter: NO_FILTER,
        active: 'trajectory',
      };
    case 'not opened':
      return { ...state, unopened: action.reason };
    case 'file progressed':
      return { ...state, progress: action.progress };
    case 'check begun':
      return { ...state, isChecking: true };
    case 'check answered':
      return answered(state, action.answer, action.of);
    case 'nothing to check':
      return { ...state, checked: undefined, problems: [], isChecking: false };
    case 'runs compared':
      return { ...state, comparison: action.comparison };
    case 'options changed':
      return { ...state, options: action.options };
    case 'trajectory selected':
      return withTrajectorySelected(state, action.index);
    case 'task followed':
      return withTrajectorySelected(state, trialOf(state, action.task) ?? state.selected);
    case 'document activated':
      return { ...state, active: action.name };
    case 'issues filtered':
      return { ...state, filter: action.filter };
    case 'finding followed':
      return withFindingFollowed(state, action.finding);
    case 'issue stepped':
      return withIssueStepped(state, action.by);
    case 'timeline narrowed':
      return { ...state, narrowing: action.narrowing };
    case 'searched':
      return { ...state, matches: action.matches };
    case 'tools linted':
      return { ...state, lint: action.lint };
    case 'reading changed':
      return { ...state, isRaw: action.isRaw };
    case 'panel toggled':
      return { ...state, panels: withPanel(state.panels, action.panel, action.isOpen) };
    case 'place followed':
      return { ...state, target: { turn: action.turn, call: action.call } };
    case 'definition located':
      return withDefinitionShown(state, action.document, action.path);
    case 'visit returned':
      return { ...state, ...action.visit, target: undefined, current: undefined, shown: undefined };
    case 'source folded':
      return { ...state, isSourceFolded: action.isFolded };
    case 'session restored':
      return { ...state, ...action.session };
    case 'view restored':
      return withView(state, action.session);
    case 'tools moved':
      return withDocuments({ ...state, active: 'tools' }, { trajectory: '', tools: state.documents.trajectory });
    case 'evidence followed':
      return { ...state, target: evidenceOf(state, action.turn, action.closest) ?? state.target };
    case 'call located':
      return withCallShown(state, action);
    case 'finding located':
      return withFindingShown(state, action.finding);
  }
}

function withView(state: State, session: Session): State {
  const { documents: _, fileName: _name, ...view } = session;
  return { ...state, ...view };
}

/** Without a trajectory, in the page or in a long file, there is nothing to show. */
export function isEmpty({ documents, file }: State): boolean {
  return documents.trajectory.trim() === '' && file === undefined;
}

function withLink(state: State, link: LinkState | null | undefined): State {
  const after = { ...state, isLinkDamaged: link === undefined };
  if (!link) return after;
  const isSourceFolded = state.isNarrow || state.isSourceFolded;
  return { ...after, ...link, active: 'trajectory', current: undefined, isSourceFolded };
}

/** Also forgets the places in the texts before. */
function withDocuments(state: State, documents: Partial<Documents>): State {
  return {
    ...state,
    documents: { ...state.documents, ...documents },
    target: undefined,
    current: undefined,
    shown: undefined,
  };
}

/** The state with documents that are not edited but new. */
function opened(state: State, documents: Partial<Documents>, fileName: string | undefined): State {
  const { options, file, chosenRow } = state;
  const isTrajectoryNew = documents.trajectory !== undefined;
  return {
    ...withDocuments(state, documents),
    visits: state.visits + 1,
    selected: 0,
    filter: NO_FILTER,
    narrowing: NOTHING_HIDDEN,
    // What was opened is to be read, and not to be edited.
    isSourceFolded: state.isNarrow || state.isSourceFolded,
    // The same object as long as nothing changes: new options start the check of a file again.
    options: options.format === 'auto' ? options : { ...options, format: 'auto' },
    fileName,
    unopened: undefined,
    file: isTrajectoryNew ? undefined : file,
    chosenRow: isTrajectoryNew ? undefined : chosenRow,
  };
}

/** The index of a trajectory of this task: the first that fails, or else the first. */
function trialOf({ checked }: State, task: string): number | undefined {
  const trials = checked?.result.report.trajectories.filter(one => (one.task ?? one.id) === task) ?? [];
  return (trials.find(({ passed }) => !passed) ?? trials[0])?.index;
}

function answered(state: State, answer: Answer, of: Case): State {
  const after = { ...state, isChecking: false };
  switch (answer.kind) {
    case 'checked': {
      const { result } = answer;
      return { ...after, checked: { result, of: { ...of, selected: result.selected } }, problems: result.problems };
    }
    case 'unreadable':
      return { ...after, checked: undefined, problems: answer.problems };
    case 'reported':
    case 'compared':
    case 'linted':
    case 'found':
    case 'detected':
      return after;
  }
}

/** The last call of the tool that returned the evidence, at or before the turn of the reply. */
function evidenceOf({ checked }: State, turn: number, { tool }: Closest): Target | undefined {
  const turns = checked?.result.inspection?.trajectory.turns ?? [];
  for (let index = turn; index >= 0; index -= 1) {
    const call = (turns[index]?.tool_calls ?? []).findLastIndex(({ name }) => name === tool);
    if (call >= 0) return { turn: index, call };
  }
  return undefined;
}

/** The text follows what is selected elsewhere, unless finding its place would take too long. */
const MOST_FOLLOWED = 400_000;

function following(state: State, place: (text: string) => Place | undefined): Pick<State, 'shown'> {
  const text = state.documents.trajectory;
  const found = text.length > MOST_FOLLOWED ? undefined : place(text);
  return { shown: found === undefined ? state.shown : { place: found, isFollowing: true, document: 'trajectory' } };
}

function withTrajectorySelected(state: State, index: number): State {
  const followed = following(state, text => placeOfTrajectory(text, index));
  const visits = state.visits + (index === state.selected ? 0 : 1);
  return {
    ...state,
    ...followed,
    visits,
    selected: index,
    target: undefined,
    current: undefined,
    narrowing: NOTHING_HIDDEN,
  };
}

function withFindingFollowed(state: State, finding: Finding): State {
  const followed = following(state, text => placeOfFinding(state, finding, text));
  return { ...state, ...followed, target: { turn: finding.turn, call: finding.call }, current: finding.id };
}

/** Goes to the next of the issues that the filter lets through, or the one before; after the last comes the first. */
function withIssueStepped(state: State, by: 1 | -1): State {
  const shown = (state.checked?.result.inspection?.findings ?? []).filter(one => passes(state.filter, one));
  const now = shown.findIndex(({ id }) => id === state.current);
  const next = now < 0 ? (by === 1 ? 0 : shown.length - 1) : (now + by + shown.length) % shown.length;
  const finding = shown[next];
  return finding === undefined ? state : withFindingFollowed(state, finding);
}

function withCallShown(state: State, place: CallPlace): State {
  const found = placeOfCallIn(state, place, state.documents.trajectory) ?? { from: 0, to: 0 };
  return withPlaceShown(state, found);
}

function withFindingShown(state: State, finding: Finding): State {
  const found = placeOfFinding(state, finding, state.documents.trajectory) ?? { from: 0, to: 0 };
  return { ...withPlaceShown(state, found), current: finding.id };
}

function withPlaceShown(state: State, place: Place): State {
  return { ...state, active: 'trajectory', shown: { place, document: 'trajectory' }, isSourceFolded: false };
}

function withPanel(panels: ReadonlySet<Panel>, panel: Panel, isOpen: boolean): ReadonlySet<Panel> {
  const next = new Set(panels);
  if (isOpen) next.add(panel);
  else next.delete(panel);
  return next;
}

/** The definitions are in the tools, or in the trajectory that carries them. */
function withDefinitionShown(state: State, active: DocumentName, path: string): State {
  const place = placeOfPath(state.documents[active], path) ?? { from: 0, to: 0 };
  return { ...state, active, shown: { place, document: active }, isSourceFolded: false };
}

function placeOfCallIn({ checked }: State, { turn, call, argument }: CallPlace, text: string): Place | undefined {
  const { inspection, selected } = checked?.result ?? {};
  if (inspection === undefined || selected === undefined) return undefined;
  const wanted = { turn, call, index: selected, ...(argument !== undefined && { argument }) };
  return placeOfCall(text, inspection.trajectory, wanted);
}

/** The part of the reply that the issue quotes, or else the call that has the issue. */
function placeOfFinding(state: State, { issue: { details }, turn, call }: Finding, text: string): Place | undefined {
  const trajectory = state.checked?.result.inspection?.trajectory;
  const part = details?.facts?.[0] ?? quoteIn(trajectory?.turns[turn], details);
  const place = part && trajectory && placeOfExcerpt(text, trajectory, part);
  if (place !== undefined) return place;
  const argument = details !== undefined && 'path' in details ? details.path : undefined;
  return placeOfCallIn(state, { turn, call: call ?? 0, argument }, text);
}
