/** Every file of the site, and the manifest that the api reads. */

import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ManifestEntry } from '../../apps/service/src/platform/http/rendered-guides.ts';

export type SiteFile = ManifestEntry & { readonly content: string };

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  ts: 'text/plain; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};

const typeOf = (file: string): string => types[file.split('.').at(-1) ?? ''] ?? 'text/plain';

export const page = (path: string, file: string, content: string): SiteFile => ({
  path,
  file,
  content,
  type: typeOf(file),
  cache: 'short',
  namesOrigin: false,
});

const hashOf = (content: string): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 16);

/** `guides.css` becomes `guides.HASH.css`. */
export function asset(name: string, content: string): SiteFile {
  const [stem = '', extension = ''] = name.split('.', 2);
  const file = `assets/${stem}.${hashOf(content)}.${extension}`;
  return { ...page(`/docs/guides/${file}`, file, content), cache: 'forever' };
}

/** Written beside the folder first: a failed run leaves the site that was there. */
export async function writeSite(folder: string, files: readonly SiteFile[]): Promise<void> {
  const fresh = `${folder}.${process.pid}`;
  rmSync(fresh, { recursive: true, force: true });
  for (const name of ['assets', 'examples']) mkdirSync(join(fresh, name), { recursive: true });
  await Promise.all(files.map(({ file, content }) => writeFile(join(fresh, file), content)));
  const manifest = files.map(({ path, file, type, cache, namesOrigin }): ManifestEntry => ({
    path,
    file,
    type,
    cache,
    namesOrigin,
  }));
  await writeFile(join(fresh, 'manifest.json'), JSON.stringify(manifest, undefined, 1));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  renameSync(fresh, folder);
}
