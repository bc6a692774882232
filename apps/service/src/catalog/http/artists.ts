import { type ArtistId, parseId } from '../../kernel/ids.ts';
import { created, resource, stillMatches } from '../../platform/http/answer.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { changedResource, removedResource } from '../../platform/http/mutation-result.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { createArtist } from '../commands/create-artist.ts';
import { deleteArtist } from '../commands/delete-artist.ts';
import { editArtist } from '../commands/edit-artist.ts';
import { mergeArtist } from '../commands/merge-artist.ts';
import { artistNotFound, type RegisteredArtist } from '../domain/artist.ts';
import { presentRegisteredArtist as present } from '../domain/present-artist.ts';
import { findArtist, listArtists } from '../store/artists.ts';
import { artistExamples } from './artist-examples.ts';
import {
  ArtistBody,
  ArtistListQuery,
  ArtistPage,
  ArtistPath,
  CreateArtistBody,
  MergeArtistBody,
  PatchArtistBody,
} from './artist-schemas.ts';
import { toArtistEdit } from './artist-wire.ts';

const tag = 'Artists';

const artistIdOf = (params: { readonly artist_id: string }): ArtistId => {
  const id = parseId('art', params.artist_id);
  if (id === undefined) throw artistNotFound();
  return id;
};

export function artistRoutes(server: Server, deps: MutationDeps): void {
  createRoute(server, deps);
  readRoutes(server, deps);
  patchRoute(server, deps);
  deleteRoute(server, deps);
  mergeRoute(server, deps);
}

function createRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'createArtist',
      action: 'artist.create',
      effect: 'creates',
      tag,
      summary: 'Create an artist',
      description:
        'Creates an artist and returns it. Send its id as `artist_id` in the artists of releases and tracks. Several artists can have the same name. The number of artists has a quota: 429 `quota_exceeded`.',
      method: 'POST',
      path: '/v1/artists',
      scope: 'releases:write',
      body: CreateArtistBody,
      answers: { 201: ArtistBody },
      examples: artistExamples.createArtist,
      problems: ['quota_exceeded'],
    },
    async (tx, { body, caller }) => {
      const { name } = body;
      const artist = await createArtist(tx, { ...toArtistEdit(body), name }, caller.quotas);
      return {
        answer: created(present(artist), `/v1/artists/${artist.id}`),
        auditedId: artist.id,
        before: undefined,
      };
    },
  );
}

function readRoutes(server: Server, { db, keyring }: MutationDeps): void {
  read(
    server,
    db,
    {
      id: 'getArtist',
      tag,
      summary: 'Get an artist',
      description:
        'Returns the artist. If it was merged, `merged_into` names the artist that remains.',
      method: 'GET',
      path: '/v1/artists/:artist_id',
      scope: 'releases:read',
      params: ArtistPath,
      answers: { 200: ArtistBody },
      examples: artistExamples.getArtist,
      problems: ['resource_not_found'],
    },
    async (ask, { caller, params }) => {
      const id = artistIdOf(params);
      const artist = await ask((tenant) => findArtist(tenant, caller.orgId, id));
      if (artist === undefined) throw artistNotFound();
      return resource(present(artist));
    },
  );
  read(
    server,
    db,
    {
      id: 'listArtists',
      tag,
      summary: 'List artists',
      description: 'Returns a page of artists, newest first. Merged artists are included.',
      method: 'GET',
      path: '/v1/artists',
      scope: 'releases:read',
      query: ArtistListQuery,
      answers: { 200: ArtistPage },
      examples: artistExamples.listArtists,
      problems: ['invalid_cursor'],
    },
    async (ask, { caller, query }) => {
      const list = openList(keyring, caller.orgId, 'artists', query);
      const { name, isni, reference } = query;
      const filters = { name, isni, reference };
      const page = await ask((tenant) => listArtists(tenant, caller.orgId, filters, list.page));
      return list.answer(page, present);
    },
  );
}

function patchRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'updateArtist',
      action: 'artist.update',
      effect: 'changes',
      tag,
      summary: 'Update an artist',
      description:
        'Changes only the fields that you send, and returns the artist. A map replaces the whole map, and `null` clears a field. Releases do not change; the next update of a delivery sends the new store profiles.',
      method: 'PATCH',
      path: '/v1/artists/:artist_id',
      scope: 'releases:write',
      params: ArtistPath,
      body: PatchArtistBody,
      answers: { 200: ArtistBody },
      examples: artistExamples.updateArtist,
      problems: ['resource_not_found', 'invalid_state', 'precondition_failed'],
    },
    async (tx, { params, body, ifMatch }) => {
      const edited = await editArtist(tx, {
        id: artistIdOf(params),
        edit: toArtistEdit(body),
        isExpected: (current: RegisteredArtist) =>
          ifMatch === undefined || stillMatches(ifMatch, present(current)),
      });
      return changedResource(edited, present);
    },
  );
}

function deleteRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'deleteArtist',
      action: 'artist.delete',
      effect: 'deletes',
      tag,
      summary: 'Delete an artist',
      description:
        'Deletes an artist that no release and no track names, and the artists that were merged into it.',
      method: 'DELETE',
      path: '/v1/artists/:artist_id',
      scope: 'releases:write',
      params: ArtistPath,
      answers: { 204: null },
      problems: ['resource_not_found', 'invalid_state'],
    },
    async (tx, { params }) => {
      return removedResource(await deleteArtist(tx, artistIdOf(params)), present);
    },
  );
}

function mergeRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'mergeArtist',
      action: 'artist.merge',
      effect: 'deletes',
      tag,
      summary: 'Merge an artist into another',
      description:
        'Merges an artist into another one and returns the artist that remains. Releases and tracks show the artist that remains, which also gets what only the merged one had: `isni`, `ipi`, `localized_names` and `store_profiles`. If both have different values, the merge is refused. A merge cannot be undone.',
      method: 'POST',
      path: '/v1/artists/:artist_id/merge',
      scope: 'releases:write',
      params: ArtistPath,
      body: MergeArtistBody,
      answers: { 200: ArtistBody },
      examples: artistExamples.mergeArtist,
      problems: ['resource_not_found', 'invalid_state'],
    },
    async (tx, { params, body }) => {
      const { merged, remaining } = await mergeArtist(tx, artistIdOf(params), body.into);
      return {
        answer: resource(present(remaining.after)),
        auditedId: merged.after.id,
        before: present(merged.before),
        after: present(merged.after),
        alsoChanged: [
          {
            auditedId: remaining.after.id,
            before: present(remaining.before),
            after: present(remaining.after),
          },
        ],
      };
    },
  );
}
