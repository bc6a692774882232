/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { ReadOptions, WriteOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import { segment } from '../../core/url.ts';
import type { CreateDeliveryJob, DeliveryJob } from '../schema.ts';

/** DeliveryJobs. */
export class DeliveryJobsResource extends Resource {
  /**
   * Deliver or take down many releases.
   *
   * Delivers or takes down up to 1,000 releases as one job, and returns the job at once. If a field is missing, or a release, store or territory does not exist or is not licensed to you, the whole job is refused, and details name every such field (`items[3].stores[1]`). After that, each item succeeds or fails by itself; an item that fails, for example because its release is a draft, does not stop the others. Read the job for its progress and the result of each item. At most 5 jobs of an organization run at once; one more gets 429 `quota_exceeded` until a job is completed.
   *
   * Scope: `deliveries:write`.
   *
   * @see operation `createDeliveryJob`
   */
  create(body: CreateDeliveryJob, options?: WriteOptions): ApiCall<DeliveryJob> {
    return this.client.call({
      method: 'POST',
      path: '/v1/delivery_jobs',
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * Get a delivery job.
   *
   * Returns the progress of the job and the result of each item.
   *
   * Scope: `deliveries:read`.
   *
   * @see operation `getDeliveryJob`
   */
  get(jobId: string, options?: ReadOptions): ApiCall<DeliveryJob> {
    return this.client.call({
      method: 'GET',
      path: `/v1/delivery_jobs/${segment(jobId, 'job_id')}`,
      options,
    });
  }
}
