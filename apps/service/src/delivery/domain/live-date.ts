/** Catalogue §1.5: moving the date of a live release into the future is a takedown in disguise. */

import type { Rejection } from './message.ts';

export const liveDateMoved: Rejection = {
  code: 'live_date_moved',
  reason:
    'The store has the release, and its new date is in the future. Take it down and deliver it again, or set a date that has passed.',
};

/** The date of the revision that the store has, against that of the revision it would be sent. */
export const isLiveDateMoved = (startedAt: Date, startsAt: Date, now: Date): boolean =>
  startsAt > now && startsAt > startedAt;
