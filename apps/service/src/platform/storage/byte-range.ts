/** A part of a file, in memory as a whole. */

import type { Readable } from 'node:stream';
import { storageFailures } from '../telemetry/instruments.ts';
import { rangeBytesMax, StorageUnavailable } from './storage.ts';

export function requireRange(start: number, endExclusive: number): void {
  const sizeBytes = endExclusive - start;
  const isWhole = Number.isSafeInteger(start) && Number.isSafeInteger(endExclusive);
  if (!isWhole || start < 0 || sizeBytes < 1 || sizeBytes > rangeBytesMax) {
    throw new RangeError(`bytes ${start} to ${endExclusive} are not a range of 1 byte to 64 MiB`);
  }
}

/** The end is included, as in HTTP and in `createReadStream`. */
export type FileRange = { readonly start: number; readonly end: number };

/** Undefined: the whole file, as S3 answers also to several ranges and to a header that is not one (RFC 9110 §14). */
export function rangeOf(
  header: string | undefined,
  sizeBytes: number,
): FileRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== '' && first !== '' && Number(last) < start) return undefined;
  return start > end ? 'unsatisfiable' : { start, end };
}

/** Rejects if the body is longer, as from a server that ignores ranges, or ends early. */
export async function readExactly(body: Readable, sizeBytes: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  let length = 0;
  // Leaving the loop destroys the body.
  for await (const chunk of answering(body)) {
    if (length + chunk.length > sizeBytes) throw new Error('the storage sent more than the range');
    chunk.copy(bytes, length);
    length += chunk.length;
  }
  if (length < sizeBytes) throw new Error(`the storage sent ${length} of ${sizeBytes} bytes`);
  return bytes;
}

/** The connection may break after the headers of the answer, which the client does not report as a failure. */
async function* answering(body: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of body) yield chunk as Buffer;
  } catch (error) {
    if (isMissingFile(error)) throw error;
    storageFailures().add(1);
    throw new StorageUnavailable('the storage stopped answering', { cause: error });
  }
}

const isMissingFile = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
