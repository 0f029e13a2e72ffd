import { ATTACKS } from './attacks.mjs';
import { CALL, TOOLS } from './inputs.mjs';
import { counted, countWork } from './work.mjs';

const { compileTools, ToolgaugeError, validateToolCall } = await counted('toolgauge');

const attack = ATTACKS[process.argv[2]]();
const handle = compileTools(TOOLS);
const before = verdicts();
const unit = await countWork(judgeMegabyte);
let outcome;
const cost = await countWork(() => {
  outcome = outcomeOf(attack);
});
console.log(JSON.stringify({ outcome, factor: cost / unit, worksAfterwards: verdicts() === before }));

function outcomeOf(body) {
  try {
    body();
    return 'result';
  } catch (error) {
    return error instanceof ToolgaugeError ? error.code : String(error);
  }
}

/** What the package says of one call, by tools that it compiles now and by others that it compiled before. */
function verdicts() {
  try {
    return JSON.stringify([validateToolCall(CALL, TOOLS), validateToolCall(CALL, handle)]);
  } catch (error) {
    return String(error);
  }
}

/**
 * Ordinary work of ordinary size, in which the cost of an attack is measured. Bounds make the schema one that is not plain:
 * like the attacks, it is for the validator.
 */
function judgeMegabyte() {
  const items = Array.from({ length: 20_000 }, (_, index) => ({
    sku: `sku-${index}`,
    count: index,
    note: 'as ordered',
  }));
  const item = {
    type: 'object',
    properties: { sku: { type: 'string', minLength: 1 }, count: { type: 'integer', minimum: 0 } },
    required: ['sku'],
  };
  const parameters = { type: 'object', properties: { items: { type: 'array', items: item } } };
  validateToolCall({ name: 'order', arguments: { items }, result: 1 }, { order: { name: 'order', parameters } });
}
