/** The tracks of other releases that preflight compares the tracks of a release with. */

import { selectAudio, selectDurationMs, selectSameAudio } from '../../assets/face.ts';
import { type ReleaseId, toUuid } from '../../kernel/ids.ts';
import { defineColumns, idColumn, plain, type Row } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import type { PreflightTrack, RelatedTrack } from '../domain/preflight/preflight-input.ts';

/** An ISRC or a file may be on any number of tracks: the newest ones are compared. */
const tracksPerIsrcMax = 50;
const filesPerAudioMax = 10;
const tracksPerFileMax = 10;

const relatedTracks = defineColumns<RelatedTrack>({
  id: idColumn('trk'),
  releaseId: idColumn('rel'),
  isrc: plain(),
  audio: plain(),
});

/**
 * For each track with audio at most two tracks of other releases, in one query: the one with its ISRC whose duration
 * differs most, and the newest one with its audio and another ISRC. Tracks of this release are compared as they are in
 * the snapshot.
 */
export async function findRelatedTracks(
  tx: Tx,
  releaseId: ReleaseId,
  tracks: readonly PreflightTrack[],
): Promise<RelatedTrack[]> {
  const measured = tracks.flatMap(({ isrc, audio }) => (audio === null ? [] : [{ isrc, audio }]));
  if (measured.length === 0) return [];
  const orgId = sql`${toUuid(tx.orgId)}`;
  const rows = await tx.query<Row>(sql`
    with own as (
      select * from unnest(${measured.map(({ isrc }) => isrc)}::text[],
                           ${measured.map(({ audio }) => audio.sha256)}::text[],
                           ${measured.map(({ audio }) => audio.facts.pcmSha256 ?? null)}::text[],
                           ${measured.map(({ audio }) => audio.facts.durationMs)}::float8[])
             as own (isrc, sha256, pcm_sha256, duration_ms)
    ),
    same_isrc as (
      select other.id
        from own cross join lateral (
          select newest.id
            from (select t.id, ${selectDurationMs({ orgId, id: sql`t.audio_asset_id` })} as duration_ms
                    from tracks t
                   where t.org_id = ${orgId} and t.isrc = own.isrc and t.release_id <> ${toUuid(releaseId)}
                   order by t.created_at desc, t.id desc
                   limit ${tracksPerIsrcMax}) newest
           where newest.duration_ms is not null
           order by abs(newest.duration_ms - own.duration_ms) desc, newest.id desc
           limit 1) other
    ),
    same_audio as (
      select other.id
        from own cross join lateral (
          select newest.id
            from ${selectSameAudio({ orgId, sha256: sql`own.sha256`, pcmSha256: sql`own.pcm_sha256` }, filesPerAudioMax)} file
                 cross join lateral (
                   select t.id, t.isrc
                     from tracks t
                    where t.org_id = ${orgId} and t.audio_asset_id = file.id and t.release_id <> ${toUuid(releaseId)}
                    order by t.id desc
                    limit ${tracksPerFileMax}) newest
           where newest.isrc <> own.isrc
           order by newest.id desc
           limit 1) other
    )
    select t.id, t.release_id, t.isrc, ${selectAudio({ orgId, id: sql`t.audio_asset_id` })} as audio
      from tracks t
     where t.org_id = ${orgId} and t.id in (select id from same_isrc union select id from same_audio)
     order by t.id
  `);
  return rows.map(relatedTracks.read);
}
