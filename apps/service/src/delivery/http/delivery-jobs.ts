/** Jobs that deliver or take down many releases (contract §4). */

import { Type } from 'typebox';
import { parseId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import { type Answer, resource } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import {
  type AlsoRequired,
  closed,
  IdOf,
  Nullable,
  OneOf,
  Timestamp,
} from '../../platform/http/schema.ts';
import { createJob } from '../commands/create-job.ts';
import {
  type Item,
  itemOf,
  itemsPerJobMax,
  itemStatuses,
  type Job,
  jobActions,
  type JobId,
  jobStatuses,
  requiredOfItems,
} from '../domain/job.ts';
import { findJob, listItems } from '../store/jobs.ts';
import { deliveryTag } from './deliveries.ts';
import {
  deliveryRequestFields,
  storeList,
  takedownReason,
  territoryCodes,
} from './delivery-schemas.ts';

const bodyBytesMax = 1024 * 1024; // contract §7

const jobTargetFields = {
  stores: Type.Optional(storeList('The stores to deliver to, or to take down from.')),
  territory_codes: Type.Optional(territoryCodes),
};

const CreateJobBody = Type.Object(
  {
    action: OneOf(jobActions),
    ...jobTargetFields,
    items: Type.Array(
      Type.Object(
        {
          release_id: deliveryRequestFields.release_id,
          ...jobTargetFields,
          reason: takedownReason,
        },
        { ...closed, title: 'DeliveryJobRequestItem' },
      ),
      { minItems: 1, maxItems: itemsPerJobMax },
    ),
  },
  {
    ...closed,
    title: 'CreateDeliveryJob',
    description:
      'The stores and territory_codes of the job apply to items without their own. An item of a deliver job needs both; a takedown job has no territory_codes, and without stores it takes a release down everywhere.',
    'x-read-only': ['id', 'status', 'total', 'succeeded', 'failed', 'created_at', 'completed_at'],
    'x-also-required': ((job) => ({ items: requiredOfItems(job) })) satisfies AlsoRequired,
  },
);

const JobBody = Type.Object(
  {
    id: IdOf('job'),
    action: OneOf(jobActions),
    status: OneOf(jobStatuses),
    total: Type.Integer(),
    succeeded: Type.Integer(),
    failed: Type.Integer(),
    items: Type.Array(
      Type.Object(
        {
          release_id: Type.String(),
          status: OneOf(itemStatuses),
          delivery_ids: Type.Array(IdOf('dlv')),
          error: Nullable(
            Type.Object(
              {
                code: Type.String({ description: 'As in GET /v1/error_codes.' }),
                message: Type.String(),
                details: Type.Array(Type.Object({ field: Type.String(), issue: Type.String() })),
              },
              closed,
            ),
          ),
        },
        { ...closed, title: 'DeliveryJobItem' },
      ),
      { description: 'In the order of the request.' },
    ),
    created_at: Timestamp('When the job was created.'),
    updated_at: Timestamp('When an item was last done.'),
    completed_at: Nullable(Timestamp('When the last item was done.')),
  },
  { ...closed, title: 'DeliveryJob' },
);

const presentJob = (job: Job, items: readonly Item[]) => ({
  id: job.id,
  action: job.action,
  status: job.status,
  total: job.total,
  succeeded: job.succeeded,
  failed: job.failed,
  items: items.map(({ request, status, result }) => ({
    release_id: request.release_id,
    status,
    delivery_ids: [...(result?.delivery_ids ?? [])],
    error: result?.error ?? null,
  })),
  created_at: job.createdAt.toISOString(),
  updated_at: job.updatedAt.toISOString(),
  completed_at: job.completedAt?.toISOString() ?? null,
});

export function deliveryJobRoutes(server: Server, deps: MutationDeps): void {
  createRoute(server, deps);
  getRoute(server, deps);
}

function createRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'createDeliveryJob',
      action: 'delivery_job.create',
      tag: deliveryTag,
      summary: 'Deliver or take down many releases',
      description:
        'At most 1,000 releases as one job. A job that lacks a field, or names a release, store or territory that does not exist or is not licensed to you, is refused as a whole, and details name every such field (`items[3].stores[1]`). After that each item is done by itself; one that is refused, for example because its release is a draft, does not stop the others. GET the job for its progress and the result of each item. At most 5 jobs of an organization run at once; another is 429 `quota_exceeded` until one of them is completed.',
      method: 'POST',
      path: '/v1/delivery_jobs',
      scope: 'deliveries:write',
      body: CreateJobBody,
      bodyBytesMax,
      answers: { 202: JobBody },
      problems: ['territory_not_supported', 'quota_exceeded'],
    },
    async (tx, { body, caller }) => {
      const { action, items, stores, territory_codes } = body;
      const request = { action, defaults: { stores, territory_codes }, items };
      const job = await createJob(tx, request, caller.quotas);
      const pending = items.map((item, position) => itemOf(position, item, null));
      return { answer: accepted(presentJob(job, pending), job.id), auditedId: job.id };
    },
  );
}

const accepted = (value: object, id: JobId): Answer => {
  const { headers, body } = resource(value);
  return { status: 202, headers: { ...headers, location: `/v1/delivery_jobs/${id}` }, body };
};

function getRoute(server: Server, { db }: MutationDeps): void {
  read(
    server,
    db,
    {
      id: 'getDeliveryJob',
      tag: deliveryTag,
      summary: 'Get a delivery job',
      description: 'Its progress, and the result of each item.',
      method: 'GET',
      path: '/v1/delivery_jobs/:job_id',
      scope: 'deliveries:read',
      params: Type.Object({ job_id: IdOf('job') }),
      answers: { 200: JobBody },
      problems: ['resource_not_found'],
    },
    async (_ask, { caller: { orgId }, params }) => {
      const id = parseId('job', params.job_id);
      const found =
        id &&
        (await db.readTogether(orgId, (tenant) =>
          Promise.all([findJob(tenant, orgId, id), listItems(tenant, orgId, id)]),
        ));
      const [job, items = []] = found ?? [];
      if (job === undefined) {
        throw new Problem('resource_not_found', 'There is no such job in this organization.');
      }
      return resource(presentJob(job, items));
    },
  );
}
