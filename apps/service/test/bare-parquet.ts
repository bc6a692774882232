/** Reads rows of a Parquet file on the object store with hyparquet alone, to compare: the metadata is known, decimals are numbers. */

import { zstdDecompressSync } from 'node:zlib';
import { type FileMetaData, parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { Storage } from '../src/platform/storage/storage.ts';

export type BareParquet = {
  readonly sizeBytes: number;
  readonly metadataBytes: number;
  readonly metadataMs: number;
  readonly rows: (rowStart: number, rowEnd: number) => Promise<readonly unknown[]>;
};

const trailerBytes = 8;

export async function openBareParquet(storage: Storage, key: string): Promise<BareParquet> {
  const sizeBytes = (await storage.find(key))?.sizeBytes ?? 0;
  const slice = async (start: number, end = sizeBytes): Promise<ArrayBuffer> => {
    const { buffer } = await storage.readRange(key, start, end);
    // `readRange` allocates each buffer by itself.
    return buffer as ArrayBuffer;
  };
  const tail = Buffer.from(await slice(sizeBytes - trailerBytes));
  const metadataBytes = tail.readUInt32LE(0);
  const footer = await slice(sizeBytes - trailerBytes - metadataBytes);
  const begun = performance.now();
  const metadata: FileMetaData = parquetMetadata(footer);
  const metadataMs = performance.now() - begun;
  const compressors = { ZSTD: (input: Uint8Array) => zstdDecompressSync(input) };
  const file = { byteLength: sizeBytes, slice };
  return {
    sizeBytes,
    metadataBytes,
    metadataMs,
    rows: (rowStart, rowEnd) =>
      parquetReadObjects({ file, metadata, compressors, rowStart, rowEnd }),
  };
}
