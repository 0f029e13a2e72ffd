// The best way to pair calls with what is expected, by trying every way.
import { fits, readExpected } from './meaning.mjs';

/**
 * Each expected call as slots, of which a call that is made takes one: those that must be taken, then those that may.
 * No more of these are needed than there are calls.
 */
export function slotsOf(calls, made, shared) {
  return calls.flatMap(expected => {
    const { alternatives, min, max } = readExpected(expected);
    const count = min + Math.min(max - min, made.length);
    const taking = made.map(call => alternatives.some(pattern => fits(pattern, call, shared)));
    return Array.from({ length: count }, (_, at) => ({ required: at < min, takes: place => taking[place] }));
  });
}

/** The most calls that find a slot, each its own. */
export function mostInAnyOrder(slots, count) {
  const best = (place, free) => {
    if (place === count) return 0;
    const without = best(place + 1, free);
    const tried = free.filter(slot => slots[slot].takes(place));
    return tried.reduce(
      (most, slot) =>
        Math.max(
          most,
          1 +
            best(
              place + 1,
              free.filter(other => other !== slot),
            ),
        ),
      without,
    );
  };
  return best(0, [...slots.keys()]);
}

/** The most calls that find a slot in such a way that both stand in the same order. */
export function mostInSequence(slots, count) {
  const best = (place, slot) => {
    if (place === count || slot === slots.length) return 0;
    const skipped = Math.max(best(place + 1, slot), best(place, slot + 1));
    return slots[slot].takes(place) ? Math.max(skipped, 1 + best(place + 1, slot + 1)) : skipped;
  };
  return best(0, 0);
}

/** Whether every call but `spare` ones finds a slot and every slot that must be taken is, in any order. */
export function allInAnyOrder(slots, count, spare) {
  const possible = (place, free, left) => {
    if (place === count) return free.every(slot => !slots[slot].required);
    if (left > 0 && possible(place + 1, free, left - 1)) return true;
    return free.some(
      slot =>
        slots[slot].takes(place) &&
        possible(
          place + 1,
          free.filter(other => other !== slot),
          left,
        ),
    );
  };
  return possible(0, [...slots.keys()], spare);
}

/** The same where both stand in the same order. */
export function allInSequence(slots, count, spare) {
  const possible = (place, slot, left) => {
    if (slot === slots.length) return count - place <= left;
    if (place < count && left > 0 && possible(place + 1, slot, left - 1)) return true;
    if (place < count && slots[slot].takes(place) && possible(place + 1, slot + 1, left)) return true;
    return !slots[slot].required && possible(place, slot + 1, left);
  };
  return possible(0, 0, spare);
}

/** The same where the lists must agree call by call, so that calls are only left over behind all others. */
export function allInStrictOrder(slots, count, spare) {
  const possible = (place, slot) => {
    if (slot === slots.length) return count - place <= spare;
    if (place < count && slots[slot].takes(place) && possible(place + 1, slot + 1)) return true;
    return !slots[slot].required && possible(place, slot + 1);
  };
  return possible(0, 0);
}
