/** The multipliers of MurmurHash3, which spread the bits of the seed. */
const MIX = [0x85ebca6b, 0xc2b2ae35];

/**
 * Pseudo-random numbers by the algorithm sfc32. The same seed gives the same numbers everywhere, so every input can be
 * made again from the seed, the target and the number of the input.
 */
export class Random {
  #state;

  constructor(...seed) {
    const text = seed.join('\n');
    this.#state = Uint32Array.from([1, 2, 3, 4], lane => hash(text, lane));
    for (let round = 0; round < 12; round += 1) this.next();
  }

  /** An integer of 32 bits. */
  next() {
    const state = this.#state;
    const sum = (state[0] + state[1] + state[3]) >>> 0;
    state[3] += 1;
    state[0] = state[1] ^ (state[1] >>> 9);
    state[1] = state[2] + (state[2] << 3);
    state[2] = ((state[2] << 21) | (state[2] >>> 11)) + sum;
    return sum;
  }

  /** An integer from 0 to below `end`. */
  below(end) {
    return this.next() % end;
  }

  /** An integer from `least` to `most`. */
  between(least, most) {
    return least + this.below(most - least + 1);
  }

  /** True in `share` of all cases. */
  chance(share) {
    return this.next() < share * 2 ** 32;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  /** `least` to `most` values that `make` gives. */
  list(least, most, make) {
    return Array.from({ length: this.between(least, most) }, (_, at) => make(at));
  }

  /** Some of the items, in their order, each with the chance `share`. */
  some(items, share = 0.5) {
    return items.filter(() => this.chance(share));
  }

  shuffle(items) {
    const shuffled = [...items];
    for (let at = shuffled.length - 1; at > 0; at -= 1) {
      const other = this.below(at + 1);
      [shuffled[at], shuffled[other]] = [shuffled[other], shuffled[at]];
    }
    return shuffled;
  }
}

function hash(text, lane) {
  let value = Math.imul(lane, MIX[0]);
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), MIX[1]);
    value ^= value >>> 15;
  }
  return value;
}
