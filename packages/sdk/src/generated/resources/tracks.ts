/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { Pager } from '../../core/pager.ts';
import type { ReadOptions, RequestOptions, WriteOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import { segment } from '../../core/url.ts';
import type {
  CreateTrack,
  CreateTracks,
  ListTracksQuery,
  Track,
  TrackList,
  TrackPage,
  UpdateTrack,
  UpdateTracks,
} from '../schema.ts';

/** Tracks. */
export class TracksResource extends Resource {
  /**
   * Create a track.
   *
   * Creates a track and returns it. A `release_id` and a `title` are enough: if you omit them, the artists are those of the release, and the ISRC is assigned from your registrant code. An ISRC that one of your tracks has or had is never assigned again.
   *
   * Scope: `tracks:write`.
   *
   * @see operation `createTrack`
   */
  create(body: CreateTrack, options?: WriteOptions): ApiCall<Track> {
    return this.client.call({ method: 'POST', path: '/v1/tracks', body, takesKey: true, options });
  }

  /**
   * List tracks.
   *
   * Returns a page of tracks, newest first. Filter by release or ISRC.
   *
   * Scope: `tracks:read`.
   *
   * @see operation `listTracks`
   */
  list(query?: ListTracksQuery, options?: RequestOptions): Pager<Track, TrackPage> {
    return this.client.list({ method: 'GET', path: '/v1/tracks', query, options });
  }

  /**
   * Get a track.
   *
   * Returns the track.
   *
   * Scope: `tracks:read`.
   *
   * @see operation `getTrack`
   */
  get(trackId: string, options?: ReadOptions): ApiCall<Track> {
    return this.client.call({
      method: 'GET',
      path: `/v1/tracks/${segment(trackId, 'track_id')}`,
      options,
    });
  }

  /**
   * Update a track.
   *
   * Changes only the fields that you send, and returns the changed resource. A list replaces the whole list, and `null` clears a field.
   *
   * Scope: `tracks:write`.
   *
   * @see operation `updateTrack`
   */
  update(trackId: string, body?: UpdateTrack, options?: WriteOptions): ApiCall<Track> {
    return this.client.call({
      method: 'PATCH',
      path: `/v1/tracks/${segment(trackId, 'track_id')}`,
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * Delete a track of a draft.
   *
   * Deletes the track. Its release must be a draft.
   *
   * Scope: `tracks:write`.
   *
   * @see operation `deleteTrack`
   */
  delete(trackId: string, options?: RequestOptions): ApiCall<void> {
    return this.client.call({
      method: 'DELETE',
      path: `/v1/tracks/${segment(trackId, 'track_id')}`,
      options,
    });
  }

  /**
   * Create many tracks.
   *
   * Creates up to 100 tracks, all of them or none, and returns them. Errors name the item, for example `tracks[3].isrc`.
   *
   * Scope: `tracks:write`.
   *
   * @see operation `createTracks`
   */
  createMany(body: CreateTracks, options?: WriteOptions): ApiCall<TrackList> {
    return this.client.call({
      method: 'POST',
      path: '/v1/tracks/bulk',
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * Update many tracks.
   *
   * Changes up to 100 tracks of one or several releases, all of them or none, and returns them in the order of the request. Each item has the `id` of its track and the fields to change, as in `PATCH /v1/tracks/{track_id}`. Tracks can exchange positions and references. Each release with a changed track gets one new revision. Errors name the item, for example `tracks[3].isrc`. `If-Match` is not used.
   *
   * Scope: `tracks:write`.
   *
   * @see operation `updateTracks`
   */
  updateMany(body: UpdateTracks, options?: WriteOptions): ApiCall<TrackList> {
    return this.client.call({
      method: 'PATCH',
      path: '/v1/tracks/bulk',
      body,
      takesKey: true,
      options,
    });
  }
}
