/**
 * The bucket's own upkeep: what a partner sent to an address and nobody kept is removed by the store itself. Verified
 * files are under another prefix. Rules of the same bucket that are not ours stay as they are.
 */

import {
  GetBucketLifecycleConfigurationCommand,
  type LifecycleRule,
  PutBucketLifecycleConfigurationCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { isStatus, openClient, type S3Options } from './s3-storage.ts';

/** Longer than an upload may take, and than its asset waits for it. */
const keptDays = 3;

const ruleId = 'tonearm-uploads';

/** Whether the rule was missing, or other than this release needs. */
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

/** Field by field, because stores add some of their own. */
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
    // A bucket without rules is answered with 404; so is one that does not exist, which the PUT then tells.
    if (isStatus(error, 404)) return [];
    throw error;
  }
}
