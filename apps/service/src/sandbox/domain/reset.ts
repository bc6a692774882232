/**
 * An organization's catalogue, emptied and, if wanted, filled with the fictional one:
 *
 *   idle, failed → running → idle | failed      failed: it is empty, or filled in part
 */

import type { Refusal } from '../../kernel/problem.ts';

export const resetStatuses = ['idle', 'running', 'failed'] as const;
export type ResetStatus = (typeof resetStatuses)[number];

export type Reset = {
  readonly status: ResetStatus;
  readonly wantsSeed: boolean;
  /** Whether the fictional catalogue was made, all of it, by the last reset. */
  readonly isSeeded: boolean;
  readonly problem: string | null;
  /** Real time; null: there never was one. */
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
};

export const neverReset: Reset = {
  status: 'idle',
  wantsSeed: false,
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

/** What releases and tracks of the seed are numbered from. */
export type Codes = { readonly hasUpc: boolean; readonly hasIsrc: boolean };

/** Said before anything is removed. */
export function refuseWithoutCodes({ hasUpc, hasIsrc }: Codes): Refusal | undefined {
  const missing = [...(hasUpc ? [] : ['no free UPC']), ...(hasIsrc ? [] : ['no ISRC registrant'])];
  if (missing.length === 0) return undefined;
  return {
    code: 'invalid_state',
    message: `Your organization has ${missing.join(' and ')}, so no releases can be made for it. Ask for one, or reset with seed false.`,
  };
}
