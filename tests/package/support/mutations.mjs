/** What the nodes of a value are replaced by: values of every type. */
export const OTHERS = [null, true, 5, -0.5, 'text', '', [], {}, [[null]], { a: { b: 1 } }, [5, 'x', {}]];

/** Each value that differs from `value` in one node, which is replaced by one of {@link OTHERS}, with the node's place. */
export function* mutations(value) {
  for (const other of OTHERS) yield ['', other];
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    const member = value[key];
    for (const [place, changed] of mutations(member)) yield [`.${key}${place}`, replaced(value, key, changed)];
    yield [`.${key} removed`, removed(value, key)];
  }
}

function replaced(value, key, member) {
  return Array.isArray(value) ? value.with(Number(key), member) : { ...value, [key]: member };
}

function removed(value, key) {
  return Array.isArray(value)
    ? value.toSpliced(Number(key), 1)
    : Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}
