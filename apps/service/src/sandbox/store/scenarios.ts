import { type Id, type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import type { MessageKind, Scenario, ScenarioId, ScenarioStep } from '../domain/scenario.ts';

const columns = sql`id, name, store_id, release_id, message, seed, steps, repeats, created_at`;

type Row = {
  readonly id: string;
  readonly name: string | null;
  readonly store_id: string | null;
  readonly release_id: string | null;
  readonly message: MessageKind | null;
  readonly seed: number;
  readonly steps: readonly ScenarioStep[];
  readonly repeats: boolean;
  readonly created_at: Date;
};

const toScenario = (row: Row): Scenario => ({
  id: toWire('scn', row.id),
  name: row.name,
  storeId: row.store_id,
  releaseId: row.release_id === null ? null : toWire('rel', row.release_id),
  message: row.message,
  seed: row.seed,
  steps: row.steps,
  repeats: row.repeats,
  createdAt: row.created_at,
});

export async function countScenarios(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from sandbox_scenarios where org_id = ${toUuid(tx.orgId)}
  `);
  return row?.count ?? 0;
}

export function insertScenario(tx: Tx, scenario: Scenario): void {
  const { releaseId } = scenario;
  tx.write(sql`
    insert into sandbox_scenarios (org_id, ${columns}, actor_type, actor_id)
    values (${toUuid(tx.orgId)}, ${toUuid(scenario.id)}, ${scenario.name}, ${scenario.storeId},
            ${releaseId === null ? null : toUuid(releaseId)}, ${scenario.message}, ${scenario.seed},
            ${json(scenario.steps)}, ${scenario.repeats}, ${scenario.createdAt},
            ${tx.actor.type}, ${tx.actor.id})
  `);
}

/** Newest first: the order in which they are asked whether they fit. */
export async function listScenarios(
  db: Db,
  orgId: OrgId,
  { limit, after }: PageRequest,
): Promise<Page<Scenario>> {
  const rows = await db.query<Row>(sql`
    select ${columns} from sandbox_scenarios
     where org_id = ${toUuid(orgId)} and (${after?.id ?? null}::uuid is null or id < ${after?.id ?? null}::uuid)
     order by id desc
     limit ${limit + 1}
  `);
  return toPage(rows, limit, { item: toScenario, position: (row) => ({ at: '', id: row.id }) });
}

export async function getScenario(
  db: Db,
  orgId: OrgId,
  id: ScenarioId,
): Promise<Scenario | undefined> {
  const [row] = await db.query<Row>(sql`
    select ${columns} from sandbox_scenarios where org_id = ${toUuid(orgId)} and id = ${toUuid(id)}
  `);
  return row && toScenario(row);
}

/** Whether there was such a scenario. */
export async function deleteScenario(tx: Tx, id: ScenarioId): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from sandbox_scenarios where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)} returning id
  `);
  return rows.length > 0;
}

export function deleteScenarios(tx: Tx): void {
  tx.write(sql`delete from sandbox_scenarios where org_id = ${toUuid(tx.orgId)}`);
}

/** Of a message on its way to a store. */
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
  /** What this message has met already, if it was sent before. */
  readonly use: ScenarioUse | undefined;
  /** Which step is next for messages of this delivery to this store. */
  readonly nextStep: number;
};

type FoundRow = Row & {
  readonly used_step: number | null;
  readonly outage_until: Date | null;
  readonly next_step: number;
};

/** The scenario the message met before, or else the newest that fits it. */
export async function matchScenario(
  tx: Tx,
  target: MessageToMatch,
): Promise<ScenarioMatch | undefined> {
  const { kind, storeId } = target;
  const org = toUuid(tx.orgId);
  const delivery = toUuid(target.deliveryId);
  const [row] = await tx.query<FoundRow>(sql`
    select ${columns}, used.used_step, used.outage_until,
           (select coalesce(max(step) + 1, 0) from sandbox_scenario_uses earlier
             where earlier.org_id = ${org} and earlier.delivery_id = ${delivery}
               and earlier.store_id = ${storeId} and earlier.scenario_id = scenario.id) as next_step
      from sandbox_scenarios scenario
      left join (select scenario_id, step as used_step, outage_until from sandbox_scenario_uses
                  where org_id = ${org} and message_id = ${toUuid(target.messageId)}) used
        on used.scenario_id = scenario.id
     where scenario.org_id = ${org}
       and (used.scenario_id is not null
            or (scenario.store_id is null or scenario.store_id = ${storeId})
               and (scenario.release_id is null or scenario.release_id = ${toUuid(target.releaseId)})
               and (scenario.message is null or scenario.message = ${kind}))
     order by used.scenario_id is null, scenario.id desc
     limit 1
  `);
  if (row === undefined) return undefined;
  const { used_step: step, outage_until: awayUntil, next_step: next } = row;
  return {
    scenario: toScenario(row),
    use: step === null ? undefined : { step, outageUntil: awayUntil },
    nextStep: next,
  };
}

export function upsertScenarioUse(
  tx: Tx,
  scenarioId: ScenarioId,
  target: MessageToMatch,
  use: ScenarioUse,
): void {
  tx.write(sql`
    insert into sandbox_scenario_uses (org_id, message_id, scenario_id, delivery_id, store_id, step, outage_until)
    values (${toUuid(tx.orgId)}, ${toUuid(target.messageId)}, ${toUuid(scenarioId)},
            ${toUuid(target.deliveryId)}, ${target.storeId}, ${use.step}, ${use.outageUntil})
    on conflict (org_id, message_id) do update
       set scenario_id = excluded.scenario_id, step = excluded.step, outage_until = excluded.outage_until
  `);
}
