/** Reads kept messages and acknowledgements for an answer of the api, within limits. */

import { hash } from 'node:crypto';
import { concurrently } from '../../../kernel/concurrently.ts';
import { addMs } from '../../../kernel/duration.ts';
import type { Storage } from '../../../platform/storage/storage.ts';

/** A file as recorded. */
export type KeptDocument = {
  /** Null: the partner may not read it. */
  readonly key: string | null;
  readonly sha256: string;
  /** Null: recorded by an earlier release. */
  readonly sizeBytes: number | null;
  /** The name under which a browser saves it. */
  readonly fileName: string;
};

export const unavailableReasons = ['shared', 'missing', 'damaged'] as const;

export type ReadDocument = {
  readonly xml: string | null;
  readonly download: { readonly url: string; readonly expires_at: string } | null;
  readonly unavailable_reason: (typeof unavailableReasons)[number] | null;
};

/** A larger file is not in the answer; it has a signed URL. */
const inlineBytesMax = 256 * 1024;
/** The files of one message; those beyond it have signed URLs. */
const inlineBytesOfMessageMax = 1024 * 1024;
const readsAtOnce = 8;
const urlSeconds = 900;

type PlannedDocument = KeptDocument & { readonly isInline: boolean };

/** Of one message: its own first, then the acknowledgements. */
export function planDocuments(documents: readonly KeptDocument[]): readonly PlannedDocument[] {
  let bytes = 0;
  return documents.map((document) => {
    const { key, sizeBytes } = document;
    const isSmall = sizeBytes !== null && sizeBytes <= inlineBytesMax;
    const isInline = key !== null && isSmall && bytes + sizeBytes <= inlineBytesOfMessageMax;
    if (isInline) bytes += sizeBytes;
    return { ...document, isInline };
  });
}

export const inlineBytesOf = (documents: readonly PlannedDocument[]): number =>
  documents.reduce((sum, { isInline, sizeBytes }) => sum + (isInline ? (sizeBytes ?? 0) : 0), 0);

/** In order. Throws `StorageUnavailable` if the storage does not answer. */
export const readDocuments = (
  storage: Storage,
  realNow: Date,
  documents: readonly PlannedDocument[],
): Promise<readonly ReadDocument[]> =>
  concurrently(documents, readsAtOnce, (document) => readDocument(storage, realNow, document));

const nothing: ReadDocument = { xml: null, download: null, unavailable_reason: null };

async function readDocument(
  storage: Storage,
  realNow: Date,
  { key, sha256, fileName, isInline }: PlannedDocument,
): Promise<ReadDocument> {
  if (key === null) return { ...nothing, unavailable_reason: 'shared' };
  const found = await storage.find(key);
  if (found === undefined) return { ...nothing, unavailable_reason: 'missing' };
  if (!isInline) {
    const url = await storage.presignGet(key, fileName, urlSeconds);
    const expires_at = addMs(realNow, urlSeconds * 1_000).toISOString();
    return { ...nothing, download: { url, expires_at } };
  }
  const isSmall = found.sizeBytes > 0 && found.sizeBytes <= inlineBytesMax;
  const bytes = isSmall ? await storage.readRange(key, 0, found.sizeBytes) : undefined;
  if (bytes === undefined || hash('sha256', bytes) !== sha256) {
    return { ...nothing, unavailable_reason: 'damaged' };
  }
  return { ...nothing, xml: bytes.toString() };
}
