/** Where the command line keeps how far the import of a folder has come. */

import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Home } from './run-cli.ts';

export function importStateOf(home: Home, folder: string) {
  const states = join(home.folder, 'state', 'tonearm', 'imports');
  const real = realpathSync(join(home.folder, folder));
  for (const name of readdirSync(states)) {
    const path = join(states, name);
    const state = JSON.parse(readFileSync(path, 'utf8'));
    if (state.folder === real) return { path, state };
  }
  throw new Error(`${folder} was not imported`);
}
