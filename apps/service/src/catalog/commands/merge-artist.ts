import { type ArtistId, parseId } from '../../kernel/ids.ts';
import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  artistNotFound,
  refuseArtistSize,
  refuseMerge,
  type RegisteredArtist,
  withMerged,
} from '../domain/artist.ts';
import { lockArtists, markMerged, updateArtist } from '../store/artists.ts';

/**
 * Merges an artist into another one, which is returned. No release is written, because an artist may have a hundred
 * thousand: their entries keep the merged artist, and each read shows the one that remains.
 */
export async function mergeArtist(
  tx: Tx,
  id: ArtistId,
  intoText: string,
): Promise<RegisteredArtist> {
  const intoId = parseId('art', intoText);
  const locked = await lockArtists(tx, intoId === undefined ? [id] : [id, intoId]);
  const artist = locked.get(id);
  if (artist === undefined) throw artistNotFound();
  const into = locked.get(intoText);
  enforce(refuseMerge(artist, into));
  if (into === undefined) throw new Error('an unknown artist was refused');
  const merged = withMerged(into, artist, tx.now);
  enforce(refuseArtistSize(merged));
  // First, because two artists that are not merged cannot have the same ISNI.
  markMerged(tx, id, into.id, tx.now);
  updateArtist(tx, merged);
  return merged;
}
