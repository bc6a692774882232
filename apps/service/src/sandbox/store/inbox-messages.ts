import { type OrgId, toUuid } from '../../kernel/ids.ts';
import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
import {
  defineColumns,
  idColumn,
  insertInto,
  jsonb,
  plain,
  type Row,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { allOf, type Sql, sql } from '../../platform/db/sql.ts';
import type { InboxMessage } from '../domain/inbox.ts';

/** A page of 100 of the largest messages would be 25 MB: a page ends here instead. */
const pageBytesMax = 1024 * 1024;

const messages = defineColumns<Omit<InboxMessage, 'body'>>({
  id: idColumn('inb'),
  receivedAt: plain(),
  status: plain(),
  headers: jsonb(),
  bodySha256: plain(),
});

/**
 * Commits without waiting for the disk: the transaction locks the inbox's row, and the next message waits for it. A
 * database crash loses at most the last messages of a test.
 */
export function insertInboxMessage(tx: Tx, number: number, message: InboxMessage): void {
  tx.write(sql`set local synchronous_commit = off`);
  tx.write(
    insertInto('inbox_messages', {
      org_id: toUuid(tx.orgId),
      number,
      ...messages.write(message),
      body: message.body,
    }),
  );
}

export function deleteInboxMessage(tx: Tx, number: number): void {
  tx.write(sql`
    delete from inbox_messages where org_id = ${toUuid(tx.orgId)} and number = ${number}
  `);
}

/** Newest first, by number, which is unique. */
export async function listInboxMessages(
  db: Db,
  orgId: OrgId,
  page: PageRequest,
): Promise<Page<InboxMessage>> {
  const where: [Sql, ...Sql[]] = [sql`org_id = ${toUuid(orgId)}`];
  if (page.after !== undefined) where.push(sql`number < ${page.after.id}`);
  const rows = await db.query<Row & { number: string; body: Buffer | null }>(sql`
    select number, ${messages.names},
           case when sum(length(body)) over (order by number desc) - length(body) < ${pageBytesMax}
                then body end as body
      from inbox_messages
     where ${allOf(where)}
     order by number desc
     limit ${page.limit + 1}
  `);
  const fitting = rows.filter(({ body }) => body !== null).length;
  return toPage(rows, Math.min(page.limit, fitting), {
    item: (row) => ({ ...messages.read(row), body: row.body ?? Buffer.alloc(0) }),
    position: ({ number }) => ({ at: '', id: number }),
  });
}
