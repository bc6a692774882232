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
import { IncompleteUpload, type Part, type Storage } from './storage.ts';

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

const connectTimeoutMs = 3_000;
/** Of silence, not of the whole: a large file may take as long as it needs. */
const silenceTimeoutMs = 30_000;
const listMax = 1_000;

export function openS3({ bucket, region, endpoint, credentials }: S3Options): Storage {
  const client = new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials !== undefined && { credentials }),
    requestHandler: { connectionTimeout: connectTimeoutMs, socketTimeout: silenceTimeoutMs },
    // The default would sign the checksum of an empty body into every address.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
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
        // Finished by an earlier attempt whose answer was lost.
        if (isStatus(error, 404) && (await find(key)) !== undefined) return;
        if (isStatus(error, 400) || isStatus(error, 404)) throw incomplete(error);
        throw error;
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

type At = (key: string) => { readonly Bucket: string; readonly Key: string };

/** Pure computation: no signature asks the store anything. */
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

const finishCommand = (where: ReturnType<At>, uploadId: string, parts: readonly Part[]) =>
  new CompleteMultipartUploadCommand({
    ...where,
    UploadId: uploadId,
    MultipartUpload: {
      Parts: parts.map(({ partNumber, etag }) => ({ PartNumber: partNumber, ETag: etag })),
    },
  });

const isStatus = (error: unknown, status: number): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === status;

const incomplete = (error: unknown) =>
  new IncompleteUpload(error instanceof Error ? error.name : 'unknown', { cause: error });

function unlessGone(error: unknown): void {
  if (!isStatus(error, 404)) throw error;
}
