// What targets other than those of the core need: they start without it.
import { fromConsumer } from '../../package/support/consumer.mjs';

/** The further entry points. */
export const dispatch = await fromConsumer('toolgauge/dispatch');
export const aiSdk = await fromConsumer('toolgauge/ai-sdk');

/** A companion of the package, of the same project. */
export const ai = await fromConsumer('ai');
