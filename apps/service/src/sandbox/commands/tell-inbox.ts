import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Inbox, InboxAnswer } from '../domain/inbox.ts';
import { updateAnswer } from '../store/inbox.ts';
import { openInbox } from './open-inbox.ts';

/** From the next request on it answers so. */
export async function tellInbox(tx: Tx, keyring: Keyring, answer: InboxAnswer): Promise<Inbox> {
  const inbox = await openInbox(tx, keyring);
  updateAnswer(tx, answer);
  return { ...inbox, answer };
}
