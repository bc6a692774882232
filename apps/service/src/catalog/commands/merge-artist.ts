import type { Changed } from '../../kernel/changed.ts';
import { type ArtistId, parseId } from '../../kernel/ids.ts';
import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  artistNotFound,
  asMergedInto,
  refuseArtistSize,
  refuseMerge,
  type RegisteredArtist,
  withMerged,
} from '../domain/artist.ts';
import { lockArtists, markMerged, updateArtist } from '../store/artists.ts';

export type MergedArtists = {
  readonly merged: Changed<RegisteredArtist>;
  readonly remaining: Changed<RegisteredArtist>;
};

/**
 * Merges an artist into another one. No release is written, because an artist may have a hundred thousand: their
 * entries keep the merged artist, and each read shows the one that remains.
 */
export async function mergeArtist(tx: Tx, id: ArtistId, intoText: string): Promise<MergedArtists> {
  const intoId = parseId('art', intoText);
  const locked = await lockArtists(tx, intoId === undefined ? [id] : [id, intoId]);
  const artist = locked.get(id);
  if (artist === undefined) throw artistNotFound();
  const into = locked.get(intoText);
  enforce(refuseMerge(artist, into));
  if (into === undefined) throw new Error('an unknown artist was refused');
  const remaining = withMerged(into, artist, tx.now);
  enforce(refuseArtistSize(remaining));
  // First, because two artists that are not merged cannot have the same ISNI.
  markMerged(tx, id, into.id, tx.now);
  updateArtist(tx, remaining);
  return {
    merged: { before: artist, after: asMergedInto(artist, into.id, tx.now) },
    remaining: { before: into, after: remaining },
  };
}
