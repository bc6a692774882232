/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { Pager } from '../../core/pager.ts';
import type { ReadOptions, RequestOptions, WriteOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import { segment } from '../../core/url.ts';
import type {
  Artist,
  ArtistPage,
  CreateArtist,
  ListArtistsQuery,
  MergeArtist,
  UpdateArtist,
} from '../schema.ts';

/** Artists. */
export class ArtistsResource extends Resource {
  /**
   * Create an artist.
   *
   * Creates an artist and returns it. Send its id as `artist_id` in the artists of releases and tracks. Several artists can have the same name. The number of artists has a quota: 429 `quota_exceeded`.
   *
   * Scope: `releases:write`.
   *
   * @see operation `createArtist`
   */
  create(body: CreateArtist, options?: WriteOptions): ApiCall<Artist> {
    return this.client.call({ method: 'POST', path: '/v1/artists', body, takesKey: true, options });
  }

  /**
   * List artists.
   *
   * Returns a page of artists, newest first. Merged artists are included.
   *
   * Scope: `releases:read`.
   *
   * @see operation `listArtists`
   */
  list(query?: ListArtistsQuery, options?: RequestOptions): Pager<Artist, ArtistPage> {
    return this.client.list({ method: 'GET', path: '/v1/artists', query, options });
  }

  /**
   * Get an artist.
   *
   * Returns the artist. If it was merged, `merged_into` names the artist that remains.
   *
   * Scope: `releases:read`.
   *
   * @see operation `getArtist`
   */
  get(artistId: string, options?: ReadOptions): ApiCall<Artist> {
    return this.client.call({
      method: 'GET',
      path: `/v1/artists/${segment(artistId, 'artist_id')}`,
      options,
    });
  }

  /**
   * Update an artist.
   *
   * Changes only the fields that you send, and returns the artist. A map replaces the whole map, and `null` clears a field. Releases do not change; the next update of a delivery sends the new store profiles.
   *
   * Scope: `releases:write`.
   *
   * @see operation `updateArtist`
   */
  update(artistId: string, body?: UpdateArtist, options?: WriteOptions): ApiCall<Artist> {
    return this.client.call({
      method: 'PATCH',
      path: `/v1/artists/${segment(artistId, 'artist_id')}`,
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * Delete an artist.
   *
   * Deletes an artist that no release and no track names, and the artists that were merged into it.
   *
   * Scope: `releases:write`.
   *
   * @see operation `deleteArtist`
   */
  delete(artistId: string, options?: RequestOptions): ApiCall<void> {
    return this.client.call({
      method: 'DELETE',
      path: `/v1/artists/${segment(artistId, 'artist_id')}`,
      options,
    });
  }

  /**
   * Merge an artist into another.
   *
   * Merges an artist into another one and returns the artist that remains. Releases and tracks show the artist that remains, which also gets what only the merged one had: `isni`, `ipi`, `localized_names` and `store_profiles`. If both have different values, the merge is refused. A merge cannot be undone.
   *
   * Scope: `releases:write`.
   *
   * @see operation `mergeArtist`
   */
  merge(artistId: string, body: MergeArtist, options?: WriteOptions): ApiCall<Artist> {
    return this.client.call({
      method: 'POST',
      path: `/v1/artists/${segment(artistId, 'artist_id')}/merge`,
      body,
      takesKey: true,
      options,
    });
  }
}
