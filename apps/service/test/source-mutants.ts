/** Imports a copy of a source file with a mistake in it, to show that a test finds the mistake. Writes no file. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** A text that the source has once, and what stands there instead. */
export type Mutant = readonly [text: string, replacement: string];

function mutate(source: string, [text, replacement]: Mutant): string {
  const [before = '', after, ...others] = source.split(text);
  assert.ok(after !== undefined && others.length === 0, `the source has this once: ${text}`);
  return before + replacement + after;
}

/** `source` is the URL of the file. The files that it imports are not copied. */
export async function importMutant<Module>(source: URL, mutant: Mutant): Promise<Module> {
  const url = new URL(source);
  // A module is loaded once for each URL.
  url.searchParams.set('mutant', JSON.stringify(mutant));
  const hooks = registerHooks({
    load: (loadedUrl, context, nextLoad) => {
      const loaded = nextLoad(loadedUrl, context);
      if (loadedUrl !== url.href) return loaded;
      return { ...loaded, source: mutate(readFileSync(source, 'utf8'), mutant) };
    },
  });
  try {
    return (await import(url.href)) as Module;
  } finally {
    hooks.deregister();
  }
}
