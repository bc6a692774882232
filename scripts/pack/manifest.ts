/**
 * What npm publishes beside the compiled files: the repository's manifest of a package with those files in place of the
 * sources, and its README with links that lead somewhere on npm too.
 */

import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from '../servers/server.ts';

type Targets = string | { readonly [condition: string]: Targets };
type Manifest = {
  /** A program has none: it is started, not imported. */
  readonly exports?: { readonly [path: string]: string };
  readonly imports?: Targets;
  readonly bin?: Targets;
  readonly version?: string;
  readonly [key: string]: unknown;
};

type Repository = { readonly type: string; readonly url: string };

export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

const repository = readManifest(root)['repository'] as Repository;
const website = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');

/** `name`: of the folder in `packages`. */
export function publishedManifest(name: string): string {
  const directory = `packages/${name}`;
  const { devDependencies: _, ...manifest } = readManifest(join(root, directory));
  const published = {
    ...manifest,
    repository: { ...repository, directory },
    homepage: `${website}/tree/main/${directory}#readme`,
    bugs: `${website}/issues`,
    ...(manifest.exports !== undefined && { exports: compiledExports(manifest.exports) }),
    ...(manifest.imports !== undefined && { imports: compiledTargets(manifest.imports) }),
    ...(manifest.bin !== undefined && { bin: compiledTargets(manifest.bin) }),
    files: ['dist'],
    sideEffects: false,
  };
  return `${JSON.stringify(published, null, 2)}\n`;
}

const compiledExports = (exports: { readonly [path: string]: string }) =>
  Object.fromEntries(
    Object.entries(exports).map(([path, file]) => [path, withTypes(compiled(file))]),
  );

const compiled = (file: string): string =>
  file.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, '.js');

const withTypes = (file: string) => ({ types: file.replace(/\.js$/, '.d.ts'), default: file });

const compiledTargets = (targets: Targets): Targets =>
  typeof targets === 'string'
    ? compiled(targets)
    : Object.fromEntries(
        Object.entries(targets).map(([condition, each]) => [condition, compiledTargets(each)]),
      );

/** Links to other files of the repository become links to its website. */
export const publishedReadme = (name: string): string =>
  readFileSync(join(root, 'packages', name, 'README.md'), 'utf8').replaceAll(
    /\]\((?!https?:|#)([^)\s]+)\)/g,
    (_, link: string) => `](${website}/blob/main/${posix.join('packages', name, link)})`,
  );

/** What a tag such as `sdk-v0.2.0` publishes. Throws if the version of the manifest is another one. */
export function packageOfTag(tag: string): string {
  const [, name = '', version] = /^([a-z]+)-v(\d+\.\d+\.\d+)$/.exec(tag) ?? [];
  if (version === undefined) throw new Error(`${tag} is no tag such as sdk-v0.2.0.`);
  const { version: written } = readManifest(join(root, 'packages', name));
  if (written !== version)
    throw new Error(`${tag} is tagged, but packages/${name}/package.json has ${String(written)}.`);
  return name;
}
