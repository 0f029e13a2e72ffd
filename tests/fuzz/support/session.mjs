import { AssertionError } from 'node:assert/strict';
import { forms, outcomeLater, outcomeOf } from '../../package/support/assertions.mjs';
import { Finding } from './finding.mjs';
import { toolgauge } from './package.mjs';

const { compileTools, validateToolCall } = toolgauge;

const PROBE_TOOLS = compileTools([{ name: 'probe', parameters: { properties: { n: { type: 'integer' } } } }]);
const PROBE_CALL = '{"name": "probe", "arguments": {"n": "5"}, "result": 1}';
const PROBE_ANSWER = JSON.stringify(validateToolCall(PROBE_CALL, PROBE_TOOLS));

/** Calls public functions, counts the calls, and reports outcomes that no input may have. */
export class Session {
  executions = 0;
  #beat;
  #printed = [];

  /** `beat` is called at each execution, so that a watchdog can see that there is progress. */
  constructor(beat = () => {}) {
    this.#beat = beat;
    console.error = (...parts) => this.#printed.push(parts.join(' '));
  }

  /** The outcome of a call: `{ result }`, or `{ error }` with a ToolgaugeError of a known code. */
  run(name, body) {
    this.#count();
    return this.#checked(
      name,
      convert(() => outcomeOf(body, name)),
    );
  }

  /** The same of a call that gives a promise. */
  async runLater(name, body) {
    this.#count();
    try {
      return this.#checked(name, await outcomeLater(body, name));
    } catch (error) {
      throw asFinding(error);
    }
  }

  /** The outcome of a function of the package. */
  call(name, ...inputs) {
    return this.run(name, () => toolgauge[name](...inputs));
  }

  /** The outcome of a function whose first input is given as an object, as JSON text and as bytes: always the same. */
  callInAllForms(name, value, ...rest) {
    const outcomes = Object.entries(forms(value)).map(([form, input]) => {
      const outcome = this.call(name, input, ...rest);
      return { form, outcome, text: textOf(outcome) };
    });
    const [first] = outcomes;
    const other = outcomes.find(({ text }) => text !== first.text);
    if (other === undefined) return first.outcome;
    throw new Finding('form_dependent', `${name}: ${difference(first, other)}`);
  }

  /** What an execution that failed has printed is no matter of the next one. */
  #count() {
    this.executions += 1;
    this.#printed.length = 0;
    this.#beat();
  }

  #checked(name, outcome) {
    if (this.#printed.length > 0) throw new Finding('printed_error', `${name}: ${this.#printed.splice(0).join('\n')}`);
    if (outcome.error !== undefined) this.#probe(name);
    return outcome;
  }

  #probe(name) {
    const answer = JSON.stringify(convert(() => validateToolCall(PROBE_CALL, PROBE_TOOLS)));
    if (answer !== PROBE_ANSWER) throw new Finding('poisoned', `after ${name} failed, another call gives ${answer}`);
  }
}

/** An outcome as text, to compare it with another one. */
export function textOf({ result, error }) {
  if (error !== undefined) return JSON.stringify([error.code, error.path]);
  try {
    return JSON.stringify(result) ?? 'undefined';
  } catch (problem) {
    throw new Finding('not_serializable', String(problem));
  }
}

function difference(...outcomes) {
  const [a, b] = outcomes.map(({ text }) => text);
  let at = 0;
  while (a[at] === b[at]) at += 1;
  const from = Math.max(0, at - 60);
  return outcomes.map(({ form, text }) => `${form} gives …${text.slice(from, at + 60)}…`).join(', ');
}

function convert(body) {
  try {
    return body();
  } catch (error) {
    throw asFinding(error);
  }
}

function asFinding(error) {
  if (error instanceof AssertionError) return new Finding('foreign_exception', error.message);
  if (error instanceof Finding) return error;
  return new Finding('foreign_exception', String(error?.stack ?? error));
}
