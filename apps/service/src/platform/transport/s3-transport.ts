/** Files in a bucket. A PUT is visible as a whole or not at all, so nothing is renamed. */

import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { isStatus, openClient, requireLength, type S3Options } from '../storage/s3-storage.ts';
import { FileTooLarge, type RemoteFile, type Transport } from './transport.ts';
import { openVerified } from './verify-content.ts';

export type S3TransportSettings = S3Options & {
  /** Below which all paths are; empty: the whole bucket. */
  readonly folder: string;
};

const listPageMax = 1_000;

export function openS3Transport(settings: S3TransportSettings, signal: AbortSignal): Transport {
  const { bucket, folder } = settings;
  const client = openClient(settings);
  const abortSignal = { abortSignal: signal };
  const keyOf = (path: string) => (folder === '' ? path : `${folder}/${path}`);
  const at = (path: string) => ({ Bucket: bucket, Key: keyOf(path) });
  const find: Transport['find'] = async (path) => {
    try {
      const { ContentLength } = await client.send(new HeadObjectCommand(at(path)), abortSignal);
      return { sizeBytes: requireLength(ContentLength, path) };
    } catch (error) {
      if (isStatus(error, 404)) return undefined;
      throw error;
    }
  };
  return {
    find,
    put: async (path, content) => {
      const body = await openVerified(content);
      // Otherwise the server waits for the bytes that a failed source does not send.
      const failed = new AbortController();
      body.once('error', () => failed.abort());
      const ended = { abortSignal: AbortSignal.any([signal, failed.signal]) };
      try {
        const command = { ...at(path), Body: body, ContentLength: content.sizeBytes };
        await client.send(new PutObjectCommand(command), ended);
      } catch (error) {
        throw body.errored ?? error;
      }
    },
    list: async (path, max) => {
      const prefix = `${keyOf(path)}/`;
      const found: RemoteFile[] = [];
      let after: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({
            Bucket: bucket,
            Prefix: prefix,
            Delimiter: '/',
            MaxKeys: listPageMax,
            ContinuationToken: after,
          }),
          abortSignal,
        );
        for (const { Key = '', Size } of page.Contents ?? []) {
          found.push({ name: Key.slice(prefix.length), sizeBytes: requireLength(Size, Key) });
        }
        after = page.NextContinuationToken;
      } while (after !== undefined && found.length < max);
      return found.slice(0, max);
    },
    read: async (path, bytesMax) => {
      const { Body, ContentLength } = await client.send(
        new GetObjectCommand(at(path)),
        abortSignal,
      );
      if (Body === undefined) throw new Error(`the server answered without the body of ${path}`);
      try {
        const sizeBytes = requireLength(ContentLength, path);
        if (sizeBytes > bytesMax)
          throw new FileTooLarge(`${path} has ${sizeBytes} bytes, more than ${bytesMax}`);
        return Buffer.from(await Body.transformToByteArray());
      } finally {
        (Body as Readable).destroy();
      }
    },
    remove: async (path) => {
      await client.send(new DeleteObjectCommand(at(path)), abortSignal).catch((error: unknown) => {
        if (!isStatus(error, 404)) throw error;
      });
    },
    close: async () => client.destroy(),
  };
}
