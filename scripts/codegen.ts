/**
 * `npm run codegen [-- FILE]`: lints the OpenAPI document with Redocly and Spectral, generates TypeScript with
 * openapi-typescript and hey-api, and compiles what a partner would write with it (`tools/codegen/usage`). Compares the
 * generated files of the SDK with the document. Prints its figures as one JSON object, and exits with 1 if one misses its bar. Needs `npm ci --prefix tools/codegen` once.
 */

import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Document } from './codegen/sdk/document.ts';
import { staleFiles } from './codegen/sdk/files.ts';
import {
  compileUsage,
  generate,
  type Generator,
  lintWithRedocly,
  lintWithSpectral,
  type Problems,
  toolsFolder,
} from './codegen/tools.ts';
import { type Bar, missed } from './experiments/verdict.ts';
import { root } from './servers/server.ts';

/** Sizes are a fifth to a third above those of the day they were set: a document that repeats itself again fails. */
const bar: Bar = {
  document_bytes: { atMost: 950_000 },
  redocly_problems: { equals: 0 },
  spectral_problems: { equals: 0 },
  openapi_typescript_lines: { atMost: 27_500 },
  openapi_typescript_errors: { equals: 0 },
  openapi_typescript_mistakes: { atLeast: 6 },
  hey_api_lines: { atMost: 29_500 },
  hey_api_errors: { equals: 0 },
  hey_api_mistakes: { atLeast: 6 },
  sdk_stale_files: { equals: 0 },
};

const list = (name: string, problems: Problems): number => {
  for (const line of problems) console.error(`${name}: ${line}`);
  return problems.length;
};

async function judgeGenerator(generator: Generator, document: string, folder: string) {
  const lines = await generate(generator, document, folder).catch(String);
  const problems = typeof lines === 'string' ? [lines] : await compileUsage(generator, folder);
  const errors = list(generator, problems);
  const usage = await readFile(join(toolsFolder, 'usage', `${generator}.ts`), 'utf8');
  // The compiler reports an expected error that does not happen, so every one of these was refused.
  const mistakes = usage.split('\n').filter((line) => /^ *\/\/ @ts-expect-error/.test(line)).length;
  return { lines, errors, mistakes };
}

/** The SDK in this repository must be that of the document. */
async function sdkProblems(document: string): Promise<Problems> {
  const files = await staleFiles(JSON.parse(document) as Document);
  return files.map((file) => `${file} is stale. Run: npm run codegen:sdk`);
}

async function judge(document: string, folder: string) {
  // Minified, and without the name of a folder that the tools would print.
  const minified = JSON.stringify(JSON.parse(await readFile(document, 'utf8')));
  const copy = join(folder, 'openapi.json');
  await writeFile(copy, minified);
  const [redocly, types] = await Promise.all([
    lintWithRedocly(copy),
    judgeGenerator('openapi-typescript', copy, folder),
  ]);
  const [spectral, client] = await Promise.all([
    lintWithSpectral(copy),
    judgeGenerator('hey-api', copy, folder),
  ]);
  return {
    document_bytes: Buffer.byteLength(minified),
    redocly_problems: list('redocly', redocly),
    spectral_problems: list('spectral', spectral),
    openapi_typescript_lines: types.lines,
    openapi_typescript_errors: types.errors,
    openapi_typescript_mistakes: types.mistakes,
    hey_api_lines: client.lines,
    hey_api_errors: client.errors,
    hey_api_mistakes: client.mistakes,
    sdk_stale_files: list('sdk', await sdkProblems(minified)),
  };
}

if (!existsSync(join(toolsFolder, 'node_modules'))) {
  console.error('The tools are not installed. Run: npm ci --prefix tools/codegen');
  process.exit(2);
}
const begun = Date.now();
const folder = await mkdtemp(join(tmpdir(), 'codegen-'));
try {
  const figures = await judge(
    resolve(process.argv[2] ?? join(root, 'openapi/openapi.json')),
    folder,
  );
  const misses = missed(bar, figures);
  const seconds = Math.round((Date.now() - begun) / 100) / 10;
  console.log(JSON.stringify({ figures, bar, held: misses.length === 0, missed: misses, seconds }));
  if (misses.length > 0) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true });
}
