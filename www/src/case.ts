import { FAIL_ON, RULE_LEVELS, TRAJECTORY_FORMATS } from 'toolgauge/values';
import { type Case, DEFAULT_OPTIONS, type DocumentName, type Options } from './checker/protocol.ts';

/**
 * The case in a value that anyone can have written: only texts are taken as documents, and as options only values that a
 * user could choose.
 */
export function caseOf(value: unknown): Case {
  const { documents, options, selected } = Object(value);
  const text = (name: DocumentName) => {
    const given = Object(documents)[name];
    return typeof given === 'string' ? given : '';
  };
  const chosen = <Name extends keyof Options>(name: Name, isPossible: (given: unknown) => boolean): Options[Name] => {
    const given = Object(options)[name];
    return isPossible(given) ? given : DEFAULT_OPTIONS[name];
  };
  return {
    documents: {
      trajectory: text('trajectory'),
      tools: text('tools'),
      expected: text('expected'),
      before: text('before'),
    },
    options: {
      format: chosen('format', given => TRAJECTORY_FORMATS.some(format => format === given)),
      strict: chosen('strict', isBoolean),
      allowUnknownTools: chosen('allowUnknownTools', isBoolean),
      failOn: chosen('failOn', given => FAIL_ON.some(severity => severity === given)),
      minScore: chosen('minScore', isShare),
      hallucinationThreshold: chosen('hallucinationThreshold', isShare),
      rules: chosen('rules', isRules),
      taskKey: chosen('taskKey', isField),
    },
    selected: Number.isSafeInteger(selected) && selected >= 0 ? selected : 0,
  };
}

function isBoolean(given: unknown): boolean {
  return typeof given === 'boolean';
}

/** Fields have short names. */
function isField(given: unknown): boolean {
  return typeof given === 'string' && given.length <= 200;
}

function isRules(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return false;
  const isLevel = (value: unknown) => RULE_LEVELS.some(level => level === value);
  return Object.entries(given).every(([type, level]) => /^[a-z_]{1,60}$/.test(type) && isLevel(level));
}

function isShare(given: unknown): boolean {
  return typeof given === 'number' && given >= 0 && given <= 1;
}
