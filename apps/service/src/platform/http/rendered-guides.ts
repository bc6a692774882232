/**
 * The guides as `npm run guides` rendered them: a folder with a manifest. They are read once,
 * when the api starts, so that a folder that is rendered again meanwhile does not mix two versions.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One file in the manifest. */
export type ManifestEntry = {
  /** The path at which the api serves it. */
  readonly path: string;
  /** Its name in the folder. */
  readonly file: string;
  readonly type: string;
  /** `forever`: the name contains a hash of the content. */
  readonly cache: 'short' | 'forever';
  /** Whether the api must replace `originPlaceholder`. */
  readonly namesOrigin: boolean;
};

/** Stands for the address that partners use, which is not known when the guides are rendered. */
export const originPlaceholder = 'https://origin.invalid';

export type GuideFile = Pick<ManifestEntry, 'type' | 'cache' | 'namesOrigin'> & {
  readonly text: string;
};

/** By path. Undefined: the guides were not rendered. */
export function loadGuides(folder: string): ReadonlyMap<string, GuideFile> | undefined {
  const manifest = join(folder, 'manifest.json');
  if (!existsSync(manifest)) return undefined;
  // The parse boundary: our own renderer wrote it.
  const entries = JSON.parse(readFileSync(manifest, 'utf8')) as readonly ManifestEntry[];
  return new Map(entries.map((entry) => [entry.path, loadFile(folder, entry)]));
}

function loadFile(folder: string, { file, type, cache, namesOrigin }: ManifestEntry): GuideFile {
  return { type, cache, namesOrigin, text: readFileSync(join(folder, file), 'utf8') };
}
