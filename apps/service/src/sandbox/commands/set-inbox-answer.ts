import type { Changed } from '../../kernel/changed.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Inbox, InboxAnswer } from '../domain/inbox.ts';
import { updateInboxAnswer } from '../store/inbox.ts';
import { openInbox } from './open-inbox.ts';

/** Applies from the next request on. */
export async function setInboxAnswer(
  tx: Tx,
  keyring: Keyring,
  answer: InboxAnswer,
): Promise<Changed<Inbox>> {
  const inbox = await openInbox(tx, keyring);
  updateInboxAnswer(tx, answer);
  return { before: inbox, after: { ...inbox, answer } };
}
