/**
 * Files, by key. Partners and stores reach them only through signed URLs, which bind the method, the file and the time
 * limit. The bytes never pass through the api.
 */

import type { Readable } from 'node:stream';

/** A range is in memory as a whole. */
export const rangeBytesMax = 64 * 1024 * 1024;

type FileInfo = { readonly sizeBytes: number };

export type UploadPart = { readonly partNumber: number; readonly etag: string };
/** With its quotes, which many HTTP clients remove. */
export const quoteEtag = (etag: string): string => `"${etag.replaceAll('"', '')}"`;

export type StoredPart = UploadPart & { readonly sizeBytes: number };

/** The exact type and length of the body: the storage refuses any other. */
type PutTerms = {
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly expiresInSeconds: number;
};

type PartTerms = {
  readonly uploadId: string;
  readonly partNumber: number;
  readonly sizeBytes: number;
  readonly expiresInSeconds: number;
};

export type Storage = {
  readonly presignPut: (key: string, terms: PutTerms) => Promise<string>;
  readonly presignPart: (key: string, terms: PartTerms) => Promise<string>;
  /** `fileName`: the name under which a browser saves it. */
  readonly presignGet: (key: string, fileName: string, expiresInSeconds: number) => Promise<string>;
  readonly openMultipart: (key: string, contentType: string) => Promise<string>;
  /** What was uploaded so far, by part number; undefined if there is no such upload, or it is finished. */
  readonly listParts: (key: string, uploadId: string) => Promise<readonly StoredPart[] | undefined>;
  /** Safe to repeat. Throws `IncompleteUpload` if the parts are not those that were uploaded. */
  readonly finishMultipart: (
    key: string,
    uploadId: string,
    parts: readonly UploadPart[],
  ) => Promise<void>;
  readonly abandonMultipart: (key: string, uploadId: string) => Promise<void>;
  readonly find: (key: string) => Promise<FileInfo | undefined>;
  readonly read: (key: string) => Promise<Readable>;
  /** The bytes from `start` up to `endExclusive`, at most `rangeBytesMax`. Rejects if the file has fewer. */
  readonly readRange: (key: string, start: number, endExclusive: number) => Promise<Buffer>;
  readonly copy: (from: string, to: string) => Promise<void>;
  readonly list: (prefix: string) => Promise<readonly string[]>;
  /** Every key below a prefix that ends with a slash, in order; the first `max` of them. */
  readonly listBelow: (prefix: string, max: number) => Promise<readonly string[]>;
  readonly remove: (key: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The parts that the client listed are not the parts that were uploaded. */
export class IncompleteUpload extends Error {
  override readonly name = 'IncompleteUpload';
}

/** The storage cannot be reached or does not answer now. Nothing is wrong with the request. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
}
