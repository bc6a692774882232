/**
 * The lifecycle rule of the bucket: S3 itself removes uploads that no asset kept. Verified files are under another
 * prefix. Other rules of the bucket are not changed.
 */

import {
  GetBucketLifecycleConfigurationCommand,
  type LifecycleRule,
  PutBucketLifecycleConfigurationCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { isStatus, openClient, type S3Options } from './s3-storage.ts';

/** Longer than an upload may take, and longer than its asset waits for it. */
const keptDays = 3;

const ruleId = 'tonearm-uploads';

/** True if the rule was missing, or differed from the one that this release needs. */
export async function ensureLifecycle(options: S3Options, prefix: string): Promise<boolean> {
  const client = openClient(options);
  try {
    const rules = await readRules(client, options.bucket);
    if (rules.some((rule) => isOurs(rule, prefix))) return false;
    const others = rules.filter(({ ID }) => ID !== ruleId);
    await client.send(
      new PutBucketLifecycleConfigurationCommand({
        Bucket: options.bucket,
        LifecycleConfiguration: { Rules: [...others, ruleFor(prefix)] },
      }),
    );
    return true;
  } finally {
    client.destroy();
  }
}

const ruleFor = (prefix: string): LifecycleRule => ({
  ID: ruleId,
  Status: 'Enabled',
  Filter: { Prefix: prefix },
  Expiration: { Days: keptDays },
  AbortIncompleteMultipartUpload: { DaysAfterInitiation: keptDays },
});

/** Field by field, because S3 servers add fields of their own. */
const isOurs = (rule: LifecycleRule, prefix: string): boolean =>
  rule.ID === ruleId &&
  rule.Status === 'Enabled' &&
  rule.Filter?.Prefix === prefix &&
  rule.Expiration?.Days === keptDays &&
  rule.AbortIncompleteMultipartUpload?.DaysAfterInitiation === keptDays;

async function readRules(client: S3Client, bucket: string): Promise<readonly LifecycleRule[]> {
  const command = new GetBucketLifecycleConfigurationCommand({ Bucket: bucket });
  try {
    return (await client.send(command)).Rules ?? [];
  } catch (error) {
    // 404 is the answer for a bucket without rules, and for one that does not exist: then the PUT fails.
    if (isStatus(error, 404)) return [];
    throw error;
  }
}
