import { hash } from 'node:crypto';
import type { Tx } from '../../platform/db/database.ts';
import { type InboxAnswer, type InboxMessage, messagesKeptMax } from '../domain/inbox.ts';
import { insertInboxMessage, deleteInboxMessage } from '../store/inbox-messages.ts';
import { consumeAnswer } from '../store/inbox.ts';

/** Stores the message, deletes the oldest beyond the limit, and returns the answer to give. */
export async function receiveMessage(
  tx: Tx,
  { headers, body }: Pick<InboxMessage, 'headers' | 'body'>,
): Promise<InboxAnswer> {
  const consumed = await consumeAnswer(tx);
  if (consumed === undefined) throw new Error('the inbox of a known token is missing');
  const { answer, number } = consumed;
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
