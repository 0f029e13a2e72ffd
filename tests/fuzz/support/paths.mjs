/** The keys of a path as issues and differences write it: `a.b[2]["odd.key"]`. Undefined where it is no path. */
export function keysOf(path) {
  const keys = [];
  let rest = path;
  while (rest !== '') {
    const step = STEP.exec(rest);
    if (step === null || (step.groups.first !== undefined && keys.length > 0)) return undefined;
    const { first, key, index, quoted } = step.groups;
    keys.push(index !== undefined ? Number(index) : quoted !== undefined ? JSON.parse(quoted) : (first ?? key));
    rest = rest.slice(step[0].length);
  }
  return keys;
}

const STEP = /^(?:(?<first>[^.[]+)|\.(?<key>[^.[]+)|\[(?<index>\d+)\]|\[(?<quoted>"(?:[^"\\]|\\.)*")\])/;

/** The value at these keys; undefined where there is none. */
export function valueAt(value, keys) {
  return keys.reduce(
    (holder, key) => (isHolder(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined),
    value,
  );
}

function isHolder(value) {
  return typeof value === 'object' && value !== null;
}
