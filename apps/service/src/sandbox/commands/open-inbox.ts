import { hash, randomBytes } from 'node:crypto';
import type { OrgId } from '../../kernel/ids.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Inbox } from '../domain/inbox.ts';
import { findInbox, insertInboxIfMissing } from '../store/inbox.ts';

const tokenBytes = 24;

export const hashOfToken = (token: string): Buffer => hash('sha256', token, 'buffer');

const sealContext = (orgId: OrgId) => `inbox/${orgId}`;

export const tokenOf = (keyring: Keyring, orgId: OrgId, { sealedToken }: Inbox): string =>
  keyring.open(sealContext(orgId), sealedToken).toString();

/** The organization's inbox, created on first use. */
export async function openInbox(tx: Tx, keyring: Keyring): Promise<Inbox> {
  const token = randomBytes(tokenBytes).toString('base64url');
  insertInboxIfMissing(tx, {
    sealedToken: keyring.seal(sealContext(tx.orgId), Buffer.from(token)),
    tokenSha256: hashOfToken(token),
  });
  const inbox = await findInbox(tx, tx.orgId);
  if (inbox === undefined) throw new Error('the inbox is missing after its insert');
  return inbox;
}
