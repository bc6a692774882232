/** The model without some of its values: what a reader can know of a message that left them out. */

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Lists of which all was left out are absent, except those that the model always has. */
const alwaysThere = new Set(['roles', 'deals', 'artists', 'commercialModels', 'useTypes']);

export function prune(model: unknown, pointers: readonly string[]): unknown {
  return pruneAt(model as Json, '', new Set(pointers));
}

function pruneAt(value: Json, pointer: string, dropped: ReadonlySet<string>): Json | undefined {
  if (dropped.has(pointer)) return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) {
    return value.flatMap((item, i): Json[] => {
      const pruned = pruneAt(item, `${pointer}/${i}`, dropped);
      return pruned === undefined ? [] : [pruned];
    });
  }
  const members = Object.entries(value).flatMap(([key, member]): [string, Json][] => {
    const pruned = pruneAt(member, `${pointer}/${key}`, dropped);
    const isGone = isEmptyList(pruned) && !isEmptyList(member) && !alwaysThere.has(key);
    return pruned === undefined || isGone ? [] : [[key, pruned]];
  });
  // An object of which nothing is left was left out itself.
  return members.every(([, member]) => isEmptyList(member)) && Object.keys(value).length > 0
    ? undefined
    : Object.fromEntries(members);
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
const isEmptyList = (value: Json | undefined): boolean =>
  Array.isArray(value) && value.length === 0;
