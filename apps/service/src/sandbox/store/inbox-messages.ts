import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { allOf, json, type Sql, sql } from '../../platform/db/sql.ts';
import type { InboxMessage } from '../domain/inbox.ts';

/** A hundred of the largest messages would be an answer of many megabytes: a page ends before. */
const pageBytesMax = 1024 * 1024;

/**
 * Does not wait for the disk: the inbox's row is locked meanwhile, and the next message with it. A database
 * that falls loses at most the last moment of what a test was told.
 */
export function insertInboxMessage(tx: Tx, number: number, message: InboxMessage): void {
  tx.write(sql`set local synchronous_commit = off`);
  tx.write(sql`
    insert into inbox_messages (org_id, number, id, received_at, status, headers, body, body_sha256)
    values (${toUuid(tx.orgId)}, ${number}, ${toUuid(message.id)}, ${message.receivedAt}, ${message.status},
            ${json(message.headers)}, ${message.body}, ${message.bodySha256})
  `);
}

export function deleteInboxMessage(tx: Tx, number: number): void {
  tx.write(sql`
    delete from inbox_messages where org_id = ${toUuid(tx.orgId)} and number = ${number}
  `);
}

type Row = {
  readonly number: string;
  readonly id: string;
  readonly received_at: Date;
  readonly status: number;
  readonly headers: Record<string, string>;
  /** Null from where the page is full. */
  readonly body: Buffer | null;
  readonly body_sha256: Buffer;
};

const toInboxMessage = (row: Row): InboxMessage => ({
  id: toWire('inb', row.id),
  receivedAt: row.received_at,
  status: row.status,
  headers: row.headers,
  body: row.body ?? Buffer.alloc(0),
  bodySha256: row.body_sha256,
});

/** Newest first: by number, which has no equals. */
export async function listInboxMessages(
  db: Db,
  orgId: OrgId,
  page: PageRequest,
): Promise<Page<InboxMessage>> {
  const where: [Sql, ...Sql[]] = [sql`org_id = ${toUuid(orgId)}`];
  if (page.after !== undefined) where.push(sql`number < ${page.after.id}`);
  const rows = await db.query<Row>(sql`
    select number, id, received_at, status, headers, body_sha256,
           case when sum(length(body)) over (order by number desc) - length(body) < ${pageBytesMax}
                then body end as body
      from inbox_messages
     where ${allOf(where)}
     order by number desc
     limit ${page.limit + 1}
  `);
  const fitting = rows.filter(({ body }) => body !== null).length;
  return toPage(rows, Math.min(page.limit, fitting), {
    item: toInboxMessage,
    position: ({ number }) => ({ at: '', id: number }),
  });
}
