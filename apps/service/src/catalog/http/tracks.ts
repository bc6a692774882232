import { parseId } from '../../kernel/ids.ts';
import { parseIsrc } from '../../kernel/isrc.ts';
import type { ProblemCode } from '../../kernel/problem.ts';
import { created, noContent, ok, resource, stillMatches } from '../../platform/http/answer.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { createTracks } from '../commands/create-tracks.ts';
import { deleteTrack } from '../commands/delete-track.ts';
import { editTrack } from '../commands/edit-track.ts';
import { presentTrack } from '../domain/present-track.ts';
import { type TrackId, trackNotFound } from '../domain/track.ts';
import { findTrack, listTracks, type TrackView } from '../store/tracks.ts';
import {
  BulkTracksBody,
  CreateTrackBody,
  PatchTrackBody,
  TrackBody,
  TrackList,
  TrackListQuery,
  TrackPage,
  TrackPath,
} from './track-schemas.ts';
import { toNewTrack, toTrackPatch } from './track-wire.ts';

const tag = 'Tracks';
const bulkBytesMax = 1024 * 1024; // contract §7

const present = (track: TrackView) => presentTrack(track, track.release);

const trackIdOf = (params: { readonly track_id: string }): TrackId => {
  const id = parseId('trk', params.track_id);
  if (id === undefined) throw trackNotFound();
  return id;
};

export function trackRoutes(server: Server, deps: MutationDeps): void {
  createRoutes(server, deps);
  readRoutes(server, deps);
  patchRoute(server, deps);
  deleteRoute(server, deps);
}

const creationProblems: readonly ProblemCode[] = [
  'invalid_state',
  'invalid_isrc_format',
  'territory_not_supported',
];

/** The path of a track in the body of a bulk request. */
const prefixOf = (i: number): string => `tracks[${i}].`;

function createRoutes(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'createTrack',
      action: 'track.create',
      tag,
      summary: 'Create a track',
      description:
        'A release_id and a title suffice; artists are the release’s, and the ISRC comes from your registrant code, when omitted. An ISRC that a track of yours has or had is never assigned to another.',
      method: 'POST',
      path: '/v1/tracks',
      scope: 'tracks:write',
      body: CreateTrackBody,
      answers: { 201: TrackBody },
      problems: creationProblems,
    },
    async (tx, { body }) => {
      const [track] = await createTracks(tx, [toNewTrack(body)]);
      if (track === undefined) throw new Error('one track makes one track');
      return { answer: created(present(track), `/v1/tracks/${track.id}`), auditedId: track.id };
    },
  );
  mutation(
    server,
    deps,
    {
      id: 'createTracks',
      action: 'track.create_many',
      tag,
      summary: 'Create many tracks',
      description: 'Up to 100, all of them or none. Errors name the item: tracks[3].isrc.',
      method: 'POST',
      path: '/v1/tracks/bulk',
      scope: 'tracks:write',
      body: BulkTracksBody,
      bodyBytesMax: bulkBytesMax,
      answers: { 201: TrackList },
      problems: creationProblems,
    },
    async (tx, { body }) => {
      const newTracks = body.tracks.map((track, i) => toNewTrack(track, prefixOf(i)));
      const tracks = await createTracks(tx, newTracks, prefixOf);
      const answer = { ...ok({ data: tracks.map(present) }), status: 201 };
      const releases = new Set(tracks.map(({ releaseId }) => releaseId));
      return { answer, auditedId: [...releases].join(' ') };
    },
  );
}

function readRoutes(server: Server, { db, keyring }: MutationDeps): void {
  read(
    server,
    db,
    {
      id: 'getTrack',
      tag,
      summary: 'Get a track',
      method: 'GET',
      path: '/v1/tracks/:track_id',
      scope: 'tracks:read',
      params: TrackPath,
      answers: { 200: TrackBody },
      problems: ['resource_not_found'],
    },
    async (ask, { caller, params }) => {
      const id = trackIdOf(params);
      const track = await ask((tenant) => findTrack(tenant, caller.orgId, id));
      if (track === undefined) throw trackNotFound();
      return resource(present(track));
    },
  );
  read(
    server,
    db,
    {
      id: 'listTracks',
      tag,
      summary: 'List tracks',
      description: 'Newest first.',
      method: 'GET',
      path: '/v1/tracks',
      scope: 'tracks:read',
      query: TrackListQuery,
      answers: { 200: TrackPage },
      problems: ['invalid_cursor'],
    },
    async (ask, { caller, query }) => {
      const list = openList(keyring, caller.orgId, 'tracks', query);
      const filters = {
        releaseId: parseId('rel', query.release_id ?? ''),
        isrc: parseIsrc(query.isrc ?? ''),
      };
      const page = await ask((tenant) => listTracks(tenant, caller.orgId, filters, list.page));
      return list.answer(page, present);
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
      tag,
      summary: 'Update a track',
      description:
        'Only the fields included change; lists are replaced in full, null clears a field.',
      method: 'PATCH',
      path: '/v1/tracks/:track_id',
      scope: 'tracks:write',
      params: TrackPath,
      body: PatchTrackBody,
      answers: { 200: TrackBody },
      problems: [
        'resource_not_found',
        'invalid_state',
        'precondition_failed',
        'invalid_isrc_format',
        'territory_not_supported',
      ],
    },
    async (tx, { params, body, ifMatch }) => {
      const id = trackIdOf(params);
      const track = await editTrack(tx, {
        id,
        patch: toTrackPatch(body),
        isExpected: (current) => ifMatch === undefined || stillMatches(ifMatch, present(current)),
      });
      return { answer: resource(present(track)), auditedId: id };
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
      tag,
      summary: 'Delete a track of a draft',
      method: 'DELETE',
      path: '/v1/tracks/:track_id',
      scope: 'tracks:write',
      params: TrackPath,
      answers: { 204: null },
      problems: ['resource_not_found', 'invalid_state'],
    },
    async (tx, { params }) => {
      const id = trackIdOf(params);
      await deleteTrack(tx, id);
      return { answer: noContent(), auditedId: id };
    },
  );
}
