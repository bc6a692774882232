/** Endpoints as partners set them up (contract §6). */

import { randomBytes } from 'node:crypto';
import { addMs } from '../../kernel/duration.ts';
import { enforce, Problem } from '../../kernel/problem.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Tx } from '../../platform/db/database.ts';
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
  { secret: given, ...fields }: Registration,
): Promise<WithSecret> {
  enforce(given === undefined ? undefined : refuseSecret(given));
  enforce(refuseTooManyWebhooks(await countWebhooks(tx)));
  const secret = given ?? newSecret();
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
  /** Whether the webhook is still what the caller believes it to be (If-Match). */
  readonly isExpected: (webhook: Webhook) => boolean;
};

/** Contract §3: at another URL somebody else may be; it is verified anew. */
export async function editWebhook(tx: Tx, { id, edit, isExpected }: WebhookEdit): Promise<Webhook> {
  const webhook = await lockWebhook(tx, id);
  if (webhook === undefined) throw webhookNotFound();
  if (!isExpected(webhook)) {
    throw new Problem('precondition_failed', 'The webhook has changed since you read it.');
  }
  const hasMoved = edit.url !== undefined && edit.url !== webhook.url;
  const next: Webhook = {
    ...webhook,
    ...edit,
    ...(hasMoved && { status: 'unverified', verifiedAt: null, failingSince: null }),
    updatedAt: tx.now,
  };
  updateWebhook(tx, next);
  return next;
}

/** Contract §3: a good ping verifies; a bad one takes nothing away. Undefined when it was deleted meanwhile. */
export async function recordPing(
  tx: Tx,
  id: WebhookId,
  url: string,
  lastPing: Ping,
): Promise<Webhook | undefined> {
  const webhook = await lockWebhook(tx, id);
  // Meanwhile it may have been moved: the one that answered is not the one that is there now.
  if (webhook === undefined || webhook.url !== url) return webhook;
  const pinged: Webhook = { ...webhook, lastPing };
  const next = isVerifyingPing(lastPing) ? verified(pinged, tx.now) : pinged;
  updateWebhook(tx, next);
  // What happened while it was moved, or was left where it was before, waits for it.
  if (next.status === 'verified') await wakeEndpoints(tx, [id]);
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

/** What it was still owed is given up by its lane. */
export async function removeWebhook(tx: Tx, id: WebhookId): Promise<void> {
  if (!(await deleteWebhook(tx, id))) throw webhookNotFound();
  await wakeEndpoints(tx, [id]);
}

/** Contract §6: until the grace ends both are good. */
export async function rotateSecret(
  tx: Tx,
  keyring: Keyring,
  id: WebhookId,
  graceSeconds: number,
): Promise<WithSecret> {
  const webhook = await lockWebhook(tx, id);
  if (webhook === undefined) throw webhookNotFound();
  const secret = newSecret();
  const next = { ...webhook, secretHint: hintOf(secret), updatedAt: tx.now };
  const oldUntil = graceSeconds === 0 ? null : addMs(tx.realNow, graceSeconds * 1_000);
  replaceSecret(tx, next, sealSecret(keyring, tx.orgId, id, secret), oldUntil);
  return { webhook: next, secret };
}
