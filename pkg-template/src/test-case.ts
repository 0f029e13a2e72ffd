import type { Document } from '#glue';
import * as core from '#glue';
import { readingCaller } from './boundary/caller.js';
import { isBinary } from './boundary/json.js';
import { refuseUnsettled } from './boundary/not-yet.js';
import { read } from './bridge.js';
import { isA, reasonOf, ToolgaugeError } from './errors.js';
import type { LimitOptions } from './formats.js';

/** The members of a test case that hold what an agent did, or should have done. */
const RECORDS = [
  'agentTrajectory',
  'agent_trajectory',
  'expectedAgentTrajectory',
  'expected_agent_trajectory',
  'toolsCalled',
  'tools_called',
  'expectedTools',
  'expected_tools',
] as const;

/** What the metric knows of a test case besides its options. */
export interface MetricContext {
  /** The names of the tools that the agent could call. If absent, those that the test case lists. */
  readonly availableTools?: readonly string[];
  /** What the judges of the choice of tools came to. */
  readonly toolChoice?: { readonly score: number | null; readonly reason: string };
}

/** Calls a function of the core that reads a test case. A record that is a promise, a stream or a text is refused. */
export function readTestCase<Result>(
  call: (testCase: Document, options?: Document, context?: string) => string,
  testCase: unknown,
  options: LimitOptions | undefined,
  context?: MetricContext,
): Result {
  const name = 'the test case';
  const known = context === undefined ? undefined : JSON.stringify(context);
  readingCaller(name, () => {
    const members = membersOf(testCase);
    for (const record of RECORDS) refuseUnsettled(members[record], record, 'a list or a trajectory', record);
  });
  try {
    return read((document, settings) => call(document, settings, known), { value: testCase, name }, options);
  } catch (error) {
    throw isA(error, ToolgaugeError) ? readingCaller(name, () => withAdvice(error, membersOf(testCase))) : error;
  }
}

function membersOf(testCase: unknown): Readonly<Record<string, unknown>> {
  return typeof testCase === 'object' && testCase !== null && !isBinary(testCase) ? { ...testCase } : {};
}

/** The error, with what to do when it is about a record that was given as a text. */
function withAdvice(error: ToolgaugeError, members: Readonly<Record<string, unknown>>): ToolgaugeError {
  const { code, message, path, expected } = error;
  const record = RECORDS.find(name => name === path);
  const text = record === undefined ? undefined : members[record];
  if (typeof text !== 'string') return error;
  return new ToolgaugeError(code, `${message}; ${adviceOn(text)}`, { path, expected });
}

function adviceOn(text: string): string {
  try {
    read(core.detectFormat, { value: text, name: 'the text' }, undefined);
    return 'pass the value that the text holds, as in JSON.parse(text)';
  } catch (error) {
    return reasonOf(error);
  }
}
