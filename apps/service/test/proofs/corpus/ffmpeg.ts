/** ffmpeg as the maker of what nobody should write by hand: FLAC, ALAC, and the codecs we refuse. */

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const timeoutMs = 60_000;

type Output = { readonly file: string; readonly options: readonly string[] };

const quiet = ['-v', 'error', '-nostdin', '-y'];

/** Keeps the encoder's version out of the files. */
const repeatable = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags', '+bitexact'];

/**
 * One process for all outputs of the same inputs: starting ffmpeg costs more than any of these
 * encodings.
 */
export async function encode<const T extends readonly Output[]>(
  folder: string,
  inputs: readonly string[],
  outputs: T,
): Promise<Readonly<Record<T[number]['file'], Buffer>>> {
  const made = outputs.flatMap(({ file, options }) => [...options, ...repeatable, file]);
  await run('ffmpeg', [...quiet, ...inputs, ...made], { cwd: folder, timeout: timeoutMs });
  const files = await Promise.all(
    outputs.map(async ({ file }) => [file, await readFile(join(folder, file))] as const),
  );
  // The keys are the outputs' names, which Object.fromEntries forgets.
  return Object.fromEntries(files) as Readonly<Record<T[number]['file'], Buffer>>;
}
