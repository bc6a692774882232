/**
 * The reset of an organization's catalogue: it is removed and, if requested, replaced by the fictional one.
 *
 *   idle, failed → running → idle | failed      failed: the fictional catalogue is missing or incomplete
 */

import { invalidField, type Refusal } from '../../kernel/problem.ts';

export const resetStatuses = ['idle', 'running', 'failed'] as const;
type ResetStatus = (typeof resetStatuses)[number];

export type Reset = {
  readonly status: ResetStatus;
  readonly wantsSeed: boolean;
  /** With the fictional catalogue: twelve months of royalties. */
  readonly wantsRoyalties: boolean;
  /** Whether the last reset made the complete fictional catalogue. */
  readonly isSeeded: boolean;
  readonly problem: string | null;
  /** Real time; null: there has been no reset. */
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
};

export const neverReset: Reset = {
  status: 'idle',
  wantsSeed: false,
  wantsRoyalties: false,
  isSeeded: false,
  problem: null,
  startedAt: null,
  finishedAt: null,
};

export const refuseWhileRunning = ({ status }: Reset): Refusal | undefined =>
  status === 'running'
    ? {
        code: 'invalid_state',
        message: 'The sandbox is being reset. Wait until its status is no longer running.',
      }
    : undefined;

export const refuseRoyaltiesWithoutSeed = ({
  wantsSeed,
  wantsRoyalties,
}: Pick<Reset, 'wantsSeed' | 'wantsRoyalties'>): Refusal | undefined =>
  wantsRoyalties && !wantsSeed
    ? invalidField('royalties', 'needs the fictional catalog; omit seed, or send seed: true')
    : undefined;

/** Whether the seed's releases can get UPCs, and its tracks ISRCs. */
export type Codes = { readonly hasUpc: boolean; readonly hasIsrc: boolean };

/** Checked before anything is removed. */
export function refuseWithoutCodes({ hasUpc, hasIsrc }: Codes): Refusal | undefined {
  const missing = [...(hasUpc ? [] : ['no free UPC']), ...(hasIsrc ? [] : ['no ISRC registrant'])];
  if (missing.length === 0) return undefined;
  return {
    code: 'invalid_state',
    message: `Your organization has ${missing.join(' and ')}, so the fictional catalog cannot be created. Ask support for codes, or send seed: false.`,
  };
}
