/** Encodes with ffmpeg what is too complex to write by hand: FLAC, ALAC, and the codecs that the service refuses. */

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

/** Uses one process for all outputs of the same inputs: starting ffmpeg takes longer than each of these encodings. */
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
  // The keys are the names of the outputs, which the type of Object.fromEntries does not keep.
  return Object.fromEntries(files) as Readonly<Record<T[number]['file'], Buffer>>;
}
