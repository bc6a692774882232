/** A ping: whether the receiver answers 200 within ten seconds (spec §6). No transaction is open meanwhile. */

import type { Environment } from '../../kernel/environment.ts';
import type { NewId } from '../../kernel/ids.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Database, TxOwner } from '../../platform/db/database.ts';
import type { PostEvent } from '../connectors/post-event.ts';
import { signedHeaders } from '../connectors/sign.ts';
import { isUnsent } from '../domain/attempt.ts';
import { pingEvent, presentEvent } from '../domain/event.ts';
import type { Ping, Webhook } from '../domain/webhook.ts';
import { findSealedWebhook } from '../store/webhooks.ts';
import { openSecrets } from './secrets.ts';

export type PingDeps = {
  readonly db: Database;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly environment: Environment;
  /** Gives up after ten seconds. */
  readonly postPing: PostEvent;
};

/** Undefined if the webhook was deleted meanwhile. */
export async function pingWebhook(
  { db, newId, keyring, environment, postPing }: PingDeps,
  owner: TxOwner,
  webhook: Pick<Webhook, 'id' | 'url'>,
): Promise<Ping | undefined> {
  const { orgId } = owner;
  const { sender, now, realNow } = await db.transact(owner, async (tx) => ({
    sender: await findSealedWebhook(tx, orgId, webhook.id),
    now: tx.now,
    realNow: tx.realNow,
  }));
  if (sender === undefined) return undefined;
  const event = pingEvent(newId('evt'), now, webhook);
  const body = Buffer.from(JSON.stringify(presentEvent(environment, event)));
  const payload = { eventId: event.id, type: event.type, attemptId: newId('att'), body };
  const secrets = openSecrets(keyring, orgId, webhook.id, sender.sealed, realNow);
  const headers = () => signedHeaders(payload, secrets, realNow);
  const outcome = await postPing({ orgId, url: webhook.url }, { headers, body });
  if (isUnsent(outcome)) return { at: now, statusCode: null, failure: notSent, durationMs: 0 };
  const { statusCode, failure, durationMs } = outcome;
  return { at: now, statusCode, failure, durationMs };
}

const notSent = 'Tonearm could not send the request because of an internal problem. Ping again.';
