/** Messages to the engine: which handler of the webhooks slice runs, on which key. */

import { type OrgId, toUuid } from '../kernel/ids.ts';
import { entityRefOf } from '../platform/engine/lanes.ts';
import type { EngineMessage } from '../platform/engine/outbox.ts';
import type { WebhookId } from './domain/webhook.ts';

/** The SQL function `enqueue_fanout` inserts this name into the outbox too. */
export const fanOutService = 'webhook-fanouts';
export const webhookDispatcherService = 'webhook-dispatchers';
export const fanOut = (orgId: OrgId): EngineMessage => ({
  service: fanOutService,
  key: toUuid(orgId),
  handler: 'run',
});
export const runDispatcher = (orgId: OrgId, webhookId: WebhookId): EngineMessage => ({
  service: webhookDispatcherService,
  key: webhookId,
  handler: 'send',
  entityRef: entityRefOf(orgId, webhookId),
});
