/**
 * Files, by key. Partners and stores reach them only through signed addresses, which bind what may be
 * done, to which file, until when; bytes never pass through the api.
 */

import type { Readable } from 'node:stream';

type FileInfo = { readonly sizeBytes: number };

export type UploadPart = { readonly partNumber: number; readonly etag: string };

/** What exactly may be put: the store refuses any other length or type. */
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
  /** `fileName` is what a person's browser saves it as. */
  readonly presignGet: (key: string, fileName: string, expiresInSeconds: number) => Promise<string>;
  readonly openMultipart: (key: string, contentType: string) => Promise<string>;
  /** Safe to repeat. Throws `IncompleteUpload` when the parts are not those that were sent. */
  readonly finishMultipart: (
    key: string,
    uploadId: string,
    parts: readonly UploadPart[],
  ) => Promise<void>;
  readonly abandonMultipart: (key: string, uploadId: string) => Promise<void>;
  readonly find: (key: string) => Promise<FileInfo | undefined>;
  readonly read: (key: string) => Promise<Readable>;
  readonly copy: (from: string, to: string) => Promise<void>;
  readonly list: (prefix: string) => Promise<readonly string[]>;
  readonly remove: (key: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The parts a client named are not the parts the store was sent. */
export class IncompleteUpload extends Error {
  override readonly name = 'IncompleteUpload';
}

/** The store cannot be reached, or cannot answer now. Nothing is wrong with the request. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
}
