/** Any S3 API. Nothing here trusts a header that only some of them honour. */

import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { storageFailures } from '../telemetry/instruments.ts';
import { IncompleteUpload, type UploadPart, type Storage, StorageUnavailable } from './storage.ts';

export type S3Options = {
  readonly bucket: string;
  readonly region: string;
  /** Undefined: Amazon's own. */
  readonly endpoint: string | undefined;
  /** Undefined: whatever the machine's role gives. */
  readonly credentials:
    | { readonly accessKeyId: string; readonly secretAccessKey: string }
    | undefined;
};

/** Of silence, not of the whole: a large file may take as long as it needs. */
type ClientTimeouts = {
  readonly connectMs: number;
  readonly silenceMs: number;
  readonly attempts: number;
};
/** Somebody waits for an answer. */
export const interactiveTimeouts: ClientTimeouts = {
  connectMs: 1_000,
  silenceMs: 4_000,
  attempts: 2,
};
/** Work that can wait, and is tried again anyway. */
const backgroundTimeouts: ClientTimeouts = { connectMs: 3_000, silenceMs: 30_000, attempts: 3 };
const listMax = 1_000;

export function openClient(
  { region, endpoint, credentials }: S3Options,
  { connectMs, silenceMs, attempts }: ClientTimeouts = backgroundTimeouts,
): S3Client {
  const client = new S3Client({
    region,
    maxAttempts: attempts,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials !== undefined && { credentials }),
    requestHandler: { connectionTimeout: connectMs, socketTimeout: silenceMs },
    // The default would sign the checksum of an empty body into every address.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  reportUnavailable(client);
  return client;
}

export function openS3(options: S3Options, patience: ClientTimeouts = backgroundTimeouts): Storage {
  const { bucket } = options;
  const client = openClient(options, patience);
  const at = (key: string) => ({ Bucket: bucket, Key: key });
  const find: Storage['find'] = async (key) => {
    try {
      const { ContentLength = 0 } = await client.send(new HeadObjectCommand(at(key)));
      return { sizeBytes: ContentLength };
    } catch (error) {
      if (isStatus(error, 404)) return undefined;
      throw error;
    }
  };
  return {
    ...signing(client, at),
    find,
    openMultipart: async (key, contentType) => {
      const command = new CreateMultipartUploadCommand({ ...at(key), ContentType: contentType });
      const { UploadId } = await client.send(command);
      if (UploadId === undefined) throw new Error('the store opened no upload');
      return UploadId;
    },
    finishMultipart: async (key, uploadId, parts) => {
      try {
        await client.send(finishCommand(at(key), uploadId, parts));
      } catch (error) {
        if (!isWrongParts(error)) throw error;
        // Finished by an earlier attempt whose answer was lost.
        if ((await find(key)) !== undefined) return;
        throw new IncompleteUpload(error.name, { cause: error });
      }
    },
    abandonMultipart: async (key, uploadId) => {
      const command = new AbortMultipartUploadCommand({ ...at(key), UploadId: uploadId });
      await client.send(command).catch(unlessGone);
    },
    read: async (key) => {
      const { Body } = await client.send(new GetObjectCommand(at(key)));
      if (Body === undefined) throw new Error('the store answered without a body');
      // In Node it is a stream of Node's.
      return Body as Readable;
    },
    copy: async (from, to) => {
      await client.send(new CopyObjectCommand({ ...at(to), CopySource: `${bucket}/${from}` }));
    },
    list: async (prefix) => {
      const { Contents = [] } = await client.send(
        new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: listMax }),
      );
      return Contents.flatMap(({ Key }) => Key ?? []);
    },
    remove: async (key) => {
      await client.send(new DeleteObjectCommand(at(key))).catch(unlessGone);
    },
    close: async () => client.destroy(),
  };
}

/** What fails because the store does not answer says so, and is counted. */
function reportUnavailable(client: S3Client): void {
  storageFailures().add(0);
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        const failure = unavailable(error);
        if (failure !== undefined) storageFailures().add(1);
        throw failure ?? error;
      }
    },
    { step: 'initialize', name: 'reportUnavailable' },
  );
}

type At = (key: string) => { readonly Bucket: string; readonly Key: string };

/** No signature asks the store anything. */
function signing(
  client: S3Client,
  at: At,
): Pick<Storage, 'presignPut' | 'presignPart' | 'presignGet'> {
  return {
    presignPut: (key, { contentType, sizeBytes, expiresInSeconds }) =>
      getSignedUrl(
        client,
        new PutObjectCommand({ ...at(key), ContentType: contentType, ContentLength: sizeBytes }),
        {
          expiresIn: expiresInSeconds,
          signableHeaders: new Set(['host', 'content-type', 'content-length']),
        },
      ),
    presignPart: (key, { uploadId, partNumber, sizeBytes, expiresInSeconds }) =>
      getSignedUrl(
        client,
        new UploadPartCommand({
          ...at(key),
          UploadId: uploadId,
          PartNumber: partNumber,
          ContentLength: sizeBytes,
        }),
        { expiresIn: expiresInSeconds, signableHeaders: new Set(['host', 'content-length']) },
      ),
    presignGet: (key, fileName, expiresInSeconds) =>
      getSignedUrl(
        client,
        new GetObjectCommand({
          ...at(key),
          ResponseContentDisposition: `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`,
        }),
        { expiresIn: expiresInSeconds },
      ),
  };
}

const finishCommand = (where: ReturnType<At>, uploadId: string, parts: readonly UploadPart[]) =>
  new CompleteMultipartUploadCommand({
    ...where,
    UploadId: uploadId,
    MultipartUpload: {
      Parts: parts.map(({ partNumber, etag }) => ({ PartNumber: partNumber, ETag: etag })),
    },
  });

export const isStatus = (error: unknown, status: number): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === status;

/** By name: other answers of the same statuses are about us, a bucket or a token. */
const wrongParts = new Set([
  'InvalidPart',
  'InvalidPartOrder',
  'EntityTooSmall',
  'MalformedXML',
  'NoSuchUpload',
]);

const isWrongParts = (error: unknown): error is S3ServiceException =>
  error instanceof S3ServiceException && wrongParts.has(error.name);

function unlessGone(error: unknown): void {
  if (!isStatus(error, 404)) throw error;
}

/** No answer at all, or one that says "later". */
function unavailable(error: unknown): StorageUnavailable | undefined {
  const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 0) : 0;
  const isAnswer = status >= 300 && status < 500 && status !== 403 && status !== 429;
  return isAnswer
    ? undefined
    : new StorageUnavailable('the store does not answer', { cause: error });
}
