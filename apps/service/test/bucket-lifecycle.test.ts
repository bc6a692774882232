/** `migrate` sets the bucket's lifecycle rules, against a real S3 server. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  GetBucketLifecycleConfigurationCommand,
  type LifecycleRule,
  PutBucketLifecycleConfigurationCommand,
} from '@aws-sdk/client-s3';
import { markBucket } from '../src/platform/storage/environment.ts';
import { openClient } from '../src/platform/storage/s3-storage.ts';
import { runToExit } from './processes.ts';
import { createTestDatabase, databaseUrl, dropTestDatabase } from './test-service.ts';
import { createTestBucket, openTestStorage, s3OptionsOf } from './test-storage.ts';

describe('the bucket’s lifecycle rules', () => {
  let database: string;
  let bucket: Record<string, string>;
  before(async () => {
    [database, bucket] = await Promise.all([createTestDatabase(), createTestBucket()]);
  });
  after(() => dropTestDatabase(database));

  const migrate = (env: Record<string, string> = bucket) =>
    runToExit(['migrate'], {
      ...env,
      TONEARM_ENVIRONMENT: 'sandbox',
      TONEARM_OWNER_DATABASE_URL: databaseUrl(database),
    });
  const withBucket = async <T>(
    work: (client: ReturnType<typeof openClient>, name: string) => Promise<T>,
    env = bucket,
  ): Promise<T> => {
    const options = s3OptionsOf(env);
    const client = openClient(options);
    try {
      return await work(client, options.bucket);
    } finally {
      client.destroy();
    }
  };
  const rulesOf = (env = bucket) =>
    withBucket(async (client, name) => {
      const command = new GetBucketLifecycleConfigurationCommand({ Bucket: name });
      const { Rules = [] } = await client.send(command);
      return Rules.map((rule) => ({
        id: rule.ID,
        status: rule.Status,
        prefix: rule.Filter?.Prefix,
        days: rule.Expiration?.Days,
        abortDays: rule.AbortIncompleteMultipartUpload?.DaysAfterInitiation,
      })).toSorted((one, other) => (one.id ?? '').localeCompare(other.id ?? ''));
    }, env);
  const putRules = (rules: LifecycleRule[]) =>
    withBucket((client, name) =>
      client.send(
        new PutBucketLifecycleConfigurationCommand({
          Bucket: name,
          LifecycleConfiguration: { Rules: rules },
        }),
      ),
    );

  const ours = {
    id: 'tonearm-uploads',
    status: 'Enabled',
    prefix: 'uploads/',
    days: 3,
    abortDays: 3,
  };
  const acknowledgements = (days: number) => ({
    id: 'tonearm-acknowledgements',
    status: 'Enabled',
    prefix: 'acknowledgements/',
    days,
    abortDays: days,
  });
  const theirs = {
    id: 'backups',
    status: 'Enabled',
    prefix: 'backups/',
    days: 90,
    abortDays: undefined,
  };
  const backups = {
    ID: 'backups',
    Filter: { Prefix: 'backups/' },
    Status: 'Enabled',
    Expiration: { Days: 90 },
  } as const;

  test('remove uploads and incomplete multipart uploads after three days; a second migration changes nothing', async () => {
    for (const time of ['first', 'second']) {
      assert.deepEqual(await migrate(), { code: 0, stderr: '' }, time);
      assert.deepEqual(await rulesOf(), [acknowledgements(30), ours], time);
    }
  });

  test('are restored if one was changed, and other rules of the bucket stay', async () => {
    await putRules([
      backups,
      { ID: 'tonearm-uploads', Filter: { Prefix: '' }, Status: 'Enabled', Expiration: { Days: 1 } },
    ]);
    assert.deepEqual(await migrate(), { code: 0, stderr: '' });
    assert.deepEqual(await rulesOf(), [theirs, acknowledgements(30), ours]);
  });

  test('are not set in a bucket of the other environment', async () => {
    const live = await createTestBucket();
    const storage = openTestStorage(live);
    await markBucket(storage, 'live');
    await storage.close();
    const { code, stderr } = await migrate(live);
    assert.equal(code, 1);
    assert.match(stderr, /^TONEARM_STORAGE_URL leads to a bucket of the live environment/);
    await assert.rejects(rulesOf(live), { name: 'NoSuchLifecycleConfiguration' });
  });

  test('a bucket that refuses the request is an error that says what to do', async () => {
    const { code, stderr } = await migrate({
      ...bucket,
      TONEARM_S3_SECRET_ACCESS_KEY: 'not the secret',
    });
    assert.equal(code, 1);
    assert.match(stderr, /lifecycle rules could not be set .*s3:PutLifecycleConfiguration/);
  });
});
