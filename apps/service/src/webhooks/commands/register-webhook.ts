/** Partners register, change and delete webhooks (contract §6). */

import { randomBytes } from 'node:crypto';
import type { Changed } from '../../kernel/changed.ts';
import { addMs } from '../../kernel/duration.ts';
import { enforce, Problem } from '../../kernel/problem.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { presentWebhook } from '../domain/present-webhook.ts';
import {
  asSecret,
  hintOf,
  isVerifyingPing,
  type Ping,
  refuseSecret,
  refuseTooManyWebhooks,
  type Webhook,
  type WebhookId,
  webhookNotFound,
} from '../domain/webhook.ts';
import { insertFanoutCursor } from '../store/fanout-cursors.ts';
import {
  countWebhooks,
  deleteWebhook,
  insertWebhook,
  lockWebhook,
  replaceSecret,
  updateWebhook,
} from '../store/webhooks.ts';
import { sealSecret } from './secrets.ts';
import { wakeEndpoints } from './wake-endpoints.ts';

const secretBytes = 32;
const newSecret = (): string => asSecret(randomBytes(secretBytes).toString('base64'));

export type Registration = Pick<Webhook, 'url' | 'eventTypes' | 'description'> & {
  readonly secret: string | undefined;
};

export type WithSecret = { readonly webhook: Webhook; readonly secret: string };

/** Unverified until its ping is answered. */
export async function registerWebhook(
  tx: Tx,
  keyring: Keyring,
  { secret: ownSecret, ...fields }: Registration,
): Promise<WithSecret> {
  enforce(ownSecret === undefined ? undefined : refuseSecret(ownSecret));
  enforce(refuseTooManyWebhooks(await countWebhooks(tx)));
  const secret = ownSecret ?? newSecret();
  const webhook: Webhook = {
    ...fields,
    id: tx.newId('wh'),
    status: 'unverified',
    secretHint: hintOf(secret),
    verifiedAt: null,
    isSubscribed: false,
    lastPing: null,
    failingSince: null,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  insertWebhook(tx, webhook, sealSecret(keyring, tx.orgId, webhook.id, secret));
  insertFanoutCursor(tx);
  return { webhook, secret };
}

export type WebhookEdit = {
  readonly id: WebhookId;
  readonly edit: Partial<Pick<Webhook, 'url' | 'eventTypes' | 'description'>>;
  /** Whether the webhook still matches the caller's If-Match. */
  readonly isExpected: (webhook: Webhook) => boolean;
};

/** Contract §3: a new URL may belong to another receiver, so the webhook must be verified again. */
export async function editWebhook(
  tx: Tx,
  { id, edit, isExpected }: WebhookEdit,
): Promise<Changed<Webhook>> {
  const webhook = await lockWebhook(tx, id);
  if (webhook === undefined) throw webhookNotFound();
  if (!isExpected(webhook)) {
    throw new Problem(
      'precondition_failed',
      'The webhook has changed since you read it. Read it again, apply your change to it, and send its new ETag.',
    );
  }
  const hasMoved = edit.url !== undefined && edit.url !== webhook.url;
  const next: Webhook = {
    ...webhook,
    ...edit,
    ...(hasMoved && { status: 'unverified', verifiedAt: null, failingSince: null }),
    updatedAt: tx.now,
  };
  updateWebhook(tx, next);
  return { before: webhook, after: next };
}

/** Contract §3: only an answered ping changes the status. Undefined if the webhook was deleted meanwhile. */
export async function recordPing(
  tx: Tx,
  id: WebhookId,
  url: string,
  lastPing: Ping,
): Promise<Webhook | undefined> {
  const webhook = await lockWebhook(tx, id);
  // The URL may have changed during the ping: then the answer came from the old receiver.
  if (webhook === undefined || webhook.url !== url) return webhook;
  const pinged: Webhook = { ...webhook, lastPing };
  const next = isVerifyingPing(lastPing) ? verified(pinged, tx.now) : pinged;
  updateWebhook(tx, next);
  // Deliveries that became pending while the webhook was unverified are due now.
  if (next.status === 'verified') await wakeEndpoints(tx, [id]);
  appendAudit(tx, {
    action: 'webhook.record_ping',
    auditedId: id,
    before: presentWebhook(webhook),
    after: presentWebhook(next),
  });
  return next;
}

const verified = (webhook: Webhook, now: Date): Webhook => ({
  ...webhook,
  status: 'verified',
  verifiedAt: now,
  isSubscribed: true,
  failingSince: null,
  updatedAt: now,
});

/** Returns the deleted webhook. Its dispatcher marks the pending deliveries undelivered, and deletes itself. */
export async function removeWebhook(tx: Tx, id: WebhookId): Promise<Webhook> {
  const webhook = await deleteWebhook(tx, id);
  if (webhook === undefined) throw webhookNotFound();
  await wakeEndpoints(tx, [id]);
  return webhook;
}

/** Contract §6: both secrets are valid until the grace period ends. */
export async function rotateSecret(
  tx: Tx,
  keyring: Keyring,
  id: WebhookId,
  graceSeconds: number,
): Promise<Changed<Webhook> & { readonly secret: string }> {
  const webhook = await lockWebhook(tx, id);
  if (webhook === undefined) throw webhookNotFound();
  const secret = newSecret();
  const next = { ...webhook, secretHint: hintOf(secret), updatedAt: tx.now };
  const oldUntil = graceSeconds === 0 ? null : addMs(tx.realNow, graceSeconds * 1_000);
  replaceSecret(tx, next, sealSecret(keyring, tx.orgId, id, secret), oldUntil);
  return { before: webhook, after: next, secret };
}
