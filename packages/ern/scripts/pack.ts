/**
 * `npm run pack:ern [-- FOLDER]`: makes the package that npm publishes, and checks it with publint and attw. In the
 * repository Node runs the TypeScript sources; a published package needs JavaScript and declarations.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const packageFolder = join(import.meta.dirname, '..');
const repository = join(packageFolder, '../..');
const target = resolve(process.argv[2] ?? join(packageFolder, '.package'));

/** A program of the repository's own node_modules. */
const run = (program: string, ...parameters: string[]): void => {
  execFileSync(join(repository, 'node_modules/.bin', program), parameters, { stdio: 'inherit' });
};

type Manifest = { readonly [key: string]: unknown };

/** What the repository's manifest says, with the compiled files in place of the sources. */
function publishedManifest(): Manifest {
  const path = join(packageFolder, 'package.json');
  const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  return {
    ...manifest,
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    files: ['dist'],
    sideEffects: false,
  };
}

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
run(
  'tsc',
  '--project',
  join(packageFolder, 'tsconfig.build.json'),
  '--outDir',
  join(target, 'dist'),
);
writeFileSync(join(target, 'package.json'), `${JSON.stringify(publishedManifest(), null, 2)}\n`);
cpSync(join(packageFolder, 'README.md'), join(target, 'README.md'));
cpSync(join(repository, 'LICENSE'), join(target, 'LICENSE'));

const { messages, pkg } = await publint({ pkgDir: target, strict: true });
if (pkg === undefined) throw new Error(`publint found no package in ${target}`);
if (messages.length > 0) {
  throw new Error(messages.map((message) => formatMessage(message, pkg)).join('\n'));
}
// The package is for ECMAScript modules: `require` finds them too, in every version of Node that it supports.
run('attw', '--pack', target, '--profile', 'esm-only');
process.stdout.write(`${target} is ready for npm publish\n`);
