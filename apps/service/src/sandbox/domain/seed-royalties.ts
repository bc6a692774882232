/**
 * Twelve months of royalties for the fictional catalogue, which a reset creates on request. A release of its own has been
 * out for longer than that; two stores report it, and the clock closes the months while it is moved to the present.
 */

import type { Month } from '../../kernel/month.ts';
import { nextClosing } from './closing.ts';
import type { ReportKind } from './sandbox-report.ts';
import { type SeedDelivery, unchangedDelivery } from './seed-delivery-plan.ts';
import { by, type SeedRelease, single } from './seed-plan.ts';

/** The first of twelve closed months began at most 410 days ago. */
export const royaltyHistoryDays = 450;
const outDaysAgo = 440;
/** The release is out, and the stores have announced it. */
export const reportsPlannedDaysAgo = 438;

export const earningRelease: SeedRelease = single('demo-slow-letters', 'Slow Letters', {
  credits: by('Clementine Wray', 'Clementine Wray'),
  label: 'Hearthside',
  genre: 'Singer-Songwriter',
  language: 'en',
  outInDays: -outDaysAgo,
  cover: 'field',
  song: 'moss',
});

const stores = { usual: 'aurora', other: 'cascade' } as const;

export const earningDelivery: SeedDelivery = unchangedDelivery(
  earningRelease.reference,
  Object.values(stores),
);

const months = 12;
/** Of twelve months, those in which another store reports something special. */
const specialKinds: Readonly<Record<number, ReportKind>> = {
  3: 'penalty',
  6: 'returns',
  9: 'short_paid',
};

export type SeedReport = {
  readonly storeId: string;
  readonly period: Month;
  readonly kind: ReportKind;
  readonly arrivesAt: Date;
};

const arrivalDay = 5;
const arrivalHour = 6; // UTC

/** For the twelve months that are closed at `now`, the oldest first. */
export function planRoyalties(now: Date): readonly SeedReport[] {
  // The month before the one in which the next closing is due is open, and the one before that is closed.
  const next = nextClosing(now);
  const inMonth = (offset: number, day = 1, hour = 0) =>
    new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + offset, day, hour));
  return Array.from({ length: months }, (_, i) => {
    const monthsAgo = months - i;
    const period = inMonth(-1 - monthsAgo)
      .toISOString()
      .slice(0, 7);
    const arrivesAt = inMonth(-monthsAgo, arrivalDay, arrivalHour);
    const special = specialKinds[i];
    return [
      { storeId: stores.usual, period, kind: 'normal' as const, arrivesAt },
      ...(special === undefined
        ? []
        : [{ storeId: stores.other, period, kind: special, arrivesAt }]),
    ];
  }).flat();
}
