import type { Changed } from '../../kernel/changed.ts';
import type { ArtistId } from '../../kernel/ids.ts';
import { enforce, Problem } from '../../kernel/problem.ts';
import { findStoreSettings } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  applyArtistEdit,
  type ArtistEdit,
  artistNotFound,
  refuseArtistSize,
  refuseMerged,
  refuseTaken,
  refuseUnknownStores,
  type RegisteredArtist,
} from '../domain/artist.ts';
import { findConflictingArtists, lockArtists, updateArtist } from '../store/artists.ts';

export type EditArtistRequest = {
  readonly id: ArtistId;
  readonly edit: ArtistEdit;
  /** Whether the artist still has the ETag that the caller sent (If-Match). */
  readonly isExpected: (artist: RegisteredArtist) => boolean;
};

/** Changes no release: stores get a changed profile with the next update (`ensureReleaseSnapshot`). */
export async function editArtist(
  tx: Tx,
  { id, edit, isExpected }: EditArtistRequest,
): Promise<Changed<RegisteredArtist>> {
  const [locked, stores, conflicts] = await Promise.all([
    lockArtists(tx, [id]),
    findStoreSettings(tx, Object.keys(edit.storeProfiles ?? {})),
    findConflictingArtists(tx, id, edit),
  ]);
  const current = locked.get(id);
  if (current === undefined) throw artistNotFound();
  if (!isExpected(current)) {
    throw new Problem(
      'precondition_failed',
      'The artist has changed since you read it. Read it again, apply your change to it, and send its new ETag.',
    );
  }
  const next = applyArtistEdit(current, edit, tx.now);
  const storeIds = new Set(stores.map(({ storeId }) => storeId));
  enforce(
    refuseMerged(current) ??
      refuseUnknownStores(edit.storeProfiles, storeIds, 'store_profiles') ??
      refuseTaken(edit, conflicts) ??
      refuseArtistSize(next),
  );
  if (next !== current) updateArtist(tx, next);
  return { before: current, after: next };
}
