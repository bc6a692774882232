/**
 * `npm run pack -- NAME [FOLDER]`: makes the package that npm publishes of `packages/NAME`, and checks it with publint and
 * attw. NAME may be the tag of a release (`sdk-v0.2.0`), whose version must be that of the manifest. In the repository Node runs the TypeScript sources; a published package needs JavaScript and declarations.
 * Prints the size of its JavaScript, and exits with 1 if that is above the bar.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { packageOfTag, publishedManifest, publishedReadme } from './pack/manifest.ts';
import { gzippedBytes } from './pack/size.ts';
import { root } from './servers/server.ts';

/** Gzipped, without comments, not minified: what a browser would load at most. A fifth above the day it was set. */
const bytesMax: Readonly<Record<string, number>> = { ern: 40_000, sdk: 20_000 };

/** A program of the repository's own node_modules. */
const run = (program: string, ...parameters: string[]): void => {
  execFileSync(join(root, 'node_modules/.bin', program), parameters, { stdio: 'inherit' });
};

const compile = (source: string, target: string, ...parameters: string[]): void =>
  run('tsc', '--project', join(source, 'tsconfig.build.json'), '--outDir', target, ...parameters);

async function refuseProblems(target: string): Promise<void> {
  const { messages, pkg } = await publint({ pkgDir: target, strict: true });
  if (pkg === undefined) throw new Error(`publint found no package in ${target}`);
  if (messages.length > 0) {
    throw new Error(messages.map((message) => formatMessage(message, pkg)).join('\n'));
  }
  // A program has no types that somebody could import.
  if (pkg['exports'] === undefined) return;
  // The package is for ECMAScript modules: `require` finds them too, in newer versions of Node.
  run('attw', '--pack', target, '--profile', 'esm-only');
}

const [wanted = '', folder] = process.argv.slice(2);
const name = wanted.includes('-v') ? packageOfTag(wanted) : wanted;
const source = join(root, 'packages', name);
if (name === '' || !existsSync(join(source, 'tsconfig.build.json'))) {
  console.error('Usage: npm run pack -- NAME [FOLDER], for example npm run pack -- sdk');
  process.exit(2);
}
const target = resolve(folder ?? join(source, '.package'));
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
// Comments are for declarations: editors show them there.
compile(source, join(target, 'dist'), '--removeComments', '--declaration', 'false');
compile(source, join(target, 'dist'), '--emitDeclarationOnly');
writeFileSync(join(target, 'package.json'), publishedManifest(name));
writeFileSync(join(target, 'README.md'), publishedReadme(name));
cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
await refuseProblems(target);

const bytes = gzippedBytes(join(target, 'dist'));
const bar = bytesMax[name] ?? Infinity;
console.log(`${target} is ready for npm publish`);
console.log(`its JavaScript has ${bytes} bytes, gzipped (bar ${bar})`);
if (bytes > bar) process.exitCode = 1;
