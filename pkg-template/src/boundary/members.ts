import { ToolgaugeError } from '../errors.js';
import { readingCaller } from './caller.js';
import { refuseUnsettled } from './not-yet.js';

/**
 * What `take` reads from `input`, an object of the caller. Throws `invalid_input` when it is none; `subject` names it,
 * and `expected` says what belongs there.
 */
export function takeMembers<Input extends object, Taken>(
  input: Input,
  subject: string,
  expected: string,
  take: (input: Input) => Taken,
): Taken {
  return readingCaller(subject, () => {
    refuseUnsettled(input, subject, expected);
    if (typeof input === 'object' && input !== null) return take(input);
    const found = input === null ? 'null' : typeof input;
    throw new ToolgaugeError('invalid_input', `${subject} is ${found}; expected ${expected}`, { expected });
  });
}
