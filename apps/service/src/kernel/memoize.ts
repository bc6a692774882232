/** Caches the results of a function, by the identity of its argument. For one piece of work: nothing is forgotten. */
export function memoize<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const cached = known.get(key);
    if (cached !== undefined) return cached;
    const value = compute(key);
    known.set(key, value);
    return value;
  };
}
