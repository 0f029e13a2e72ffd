/** Texts that mean something to a reader of JSON, JavaScript, or one of the syntaxes of reports. */
export const ODD_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud83d',
  '\ude00x',
  '😀',
  '\u202e\u2066',
  '\ufeff',
  '\u2028',
  '\u0130\u00df\ufb01',
  'e\u0301',
  '\u001b[31mred\u001b[0m',
  '\u001b]8;;https://example.com\u0007link\u001b]8;;\u0007',
  '__proto__',
  'constructor',
  'toString',
  'length',
  '0',
  '-1',
  '1e400',
  'NaN',
  'null',
  'true',
  '{}',
  '[]',
  '{"a": 1}',
  '{"a": ',
  "{'a': None}",
  '[1, 2',
  '"text"',
  '$ref',
  '#/$defs/a',
  'a.b[0]["c"]',
  '<tool_call>{"name": "f", "arguments": {}}</tool_call>',
  '<tool_call>',
  '</think>',
  '```json\n{}\n```',
  '2024-02-30',
  '2024-05-16T25:00:00Z',
  '$1,234.50',
  '12%',
  'x'.repeat(300),
];

const ODD_NUMBERS = [0, -0, 1, -1, 0.1, 1.5, 1e21, -1e300, 5e-324, 2 ** 31, 2 ** 53, 2 ** 53 + 2, 2 ** 64, 1e308];

const WORDS = ['a', 'b', 'id', 'name', 'type', 'text', 'role', 'user', 'content', 'tool', 'Oslo', '5', 'f', 'search'];

/** A text: a word, something odd, or both. */
export function anyText(random) {
  if (random.chance(0.6)) return random.pick(WORDS);
  const odd = random.pick(ODD_TEXTS);
  return random.chance(0.3) ? `${random.pick(WORDS)}${odd}${random.pick(WORDS)}` : odd;
}

export function anyNumber(random) {
  return random.chance(0.5) ? random.between(-3, 12) : random.pick(ODD_NUMBERS);
}

/** Any JSON value, of at most `depth` levels below it. */
export function anyJson(random, depth = 2) {
  const kind = random.below(depth > 0 ? 8 : 5);
  if (kind === 0) return null;
  if (kind === 1) return random.chance(0.5);
  if (kind === 2) return anyNumber(random);
  if (kind <= 4) return anyText(random);
  if (kind <= 5) return random.list(0, 3, () => anyJson(random, depth - 1));
  return anyObject(random, depth - 1);
}

export function anyObject(random, depth = 1) {
  return Object.fromEntries(random.list(0, 3, () => [anyText(random), anyJson(random, depth)]));
}
