/**
 * Takedowns. ERN has no message for them: the newest message about a release replaces what earlier ones said, so the
 * release is sent again without deals, or with deals that have ended.
 */

import type { Deal, DealTime, NewReleaseMessage } from '../model.ts';

/** `omit_deal` is enough by the standard (ERN §6.19.4); a few stores want to see the deals end. */
export const takedownMethods = ['omit_deal', 'end_deal'] as const;
export type TakedownMethod = (typeof takedownMethods)[number];

/** Local times are up to 14 hours ahead of UTC and 12 behind. A deal that ended two days ago has ended everywhere. */
const endedDaysAgo = 2;

/** The message that takes the release down. `now` is when it is sent. */
export function takeDown(
  message: NewReleaseMessage,
  now: Date,
  method: TakedownMethod = 'omit_deal',
): NewReleaseMessage {
  const ended = (deals: readonly Deal[]): readonly Deal[] =>
    method === 'omit_deal' ? [] : deals.flatMap((deal) => endDeal(deal, now));
  const { visibility: _, ...release } = message.release;
  return {
    ...message,
    release: { ...release, deals: ended(release.deals) },
    tracks: message.tracks.map(({ trackRelease, ...track }) =>
      trackRelease === undefined
        ? track
        : { ...track, trackRelease: { ...trackRelease, deals: ended(trackRelease.deals) } },
    ),
  };
}

/** A deal cannot end before it began: one that began later is left out, which ends it too. */
function endDeal(deal: Deal, now: Date): readonly Deal[] {
  const { start, end: ownEnd } = deal.period;
  const end = endTimeLike(start, now);
  if (ownEnd !== undefined && instantOf(ownEnd) <= instantOf(end)) return [deal];
  return instantOf(start) < instantOf(end) ? [{ ...deal, period: { start, end } }] : [];
}

/** Midnight, in the form of the start: a day, a local time or an instant. */
function endTimeLike(start: DealTime, now: Date): DealTime {
  const day = new Date(now.getTime() - endedDaysAgo * 86_400_000).toISOString().slice(0, 10);
  if (!start.includes('T')) return day;
  return hasZone(start) ? `${day}T00:00:00Z` : `${day}T00:00:00`;
}

const hasZone = (time: DealTime): boolean => /(Z|[+-]\d{2}:\d{2})$/.test(time);

/** Local times are compared as if they were in UTC: both sides have the same form. */
const instantOf = (time: DealTime): number =>
  Date.parse(time.includes('T') && !hasZone(time) ? `${time}Z` : time);
