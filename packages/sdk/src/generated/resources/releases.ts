/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { Pager } from '../../core/pager.ts';
import type { ReadOptions, RequestOptions, WriteOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import { segment } from '../../core/url.ts';
import type {
  ApplyFixes,
  CreateRelease,
  ListReleaseRevisionsQuery,
  ListReleaseTracksQuery,
  ListReleasesQuery,
  PreflightReport,
  Release,
  ReleasePage,
  ReleaseRevision,
  ReleaseRevisionPage,
  ReleaseRevisionSummary,
  Submission,
  Track,
  TrackPage,
  UpdateRelease,
} from '../schema.ts';

/** Releases. */
export class ReleasesResource extends Resource {
  /**
   * Create a release.
   *
   * Creates a draft and returns it. A title, one main artist and a `release_date` are enough: `label`, `metadata_language`, `territories` and `upc` come from your organization if you omit them. Next, add tracks and files, then submit the release.
   *
   * Scope: `releases:write`.
   *
   * @see operation `createRelease`
   */
  create(body: CreateRelease, options?: WriteOptions): ApiCall<Release> {
    return this.client.call({
      method: 'POST',
      path: '/v1/releases',
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * List releases.
   *
   * Returns a page of releases, newest first. Use a cursor only with the filters of the page that returned it.
   *
   * Scope: `releases:read`.
   *
   * @see operation `listReleases`
   */
  list(query?: ListReleasesQuery, options?: RequestOptions): Pager<Release, ReleasePage> {
    return this.client.list({ method: 'GET', path: '/v1/releases', query, options });
  }

  /**
   * Get a release.
   *
   * Returns the release as it is now, with its latest submission.
   *
   * Scope: `releases:read`.
   *
   * @see operation `getRelease`
   */
  get(releaseId: string, options?: ReadOptions): ApiCall<Release> {
    return this.client.call({
      method: 'GET',
      path: `/v1/releases/${segment(releaseId, 'release_id')}`,
      options,
    });
  }

  /**
   * Update a release.
   *
   * Changes only the fields that you send, and returns the changed resource. A list replaces the whole list, and `null` clears a field.
   *
   * Scope: `releases:write`.
   *
   * @see operation `updateRelease`
   */
  update(releaseId: string, body?: UpdateRelease, options?: WriteOptions): ApiCall<Release> {
    return this.client.call({
      method: 'PATCH',
      path: `/v1/releases/${segment(releaseId, 'release_id')}`,
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * Delete a draft.
   *
   * Deletes a draft with its tracks. A release that was submitted cannot be deleted; take it down instead.
   *
   * Scope: `releases:write`.
   *
   * @see operation `deleteRelease`
   */
  delete(releaseId: string, options?: RequestOptions): ApiCall<void> {
    return this.client.call({
      method: 'DELETE',
      path: `/v1/releases/${segment(releaseId, 'release_id')}`,
      options,
    });
  }

  /**
   * List the revisions of a release.
   *
   * Returns a page of the revisions of the release, newest first, each with the fields that changed.
   *
   * Scope: `releases:read`.
   *
   * @see operation `listReleaseRevisions`
   */
  listRevisions(
    releaseId: string,
    query?: ListReleaseRevisionsQuery,
    options?: RequestOptions,
  ): Pager<ReleaseRevisionSummary, ReleaseRevisionPage> {
    return this.client.list({
      method: 'GET',
      path: `/v1/releases/${segment(releaseId, 'release_id')}/revisions`,
      query,
      options,
    });
  }

  /**
   * Get a release as it was at a revision.
   *
   * Returns the revision with the release as it was then.
   *
   * Scope: `releases:read`.
   *
   * @see operation `getReleaseRevision`
   */
  getRevision(
    releaseId: string,
    revision: number | string,
    options?: ReadOptions,
  ): ApiCall<ReleaseRevision> {
    return this.client.call({
      method: 'GET',
      path: `/v1/releases/${segment(releaseId, 'release_id')}/revisions/${segment(revision, 'revision')}`,
      options,
    });
  }

  /**
   * Validate a release.
   *
   * Reports what stores would refuse the release for. Its tracks are also compared with those of your other releases, because one ISRC identifies one recording. Validating changes nothing, and you can repeat it. Correct the findings, or apply the fixes that they offer, then submit the release.
   *
   * Scope: `releases:read`, `tracks:read`.
   *
   * @see operation `validateRelease`
   */
  validate(releaseId: string, options?: WriteOptions): ApiCall<PreflightReport> {
    return this.client.call({
      method: 'POST',
      path: `/v1/releases/${segment(releaseId, 'release_id')}/validate`,
      takesKey: true,
      options,
    });
  }

  /**
   * Apply fixes.
   *
   * Applies the patches that these findings offer, as one new revision, and returns the release.
   *
   * Scope: `releases:write`, `tracks:write`.
   *
   * @see operation `applyFixes`
   */
  applyFixes(releaseId: string, body: ApplyFixes, options?: WriteOptions): ApiCall<Release> {
    return this.client.call({
      method: 'POST',
      path: `/v1/releases/${segment(releaseId, 'release_id')}/fixes`,
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * Submit a release.
   *
   * Submits the release for review and returns it. The release must have at least one track, ready audio for each track, ready artwork, and a `release_date` in the future; the error lists every condition that is not met. `submission.review_status` is the result of the review. You can create deliveries at once: they wait for the review.
   *
   * Scope: `releases:write`.
   *
   * @see operation `submitRelease`
   */
  submit(releaseId: string, options?: WriteOptions): ApiCall<Submission> {
    return this.client.call({
      method: 'POST',
      path: `/v1/releases/${segment(releaseId, 'release_id')}/submit`,
      takesKey: true,
      options,
    });
  }

  /**
   * List the tracks of a release.
   *
   * Returns the tracks of the release by disc and position.
   *
   * Scope: `tracks:read`.
   *
   * @see operation `listReleaseTracks`
   */
  listTracks(
    releaseId: string,
    query?: ListReleaseTracksQuery,
    options?: RequestOptions,
  ): Pager<Track, TrackPage> {
    return this.client.list({
      method: 'GET',
      path: `/v1/releases/${segment(releaseId, 'release_id')}/tracks`,
      query,
      options,
    });
  }
}
