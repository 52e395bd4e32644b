// What callers hand in by name, and how they end things: checks and symbols that all entries share.

/** As the transpiled component has it: not every browser knows the symbol. */
export const DISPOSE = Symbol.dispose ?? Symbol.for('dispose');
export const ASYNC_DISPOSE = Symbol.asyncDispose ?? Symbol.for('asyncDispose');

/** The options of a call, or none. A name that is not known is refused with the nearest one that is. */
export function options(called, given, names) {
  if (given === undefined || given === null) return {};
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw new TypeError(`the options of ${called} are an object with ${names.join(', ')}, not ${JSON.stringify(given) ?? typeof given}`);
  }
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    const [nearest] = names.map((one) => [distance(name, one), one]).sort(([a], [b]) => a - b)
      .filter(([steps, one]) => steps <= Math.max(1, one.length / 3)).map(([, one]) => one);
    throw new TypeError(`${called} has no option '${name}': ${nearest ? `did you mean '${nearest}'?` : `it has ${names.join(', ')}`}`);
  }
  return given;
}

/** Letters to add, leave out or change to make one name of the other. Case and underscores do not count. */
function distance(one, other) {
  const [a, b] = [one, other].map((name) => name.replaceAll('_', '').toLowerCase());
  let row = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 0; i < a.length; i++) {
    const above = row;
    row = [i + 1];
    for (let j = 0; j < b.length; j++) row.push(Math.min(above[j] + (a[i] === b[j] ? 0 : 1), above[j + 1] + 1, row[j] + 1));
  }
  return row[b.length];
}
