/**
 * Quotas (contract §7): how much of something an organization may have at once, so that one organization cannot
 * starve the others. A refusal names the quota, its limit and what frees it.
 */

import type { Refusal } from './problem.ts';

type Quota = {
  /** Completes the sentence "at most 5 …". */
  readonly counts: string;
  readonly freedBy: string;
  /** An estimate of when there may be capacity again, for clients that retry automatically. */
  readonly retryAfterSeconds: number;
};

export const quotas = {
  delivery_jobs_running: {
    counts: 'delivery jobs may run at once',
    freedBy: 'A slot is freed when one of them is completed.',
    retryAfterSeconds: 5,
  },
  open_uploads: {
    counts: 'uploads may be open at once',
    freedBy:
      'One is freed when an upload is completed, or expires 24 hours after its asset was created.',
    retryAfterSeconds: 60,
  },
  files_in_examination: {
    counts: 'files may wait to be examined, or be examined, at once',
    freedBy:
      'One is freed with each asset.ready or asset.failed. The uploaded file is kept: complete the asset later.',
    retryAfterSeconds: 30,
  },
  stored_bytes: {
    counts: 'bytes may be declared for assets that have not failed',
    freedBy: 'Bytes are freed when an upload expires or a file fails. Ask support for more.',
    retryAfterSeconds: 3_600,
  },
  api_keys: {
    counts: 'API keys may be active, those that are neither revoked nor expired',
    freedBy: 'One is freed when a key is revoked or expires.',
    retryAfterSeconds: 3_600,
  },
  artists: {
    counts: 'artists may exist, those that were merged included',
    freedBy: 'One is freed when an artist is deleted. Ask support for more.',
    retryAfterSeconds: 3_600,
  },
  labels: {
    counts: 'labels may exist',
    freedBy: 'One is freed when a label is deleted. Ask support for more.',
    retryAfterSeconds: 3_600,
  },
  open_payouts: {
    counts: 'payouts may be open, those that are neither paid, failed, returned nor canceled',
    freedBy: 'One is freed when a payout is paid or canceled.',
    retryAfterSeconds: 3_600,
  },
  open_exports: {
    counts: 'exports may be open at once',
    freedBy: 'One is freed when a download ends.',
    retryAfterSeconds: 5,
  },
  source_searches: {
    counts: 'searches for the source of a line item may run at once',
    freedBy: 'One is freed when a search has been answered.',
    retryAfterSeconds: 2,
  },
  webhook_pings_per_minute: {
    counts: 'pings of a webhook may be asked for in a minute',
    freedBy: 'The count starts again with the next minute.',
    retryAfterSeconds: 60,
  },
} as const satisfies Record<string, Quota>;

export type QuotaName = keyof typeof quotas;

/** The limits of one organization. */
export type QuotaPolicy = Readonly<Record<QuotaName, number>>;

/** `used`: the amount in use if the request were accepted. */
export function refuseBeyond(
  policy: QuotaPolicy,
  name: QuotaName,
  used: number,
  retryAfterSeconds: number = quotas[name].retryAfterSeconds,
): Refusal | undefined {
  const limit = policy[name];
  if (used <= limit) return undefined;
  const { counts, freedBy } = quotas[name];
  return {
    code: 'quota_exceeded',
    message: `The quota ${name} is used up: at most ${limit} ${counts}. ${freedBy}`,
    details: [{ field: name, issue: `is used up; the limit is ${limit}` }],
    retryAfterSeconds,
  };
}
