/** Compares an example with what the service really sends: the same fields with the same types, at every depth. */

/** Their keys are chosen by partners, stores or browsers; only the types of their values are compared. */
const maps = new Set(['metadata', 'store_profiles', 'localized_titles', 'headers', 'minimum']);

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

/** What differs, as sentences. Null has no shape: a field that is null in one of them only is not a difference. */
export function shapeDifferences(example: unknown, real: unknown, at = '$'): string[] {
  const types = [typeOf(example), typeOf(real)];
  if (types.includes('null')) return [];
  if (types[0] !== types[1]) return [`${at} is ${types[0]} in the example, ${types[1]} in reality`];
  if (Array.isArray(example) && Array.isArray(real)) return itemDifferences(example, real, at);
  if (types[0] !== 'object') return [];
  return fieldDifferences(example as Fields, real as Fields, at);
}

type Fields = Readonly<Record<string, unknown>>;

/** Each item of one list must have the shape of an item of the other, because items may be of several forms. */
function itemDifferences(example: readonly unknown[], real: readonly unknown[], at: string) {
  if (real.length === 0) return [];
  return example.flatMap((item, i) => {
    const differences = real.map((other) => shapeDifferences(item, other, `${at}[${i}]`));
    return differences.toSorted((a, b) => a.length - b.length)[0] ?? [];
  });
}

function fieldDifferences(example: Fields, real: Fields, at: string): string[] {
  const isMap = maps.has(at.slice(at.lastIndexOf('.') + 1));
  const missing = (one: Fields, other: Fields) =>
    Object.keys(one).filter((name) => !isMap && !Object.hasOwn(other, name));
  return [
    ...missing(example, real).map((name) => `${at}.${name} is only in the example`),
    ...missing(real, example).map((name) => `${at}.${name} is only in reality`),
    ...Object.keys(example)
      .filter((name) => Object.hasOwn(real, name))
      .flatMap((name) => shapeDifferences(example[name], real[name], `${at}.${name}`)),
  ];
}
