import type { OpenQuestion, Opinion } from '../types.js';
import { JudgeError } from './error.js';
import { reasonOf } from './panel.js';
import { valueRequest } from './prompts/value.js';
import { askEach, type JudgeVerdict, type RunJudgesOptions } from './run.js';

/** Opinions by the keys of their questions. */
export type Opinions = Readonly<Record<string, Opinion>>;

/** A value that judges were asked about, and what they came to. */
export interface JudgedValue extends OpenQuestion {
  /** The verdict of the judges. */
  readonly verdict: JudgeVerdict;
}

/** What judges were asked, and what came of it. */
export interface AskedValues {
  /** The opinions that were known before, and those of the judges. */
  readonly opinions: Opinions;
  /** The values that the judges answered. */
  readonly judged: readonly JudgedValue[];
  /** Why questions have no answer. */
  readonly failures: readonly JudgeError[];
}

/** How many questions are asked at a time if the options don't say it. */
const AT_A_TIME = 8;

/**
 * Asks judges what `openQuestions` returns, until nothing is open but the questions on which all judges failed. A no can
 * raise further questions, because other calls may then be the expected ones. What is in `memory` is not asked again, and
 * what judges say is added to it.
 */
export async function askValues(
  openQuestions: (opinions: Opinions) => readonly OpenQuestion[],
  known: Opinions | undefined,
  judging: RunJudgesOptions,
  memory: Map<string, Opinion> = new Map(),
): Promise<AskedValues> {
  const opinions: Record<string, Opinion> = { ...known };
  const judged: JudgedValue[] = [];
  const failures = new Map<string, JudgeError>();
  for (;;) {
    const open = openQuestions(opinions).filter(({ key }) => !failures.has(key));
    const fresh = open.filter(({ key }) => !memory.has(key));
    const verdicts = await askEach(fresh.map(valueRequest), judging, AT_A_TIME);
    for (const [at, question] of fresh.entries()) {
      const verdict = verdicts[at] as JudgeVerdict | JudgeError;
      if (verdict instanceof JudgeError) {
        failures.set(question.key, verdict);
        continue;
      }
      judged.push({ ...question, verdict });
      memory.set(question.key, opinionOf(verdict));
    }
    for (const { key } of open) {
      const opinion = memory.get(key);
      if (opinion !== undefined) opinions[key] = opinion;
    }
    if (open.length === 0) return { opinions, judged, failures: [...failures.values()] };
  }
}

function opinionOf(verdict: JudgeVerdict): Opinion {
  const reason = reasonOf(verdict);
  return { score: verdict.score, ...(reason === '' ? {} : { reason }) };
}
