/** Clients and buckets of the S3 server that `npm test` started, for the test service and for tests of storage. */

import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { openS3 } from '../src/platform/storage/s3-storage.ts';
import type { Storage } from '../src/platform/storage/storage.ts';

/** The settings that reach the S3 server of this run, which `scripts/servers/s3.ts` started. */
export const s3Environment = (): Record<string, string> => ({
  TONEARM_STORAGE_URL: process.env['TONEARM_TEST_S3'] ?? '',
  TONEARM_S3_ACCESS_KEY_ID: process.env['TONEARM_TEST_S3_KEY_ID'] ?? '',
  TONEARM_S3_SECRET_ACCESS_KEY: process.env['TONEARM_TEST_S3_SECRET'] ?? '',
});

/** Creates an empty bucket without an environment mark; the shared bucket of the run is marked as a sandbox. */
export async function createTestBucket(): Promise<Record<string, string>> {
  const env = s3Environment();
  const { bucket, ...options } = s3OptionsOf(env);
  const name = `t-${randomUUID()}`;
  const client = new S3Client({ ...options, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: name }));
  client.destroy();
  return { ...env, TONEARM_STORAGE_URL: (env['TONEARM_STORAGE_URL'] ?? '').replace(bucket, name) };
}

export const openTestStorage = (env = s3Environment()): Storage => openS3(s3OptionsOf(env));

export function s3OptionsOf(env: Record<string, string>) {
  const url = new URL(env['TONEARM_STORAGE_URL'] ?? '');
  return {
    bucket: url.host,
    region: url.searchParams.get('region') ?? '',
    endpoint: url.searchParams.get('endpoint') ?? '',
    credentials: {
      accessKeyId: env['TONEARM_S3_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: env['TONEARM_S3_SECRET_ACCESS_KEY'] ?? '',
    },
  };
}
