// Conversations of a shop's support agent as OpenAI chat messages, the same ones on every run.

const SYSTEM_CHARACTERS = 3000;
const MESSAGES = [20, 50];
const REPLY_CHARACTERS = [100, 600];
const RESULT_CHARACTERS = [200, 3000];

/** The share of the calls with a mistake. */
const FAULTY = 0.04;

const text = (description, ...examples) => ({ type: 'string', description, examples });
const oneOf = (description, ...values) => ({ type: 'string', description, enum: values });
const integer = (description, minimum, maximum) => ({ type: 'integer', description, minimum, maximum });
const list = (description, items) => ({ type: 'array', description, items, minItems: 1 });
const object = (required, optional = {}) => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
  additionalProperties: false,
});

const ORDER = {
  ...text("The order's number, such as 'ORD-104233'.", 'ORD-104233', 'ORD-220918', 'ORD-777001', 'ORD-310550'),
  pattern: '^ORD-[0-9]{6}$',
};
const SKU = text('The article number.', 'LAMP-OAK-40', 'KETTLE-17-RD', 'CHAIR-MESH-B', 'RUG-160X230', 'MUG-Ø9');
const CUSTOMER = text("The customer's id.", 'zoe_mueller_4182', 'jose_ibanez_0077', 'amara_okafor_9315');
const DAY = {
  ...text('A day as YYYY-MM-DD.', '2026-02-03', '2026-02-17', '2026-03-30'),
  pattern: '^\\d{4}-\\d\\d-\\d\\d$',
};
const REASON = text(
  'Why, in the words of the customer.',
  'arrived with a crack along the rim, see the two photos',
  'ordered “by mistake” while comparing colours',
  'the parcel was left in the rain — everything inside is soaked',
);
const ADDRESS = object(
  {
    street: text('Street and number.', 'Schöne Aussicht 12', '48 Rue de l’Église', '9 Harbour Road'),
    city: text('The city.', 'Köln', 'Besançon', 'Bristol', 'Łódź'),
    postal_code: text('The postal code.', '50667', '25000', 'BS1 4RN'),
    country: oneOf('The country.', 'DE', 'FR', 'GB', 'PL'),
  },
  { floor: { type: ['integer', 'null'], description: 'The floor, when there is one.', minimum: -2, maximum: 60 } },
);
const LINES = list('What to act on.', object({ sku: SKU, quantity: integer('How many.', 1, 20) }, { reason: REASON }));
const CHANNEL = oneOf('How to send it.', 'email', 'sms', 'push', 'letter');
const CENTS = integer('In cents.', 1, 250_000);

const PARAMETERS = {
  find_customer: object({
    query: text('Name, email or phone.', 'Zoë Müller', 'j.ibanez@example.com', '+44 20 7946 0018'),
  }),
  get_customer: object({ customer_id: CUSTOMER }),
  get_order: object({ order_id: ORDER }),
  list_orders: object(
    { customer_id: CUSTOMER, status: oneOf('Which ones.', 'open', 'shipped', 'delivered', 'cancelled', 'any') },
    { since: DAY, until: DAY, limit: integer('Most orders to list.', 1, 100) },
  ),
  search_products: object(
    { query: text('Words to look for.', 'oak desk lamp, dimmable', 'red kettle 1.7 l', 'washable rug for a hallway') },
    { max_price: CENTS, colours: list('Wanted colours.', oneOf('A colour.', 'oak', 'red', 'black', 'sand', 'blue')) },
  ),
  get_product: object({ sku: SKU }, { with_reviews: { type: 'boolean', description: 'Whether reviews are wanted.' } }),
  track_shipment: object({ order_id: ORDER, carrier: oneOf('The carrier.', 'DHL', 'UPS', 'La Poste', 'Royal Mail') }),
  schedule_delivery: object(
    { order_id: ORDER, day: DAY, window: oneOf('The time of day.', 'morning', 'afternoon', 'evening') },
    {
      address: ADDRESS,
      note: text('For the driver.', 'Ring twice, please: the bell is “shy”.', 'Leave it with the neighbour.'),
    },
  ),
  update_address: object({ customer_id: CUSTOMER, address: ADDRESS }),
  cancel_order: object({ order_id: ORDER, reason: REASON }),
  create_return: object({
    order_id: ORDER,
    lines: LINES,
    pickup: { type: 'boolean', description: 'Whether to collect it.' },
  }),
  issue_refund: object(
    { order_id: ORDER, amount: CENTS, method: oneOf('Where to.', 'original', 'voucher', 'bank_transfer') },
    { lines: LINES, reason: REASON },
  ),
  send_message: object({ customer_id: CUSTOMER, channel: CHANNEL, body: { ...REASON, minLength: 5, maxLength: 2000 } }),
  transfer_to_human: object({ summary: REASON, urgency: integer('From 1 to 5.', 1, 5) }),
};

/** The tool definitions in the form of a request to the chat API. */
export const TOOLS = Object.entries(PARAMETERS).map(([name, parameters]) => ({
  type: 'function',
  function: { name, description: `${name.replaceAll('_', ' ')} in the shop’s back office.`, parameters },
}));

const SENTENCES = [
  'I found the order and checked what the warehouse says about it.',
  'The parcel left our hub in “Köln-Nord” on Tuesday; the carrier expects it tomorrow before noon.',
  'Here is what I can offer:\n- a refund of €49.90 to the original card\n- a voucher of €55.00\n- a replacement, free of charge',
  'Would you like me to go ahead? Please answer with "yes" or tell me what to change.',
  "That article is currently sold out — the next delivery is due in about two weeks, and I can't reserve one before.",
  'Your address is now:\n\n**Zoë Müller**\nSchöne Aussicht 12\n50667 Köln\n',
  'The total comes to 1,249.00 € including a delivery fee of 4.90 €.',
  'Thanks for your patience! 🙂',
];

const QUESTIONS = [
  'hi, where is my order? it should have been here on monday',
  'The mug arrived broken.\nI have photos, can you send another one?',
  'yes',
  'Please change the address to 9 Harbour Road, Bristol, and deliver it in the evening if that is possible at all.',
  'How much is the oak lamp, and do you have it in "warm white"?',
  'ok thx 👍',
];

/** Generates conversations whose JSON text has about `bytes`: `[{id, messages}, …]`. */
export function conversations(bytes, seed = 1) {
  const random = randomNumbers(seed);
  const all = [];
  let left = bytes;
  while (left > 0) {
    const next = conversation(all.length, random);
    all.push(next);
    left -= Buffer.byteLength(JSON.stringify(next)) + 1;
  }
  return all;
}

/**
 * Generates the same conversations as rollouts with expected calls, as tau-bench writes them. In a third of them all
 * expected calls were made. In the others some have another argument, some are repeated, missing or unexpected.
 */
export function rollouts(bytes, seed = 3) {
  const random = randomNumbers(seed);
  return conversations(bytes, seed).map(({ id, messages }, at) => {
    const made = messages.flatMap(({ tool_calls }) => tool_calls ?? []).flatMap(readCall);
    const actions = at % 3 === 0 ? made : made.flatMap(call => drift(call, random));
    return { task_id: id, traj: messages, info: { task: { actions: swapSome(actions, random) } } };
  });
}

function readCall({ function: { name, arguments: text } }) {
  try {
    return [{ name, kwargs: JSON.parse(text) }];
  } catch {
    return [];
  }
}

/** Returns the expected call for the actual `call`. */
function drift(call, random) {
  const parameters = PARAMETERS[call.name];
  const other = () => ({ name: call.name, kwargs: { ...call.kwargs, ...sampleOf(parameters, random) } });
  const kinds = [() => [call], () => [call], () => [call], () => [], () => [call, other()]];
  return parameters === undefined ? [] : pick([...kinds, () => [other()]], random)();
}

/** Returns the same calls, some of them in another order. */
function swapSome(items, random) {
  const all = [...items];
  for (let at = 1; at < all.length; at += 1) {
    if (random() < 0.2) [all[at - 1], all[at]] = [all[at], all[at - 1]];
  }
  return all;
}

/** Generates expected and actual calls: of ten, seven are equal, two differ, and one is missing. */
export function callLists(count, seed = 2) {
  const random = randomNumbers(seed);
  const expected = Array.from({ length: count }, () => {
    const tool = pick(Object.keys(PARAMETERS), random);
    return { tool, args: sampleOf(PARAMETERS[tool], random) };
  });
  const actual = structuredClone(expected).filter((_, at) => at % 10 !== 9);
  for (const [at, call] of actual.entries()) {
    if (at % 5 === 4) call.args = { ...call.args, extra: at };
  }
  return { expected, actual: actual.reverse() };
}

function conversation(number, random) {
  const messages = [{ role: 'system', content: prose(SENTENCES, SYSTEM_CHARACTERS, random) }];
  const length = between(MESSAGES, random);
  while (messages.length < length) {
    messages.push({ role: 'user', content: pick(QUESTIONS, random) });
    for (let calls = between([0, 3], random); calls > 0; calls -= 1) messages.push(...callAndResult(random));
    messages.push({ role: 'assistant', content: prose(SENTENCES, between(REPLY_CHARACTERS, random), random) });
  }
  return { id: `support-${number}`, messages };
}

/** Generates one conversation with turns of equal length, whose replies state true and invented facts. */
export function longConversation(count) {
  const turns = Array.from({ length: count }, (_, at) => turnAt(at + 1));
  return { turns };
}

function turnAt(id) {
  const order = `ORD-${100_000 + id}`;
  const previous = 100_000 + id - 1;
  switch (id % 4) {
    case 1:
      return {
        turn_id: id,
        role: 'user',
        content: `Where is ${order}? I paid $${10_000 + id}.50 on May ${1 + (id % 28)}.`,
      };
    case 2: {
      const result = {
        id: `ORD-${previous}`,
        total: (10_000 + id) * 1.25,
        lines: [{ sku: `LAMP${previous}`, count: 2 }],
      };
      const call = { id: `c${id}`, name: 'get_order', arguments: { order_id: `ORD-${previous}` }, result };
      return { turn_id: id, role: 'agent', content: '', tool_calls: [call] };
    }
    default:
      return {
        turn_id: id,
        role: 'agent',
        content: `ORD-${previous - 1} costs $${((10_000 + id - 1) * 1.25).toFixed(2)}, sent at 10 AM; code ZZ${order.slice(4)}Q.`,
      };
  }
}

function callAndResult(random) {
  const id = `call_${letters(24, random)}`;
  const name = pick(Object.keys(PARAMETERS), random);
  const call = { id, type: 'function', function: withFault(name, sampleOf(PARAMETERS[name], random), random) };
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, name, content: result(random) },
  ];
}

function withFault(name, args, random) {
  const spelled = JSON.stringify(args);
  if (random() >= FAULTY) return { name, arguments: spelled };
  const [first] = PARAMETERS[name].required;
  const faults = [
    () => ({ name: `${name}s`, arguments: spelled }),
    () => ({ name, arguments: JSON.stringify({ ...args, [first]: undefined }) }),
    () => ({ name, arguments: JSON.stringify({ ...args, [first]: 17 }) }),
    () => ({ name, arguments: spelled.slice(0, -1) }),
  ];
  return pick(faults, random)();
}

function result(random) {
  if (random() < 0.1) return pick(['Done.', 'Error: the warehouse did not answer in time', 'true'], random);
  const size = between(RESULT_CHARACTERS, random);
  const found = {
    status: 'ok',
    customer: { ...sampleOf(ADDRESS, random), id: CUSTOMER.examples[0], vip: random() < 0.2 },
  };
  const rows = [];
  for (let left = size - 150; left > 0; left -= 220) rows.push(row(random));
  return JSON.stringify(rows.length > 0 ? { ...found, total: rows.length, rows } : found);
}

function row(random) {
  return {
    order_id: pick(ORDER.examples, random),
    sku: pick(SKU.examples, random),
    title: pick(['Desk lamp “Eiche”, 40 cm', 'Kettle, 1.7 l, red', 'Tasse Ø9 – blau', 'Rug 160 × 230'], random),
    quantity: between([1, 9], random),
    price: between([100, 99_999], random) / 100,
    in_stock: random() < 0.7,
    shipped_at: random() < 0.5 ? null : `2026-02-${between([10, 28], random)}T08:${between([10, 59], random)}:00Z`,
    tags: ['returnable', pick(['fragile', 'bulky', 'gift'], random)],
  };
}

/** Returns a value that `schema` accepts, from the examples in it. */
function sampleOf(schema, random) {
  if (schema.enum) return pick(schema.enum, random);
  if (schema.examples) return pick(schema.examples, random);
  switch ([schema.type].flat()[0]) {
    case 'integer':
      return between([schema.minimum, schema.maximum], random);
    case 'boolean':
      return random() < 0.5;
    case 'array':
      return Array.from({ length: between([1, 2], random) }, () => sampleOf(schema.items, random));
    default: {
      const given = Object.entries(schema.properties).filter(
        ([name]) => schema.required.includes(name) || random() < 0.4,
      );
      return Object.fromEntries(given.map(([name, property]) => [name, sampleOf(property, random)]));
    }
  }
}

function prose(sentences, length, random) {
  let said = pick(sentences, random);
  while (said.length < length) said += ` ${pick(sentences, random)}`;
  return said;
}

function letters(count, random) {
  return Array.from({ length: count }, () => between([0, 35], random).toString(36)).join('');
}

function pick(values, random) {
  return values[Math.floor(random() * values.length)];
}

function between([least, most], random) {
  return least + Math.floor(random() * (most - least + 1));
}

/** The generator mulberry32: numbers from 0 to 1 that depend only on `seed`. */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
