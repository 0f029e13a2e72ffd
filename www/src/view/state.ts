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
  type Options,
  type Problem,
} from '../checker/protocol.ts';
import type { LinkState } from '../link.ts';
import type { Shown } from '../text/editor.tsx';
import { placeOfCall, placeOfExcerpt, quoteIn } from '../text/places.ts';
import { type Filter, NO_FILTER } from './issues.tsx';
import type { Target } from './timeline.tsx';

/** A result, and the case that it is of: the texts may have changed since. */
export interface Checked {
  readonly result: CheckResult;
  readonly of: Case;
}

/** The difference of two runs, or the reason why there is none. */
export type RunComparison = { readonly diff: RunDiff } | { readonly reason: string };

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
  /** The call or reply to bring into view. */
  readonly target: Target | undefined;
  /** The place to show in the text. */
  readonly shown: Shown | undefined;
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
  | { readonly kind: 'row opened'; readonly place: number; readonly text: string; readonly index: number }
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
      return {
        ...withDocuments(state, { trajectory: action.text }),
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
      return { ...state, selected: action.index };
    case 'task followed':
      return { ...state, selected: trialOf(state, action.task) ?? state.selected };
    case 'document activated':
      return { ...state, active: action.name };
    case 'issues filtered':
      return { ...state, filter: action.filter };
    case 'finding followed':
      return { ...state, target: { turn: action.finding.turn, call: action.finding.call } };
    case 'evidence followed':
      return { ...state, target: evidenceOf(state, action.turn, action.closest) ?? state.target };
    case 'call located':
      return withCallShown(state, action);
    case 'finding located':
      return withFindingShown(state, action.finding);
  }
}

/** Without a trajectory, in the page or in a long file, there is nothing to show. */
export function isEmpty({ documents, file }: State): boolean {
  return documents.trajectory.trim() === '' && file === undefined;
}

function withLink(state: State, link: LinkState | null | undefined): State {
  const after = { ...state, isLinkDamaged: link === undefined };
  return link ? { ...after, ...link, active: 'trajectory' } : after;
}

/** Also forgets the places in the texts before. */
function withDocuments(state: State, documents: Partial<Documents>): State {
  return { ...state, documents: { ...state.documents, ...documents }, target: undefined, shown: undefined };
}

/** The state with documents that are not edited but new. */
function opened(state: State, documents: Partial<Documents>, fileName: string | undefined): State {
  const { options, file, chosenRow } = state;
  const isTrajectoryNew = documents.trajectory !== undefined;
  return {
    ...withDocuments(state, documents),
    selected: 0,
    filter: NO_FILTER,
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

function withCallShown(state: State, { turn, call, argument }: CallPlace): State {
  const { inspection, selected } = state.checked?.result ?? {};
  if (inspection === undefined || selected === undefined) return state;
  const wanted = { turn, call, index: selected, ...(argument !== undefined && { argument }) };
  const place = placeOfCall(state.documents.trajectory, inspection.trajectory, wanted);
  return { ...state, active: 'trajectory', shown: { place: place ?? { from: 0, to: 0 } } };
}

/** Shows the part of the reply that the issue quotes, or else the call that has the issue. */
function withFindingShown(state: State, { issue: { details }, turn, call }: Finding): State {
  const trajectory = state.checked?.result.inspection?.trajectory;
  const part = details?.facts?.[0] ?? quoteIn(trajectory?.turns[turn], details);
  const place = part && trajectory && placeOfExcerpt(state.documents.trajectory, trajectory, part);
  if (place !== undefined) return { ...state, active: 'trajectory', shown: { place } };
  const argument = details !== undefined && 'path' in details ? details.path : undefined;
  return withCallShown(state, { turn, call: call ?? 0, argument });
}
