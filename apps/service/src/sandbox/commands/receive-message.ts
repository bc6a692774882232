import { hash } from 'node:crypto';
import type { Tx } from '../../platform/db/database.ts';
import { type InboxAnswer, type InboxMessage, messagesKeptMax } from '../domain/inbox.ts';
import { insertInboxMessage, deleteInboxMessage } from '../store/inbox-messages.ts';
import { consumeAnswer } from '../store/inbox.ts';

/** Keeps a message in the place of the one that is now too old, and says how to answer it. */
export async function receiveMessage(
  tx: Tx,
  { headers, body }: Pick<InboxMessage, 'headers' | 'body'>,
): Promise<InboxAnswer> {
  const taken = await consumeAnswer(tx);
  if (taken === undefined) throw new Error('there is a token for this inbox, but no inbox');
  const { answer, number } = taken;
  insertInboxMessage(tx, number, {
    id: tx.newId('inb'),
    receivedAt: tx.realNow,
    status: answer.status,
    headers,
    body,
    bodySha256: hash('sha256', body, 'buffer'),
  });
  deleteInboxMessage(tx, number - messagesKeptMax);
  return answer;
}
