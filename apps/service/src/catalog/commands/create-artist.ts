import { enforce } from '../../kernel/problem.ts';
import { type QuotaPolicy, refuseBeyond } from '../../kernel/quota.ts';
import { findStoreSettings } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  type ArtistContent,
  refuseArtistSize,
  refuseTaken,
  refuseUnknownStores,
  type RegisteredArtist,
} from '../domain/artist.ts';
import { findConflictingArtists, insertArtist } from '../store/artists.ts';
import { enforceCatalogQuotas, findCatalogUsage } from '../store/catalog-usage.ts';

export type NewArtist = Pick<ArtistContent, 'name'> & Partial<ArtistContent>;

export async function createArtist(
  tx: Tx,
  draft: NewArtist,
  quotas: QuotaPolicy,
): Promise<RegisteredArtist> {
  const artist: RegisteredArtist = {
    reference: null,
    metadata: {},
    isni: null,
    ipi: null,
    localizedNames: {},
    storeProfiles: {},
    ...draft,
    id: tx.newId('art'),
    mergedInto: null,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  enforce(refuseArtistSize(artist));
  const [stores, conflicts, usage] = await Promise.all([
    findStoreSettings(tx, Object.keys(artist.storeProfiles)),
    findConflictingArtists(tx, artist.id, artist),
    findCatalogUsage(tx),
  ]);
  const storeIds = new Set(stores.map(({ storeId }) => storeId));
  enforce(
    refuseUnknownStores(artist.storeProfiles, storeIds, 'store_profiles') ??
      refuseTaken(artist, conflicts) ??
      refuseBeyond(quotas, 'artists', usage.artists + 1),
  );
  insertArtist(tx, artist);
  enforceCatalogQuotas(tx, { artists: quotas.artists });
  return artist;
}
