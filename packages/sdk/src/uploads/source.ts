/** What can be uploaded, read part by part. */

import { TonearmError } from '../core/errors.ts';

/** A path (Node, Deno and Bun), a `Blob` or `File`, bytes, or a stream. */
export type UploadSource =
  | string
  | Blob
  | Uint8Array
  | ArrayBuffer
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

/** Parts are read in their order. One that is read stays readable for as long as it is held. */
export type PartReader = {
  readonly size: number;
  /** The name of the file, if the source has one. */
  readonly name: string | undefined;
  readonly contentType: string | undefined;
  readonly read: (start: number, end: number) => Promise<Blob>;
};

/** `size` is for a stream: without it, the whole stream is held in memory, because the API must know its size at first. */
export async function readerOf(source: UploadSource, size?: number): Promise<PartReader> {
  if (typeof source === 'string') {
    const { blobOfFile } = await import('#file');
    const { blob, name } = await blobOfFile(source);
    return readerOfBlob(blob, name);
  }
  if (source instanceof Blob) return readerOfBlob(source, (source as Partial<File>).name);
  if (source instanceof Uint8Array || source instanceof ArrayBuffer) {
    return readerOfBlob(new Blob([source]), undefined);
  }
  if (size === undefined) return readerOfBlob(await blobOfStream(source), undefined);
  return readerOfStream(source, size);
}

const readerOfBlob = (blob: Blob, name: string | undefined): PartReader => ({
  size: blob.size,
  name,
  contentType: blob.type === '' ? undefined : blob.type,
  read: async (start, end) => blob.slice(start, end),
});

/** Not shared with another thread: `Blob` takes no others. */
type Bytes = Uint8Array<ArrayBuffer>;
type Chunks = AsyncIterator<Uint8Array>;

const chunksOf = (stream: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): Chunks =>
  'getReader' in stream ? chunksOfReader(stream) : stream[Symbol.asyncIterator]();

/** Not every browser can iterate over a stream. */
async function* chunksOfReader(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

async function blobOfStream(
  stream: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<Blob> {
  const chunks = chunksOf(stream);
  const pieces: Bytes[] = [];
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    pieces.push(next.value as Bytes);
  }
  return new Blob(pieces);
}

function readerOfStream(
  stream: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
  size: number,
): PartReader {
  const chunks = chunksOf(stream);
  let position = 0;
  let rest = new Uint8Array() as Uint8Array;

  /** Takes bytes up to `end`, and hands them to `keep` from `start` on. */
  const take = async (start: number, end: number): Promise<Blob> => {
    const pieces: Bytes[] = [];
    while (position < end) {
      if (rest.length === 0) {
        const next = await chunks.next();
        if (next.done)
          throw new TonearmError(`The stream ended after ${position} of ${size} bytes.`);
        rest = next.value;
      }
      const piece = rest.subarray(0, end - position);
      rest = rest.subarray(piece.length);
      const skipped = Math.max(0, start - position);
      position += piece.length;
      if (skipped < piece.length) pieces.push(piece.slice(skipped));
    }
    return new Blob(pieces);
  };
  let previous: Promise<unknown> = Promise.resolve();
  return {
    size,
    name: undefined,
    contentType: undefined,
    // A stream is read by one at a time.
    read: (start, end) => {
      const part = previous.then(() => take(start, end));
      previous = part.catch(() => undefined);
      return part;
    },
  };
}
