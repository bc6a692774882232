/** Storage behind any S3 API. Nothing here relies on a header that only some servers honour. */

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
  ListPartsCommand,
  type Part,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { storageFailures } from '../telemetry/instruments.ts';
import { readExactly, requireRange } from './byte-range.ts';
import {
  IncompleteUpload,
  quoteEtag,
  type Storage,
  StorageUnavailable,
  type StoredPart,
  type UploadPart,
} from './storage.ts';

export type S3Options = {
  readonly bucket: string;
  readonly region: string;
  /** Undefined: that of Amazon. */
  readonly endpoint: string | undefined;
  /** Undefined: those of the machine's role. */
  readonly credentials:
    | { readonly accessKeyId: string; readonly secretAccessKey: string }
    | undefined;
};

/** They limit silence, not the whole transfer: a large file may take as long as it needs. */
type ClientTimeouts = {
  readonly connectMs: number;
  readonly silenceMs: number;
  readonly attempts: number;
};
/** For the api: a client waits for the answer. */
export const interactiveTimeouts: ClientTimeouts = {
  connectMs: 1_000,
  silenceMs: 4_000,
  attempts: 2,
};
/** For background work, which can wait and is retried. */
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
    // The default would sign the checksum of an empty body into every URL.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  reportUnavailable(client);
  return client;
}

export function openS3(options: S3Options, timeouts: ClientTimeouts = backgroundTimeouts): Storage {
  const { bucket } = options;
  const client = openClient(options, timeouts);
  const at = (key: string) => ({ Bucket: bucket, Key: key });
  const find: Storage['find'] = async (key) => {
    try {
      const { ContentLength } = await client.send(new HeadObjectCommand(at(key)));
      return { sizeBytes: requireLength(ContentLength, key) };
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
      if (UploadId === undefined) throw new Error('the storage returned no upload id');
      return UploadId;
    },
    listParts: async (key, uploadId) => {
      const command = new ListPartsCommand({ ...at(key), UploadId: uploadId, MaxParts: listMax });
      try {
        return ((await client.send(command)).Parts ?? []).map(toStoredPart);
      } catch (error) {
        if (isStatus(error, 404)) return undefined;
        throw error;
      }
    },
    finishMultipart: async (key, uploadId, parts) => {
      try {
        await client.send(finishCommand(at(key), uploadId, parts));
      } catch (error) {
        if (!isWrongParts(error)) throw error;
        // An earlier attempt, whose answer was lost, has finished it.
        if ((await find(key)) !== undefined) return;
        throw new IncompleteUpload(error.name, { cause: error });
      }
    },
    abandonMultipart: async (key, uploadId) => {
      const command = new AbortMultipartUploadCommand({ ...at(key), UploadId: uploadId });
      await client.send(command).catch(ignoreNotFound);
    },
    read: async (key) => {
      const { Body } = await client.send(new GetObjectCommand(at(key)));
      if (Body === undefined) throw new Error('the storage answered without a body');
      // In Node.js the SDK returns a Readable.
      return Body as Readable;
    },
    readRange: async (key, start, endExclusive) => {
      requireRange(start, endExclusive);
      const range = `bytes=${start}-${endExclusive - 1}`;
      const { Body } = await client.send(new GetObjectCommand({ ...at(key), Range: range }));
      if (Body === undefined) throw new Error('the storage answered without a body');
      return readExactly(Body as Readable, endExclusive - start);
    },
    copy: async (from, to) => {
      // A header: the key may have spaces and letters that no header may have.
      const source = from.split('/').map(encodeURIComponent).join('/');
      await client.send(new CopyObjectCommand({ ...at(to), CopySource: `${bucket}/${source}` }));
    },
    list: async (prefix) => {
      const { Contents = [] } = await client.send(
        new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: listMax }),
      );
      return Contents.flatMap(({ Key }) => Key ?? []);
    },
    listBelow: (prefix, max) => listBelow(client, { Bucket: bucket, Prefix: prefix }, max),
    remove: async (key) => {
      await client.send(new DeleteObjectCommand(at(key))).catch(ignoreNotFound);
    },
    close: async () => client.destroy(),
  };
}

async function listBelow(
  client: S3Client,
  where: { readonly Bucket: string; readonly Prefix: string },
  max: number,
): Promise<readonly string[]> {
  const keys: string[] = [];
  let after: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ ...where, MaxKeys: listMax, ContinuationToken: after }),
    );
    keys.push(...(page.Contents ?? []).flatMap(({ Key }) => Key ?? []));
    after = page.NextContinuationToken;
  } while (after !== undefined && keys.length < max);
  return keys.slice(0, max);
}

/** Turns a failure to answer into a `StorageUnavailable`, and counts it. */
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

/** Signing is local: it sends nothing to the server. */
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

const toStoredPart = ({ PartNumber = 0, ETag = '', Size }: Part): StoredPart => ({
  partNumber: PartNumber,
  etag: quoteEtag(ETag),
  sizeBytes: requireLength(Size, `part ${PartNumber}`),
});

/** A file without a length would count as empty, and be read without a bound. */
export function requireLength(length: number | undefined, of: string): number {
  if (length === undefined) throw new Error(`the server answered without the length of ${of}`);
  return length;
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

/** By name: other errors with the same status are about the bucket or our credentials. */
const wrongParts = new Set([
  'InvalidPart',
  'InvalidPartOrder',
  'EntityTooSmall',
  'MalformedXML',
  'NoSuchUpload',
]);

const isWrongParts = (error: unknown): error is S3ServiceException =>
  error instanceof S3ServiceException && wrongParts.has(error.name);

function ignoreNotFound(error: unknown): void {
  if (!isStatus(error, 404)) throw error;
}

/** No answer, or an answer that says to retry later (403 and 429 count as such). */
function unavailable(error: unknown): StorageUnavailable | undefined {
  const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 0) : 0;
  const isAnswer = status >= 300 && status < 500 && status !== 403 && status !== 429;
  return isAnswer
    ? undefined
    : new StorageUnavailable('the storage does not answer', { cause: error });
}
