import type { Environment } from '../../kernel/environment.ts';
import type { QuotaPolicy } from '../../kernel/quota.ts';
import type { Tier } from '../../kernel/tier.ts';

const gibibyte = 1024 ** 3;
const tebibyte = 1024 * gibibyte;

const ofEveryTier = {
  api_keys: 100,
  delivery_jobs_running: 5,
  open_exports: 8,
  open_payouts: 100,
  source_searches: 4,
  webhook_pings_per_minute: 10,
} as const;

/** Why these numbers: docs/adr/0017. All sandbox organizations have the same quotas, in every tier. */
const live: Record<Tier, QuotaPolicy> = {
  starter: {
    ...ofEveryTier,
    open_uploads: 1_000,
    files_in_examination: 500,
    stored_bytes: tebibyte,
    artists: 20_000,
    labels: 1_000,
  },
  growth: {
    ...ofEveryTier,
    open_uploads: 5_000,
    files_in_examination: 2_000,
    stored_bytes: 20 * tebibyte,
    artists: 200_000,
    labels: 10_000,
  },
  enterprise: {
    ...ofEveryTier,
    open_uploads: 50_000,
    files_in_examination: 10_000,
    stored_bytes: 500 * tebibyte,
    artists: 2_000_000,
    labels: 100_000,
  },
};
export const sandboxQuotas: QuotaPolicy = {
  ...ofEveryTier,
  open_uploads: 1_000,
  files_in_examination: 2_000,
  stored_bytes: 20 * gibibyte,
  artists: 20_000,
  labels: 1_000,
};

export const quotaPolicyOf = (tier: Tier, environment: Environment): QuotaPolicy =>
  environment === 'sandbox' ? sandboxQuotas : live[tier];
