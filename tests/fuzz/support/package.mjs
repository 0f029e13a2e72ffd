// The packed package as a user gets it, and the packages that its answers are compared with.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fromConsumer, TESTS } from '../../package/support/consumer.mjs';

export const toolgauge = await fromConsumer('toolgauge');

/** Loads what these tests have installed for themselves. */
export const requireReference = createRequire(join(TESTS, 'package.json'));
