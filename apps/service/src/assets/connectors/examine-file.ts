/**
 * Examines an upload. The object is first copied to a key for which no URL was ever signed, and only the copy is read:
 * the verified bytes are the stored bytes, even if the partner uploads again meanwhile.
 */

import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { OrgId } from '../../kernel/ids.ts';
import { IncompleteUpload, type Storage } from '../../platform/storage/storage.ts';
import {
  type Asset,
  type AssetId,
  declaredFormat,
  type Facts,
  type Failure,
  isMultipart,
  type ExaminationResult,
} from '../domain/asset.ts';
import { sniffFileType, sniffedByteCount } from '../domain/file-type.ts';
import { measureArtwork } from './measure-artwork.ts';
import { measureAudio } from './measure-audio.ts';

export type ExaminationDeps = {
  readonly storage: Storage;
  /** An existing folder that only this process uses. */
  readonly scratchFolder: string;
};

/** What the partner declared about the file. Plain data, because it is the result of a journaled step. */
export type DeclaredUpload = Pick<
  Asset,
  'id' | 'type' | 'contentType' | 'sizeBytes' | 'sha256' | 'uploadId' | 'uploadParts'
>;

export const uploadsPrefix = 'uploads/';
export const uploadKey = (orgId: OrgId, id: AssetId): string => `${uploadsPrefix}${orgId}/${id}`;
const verifiedPrefix = (orgId: OrgId, id: AssetId): string => `assets/${orgId}/${id}/`;

const failedWith = (failure: Failure): ExaminationResult => ({ isReady: false, failure });

export async function examineFile(
  deps: ExaminationDeps,
  orgId: OrgId,
  upload: DeclaredUpload,
  signal: AbortSignal,
): Promise<ExaminationResult> {
  const { storage } = deps;
  const uploadedKey = uploadKey(orgId, upload.id);
  const failure = await assembleUpload(storage, uploadedKey, upload);
  if (failure !== undefined) return failedWith(failure);
  const objectKey = `${verifiedPrefix(orgId, upload.id)}${randomUUID()}`;
  signal.throwIfAborted();
  try {
    await storage.copy(uploadedKey, objectKey);
    return await examineCopy(deps, upload, objectKey, signal);
  } catch (error) {
    // The next attempt makes its own copy. If this one cannot be removed now, deleteLeftovers removes it.
    await storage.remove(objectKey).catch(() => undefined);
    throw error;
  }
}

/** Finishes a multipart upload, and compares the size of the object with the declared size. */
async function assembleUpload(
  storage: Storage,
  key: string,
  upload: DeclaredUpload,
): Promise<Failure | undefined> {
  if (isMultipart(upload)) {
    try {
      await storage.finishMultipart(key, upload.uploadId ?? '', upload.uploadParts ?? []);
    } catch (error) {
      if (error instanceof IncompleteUpload) return incomplete;
      throw error;
    }
  }
  const found = await storage.find(key);
  if (found === undefined) return incomplete;
  return found.sizeBytes === upload.sizeBytes ? undefined : wrongSize(upload, found.sizeBytes);
}

const incomplete: Failure = {
  code: 'upload_incomplete',
  reason:
    'The file is missing, or its parts are not those that were listed. Create a new asset and upload the file again.',
};

const wrongSize = ({ sizeBytes }: DeclaredUpload, found: number): Failure => ({
  code: 'size_mismatch',
  reason: `The file has ${found} bytes, but size_bytes is ${sizeBytes}. Create a new asset with the size of the file.`,
});

async function examineCopy(
  { storage, scratchFolder }: ExaminationDeps,
  upload: DeclaredUpload,
  objectKey: string,
  signal: AbortSignal,
): Promise<ExaminationResult> {
  const folder = await mkdtemp(join(scratchFolder, 'file-'));
  const path = join(folder, 'file');
  try {
    const { sha256, md5, sizeBytes } = await download(storage, objectKey, path, signal);
    if (sizeBytes !== upload.sizeBytes) return failedWith(wrongSize(upload, sizeBytes));
    if (upload.sha256 !== null && upload.sha256 !== sha256)
      return failedWith(wrongChecksum(sha256));
    const facts = await measure(path, upload, signal);
    return 'code' in facts
      ? failedWith(facts)
      : { isReady: true, sha256, facts: { ...facts, md5 }, objectKey };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const wrongChecksum = (sha256: string): Failure => ({
  code: 'checksum_mismatch',
  reason: `The SHA-256 digest of the file is ${sha256}, not the sha256 that you sent. Upload the file again, or correct sha256.`,
});

async function download(storage: Storage, key: string, path: string, signal: AbortSignal) {
  const [sha256, md5] = [createHash('sha256'), createHash('md5')];
  let sizeBytes = 0;
  await pipeline(
    await storage.read(key),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        sha256.update(chunk);
        md5.update(chunk);
        sizeBytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(path),
    { signal },
  );
  return { sha256: sha256.digest('hex'), md5: md5.digest('hex'), sizeBytes };
}

async function measure(
  path: string,
  upload: DeclaredUpload,
  signal: AbortSignal,
): Promise<Facts | Failure> {
  const { description: name, format } = sniffFileType(await readFirstBytes(path));
  if (format === undefined || format !== declaredFormat(upload)) {
    return {
      code: 'type_mismatch',
      reason: `The content_type is ${upload.contentType}, but the file is ${name}. Create a new asset with the right content_type.`,
    };
  }
  return format === 'jpeg' || format === 'png'
    ? measureArtwork(path, format, signal)
    : measureAudio(path, format, signal);
}

async function readFirstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(sniffedByteCount),
      0,
      sniffedByteCount,
      0,
    );
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Deletes the upload, whole or in parts, and the copies of interrupted attempts, once the asset is final. */
export async function deleteLeftovers(
  { storage }: Pick<ExaminationDeps, 'storage'>,
  orgId: OrgId,
  { id, uploadId, objectKey }: Leftovers,
): Promise<void> {
  const key = uploadKey(orgId, id);
  if (uploadId !== null) await storage.abandonMultipart(key, uploadId);
  await storage.remove(key);
  for (const copy of await storage.list(verifiedPrefix(orgId, id))) {
    if (copy !== objectKey) await storage.remove(copy);
  }
}

/** From the row of the asset: only the object that the row names is kept. */
export type Leftovers = Pick<Asset, 'id' | 'uploadId' | 'objectKey'>;
