import { parseId } from '../../kernel/ids.ts';
import { parseIsrc } from '../../kernel/isrc.ts';
import type { ProblemCode } from '../../kernel/problem.ts';
import { created, resource, stillMatches } from '../../platform/http/answer.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { changedResource, removedResource } from '../../platform/http/mutation-result.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { createTracks } from '../commands/create-tracks.ts';
import { deleteTrack } from '../commands/delete-track.ts';
import { editTrack } from '../commands/edit-tracks.ts';
import { presentTrack } from '../domain/present-track.ts';
import { releaseNotFound } from '../domain/release.ts';
import { type TrackId, trackNotFound } from '../domain/track.ts';
import { findTrack, listTracks, listTracksByPosition, type TrackView } from '../store/tracks.ts';
import { PageQuery, ReleasePath } from './release-schemas.ts';
import { releaseIdOf } from './releases.ts';
import { trackExamples } from './track-examples.ts';
import {
  CreateTrackBody,
  PatchTrackBody,
  TrackBody,
  TrackListQuery,
  TrackPage,
  TrackPath,
  withdrawingTrackFields,
} from './track-schemas.ts';
import { toNewTrack, toTrackPatch } from './track-wire.ts';

export const trackTag = 'Tracks';

export const presentView = (track: TrackView) => presentTrack(track, track.release);

const trackIdOf = (params: { readonly track_id: string }): TrackId => {
  const id = parseId('trk', params.track_id);
  if (id === undefined) throw trackNotFound();
  return id;
};

export function trackRoutes(server: Server, deps: MutationDeps): void {
  createRoutes(server, deps);
  readRoutes(server, deps);
  releaseTracksRoute(server, deps);
  patchRoute(server, deps);
  deleteRoute(server, deps);
}

export const creationProblems: readonly ProblemCode[] = [
  'invalid_state',
  'invalid_isrc_format',
  'territory_not_supported',
];

function createRoutes(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'createTrack',
      action: 'track.create',
      effect: 'creates',
      tag: trackTag,
      summary: 'Create a track',
      description:
        'Creates a track and returns it. A `release_id` and a `title` are enough: if you omit them, the artists are those of the release, and the ISRC is assigned from your registrant code. An ISRC that one of your tracks has or had is never assigned again.',
      method: 'POST',
      path: '/v1/tracks',
      scope: 'tracks:write',
      body: CreateTrackBody,
      answers: { 201: TrackBody },
      examples: trackExamples.createTrack,
      problems: creationProblems,
    },
    async (tx, { body }) => {
      const [track] = await createTracks(tx, [toNewTrack(body)]);
      if (track === undefined) throw new Error('one track makes one track');
      const answer = created(presentView(track), `/v1/tracks/${track.id}`);
      return { answer, auditedId: track.id, before: undefined };
    },
  );
}

function readRoutes(server: Server, { db, keyring }: MutationDeps): void {
  read(
    server,
    db,
    {
      id: 'getTrack',
      tag: trackTag,
      summary: 'Get a track',
      description: 'Returns the track.',
      method: 'GET',
      path: '/v1/tracks/:track_id',
      scope: 'tracks:read',
      params: TrackPath,
      answers: { 200: TrackBody },
      examples: trackExamples.getTrack,
      problems: ['resource_not_found'],
    },
    async (ask, { caller, params }) => {
      const id = trackIdOf(params);
      const track = await ask((tenant) => findTrack(tenant, caller.orgId, id));
      if (track === undefined) throw trackNotFound();
      return resource(presentView(track));
    },
  );
  read(
    server,
    db,
    {
      id: 'listTracks',
      tag: trackTag,
      summary: 'List tracks',
      description: 'Returns a page of tracks, newest first. Filter by release or ISRC.',
      method: 'GET',
      path: '/v1/tracks',
      scope: 'tracks:read',
      query: TrackListQuery,
      answers: { 200: TrackPage },
      examples: trackExamples.listTracks,
      problems: ['invalid_cursor'],
    },
    async (ask, { caller, query }) => {
      const list = openList(keyring, caller.orgId, 'tracks', query);
      const filters = {
        releaseId: parseId('rel', query.release_id ?? ''),
        isrc: parseIsrc(query.isrc ?? ''),
      };
      const page = await ask((tenant) => listTracks(tenant, caller.orgId, filters, list.page));
      return list.answer(page, presentView);
    },
  );
}

/** Catalogue §5. */
function releaseTracksRoute(server: Server, { db, keyring }: MutationDeps): void {
  read(
    server,
    db,
    {
      id: 'listReleaseTracks',
      tag: trackTag,
      summary: 'List the tracks of a release',
      description: 'Returns the tracks of the release by disc and position.',
      method: 'GET',
      path: '/v1/releases/:release_id/tracks',
      scope: 'tracks:read',
      params: ReleasePath,
      query: PageQuery,
      answers: { 200: TrackPage },
      examples: trackExamples.listReleaseTracks,
      problems: ['resource_not_found', 'invalid_cursor'],
    },
    async (ask, { caller: { orgId }, params, query }) => {
      const id = releaseIdOf(params);
      const list = openList(keyring, orgId, `tracks/${id}`, query);
      const page = await ask((tenant) => listTracksByPosition(tenant, orgId, id, list.page));
      if (page === undefined) throw releaseNotFound();
      return list.answer(page, presentView);
    },
  );
}

function patchRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'updateTrack',
      action: 'track.update',
      effect: 'withdraws',
      effectIf: withdrawingTrackFields,
      tag: trackTag,
      summary: 'Update a track',
      description:
        'Changes only the fields that you send, and returns the changed resource. A list replaces the whole list, and `null` clears a field.',
      method: 'PATCH',
      path: '/v1/tracks/:track_id',
      scope: 'tracks:write',
      params: TrackPath,
      body: PatchTrackBody,
      answers: { 200: TrackBody },
      examples: trackExamples.updateTrack,
      problems: [
        'resource_not_found',
        'invalid_state',
        'precondition_failed',
        'invalid_isrc_format',
        'territory_not_supported',
      ],
    },
    async (tx, { params, body, ifMatch }) => {
      const edited = await editTrack(tx, {
        id: trackIdOf(params),
        patch: toTrackPatch(body),
        isExpected: (current) =>
          ifMatch === undefined || stillMatches(ifMatch, presentView(current)),
      });
      return changedResource(edited, presentView);
    },
  );
}

function deleteRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'deleteTrack',
      action: 'track.delete',
      effect: 'deletes',
      tag: trackTag,
      summary: 'Delete a track of a draft',
      description: 'Deletes the track. Its release must be a draft.',
      method: 'DELETE',
      path: '/v1/tracks/:track_id',
      scope: 'tracks:write',
      params: TrackPath,
      answers: { 204: null },
      problems: ['resource_not_found', 'invalid_state'],
    },
    async (tx, { params }) => {
      return removedResource(await deleteTrack(tx, trackIdOf(params)), presentView);
    },
  );
}
