import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import { presentPing } from '../domain/webhook-resource.ts';
import type { Ping, Webhook, WebhookId, WebhookStatus } from '../domain/webhook.ts';

const columns = sql`
  id, url, event_types, description, status, secret_hint, verified_at, is_subscribed, last_ping, failing_since, created_at,
  updated_at
`;

type Row = {
  readonly id: string;
  readonly url: string;
  readonly event_types: string[];
  readonly description: string | null;
  readonly status: WebhookStatus;
  readonly secret_hint: string;
  readonly verified_at: Date | null;
  readonly is_subscribed: boolean;
  readonly last_ping: ReturnType<typeof presentPing> | null;
  readonly failing_since: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
};

const toPing = ({ at, ...ping }: ReturnType<typeof presentPing>): Ping => ({
  at: new Date(at),
  statusCode: ping.status_code,
  failure: ping.failure,
  durationMs: ping.duration_ms,
});

const pingOf = ({ lastPing }: Webhook) => json(lastPing && presentPing(lastPing));

const toWebhook = (row: Row): Webhook => ({
  id: toWire('wh', row.id),
  url: row.url,
  eventTypes: row.event_types,
  description: row.description,
  status: row.status,
  secretHint: row.secret_hint,
  verifiedAt: row.verified_at,
  isSubscribed: row.is_subscribed,
  lastPing: row.last_ping && toPing(row.last_ping),
  failingSince: row.failing_since,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export async function findWebhook(
  db: Db,
  orgId: OrgId,
  id: WebhookId,
): Promise<Webhook | undefined> {
  const [row] = await db.query<Row>(
    sql`select ${columns} from webhooks where org_id = ${toUuid(orgId)} and id = ${toUuid(id)}`,
  );
  return row && toWebhook(row);
}

export async function lockWebhook(tx: Tx, id: WebhookId): Promise<Webhook | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${columns} from webhooks
     where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)} for update
  `);
  return row && toWebhook(row);
}

/** How many pings there were in the minute that began then, this one included; undefined: no such webhook. */
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

/** One registration after the other: two that count at once would both find room. */
export async function countWebhooks(tx: Tx): Promise<number> {
  tx.write(sql`select pg_advisory_xact_lock(hashtextextended(${tx.orgId}, 16))`);
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from webhooks where org_id = ${toUuid(tx.orgId)}`,
  );
  return row?.count ?? 0;
}

/** Newest first; the position is text with all of its microseconds. */
export async function listWebhooks(
  db: Db,
  orgId: OrgId,
  { limit, after }: PageRequest,
): Promise<Page<Webhook>> {
  const rows = await db.query<Row & { position: string }>(sql`
    select ${columns}, created_at::text as position from webhooks
     where org_id = ${toUuid(orgId)}
       and (${after?.id ?? null}::uuid is null
            or (created_at, id) < (${after?.at ?? null}::timestamptz, ${after?.id ?? null}::uuid))
     order by created_at desc, id desc
     limit ${limit + 1}
  `);
  return toPage(rows, limit, {
    item: toWebhook,
    position: ({ position, id }) => ({ at: position, id }),
  });
}

/** Those that events are owed to: all that were ever verified. */
export async function listSubscribedWebhooks(tx: Tx): Promise<Webhook[]> {
  const rows = await tx.query<Row>(sql`
    select ${columns} from webhooks
     where org_id = ${toUuid(tx.orgId)} and is_subscribed
     order by id
  `);
  return rows.map(toWebhook);
}

export function insertWebhook(tx: Tx, webhook: Webhook, sealedSecret: Buffer): void {
  tx.write(sql`
    insert into webhooks (org_id, ${columns}, sealed_secret, actor_type, actor_id)
    values (${toUuid(tx.orgId)}, ${toUuid(webhook.id)}, ${webhook.url}, ${webhook.eventTypes},
            ${webhook.description}, ${webhook.status}, ${webhook.secretHint}, ${webhook.verifiedAt},
            ${webhook.isSubscribed}, ${pingOf(webhook)}, ${webhook.failingSince}, ${webhook.createdAt}, ${webhook.updatedAt}, ${sealedSecret},
            ${tx.actor.type}, ${tx.actor.id})
  `);
}

export function updateWebhook(tx: Tx, webhook: Webhook): void {
  tx.write(sql`
    update webhooks
       set url = ${webhook.url}, event_types = ${webhook.eventTypes}, description = ${webhook.description},
           status = ${webhook.status}, verified_at = ${webhook.verifiedAt}, is_subscribed = ${webhook.isSubscribed},
           last_ping = ${pingOf(webhook)},
           failing_since = ${webhook.failingSince}, updated_at = ${webhook.updatedAt},
           actor_type = ${tx.actor.type}, actor_id = ${tx.actor.id}
     where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(webhook.id)}
  `);
}

/** How it fares: all that sending may change of it. */
export function updateHealth(tx: Tx, { id, status, failingSince, updatedAt }: Webhook): void {
  tx.write(sql`
    update webhooks
       set status = ${status}, failing_since = ${failingSince}, updated_at = ${updatedAt},
           actor_type = ${tx.actor.type}, actor_id = ${tx.actor.id}
     where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)}
  `);
}

/** Of an organization whose clock begins anew. */
export function clearFailingSince(tx: Tx): void {
  tx.write(sql`
    update webhooks set failing_since = null
     where org_id = ${toUuid(tx.orgId)} and failing_since is not null
  `);
}

/** Whether there was such a webhook. */
export async function deleteWebhook(tx: Tx, id: WebhookId): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from webhooks where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)} returning id
  `);
  return rows.length > 0;
}

export type SealedSecrets = {
  readonly current: Buffer;
  readonly old: Buffer | null;
  /** Real time. */
  readonly oldUntil: Date | null;
};

/** All it takes to send something there. */
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
    select ${columns}, sealed_secret, sealed_old_secret, old_secret_until from webhooks
     where org_id = ${toUuid(orgId)} and id = ${toUuid(id)}
  `);
  if (row === undefined) return undefined;
  const { sealed_secret: current, sealed_old_secret: old, old_secret_until: oldUntil } = row;
  return { webhook: toWebhook(row), sealed: { current, old, oldUntil } };
}

/** The one it had is accepted until then, if at all. */
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
