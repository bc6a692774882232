import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import {
  actorColumns,
  defineColumns,
  insertInto,
  plain,
  type Row,
  updateWhere,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import { type Inbox, type InboxAnswer, usualAnswer } from '../domain/inbox.ts';

const answers = defineColumns<InboxAnswer>({
  status: plain(),
  times: plain(),
  delaySeconds: plain(),
  retryAfterSeconds: plain(),
});

const toRow = (tx: Tx, answer: InboxAnswer): Row => ({
  ...answers.write(answer),
  updated_at: tx.realNow,
  ...actorColumns(tx),
});

/** The organization whose inbox has this token. Only the directory role reads `inbox_tokens`. */
export async function findInboxOwner(directory: Db, sha256: Buffer): Promise<OrgId | undefined> {
  const [row] = await directory.query<{ org_id: string }>(
    sql`select org_id from inbox_tokens where sha256 = ${sha256}`,
  );
  return row && toWire('org', row.org_id);
}

export async function findInbox(db: Db, orgId: OrgId): Promise<Inbox | undefined> {
  const [row] = await db.query<Row & { sealed_token: Buffer }>(sql`
    select sealed_token, ${answers.names} from inboxes where org_id = ${toUuid(orgId)}
  `);
  return row && { sealedToken: row.sealed_token, answer: answers.read(row) };
}

export type NewInbox = { readonly sealedToken: Buffer; readonly tokenSha256: Buffer };

/**
 * Two concurrent first reads make one inbox: the second transaction waits for the first, and its token is not
 * stored.
 */
export function insertInboxIfMissing(tx: Tx, { sealedToken, tokenSha256 }: NewInbox): void {
  const row = {
    org_id: toUuid(tx.orgId),
    sealed_token: sealedToken,
    ...toRow(tx, usualAnswer),
    created_at: tx.realNow,
  };
  tx.write(sql`
    with inserted as (
      ${insertInto('inboxes', row)}
      on conflict (org_id) do nothing
      returning org_id
    )
    insert into inbox_tokens (sha256, org_id) select ${tokenSha256}::bytea, org_id from inserted
  `);
}

export function updateInboxAnswer(tx: Tx, answer: InboxAnswer): void {
  tx.write(updateWhere('inboxes', toRow(tx, answer), { org_id: toUuid(tx.orgId) }));
}

export type ConsumedAnswer = { readonly answer: InboxAnswer; readonly number: number };

/**
 * Uses up one of the `times` of the scripted answer, and numbers the message. Concurrent messages get different
 * numbers, because the update locks the row. After the last of the `times`, the inbox answers 200 again.
 */
export async function consumeAnswer(tx: Tx): Promise<ConsumedAnswer | undefined> {
  const { status, delaySeconds, retryAfterSeconds } = usualAnswer;
  const [row] = await tx.query<Row & { number: number }>(sql`
    update inboxes
       set received = received + 1,
           status = case when times = 1 then ${status} else status end,
           delay_seconds = case when times = 1 then ${delaySeconds} else delay_seconds end,
           retry_after_seconds = case when times = 1 then ${retryAfterSeconds} else retry_after_seconds end,
           times = nullif(times - 1, 0)
     where org_id = ${toUuid(tx.orgId)}
    returning old.status, old.times, old.delay_seconds, old.retry_after_seconds,
              new.received::float8 as number
  `);
  return row && { answer: answers.read(row), number: row.number };
}

/** Deletes the messages and the scripted answer. The address stays, because webhooks use it. */
export function resetInbox(tx: Tx): void {
  // Locks the inbox before its messages, like `receiveMessage`: another order could deadlock.
  updateInboxAnswer(tx, usualAnswer);
  tx.write(sql`delete from inbox_messages where org_id = ${toUuid(tx.orgId)}`);
}
