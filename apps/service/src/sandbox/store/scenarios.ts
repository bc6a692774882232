import { type Id, type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Page, PageRequest } from '../../kernel/page.ts';
import {
  actorColumns,
  defineColumns,
  idColumn,
  insertInto,
  jsonb,
  nullable,
  plain,
  type Row,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { listPage } from '../../platform/db/list-page.ts';
import { json, sql } from '../../platform/db/sql.ts';
import type { MessageKind, Scenario, ScenarioId } from '../domain/scenario.ts';

const scenarios = defineColumns<Scenario>({
  id: idColumn('scn'),
  name: plain(),
  storeId: plain(),
  releaseId: nullable(idColumn('rel')),
  message: plain(),
  seed: plain(),
  steps: jsonb(),
  repeats: plain(),
  createdAt: plain(),
});

export async function countScenarios(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from sandbox_scenarios where org_id = ${toUuid(tx.orgId)}
  `);
  return row?.count ?? 0;
}

export function insertScenario(tx: Tx, scenario: Scenario): void {
  tx.write(
    insertInto('sandbox_scenarios', {
      org_id: toUuid(tx.orgId),
      ...scenarios.write(scenario),
      ...actorColumns(tx),
    }),
  );
}

/** Newest first: the order in which `matchScenarios` prefers them. */
export function listScenarios(db: Db, orgId: OrgId, page: PageRequest): Promise<Page<Scenario>> {
  return listPage(
    db,
    {
      orgId,
      from: sql`sandbox_scenarios`,
      columns: scenarios.names,
      by: 'id',
      read: scenarios.read,
    },
    page,
  );
}

export async function findScenario(
  db: Db,
  orgId: OrgId,
  id: ScenarioId,
): Promise<Scenario | undefined> {
  const [row] = await db.query<Row>(sql`
    select ${scenarios.names} from sandbox_scenarios where org_id = ${toUuid(orgId)} and id = ${toUuid(id)}
  `);
  return row && scenarios.read(row);
}

/** Undefined if there was no such scenario. */
export async function deleteScenario(tx: Tx, id: ScenarioId): Promise<Scenario | undefined> {
  const [row] = await tx.query<Row>(sql`
    delete from sandbox_scenarios where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)}
    returning ${scenarios.names}
  `);
  return row && scenarios.read(row);
}

/** Returns the deleted ones, newest first. */
export async function deleteScenarios(tx: Tx): Promise<readonly Scenario[]> {
  const rows = await tx.query<Row>(sql`
    with deleted as (
      delete from sandbox_scenarios where org_id = ${toUuid(tx.orgId)} returning ${scenarios.names}
    )
    select * from deleted order by id desc
  `);
  return rows.map(scenarios.read);
}

/** The newest scenario for payouts. */
export async function findPayoutScenario(tx: Tx): Promise<Scenario | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${scenarios.names} from sandbox_scenarios
     where org_id = ${toUuid(tx.orgId)} and message = 'payout'
     order by id desc limit 1
  `);
  return row && scenarios.read(row);
}

/** A message to a store, as far as scenarios match it. */
export type MessageToMatch = {
  readonly messageId: Id<'msg'>;
  readonly kind: MessageKind;
  readonly deliveryId: Id<'dlv'>;
  readonly storeId: string;
  readonly releaseId: Id<'rel'>;
};

export type ScenarioUse = { readonly step: number; readonly outageUntil: Date | null };

export type ScenarioMatch = {
  readonly scenario: Scenario;
  /** The step that this message met when it was sent before. */
  readonly use: ScenarioUse | undefined;
  /** The step for the next message of this delivery to this store. */
  readonly nextStep: number;
};

type MatchRow = Row & {
  readonly sent_message_id: string;
  readonly used_step: number | null;
  readonly outage_until: Date | null;
  readonly next_step: number;
};

/** For each message the scenario that it met before, or else the newest one that matches it. */
export async function matchScenarios(
  tx: Tx,
  messages: readonly MessageToMatch[],
): Promise<ReadonlyMap<Id<'msg'>, ScenarioMatch>> {
  const org = toUuid(tx.orgId);
  const records = messages.map((message) => ({
    message_id: toUuid(message.messageId),
    kind: message.kind,
    delivery_id: toUuid(message.deliveryId),
    store_id: message.storeId,
    release_id: toUuid(message.releaseId),
  }));
  const rows = await tx.query<MatchRow>(sql`
    select sent.message_id as sent_message_id, match.*
      from json_to_recordset(${json(records)})
        as sent (message_id uuid, kind text, delivery_id uuid, store_id text, release_id uuid)
     cross join lateral (
       select ${scenarios.names}, used.used_step, used.outage_until,
              (select coalesce(max(step) + 1, 0) from sandbox_scenario_uses earlier
                where earlier.org_id = ${org} and earlier.delivery_id = sent.delivery_id
                  and earlier.store_id = sent.store_id and earlier.scenario_id = scenario.id) as next_step
         from sandbox_scenarios scenario
         left join (select scenario_id, step as used_step, outage_until from sandbox_scenario_uses
                     where org_id = ${org} and message_id = sent.message_id) used
           on used.scenario_id = scenario.id
        where scenario.org_id = ${org}
          and (used.scenario_id is not null
               or (scenario.store_id is null or scenario.store_id = sent.store_id)
                  and (scenario.release_id is null or scenario.release_id = sent.release_id)
                  and (scenario.message is null or scenario.message = sent.kind))
        order by used.scenario_id is null, scenario.id desc
        limit 1) match
  `);
  return new Map(
    rows.map((row) => {
      const { used_step: step, outage_until: outageUntil, next_step: nextStep } = row;
      const use = step === null ? undefined : { step, outageUntil };
      return [toWire('msg', row.sent_message_id), { scenario: scenarios.read(row), use, nextStep }];
    }),
  );
}

export type NewScenarioUse = {
  readonly scenarioId: ScenarioId;
  readonly message: MessageToMatch;
  readonly use: ScenarioUse;
};

export function upsertScenarioUses(tx: Tx, uses: readonly NewScenarioUse[]): void {
  const records = uses.map(({ scenarioId, message, use }) => ({
    message_id: toUuid(message.messageId),
    scenario_id: toUuid(scenarioId),
    delivery_id: toUuid(message.deliveryId),
    store_id: message.storeId,
    step: use.step,
    outage_until: use.outageUntil,
  }));
  tx.write(sql`
    insert into sandbox_scenario_uses (org_id, message_id, scenario_id, delivery_id, store_id, step, outage_until)
    select ${toUuid(tx.orgId)}, message_id, scenario_id, delivery_id, store_id, step, outage_until
      from json_to_recordset(${json(records)})
        as met (message_id uuid, scenario_id uuid, delivery_id uuid, store_id text, step int, outage_until timestamptz)
    on conflict (org_id, message_id) do update
       set scenario_id = excluded.scenario_id, step = excluded.step, outage_until = excluded.outage_until
  `);
}
