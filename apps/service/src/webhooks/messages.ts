/** Messages to the engine: which handler of the webhooks slice runs, on which key. */

import type { OrgId } from '../kernel/ids.ts';
import { entityRefOf } from '../platform/engine/lanes.ts';
import type { EngineMessage } from '../platform/engine/outbox.ts';
import type { WebhookId } from './domain/webhook.ts';

export const webhookDispatcherService = 'webhook-dispatchers';
export const retryService = 'webhook-retries';

export const runDispatcher = (orgId: OrgId, webhookId: WebhookId): EngineMessage => ({
  service: webhookDispatcherService,
  key: webhookId,
  handler: 'send',
  entityRef: entityRefOf(orgId, webhookId),
});

/** For the timer of a retry. Its handler ends at once, so the sandbox's clock does not wait for the receiver. */
export const wakeForRetry = (orgId: OrgId, webhookId: WebhookId): EngineMessage => ({
  service: retryService,
  key: webhookId,
  handler: 'wake',
  entityRef: entityRefOf(orgId, webhookId),
});
