import type { ReleaseId } from '../../kernel/ids.ts';
import { enforce } from '../../kernel/problem.ts';
import { findStoreSettings } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  type ArtistEntry,
  type ContributorEntry,
  artistIdsIn,
  type NamedArtists,
  refuseTooManyArtists,
} from '../domain/artist-entries.ts';
import { keyShareLockArtists } from '../store/artists.ts';
import { findLinkedArtists } from '../store/release-artists.ts';

/**
 * What the entries of a request name. The artists stay locked against deletion until the commit. Entries without
 * artists and profiles cost no query.
 */
export async function findNamedArtists(
  tx: Tx,
  entries: readonly (ArtistEntry | ContributorEntry)[],
): Promise<NamedArtists> {
  const ids = [...new Set(artistIdsIn(entries))];
  const profiled = new Set(
    entries.flatMap((entry) =>
      'storeProfiles' in entry ? Object.keys(entry.storeProfiles ?? {}) : [],
    ),
  );
  const [artists, stores] = await Promise.all([
    keyShareLockArtists(tx, ids),
    profiled.size === 0 ? [] : findStoreSettings(tx, [...profiled]),
  ]);
  return {
    artists: new Map(artists.map((artist) => [artist.id as string, artist])),
    storeIds: new Set(stores.map(({ storeId }) => storeId)),
  };
}

type WrittenEntries = {
  readonly releaseId: ReleaseId;
  readonly entries: readonly (ArtistEntry | ContributorEntry)[];
  readonly field: string;
};

/** Refuses entries with which a release would name too many artists. The caller has locked the releases. */
export async function enforceArtistCounts(
  tx: Tx,
  written: readonly WrittenEntries[],
): Promise<void> {
  const named = written.filter(({ entries }) => artistIdsIn(entries).length > 0);
  for (const [releaseId, ofRelease] of Map.groupBy(named, (each) => each.releaseId)) {
    const linked = await findLinkedArtists(tx, releaseId);
    const entries = ofRelease.flatMap((each) => each.entries);
    enforce(refuseTooManyArtists(entries, linked, ofRelease[0]?.field ?? ''));
  }
}
