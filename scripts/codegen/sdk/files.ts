/** `packages/sdk/src/generated`: all its files, formatted. */

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../servers/server.ts';
import type { Document } from './document.ts';
import { generateResources } from './resources.ts';
import { generateTypes } from './types.ts';

const generatedFolder = join(root, 'packages/sdk/src/generated');

const notice =
  '/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */\n\n';

type Files = ReadonlyMap<string, string>;

/** Writes the files. Returns how many. */
export async function writeSdk(document: Document): Promise<number> {
  const files = await generate(document);
  await rm(generatedFolder, { recursive: true, force: true });
  await writeAll(generatedFolder, files);
  return files.size;
}

/** The files that differ from what the document says, are missing, or belong to nothing. */
export async function staleFiles(document: Document): Promise<readonly string[]> {
  const [expected, actual] = await Promise.all([generate(document), readAll(generatedFolder)]);
  const names = new Set([...expected.keys(), ...actual.keys()]);
  return [...names].filter((name) => expected.get(name) !== actual.get(name));
}

async function generate(document: Document): Promise<Files> {
  const files = new Map([['schema.ts', await generateTypes(document)]]);
  for (const [name, text] of generateResources(document)) files.set(`resources/${name}`, text);
  return formatted(files);
}

async function formatted(files: Files): Promise<Files> {
  const folder = await mkdtemp(join(tmpdir(), 'sdk-'));
  try {
    await writeAll(folder, new Map([...files].map(([name, text]) => [name, notice + text])));
    await promisify(execFile)(
      join(root, 'node_modules/.bin/oxfmt'),
      [`--config=${join(root, '.oxfmtrc.json')}`, '.'],
      { cwd: folder },
    );
    return await readAll(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function writeAll(folder: string, files: Files): Promise<void> {
  for (const [name, text] of files) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

async function readAll(folder: string): Promise<Files> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const texts = names.map(
    async (name) => [name, await readFile(join(folder, name), 'utf8')] as const,
  );
  return new Map(await Promise.all(texts));
}
