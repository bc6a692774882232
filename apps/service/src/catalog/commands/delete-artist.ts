import type { ArtistId } from '../../kernel/ids.ts';
import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  artistNotFound,
  refuseMerged,
  refuseUsedArtist,
  type RegisteredArtist,
} from '../domain/artist.ts';
import { findReleaseOfArtists, lockArtistsForDelete, removeArtists } from '../store/artists.ts';

/**
 * Only while no release and no track names it (contract §4). Each transaction that writes an entry with this artist has
 * locked its row before, so after the lock the releases that name it are committed. Returns the deleted artist.
 */
export async function deleteArtist(tx: Tx, id: ArtistId): Promise<RegisteredArtist> {
  const locked = await lockArtistsForDelete(tx, id);
  const artist = locked.find((each) => each.id === id);
  if (artist === undefined) throw artistNotFound();
  enforce(refuseMerged(artist));
  const ids = locked.map((each) => each.id);
  enforce(refuseUsedArtist(await findReleaseOfArtists(tx, ids)));
  removeArtists(tx, ids);
  return artist;
}
