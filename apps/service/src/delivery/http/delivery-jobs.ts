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
  ErrorCode,
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
import { jobExamples } from './delivery-operation-examples.ts';
import {
  deliveryRequestFields,
  storeList,
  takedownReason,
  territoryCodes,
} from './delivery-schemas.ts';

const bodyBytesMax = 1024 * 1024; // contract §7

const jobTargetFields = {
  stores: Type.Optional(
    storeList('The `store_id` of each store to deliver to, or to take down from.'),
  ),
  territory_codes: Type.Optional(territoryCodes),
};

const CreateJobBody = Type.Object(
  {
    action: OneOf(jobActions, {
      description: '`deliver`: send each release to stores. `takedown`: take each release down.',
    }),
    ...jobTargetFields,
    items: Type.Array(
      Type.Object(
        {
          release_id: deliveryRequestFields.release_id,
          ...jobTargetFields,
          reason: takedownReason,
        },
        { ...closed, title: 'CreateDeliveryJobItem' },
      ),
      {
        minItems: 1,
        maxItems: itemsPerJobMax,
        description: 'The releases of the job, from 1 to 1,000 items.',
      },
    ),
  },
  {
    ...closed,
    title: 'CreateDeliveryJob',
    description:
      'The `stores` and `territory_codes` of the job apply to items without their own. Each item of a `deliver` job needs both, from the item or from the job. A `takedown` job has no `territory_codes`; without `stores` it takes a release down at every store.',
    'x-read-only': ['id', 'status', 'total', 'succeeded', 'failed', 'created_at', 'completed_at'],
    'x-also-required': ((job) => ({ items: requiredOfItems(job) })) satisfies AlsoRequired,
  },
);

const JobBody = Type.Object(
  {
    id: IdOf('job'),
    action: OneOf(jobActions, { description: 'What the job does with each release.' }),
    status: OneOf(jobStatuses, { description: 'The status of the job.' }),
    total: Type.Integer({ description: 'The number of items.' }),
    succeeded: Type.Integer({ description: 'The number of items that succeeded.' }),
    failed: Type.Integer({ description: 'The number of items that failed.' }),
    items: Type.Array(
      Type.Object(
        {
          release_id: Type.String({ description: 'The id of the release, as you sent it.' }),
          status: OneOf(itemStatuses, { description: 'The status of the item.' }),
          delivery_ids: Type.Array(IdOf('dlv'), {
            description: 'The deliveries that the item created or changed.',
          }),
          error: Nullable(
            Type.Object(
              {
                code: ErrorCode,
                message: Type.String({ description: 'What is wrong and what to do.' }),
                details: Type.Array(
                  Type.Object({
                    field: Type.String({ description: 'The path of the field in the item.' }),
                    issue: Type.String({
                      description:
                        'A sentence for people: what is wrong with the value and what to send instead.',
                    }),
                  }),
                  {
                    description:
                      'Every value that is wrong; empty if the error is about no single value.',
                  },
                ),
              },
              { ...closed, description: 'Why the item failed. `null`: it has not failed.' },
            ),
          ),
        },
        { ...closed, title: 'DeliveryJobItem' },
      ),
      { description: 'The items in the order of the request.' },
    ),
    created_at: Timestamp('When the job was created.'),
    updated_at: Timestamp('When an item was last completed.'),
    completed_at: Nullable(
      Timestamp('When the last item was completed. `null`: the job is still running.'),
    ),
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
      effect: 'withdraws',
      tag: deliveryTag,
      summary: 'Deliver or take down many releases',
      description:
        'Delivers or takes down up to 1,000 releases as one job, and returns the job at once. If a field is missing, or a release, store or territory does not exist or is not licensed to you, the whole job is refused, and details name every such field (`items[3].stores[1]`). After that, each item succeeds or fails by itself; an item that fails, for example because its release is a draft, does not stop the others. Read the job for its progress and the result of each item. At most 5 jobs of an organization run at once; one more gets 429 `quota_exceeded` until a job is completed.',
      method: 'POST',
      path: '/v1/delivery_jobs',
      scope: 'deliveries:write',
      body: CreateJobBody,
      bodyBytesMax,
      answers: { 202: JobBody },
      examples: jobExamples.createDeliveryJob,
      problems: ['territory_not_supported', 'quota_exceeded'],
    },
    async (tx, { body, caller }) => {
      const { action, items, stores, territory_codes } = body;
      const request = { action, defaults: { stores, territory_codes }, items };
      const job = await createJob(tx, request, caller.quotas);
      const pending = items.map((item, position) => itemOf(position, item, null));
      const answer = accepted(presentJob(job, pending), job.id);
      return { answer, auditedId: job.id, before: undefined };
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
      description: 'Returns the progress of the job and the result of each item.',
      method: 'GET',
      path: '/v1/delivery_jobs/:job_id',
      scope: 'deliveries:read',
      params: Type.Object({ job_id: IdOf('job') }),
      answers: { 200: JobBody },
      examples: jobExamples.getDeliveryJob,
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
        throw new Problem(
          'resource_not_found',
          'No delivery job of your organization has this id.',
        );
      }
      return resource(presentJob(job, items));
    },
  );
}
