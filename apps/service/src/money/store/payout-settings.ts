import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import { formatMicros, type Micros } from '../../kernel/money.ts';
import {
  actorColumns,
  type Column,
  defineColumns,
  plain,
  type Row,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import type { TimerId } from '../../platform/engine/timers.ts';
import { type PayoutSettings, usualSettings } from '../domain/payout-settings.ts';
import { readMicros } from './micros-column.ts';

type Amounts<T> = Readonly<Record<string, T>>;

const mapAmounts = <From, To>(amounts: Amounts<From>, map: (amount: From) => To): Amounts<To> =>
  Object.fromEntries(Object.entries(amounts).map(([currency, amount]) => [currency, map(amount)]));

const amountsColumn: Column<Amounts<Micros>> = {
  read: (stored: Amounts<string>) => mapAmounts(stored, readMicros),
  write: (amounts) => json(mapAmounts(amounts, formatMicros)),
};

const settings = defineColumns<PayoutSettings>({
  mode: plain(),
  minimum: amountsColumn,
  hasDualControl: plain(),
  nextPayoutAt: plain(),
});

/** What holds without a row, if the organization has none. */
export async function findPayoutSettings(db: Db, orgId: OrgId): Promise<PayoutSettings> {
  const [row] = await db.query<Row>(sql`
    select ${settings.names} from payout_settings where org_id = ${toUuid(orgId)}
  `);
  return row === undefined ? usualSettings : settings.read(row);
}

/** With the timer of the next automatic payout. */
export type ScheduledSettings = {
  readonly settings: PayoutSettings;
  readonly timer: TimerId | null;
};

/**
 * The advisory lock, because there may be no row: changes of the settings and automatic payouts of one organization
 * follow each other.
 */
export async function lockPayoutSettings(tx: Tx): Promise<ScheduledSettings> {
  tx.write(sql`select pg_advisory_xact_lock(hashtextextended(${tx.orgId}, 27))`);
  const [row] = await tx.query<Row & { monthly_timer: string | null }>(sql`
    select ${settings.names}, monthly_timer from payout_settings where org_id = ${toUuid(tx.orgId)}
  `);
  if (row === undefined) return { settings: usualSettings, timer: null };
  return {
    settings: settings.read(row),
    timer: row.monthly_timer === null ? null : toWire('tmr', row.monthly_timer),
  };
}

/** Everything but dual control, which no partner changes. */
export function writeSchedule(tx: Tx, { settings: next, timer }: ScheduledSettings): void {
  const { mode, minimum, next_payout_at } = settings.write(next);
  const { actor_type, actor_id } = actorColumns(tx);
  tx.write(sql`
    insert into payout_settings (org_id, mode, minimum, next_payout_at, monthly_timer, updated_at, actor_type, actor_id)
    values (${toUuid(tx.orgId)}, ${mode}, ${minimum}, ${next_payout_at}, ${timer && toUuid(timer)}, ${tx.now},
            ${actor_type}, ${actor_id})
    on conflict (org_id) do update
      set mode = excluded.mode, minimum = excluded.minimum, next_payout_at = excluded.next_payout_at,
          monthly_timer = excluded.monthly_timer, updated_at = excluded.updated_at,
          actor_type = excluded.actor_type, actor_id = excluded.actor_id
  `);
}

/** After an automatic payout. */
export function writeNextPayout(tx: Tx, at: Date, timer: TimerId): void {
  tx.write(sql`
    update payout_settings set next_payout_at = ${at}, monthly_timer = ${toUuid(timer)}
     where org_id = ${toUuid(tx.orgId)}
  `);
}

/** For operators only: the database refuses it to every other role. */
export function writeDualControl(tx: Tx, isOn: boolean): void {
  const { actor_type, actor_id } = actorColumns(tx);
  tx.write(sql`
    insert into payout_settings (org_id, has_dual_control, updated_at, actor_type, actor_id)
    values (${toUuid(tx.orgId)}, ${isOn}, ${tx.now}, ${actor_type}, ${actor_id})
    on conflict (org_id) do update
      set has_dual_control = excluded.has_dual_control, updated_at = excluded.updated_at,
          actor_type = excluded.actor_type, actor_id = excluded.actor_id
  `);
}
