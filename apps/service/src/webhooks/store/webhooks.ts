import { type OrgId, toUuid } from '../../kernel/ids.ts';
import type { Page, PageRequest } from '../../kernel/page.ts';
import {
  actorColumns,
  defineColumns,
  idColumn,
  insertInto,
  nullable,
  plain,
  type Row,
  updateWhere,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { listPage } from '../../platform/db/list-page.ts';
import { json, sql } from '../../platform/db/sql.ts';
import { presentPing } from '../domain/present-webhook.ts';
import type { Ping, Webhook, WebhookId } from '../domain/webhook.ts';

type StoredPing = ReturnType<typeof presentPing>;

const toPing = (stored: StoredPing): Ping => ({
  at: new Date(stored.at),
  statusCode: stored.status_code,
  failure: stored.failure,
  durationMs: stored.duration_ms,
});

const webhooks = defineColumns<Webhook>({
  id: idColumn('wh'),
  url: plain(),
  eventTypes: plain(),
  description: plain(),
  status: plain(),
  secretHint: plain(),
  verifiedAt: plain(),
  isSubscribed: plain(),
  lastPing: nullable({ read: toPing, write: (ping: Ping) => json(presentPing(ping)) }),
  failingSince: plain(),
  createdAt: plain(),
  updatedAt: plain(),
});

const toRow = (tx: Tx, webhook: Webhook): Row => ({
  ...webhooks.write(webhook),
  ...actorColumns(tx),
});

export async function findWebhook(
  db: Db,
  orgId: OrgId,
  id: WebhookId,
): Promise<Webhook | undefined> {
  const [row] = await db.query<Row>(
    sql`select ${webhooks.names} from webhooks where org_id = ${toUuid(orgId)} and id = ${toUuid(id)}`,
  );
  return row && webhooks.read(row);
}

export async function lockWebhook(tx: Tx, id: WebhookId): Promise<Webhook | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${webhooks.names} from webhooks
     where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)} for update
  `);
  return row && webhooks.read(row);
}

/** The pings in the minute that began at `minute`, this one included; undefined: there is no such webhook. */
export async function countPing(tx: Tx, id: WebhookId, minute: Date): Promise<number | undefined> {
  const [row] = await tx.query<{ pings: number }>(sql`
    update webhooks
       set pings = case when pings_minute = ${minute}::timestamptz then pings + 1 else 1 end,
           pings_minute = ${minute}::timestamptz
     where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)}
    returning pings
  `);
  return row?.pings;
}

/** The advisory lock serializes registrations: two that count at the same time would both be below the limit. */
export async function countWebhooks(tx: Tx): Promise<number> {
  tx.write(sql`select pg_advisory_xact_lock(hashtextextended(${tx.orgId}, 16))`);
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from webhooks where org_id = ${toUuid(tx.orgId)}`,
  );
  return row?.count ?? 0;
}

/** Newest first; the position is text with all of its microseconds. */
export function listWebhooks(db: Db, orgId: OrgId, page: PageRequest): Promise<Page<Webhook>> {
  return listPage(
    db,
    { orgId, from: sql`webhooks`, columns: webhooks.names, read: webhooks.read },
    page,
  );
}

/** Every webhook that was verified at least once. */
export async function listSubscribedWebhooks(tx: Tx): Promise<Webhook[]> {
  const rows = await tx.query<Row>(sql`
    select ${webhooks.names} from webhooks
     where org_id = ${toUuid(tx.orgId)} and is_subscribed
     order by id
  `);
  return rows.map(webhooks.read);
}

export function insertWebhook(tx: Tx, webhook: Webhook, sealedSecret: Buffer): void {
  const row = { org_id: toUuid(tx.orgId), ...toRow(tx, webhook), sealed_secret: sealedSecret };
  tx.write(insertInto('webhooks', row));
}

/** Every column but the key, the secret and `created_at`. */
export function updateWebhook(tx: Tx, webhook: Webhook): void {
  const { id, secret_hint: _hint, created_at: _createdAt, ...changes } = toRow(tx, webhook);
  tx.write(updateWhere('webhooks', changes, { org_id: toUuid(tx.orgId), id }));
}

/** The columns that attempts change; the worker's role may update no others. */
export function updateHealth(tx: Tx, { id, status, failingSince, updatedAt }: Webhook): void {
  tx.write(sql`
    update webhooks
       set status = ${status}, failing_since = ${failingSince}, updated_at = ${updatedAt},
           actor_type = ${tx.actor.type}, actor_id = ${tx.actor.id}
     where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)}
  `);
}

/**
 * For a reset, which moves the organization's clock: the time between two failures is not the webhook's. It updates
 * every webhook, also those without a failure, so that it waits for an attempt that is recording one.
 */
export function clearFailingSince(tx: Tx): void {
  tx.write(sql`update webhooks set failing_since = null where org_id = ${toUuid(tx.orgId)}`);
}

/** Undefined if there was no such webhook. */
export async function deleteWebhook(tx: Tx, id: WebhookId): Promise<Webhook | undefined> {
  const [row] = await tx.query<Row>(sql`
    delete from webhooks where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)}
    returning ${webhooks.names}
  `);
  return row && webhooks.read(row);
}

export type SealedSecrets = {
  readonly current: Buffer;
  readonly old: Buffer | null;
  /** Real time. */
  readonly oldUntil: Date | null;
};

/** A webhook with the secrets that sign its requests. */
export type SealedWebhook = { readonly webhook: Webhook; readonly sealed: SealedSecrets };

export async function findSealedWebhook(
  db: Db,
  orgId: OrgId,
  id: WebhookId,
): Promise<SealedWebhook | undefined> {
  const [row] = await db.query<
    Row & {
      readonly sealed_secret: Buffer;
      readonly sealed_old_secret: Buffer | null;
      readonly old_secret_until: Date | null;
    }
  >(sql`
    select ${webhooks.names}, sealed_secret, sealed_old_secret, old_secret_until from webhooks
     where org_id = ${toUuid(orgId)} and id = ${toUuid(id)}
  `);
  if (row === undefined) return undefined;
  const { sealed_secret: current, sealed_old_secret: old, old_secret_until: oldUntil } = row;
  return { webhook: webhooks.read(row), sealed: { current, old, oldUntil } };
}

/** The old secret stays valid until `oldUntil`; null: it is dropped now. */
export function replaceSecret(
  tx: Tx,
  { id, secretHint, updatedAt }: Webhook,
  sealed: Buffer,
  oldUntil: Date | null,
): void {
  tx.write(sql`
    update webhooks
       set sealed_old_secret = case when ${oldUntil}::timestamptz is null then null else sealed_secret end,
           old_secret_until = ${oldUntil}, sealed_secret = ${sealed}, secret_hint = ${secretHint},
           updated_at = ${updatedAt}, actor_type = ${tx.actor.type}, actor_id = ${tx.actor.id}
     where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)}
  `);
}
