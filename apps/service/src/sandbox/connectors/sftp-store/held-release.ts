/** What a store has of a release, as its newest message says. */

import type { Deal, NewReleaseMessage } from '@tonearm/ern';

export type HeldRelease = {
  readonly code: string;
  readonly title: string;
  readonly messageId: string;
  /** Titles of the tracks that the store may offer. */
  readonly tracks: readonly string[];
  /** Of those, the ones that people may stream. */
  readonly streamable: readonly string[];
  /** Of the first deal of the release. */
  readonly territories: readonly string[];
  readonly start: string | null;
  /** Offered to people: the newest message has deals for it. */
  readonly isLive: boolean;
};

/** The newest message replaces everything that the store knew. */
export function toHeldRelease(
  code: string,
  { header, release, tracks }: NewReleaseMessage,
  now: Date,
): HeldRelease {
  const isOffered = (deals: readonly Deal[] = []) => deals.some((deal) => !hasEnded(deal, now));
  const offered = tracks.filter(({ trackRelease }) => isOffered(trackRelease?.deals));
  const [firstDeal] = release.deals;
  return {
    code,
    title: release.title.text,
    messageId: header.messageId,
    tracks: offered.map(({ title }) => title.text),
    streamable: offered
      .filter(({ trackRelease }) => trackRelease?.deals.some(isStream) === true)
      .map(({ title }) => title.text),
    territories: firstDeal === undefined ? [] : codesOf(firstDeal),
    start: firstDeal?.period.start ?? null,
    isLive: isOffered(release.deals) || offered.length > 0,
  };
}

const isStream = ({ useTypes }: Deal): boolean => useTypes.includes('OnDemandStream');

const codesOf = ({ territories }: Deal): readonly string[] =>
  'included' in territories
    ? territories.included.toSorted()
    : territories.excluded.map((code) => `not ${code}`);

/** By the days of UTC, which is exact enough for a deal that ended two days ago. */
const hasEnded = ({ period: { end } }: Deal, now: Date): boolean =>
  end !== undefined && end.slice(0, 10) <= now.toISOString().slice(0, 10);
