/** What the repository's manifest of a package says, with the compiled files in place of the sources. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Targets = string | { readonly [condition: string]: Targets };
type Manifest = {
  /** A program has none: it is started, not imported. */
  readonly exports?: { readonly [path: string]: string };
  readonly imports?: Targets;
  readonly bin?: Targets;
  readonly [key: string]: unknown;
};

export function publishedManifest(source: string): string {
  const text = readFileSync(join(source, 'package.json'), 'utf8');
  const { devDependencies: _, ...manifest } = JSON.parse(text) as Manifest;
  const published = {
    ...manifest,
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
