/** Webhook secrets are sealed at rest, each bound to its webhook (architecture §4). */

import type { OrgId } from '../../kernel/ids.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { SigningSecrets } from '../connectors/sign.ts';
import type { WebhookId } from '../domain/webhook.ts';
import type { SealedSecrets } from '../store/webhooks.ts';

const contextOf = (orgId: OrgId, id: WebhookId): string => `webhook/${orgId}/${id}`;

export const sealSecret = (keyring: Keyring, orgId: OrgId, id: WebhookId, secret: string): Buffer =>
  keyring.seal(contextOf(orgId, id), Buffer.from(secret));

/** The old secret only until its grace period ends, in real time. */
export function openSecrets(
  keyring: Keyring,
  orgId: OrgId,
  id: WebhookId,
  { current, old, oldUntil }: SealedSecrets,
  realNow: Date,
): SigningSecrets {
  const open = (sealed: Buffer) => keyring.open(contextOf(orgId, id), sealed).toString();
  const isOldValid = old !== null && oldUntil !== null && oldUntil > realNow;
  return { current: open(current), old: isOldValid ? open(old) : undefined };
}
