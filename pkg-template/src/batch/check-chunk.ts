import * as core from '#glue';
import { guarded, withDocuments } from '../boundary/call.js';
import { optionsToPayload, toPayload } from '../boundary/json.js';
import { withTools } from '../boundary/tool-handle.js';
import { prepareTools } from '../bridge.js';
import type { ToolsInput } from '../tools.js';
import type {
  CheckOptions,
  CheckSummary,
  ErrorReport,
  Gate,
  GateOptions,
  ReportFormat,
  Trials,
  UnreadDocument,
} from '../types.js';
import type { SHOWN } from '../values.js';
import { type Baseline, noBaseline } from './baseline.js';
import type { Chunk } from './chunks.js';
import type { GatheredParts } from './gathered-parts.js';
import { inParts, MOST_BYTES, readWritten } from './in-parts.js';
import type { JudgedCall } from './judge-chunk.js';

/** What the lines of a file are: nothing by themselves, each a document, or each a piece of one. */
export type LineShape = 'document' | 'lines' | 'pieces';

/** How the part of a chunk in a report is written. */
export interface PartRequest {
  readonly format: ReportFormat;
  readonly layout?: { readonly width: number; readonly color: boolean };
  readonly show?: (typeof SHOWN)[number];
  readonly namesSource?: boolean;
  readonly alone?: boolean;
  /** How much of each turn reports for people show: calls with issues in one line each, or all that was said. */
  readonly detail?: 'brief' | 'whole';
  /** Where parts are gathered, the least rank of an entry that still fits the report after the parts before. */
  readonly leastRank?: number | undefined;
}

/** What a chunk is, and which reports are written of it. */
export interface ChunkRequest {
  readonly shape: LineShape;
  readonly source?: string | undefined;
  readonly reports: readonly PartRequest[];
  /** Instead of content: why it is missing. */
  readonly failed?: ErrorReport | undefined;
  /** Set if each call is checked by itself, instead of the conversation. */
  readonly reflect?: ReflectRequest | undefined;
}

/** How the calls of a chunk are reflected on. */
export interface ReflectRequest {
  /** Whether they are repaired. */
  readonly repair: boolean;
  /** What judges said of them. */
  readonly judged?: readonly JudgedCall[];
}

/** What was found in a chunk. */
export interface CheckedChunk {
  readonly summary: CheckSummary;
  /** The first of the documents that could not be read. */
  readonly unread: readonly UnreadDocument[];
  /** The part of each report that was asked for. */
  readonly reports: readonly string[];
}

/**
 * Checks a chunk of a file. A line on which the core fails becomes a document that could not be read, and the others
 * are checked.
 */
export function* checkChunk(
  chunk: Chunk,
  request: ChunkRequest,
  tools: ToolsInput | undefined,
  options: CheckOptions,
  baseline?: Baseline,
): Generator<CheckedChunk> {
  yield* inParts(chunk, request.shape, (part, failed, isFirst) => {
    const reports = isFirst ? request.reports : request.reports.map(continued);
    const asked = { ...request, reports, failed: failed ?? request.failed };
    return checkAtOnce(part, asked, tools, options, baseline);
  });
}

function continued(request: PartRequest): PartRequest {
  return request.show === 'all' ? { ...request, namesSource: false } : request;
}

function checkAtOnce(
  { bytes, line, tooLong }: Chunk,
  { shape, source, reports, failed, reflect }: ChunkRequest,
  tools: ToolsInput | undefined,
  options: CheckOptions,
  baseline: Baseline | undefined,
): CheckedChunk {
  const prepared = prepareTools(tools, options);
  const asked = reports.map(({ format, leastRank, ...style }) => ({ format, leastRank, style }));
  const settings = optionsToPayload({
    ...options,
    reflect,
    chunk: { shape, source, line, tooLong, failed, reports: asked },
  });
  return guarded(target =>
    withTools(target, prepared, compiled =>
      withDocuments(target, [{ kind: 'bytes', bytes }, settings], MOST_BYTES, (document, ours) => {
        const before = baseline?.borrow(target) ?? noBaseline(target);
        const checked = core.checkChunk(document, compiled, before, ours);
        const { summary, unread } = JSON.parse(checked.about);
        const parts = reports.map((_, at) => checked.report(at));
        checked.free();
        return { summary, unread, reports: parts };
      }),
    ),
  );
}

/**
 * Classifies the lines of a file from its first bytes, `head`. Null: read more.
 */
export function lineShape(
  head: Uint8Array,
  isAll: boolean,
  isLines: boolean,
  { format, limits }: CheckOptions,
): LineShape | null {
  const settings = optionsToPayload({ format, limits });
  return guarded(target =>
    withDocuments(target, [{ kind: 'bytes', bytes: head }, settings], MOST_BYTES, (document, ours) =>
      JSON.parse(core.lineShape(document, isAll, isLines, ours)),
    ),
  );
}

/**
 * The most bytes of one input.
 */
export function longestInput({ limits }: CheckOptions): number {
  return guarded(target =>
    withDocuments(target, [optionsToPayload({ limits })], MOST_BYTES, ours => core.maxInputBytes(ours)),
  );
}

/** What is known of a check before the first document is read. */
export interface ReportOpening {
  /** What is done. Default `check`. */
  readonly command?: 'check' | 'reflect' | 'merge';
  readonly sources: readonly string[];
  readonly tools?: number | undefined;
}

/** What is known after the last one. */
export interface ReportClosing {
  readonly summary: CheckSummary;
  readonly gate: Gate;
  /** What several trials of one task show, if there are several. */
  readonly trials?: Trials;
}

/** The text around the parts of a report. */
export interface ReportFrame {
  /** The text before the parts. */
  readonly head: string;
  readonly separator: string;
  /** Whether empty lines in a row, where two parts meet, are to be one. */
  readonly collapses: boolean;
  /** The text after the parts; null before the end. */
  readonly tail: string | null;
  /** Whether the parts are not written but gathered, and the tail reports them. */
  readonly gathers: boolean;
}

/**
 * The text around the parts of a report. `gathered` holds the parts if they are gathered.
 */
export function frameReport(
  format: ReportFormat,
  opening: ReportOpening,
  layout: PartRequest['layout'],
  closing?: ReportClosing,
  gathered?: GatheredParts,
): ReportFrame {
  const summary = closing === undefined ? undefined : toPayload(closing.summary, 'the summary');
  const settings = optionsToPayload({ format, opening, layout, gate: closing?.gate, trials: closing?.trials });
  return guarded(target => {
    const parts = gathered?.read(target);
    return withDocuments(target, [summary, settings], MOST_BYTES, (totals, ours) => {
      const { text, ...frame } = readWritten<ReportFrame>(core.frameReport(totals, parts, ours));
      return { ...frame, tail: closing === undefined ? null : text };
    });
  });
}

/** The sum of many summaries. */
export interface Total extends ReportClosing {}

/**
 * Adds summaries up, or those that the bytes of a file hold, and holds the sum against a gate. `leaveOutTasks` leaves
 * the counts by task out of the summary, and `fewTasks` keeps only some of them.
 */
export function total(
  summaries: readonly object[] | Uint8Array,
  options: GateOptions & { readonly leaveOutTasks?: boolean; readonly fewTasks?: boolean },
): Total {
  const payload = toPayload(summaries, 'the summaries');
  return guarded(target =>
    withDocuments(target, [payload, optionsToPayload(options)], MOST_BYTES, (list, ours) =>
      JSON.parse(core.mergeSummaries(list, ours)),
    ),
  );
}
