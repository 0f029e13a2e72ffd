import { ToolgaugeError } from '../errors.js';
import { readingCaller } from './caller.js';
import { kindOf } from './kind-of.js';
import { refuseUnsettled } from './not-yet.js';

/**
 * Reads members of `input` with `take`, and returns what that returns. Throws `invalid_input` if the caller did not pass
 * an object, with `subject` as the name of the input and `expected` as what belongs there.
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
    throw new ToolgaugeError('invalid_input', `${subject} is ${kindOf(input)}; expected ${expected}`, { expected });
  });
}
