/**
 * The lifecycle rules of the bucket: S3 itself removes files under a prefix after some days. Other rules of the bucket are not
 * changed.
 */

import {
  GetBucketLifecycleConfigurationCommand,
  type LifecycleRule,
  PutBucketLifecycleConfigurationCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { isStatus, openClient, type S3Options } from './s3-storage.ts';

export type Expiry = {
  /** The name of the rule. */
  readonly id: string;
  readonly prefix: string;
  /** Incomplete multipart uploads are removed after this time, too. */
  readonly days: number;
};

/** True if a rule was missing, or differed from the one that this release needs. */
export async function ensureLifecycle(
  options: S3Options,
  expiries: readonly Expiry[],
): Promise<boolean> {
  const client = openClient(options);
  try {
    const rules = await readRules(client, options.bucket);
    if (expiries.every((expiry) => rules.some((rule) => isRuleOf(expiry, rule)))) return false;
    const others = rules.filter(({ ID }) => expiries.every(({ id }) => ID !== id));
    await client.send(
      new PutBucketLifecycleConfigurationCommand({
        Bucket: options.bucket,
        LifecycleConfiguration: { Rules: [...others, ...expiries.map(ruleOf)] },
      }),
    );
    return true;
  } finally {
    client.destroy();
  }
}

const ruleOf = ({ id, prefix, days }: Expiry): LifecycleRule => ({
  ID: id,
  Status: 'Enabled',
  Filter: { Prefix: prefix },
  Expiration: { Days: days },
  AbortIncompleteMultipartUpload: { DaysAfterInitiation: days },
});

/** Field by field, because S3 servers add fields of their own. */
const isRuleOf = ({ id, prefix, days }: Expiry, rule: LifecycleRule): boolean =>
  rule.ID === id &&
  rule.Status === 'Enabled' &&
  rule.Filter?.Prefix === prefix &&
  rule.Expiration?.Days === days &&
  rule.AbortIncompleteMultipartUpload?.DaysAfterInitiation === days;

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
