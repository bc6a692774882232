/** Many tracks in one request (contract §4): all of them or none. */

import { ok } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { createTracks } from '../commands/create-tracks.ts';
import { editTracks } from '../commands/edit-tracks.ts';
import type { TrackView } from '../store/tracks.ts';
import { BulkPatchTracksBody, BulkTracksBody, TrackList } from './track-schemas.ts';
import { toNewTrack, toTrackPatch } from './track-wire.ts';
import { creationProblems, presentView, trackTag } from './tracks.ts';

const path = '/v1/tracks/bulk';
const bodyBytesMax = 1024 * 1024; // contract §7

/** The path of a track in the body. */
const prefixOf = (i: number): string => `tracks[${i}].`;

const releaseIdsOf = (tracks: readonly TrackView[]): string =>
  [...new Set(tracks.map(({ releaseId }) => releaseId))].join(' ');

export function bulkTrackRoutes(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'createTracks',
      action: 'track.create_many',
      tag: trackTag,
      summary: 'Create many tracks',
      description: 'Up to 100, all of them or none. Errors name the item: tracks[3].isrc.',
      method: 'POST',
      path,
      scope: 'tracks:write',
      body: BulkTracksBody,
      bodyBytesMax,
      answers: { 201: TrackList },
      problems: creationProblems,
    },
    async (tx, { body }) => {
      const newTracks = body.tracks.map((track, i) => toNewTrack(track, prefixOf(i)));
      const tracks = await createTracks(tx, newTracks, prefixOf);
      const answer = { ...ok({ data: tracks.map(presentView) }), status: 201 };
      return { answer, auditedId: releaseIdsOf(tracks) };
    },
  );
  mutation(
    server,
    deps,
    {
      id: 'updateTracks',
      action: 'track.update_many',
      tag: trackTag,
      summary: 'Update many tracks',
      description:
        'Up to 100, of one release or several, all of them or none. Each item has the id of its track and the fields to change, as in PATCH /v1/tracks/{track_id}. Tracks may exchange positions and references. Each release with a changed track gets one new revision. The answer has the tracks in the order of the request. Errors name the item: tracks[3].isrc. If-Match is not used.',
      method: 'PATCH',
      path,
      scope: 'tracks:write',
      body: BulkPatchTracksBody,
      bodyBytesMax,
      answers: { 200: TrackList },
      problems: creationProblems,
    },
    async (tx, { body }) => {
      const tracks = await editTracks(
        tx,
        body.tracks.map(({ id, ...patch }, i) => ({
          id,
          patch: toTrackPatch(patch, prefixOf(i)),
        })),
        prefixOf,
      );
      return { answer: ok({ data: tracks.map(presentView) }), auditedId: releaseIdsOf(tracks) };
    },
  );
}
