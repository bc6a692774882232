/** Compares an example of an output in a guide with what was printed. */

import assert from 'node:assert/strict';

/** The last JSON value of a text: everything from a line that begins with a bracket to the end. */
export function lastJson(printed: string): unknown {
  const starts = [...printed.matchAll(/^[{[]/gm)].map(({ index }) => index);
  for (const start of starts) {
    try {
      return JSON.parse(printed.slice(start));
    } catch {
      // Another value follows this one.
    }
  }
  throw new Error(`no JSON was printed: ${printed}`);
}

type Json = null | boolean | number | string | Json[] | { readonly [key: string]: Json };

const isObject = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The paths of an example that reality does not have, or has with another type. Null stands for any type. */
export function missingPaths(example: Json, real: Json | undefined, path = ''): string[] {
  if (real === undefined) return [path];
  if (example === null || real === null) return [];
  if (Array.isArray(example)) {
    if (!Array.isArray(real)) return [path];
    return example.slice(0, 1).flatMap((item) => missingPaths(item, real[0], `${path}[0]`));
  }
  if (isObject(example)) {
    if (!isObject(real)) return [path];
    return Object.keys(example).flatMap((key) =>
      missingPaths(example[key] ?? null, real[key], `${path}.${key}`),
    );
  }
  return typeof example === typeof real ? [] : [path];
}

/** Ids, digests, times and numbers differ at each run. */
const withoutValues = (line: string): string =>
  line
    .replaceAll(/\b[a-z]{2,4}_[0-9a-z]{26}\b/g, 'ID')
    .replaceAll(/\b[0-9a-f]{32,}\b/g, 'HEX')
    .replaceAll(/\d+/g, '0')
    .trim();

export function assertPrinted(example: string, printed: string): void {
  const lines = new Set(printed.split('\n').map(withoutValues));
  for (const line of example.split('\n').filter((each) => each.trim() !== '')) {
    assert.ok(lines.has(withoutValues(line)), `not printed: ${line}\n${printed}`);
  }
}

export function assertHasKeys(example: string, printed: string): void {
  const missing = missingPaths(JSON.parse(example) as Json, lastJson(printed) as Json);
  assert.deepEqual(missing, [], `${example}\n${printed}`);
}
