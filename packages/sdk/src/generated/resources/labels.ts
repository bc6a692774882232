/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { Pager } from '../../core/pager.ts';
import type { ReadOptions, RequestOptions, WriteOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import { segment } from '../../core/url.ts';
import type { CreateLabel, Label, LabelPage, ListLabelsQuery, UpdateLabel } from '../schema.ts';

/** Labels. */
export class LabelsResource extends Resource {
  /**
   * Create a label.
   *
   * Creates a label and returns it. On releases, send its id as `label_id` or its name as `label`. The number of labels has a quota: 429 `quota_exceeded`.
   *
   * Scope: `releases:write`.
   *
   * @see operation `createLabel`
   */
  create(body: CreateLabel, options?: WriteOptions): ApiCall<Label> {
    return this.client.call({ method: 'POST', path: '/v1/labels', body, takesKey: true, options });
  }

  /**
   * List labels.
   *
   * Returns a page of labels, newest first. One of them is the default label of your organization.
   *
   * Scope: `releases:read`.
   *
   * @see operation `listLabels`
   */
  list(query?: ListLabelsQuery, options?: RequestOptions): Pager<Label, LabelPage> {
    return this.client.list({ method: 'GET', path: '/v1/labels', query, options });
  }

  /**
   * Get a label.
   *
   * Returns the label.
   *
   * Scope: `releases:read`.
   *
   * @see operation `getLabel`
   */
  get(labelId: string, options?: ReadOptions): ApiCall<Label> {
    return this.client.call({
      method: 'GET',
      path: `/v1/labels/${segment(labelId, 'label_id')}`,
      options,
    });
  }

  /**
   * Update a label.
   *
   * Changes only the fields that you send, and returns the label. A list replaces the whole list, and `null` clears a field. Releases keep the old name of the label; to give a release the new name, send its `label_id` again.
   *
   * Scope: `releases:write`.
   *
   * @see operation `updateLabel`
   */
  update(labelId: string, body?: UpdateLabel, options?: WriteOptions): ApiCall<Label> {
    return this.client.call({
      method: 'PATCH',
      path: `/v1/labels/${segment(labelId, 'label_id')}`,
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * Delete a label.
   *
   * Deletes a label that no release has. The default label cannot be deleted.
   *
   * Scope: `releases:write`.
   *
   * @see operation `deleteLabel`
   */
  delete(labelId: string, options?: RequestOptions): ApiCall<void> {
    return this.client.call({
      method: 'DELETE',
      path: `/v1/labels/${segment(labelId, 'label_id')}`,
      options,
    });
  }
}
