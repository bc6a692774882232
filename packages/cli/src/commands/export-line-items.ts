/**
 * Downloads the line items of a statement. A file grows under the name FILE.part and gets its own name when it is
 * complete: a file with its own name has every line. After a break the next run drops an incomplete last line and
 * continues after the last whole one. Only its owner may read it. A FILE.part that is a link or another user's is refused:
 * somebody may have prepared it.
 */

import { constants, renameSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../context.ts';
import { usageFailure } from '../failure.ts';
import { sizeText } from '../output/units.ts';

export type ExportFormat = 'csv' | 'jsonl';

/** The id of a line item is its first field in both formats. */
const idPattern = /^(?:\{"id":"|"?)(sli_[0-9a-z]+)/;

type Part = { readonly bytes: number; readonly lastId: string | undefined };

/** How much of the file consists of whole lines, and the id of the last. */
async function readPart(file: FileHandle, size: number): Promise<Part> {
  let bytes = 0;
  let lastId: string | undefined;
  const input = file.createReadStream({ start: 0, autoClose: false });
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    const next = bytes + Buffer.byteLength(line) + 1;
    // The last line has no line break if the download broke in it.
    if (next > size) break;
    bytes = next;
    lastId = idPattern.exec(line)?.[1] ?? lastId;
  }
  return { bytes, lastId };
}

type Begun = Part & { readonly file: FileHandle };

/** One descriptor from the check to the last byte: what is at the path may be exchanged meanwhile. */
async function begin(path: string): Promise<Begun> {
  const { O_RDWR, O_NOFOLLOW } = constants;
  try {
    return { file: await open(path, 'wx+', 0o600), bytes: 0, lastId: undefined };
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  const file = await open(path, O_RDWR | O_NOFOLLOW).catch((error: unknown) => {
    throw codeOf(error) === 'ELOOP' ? notOurs(path) : error;
  });
  try {
    const stats = await file.stat();
    const isOwn = stats.uid === (process.getuid?.() ?? stats.uid);
    if (!stats.isFile() || stats.nlink !== 1 || !isOwn) throw notOurs(path);
    await file.chmod(0o600);
    const { bytes, lastId } = await readPart(file, stats.size);
    const kept = lastId === undefined ? 0 : bytes;
    await file.truncate(kept);
    return { file, bytes: kept, lastId };
  } catch (error) {
    await file.close();
    throw error;
  }
}

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

const notOurs = (path: string) =>
  usageFailure(
    `${path} is a link, no file, or another user's.`,
    'remove it, and run the command again to begin anew',
  );

async function download(
  { client, signal }: Context,
  id: string,
  format: ExportFormat,
  after: string | undefined,
) {
  const { statements } = client();
  const query = after === undefined ? {} : { after };
  const response = await (format === 'csv'
    ? statements.exportLineItemsCsv(id, query, { signal })
    : statements.exportLineItems(id, query, { signal }).response());
  if (response.body === null) return Readable.from([]);
  return Readable.fromWeb(response.body);
}

export async function exportLineItems(
  context: Context,
  id: string,
  format: ExportFormat,
  path: string | undefined,
): Promise<void> {
  const { output, signal } = context;
  if (path === undefined) {
    await pipeline(await download(context, id, format, undefined), process.stdout, {
      end: false,
      signal,
    });
    return;
  }
  const partPath = `${path}.part`;
  const { file, bytes, lastId } = await begin(partPath);
  try {
    if (lastId !== undefined) output.note(`Continues after ${lastId}.`);
    const part = file.createWriteStream({ start: bytes, autoClose: false });
    await pipeline(await download(context, id, format, lastId), part, { signal });
  } finally {
    await file.close();
  }
  renameSync(partPath, path);
  const { size } = statSync(path);
  output.result({ statement_id: id, file: path, size_bytes: size }, () => {
    output.line(`${path} has every line item of ${id} (${sizeText(size)}).`);
    output.next(`tonearm get /v1/statements/${id}/proof   (verify it yourself)`);
  });
}
