/**
 * Downloads the line items of a statement. A file grows under the name FILE.part and gets its own name when it is
 * complete: a file with its own name has every line. After a break the next run drops an incomplete last line and
 * continues after the last whole one. Only its owner may read it. A link at FILE.part is refused: somebody may have prepared
 * it, and to continue changes the file that it leads to.
 */

import {
  createReadStream,
  createWriteStream,
  lstatSync,
  renameSync,
  statSync,
  truncateSync,
} from 'node:fs';
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

type Begun = { readonly isNew: boolean; readonly lastId: string | undefined };

/** How much of the file consists of whole lines, and the id of the last. */
async function readPart(path: string): Promise<Part> {
  let bytes = 0;
  let lastId: string | undefined;
  const size = statSync(path).size;
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  for await (const line of lines) {
    const next = bytes + Buffer.byteLength(line) + 1;
    // The last line has no line break if the download broke in it.
    if (next > size) break;
    bytes = next;
    lastId = idPattern.exec(line)?.[1] ?? lastId;
  }
  return { bytes, lastId };
}

async function resume(path: string): Promise<Begun> {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { isNew: true, lastId: undefined };
  if (!stats.isFile()) {
    throw usageFailure(
      `${path} is a link or no file.`,
      'remove it, and run the command again to begin anew',
    );
  }
  const { bytes, lastId } = await readPart(path);
  truncateSync(path, lastId === undefined ? 0 : bytes);
  return { isNew: false, lastId };
}

async function open(
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
    await pipeline(await open(context, id, format, undefined), process.stdout, {
      end: false,
      signal,
    });
    return;
  }
  const partPath = `${path}.part`;
  const { isNew, lastId } = await resume(partPath);
  if (lastId !== undefined) output.note(`Continues after ${lastId}.`);
  const part = { flags: isNew ? 'wx' : 'a', mode: 0o600 };
  await pipeline(await open(context, id, format, lastId), createWriteStream(partPath, part), {
    signal,
  });
  renameSync(partPath, path);
  const { size } = statSync(path);
  output.result({ statement_id: id, file: path, size_bytes: size }, () => {
    output.line(`${path} has every line item of ${id} (${sizeText(size)}).`);
    output.next(`tonearm get /v1/statements/${id}/proof   (verify it yourself)`);
  });
}
