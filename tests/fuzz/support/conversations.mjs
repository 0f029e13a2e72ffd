// Random conversations of words, numbers, dates and everything else that a reply may state.
import { readFixtures } from './fixtures.mjs';

const ROWS = readFixtures('grounding').flatMap(({ document }) => document);
const ODD = [
  '\u0000',
  '\ud83d',
  '😀👩‍👩‍👧',
  '\u202e',
  '\u00a0',
  '\u200b',
  '٣٫١٤',
  '１２３',
  '½',
  'İ',
  'ﬁ',
  '\r\n',
  '\t',
  '```',
  '|',
  '$',
  '\\(',
];
const UNITS = ['km', 'mg', 'MB', 'hours', 'nights', '%', '°C', 'EUR', 'items', 'kg', 'min', '円', 'Uhr'];
const MONTHS = ['January', 'May', 'Sept.', 'December', 'mai', 'März', '5月'];
const CURRENCIES = ['$', '€', '£', '¥', 'USD ', 'CHF '];
const WORDS =
  'the a I you have booked cancelled sent refunded found no not is are was costs total of from to and but order flight Oslo Kim Anna Casa do Chiado error failed success here tomorrow three twelve half dozen each "quoted text" for example'.split(
    ' ',
  );

/** A trajectory in toolgauge's own shape. */
export function anyTrajectory(random) {
  const turns = random.list(1, 6, at => anyTurn(random, at + 1));
  return { trajectory_id: `t${random.below(100)}`, turns };
}

function anyTurn(random, turn_id) {
  const role = random.pick(['user', 'agent', 'agent', 'agent', 'system']);
  const content = random.chance(0.15) ? '' : anyContent(random);
  const tool_calls = role === 'agent' ? random.list(0, 2, at => anyCall(random, `c${turn_id}-${at}`)) : [];
  return { turn_id, role, content, ...(tool_calls.length > 0 ? { tool_calls } : {}) };
}

function anyCall(random, id) {
  const name = random.pick(['get_order', 'search_flights', 'send_email', 'cancel_booking', 'web_search', '']);
  const outcome = random.pick([
    () => ({ result: anyResult(random, 2) }),
    () => ({ result: anyResult(random, 3) }),
    () => ({ result: random.pick(ROWS).result ?? {} }),
    () => ({ error: anyContent(random) }),
    () => ({}),
  ])();
  return {
    id,
    name,
    arguments: Object.fromEntries(random.list(0, 2, () => [anyKey(random), anyScalar(random)])),
    ...outcome,
  };
}

function anyResult(random, depth) {
  const kind = depth === 0 ? 0 : random.below(4);
  if (kind === 0) return anyScalar(random);
  if (kind === 1) return random.list(0, 4, () => anyResult(random, depth - 1));
  return Object.fromEntries(random.list(0, 4, () => [anyKey(random), anyResult(random, depth - 1)]));
}

function anyKey(random) {
  return random.pick(['id', 'total', 'price', 'date', 'status', 'items', 'name', 'found', 'error', 'count', 'flights']);
}

function anyScalar(random) {
  return random.pick([
    null,
    true,
    false,
    random.below(2000),
    random.below(100_000) / 100,
    anyFact(random),
    anyFact(random),
  ]);
}

/** Sentences of words and facts, or a piece of a real reply. */
export function anyContent(random) {
  if (random.chance(0.25)) return pieceOf(random, String(random.pick(ROWS).reply ?? ''));
  return random.list(1, 12, () => anyWord(random)).join(random.pick([' ', ' ', ' ', '', '\n', ', ', '. ']));
}

function pieceOf(random, text) {
  const from = random.below(text.length + 1);
  return text.slice(from, from + random.between(1, 120));
}

function anyWord(random) {
  if (random.chance(0.6)) return random.pick(WORDS);
  return random.chance(0.15) ? random.pick(ODD) : anyFact(random);
}

function anyFact(random) {
  return random.pick(FACTS)(random);
}

const digits = (random, count) => String(random.below(10 ** count)).padStart(count, '0');

const FACTS = [
  random => `${random.pick(CURRENCIES)}${random.below(10_000)}.${digits(random, 2)}`,
  random => `${random.below(1000)} ${random.pick(UNITS)}`,
  random => `${random.below(200) / 4}%`,
  random => `20${digits(random, 2)}-${digits(random, 2)}-${digits(random, 2)}`,
  random => `${random.pick(MONTHS)} ${random.between(0, 32)}, 20${digits(random, 2)}`,
  random => `${random.between(0, 25)}:${digits(random, 2)}${random.pick(['', ' PM', 'Z', '+02:00'])}`,
  random => `${random.pick(['HAT', 'R-', 'ORD_', '#', 'A'])}${digits(random, 4)}`,
  random => `kim${random.below(9)}@example.org`,
  random => `https://example.com/${random.below(99)}?q=${random.below(9)}`,
  random => `(555) ${digits(random, 3)}-${digits(random, 4)}`,
  random => `"${random.pick(WORDS)} ${random.pick(WORDS)}"`,
  random => `1${digits(random, random.between(1, 18))}`,
  random => `${random.below(10)}e${random.between(-30, 30)}`,
  random => `1.${digits(random, 3)},${digits(random, 2)}`,
];
