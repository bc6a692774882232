/** Many tracks in one request (contract §4): all of them or none. */

import { ok } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps, type MutationResult } from '../../platform/http/mutation.ts';
import { createTracks } from '../commands/create-tracks.ts';
import { editTracks } from '../commands/edit-tracks.ts';
import type { TrackView } from '../store/tracks.ts';
import { trackExamples } from './track-examples.ts';
import {
  BulkPatchTracksBody,
  BulkTracksBody,
  TrackList,
  withdrawingTrackFields,
} from './track-schemas.ts';
import { toNewTrack, toTrackPatch } from './track-wire.ts';
import { creationProblems, presentView, trackTag } from './tracks.ts';

const path = '/v1/tracks/bulk';
const bodyBytesMax = 1024 * 1024; // contract §7

/** The path of a track in the body. */
const prefixOf = (i: number): string => `tracks[${i}].`;

type TrackChange = { readonly before?: TrackView; readonly after: TrackView };

/** One audit row for each release: its tracks of this request, before and after. */
function auditedReleases(changes: readonly TrackChange[]): AuditedReleases {
  const entries = [...Map.groupBy(changes, ({ after }) => after.releaseId)].map(
    ([auditedId, group]) => {
      const before = group.flatMap((change) => change.before ?? []);
      return {
        auditedId,
        before: before.length === 0 ? undefined : { data: before.map(presentView) },
        after: { data: group.map(({ after }) => presentView(after)) },
      };
    },
  );
  const [first, ...others] = entries;
  if (first === undefined) throw new Error('a request names at least one track');
  return { ...first, alsoChanged: others };
}

type AuditedReleases = Omit<MutationResult, 'answer'>;

export function bulkTrackRoutes(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'createTracks',
      action: 'track.create_many',
      effect: 'creates',
      tag: trackTag,
      summary: 'Create many tracks',
      description:
        'Creates up to 100 tracks, all of them or none, and returns them. Errors name the item, for example `tracks[3].isrc`.',
      method: 'POST',
      path,
      scope: 'tracks:write',
      body: BulkTracksBody,
      bodyBytesMax,
      answers: { 201: TrackList },
      examples: trackExamples.createTracks,
      problems: creationProblems,
    },
    async (tx, { body }) => {
      const newTracks = body.tracks.map((track, i) => toNewTrack(track, prefixOf(i)));
      const tracks = await createTracks(tx, newTracks, prefixOf);
      const answer = { ...ok({ data: tracks.map(presentView) }), status: 201 };
      return { answer, ...auditedReleases(tracks.map((after) => ({ after }))) };
    },
  );
  mutation(
    server,
    deps,
    {
      id: 'updateTracks',
      action: 'track.update_many',
      effect: 'withdraws',
      effectIf: withdrawingTrackFields,
      tag: trackTag,
      summary: 'Update many tracks',
      description:
        'Changes up to 100 tracks of one or several releases, all of them or none, and returns them in the order of the request. Each item has the `id` of its track and the fields to change, as in `PATCH /v1/tracks/{track_id}`. Tracks can exchange positions and references. Each release with a changed track gets one new revision. Errors name the item, for example `tracks[3].isrc`. `If-Match` is not used.',
      method: 'PATCH',
      path,
      scope: 'tracks:write',
      body: BulkPatchTracksBody,
      bodyBytesMax,
      answers: { 200: TrackList },
      examples: trackExamples.updateTracks,
      problems: creationProblems,
    },
    async (tx, { body }) => {
      const edited = await editTracks(
        tx,
        body.tracks.map(({ id, ...patch }, i) => ({
          id,
          patch: toTrackPatch(patch, prefixOf(i)),
        })),
        prefixOf,
      );
      const answer = ok({ data: edited.map(({ after }) => presentView(after)) });
      return { answer, ...auditedReleases(edited) };
    },
  );
}
