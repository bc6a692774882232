import { toUuid } from '../../kernel/ids.ts';
import type { PayoutId } from '../../money/face.ts';
import { insertInto } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import type { ScenarioId, ScenarioStep } from '../domain/scenario.ts';

/** The step that the payout met before. */
export async function findPayoutStep(tx: Tx, id: PayoutId): Promise<ScenarioStep | undefined> {
  const [row] = await tx.query<{ step: ScenarioStep }>(sql`
    select step from sandbox_payout_steps
     where org_id = ${toUuid(tx.orgId)} and payout_id = ${toUuid(id)}
  `);
  return row?.step;
}

/** The number of the step for the next payout. */
export async function nextPayoutStep(tx: Tx, scenarioId: ScenarioId): Promise<number> {
  const [row] = await tx.query<{ number: number }>(sql`
    select coalesce(max(number) + 1, 0) as number from sandbox_payout_steps
     where org_id = ${toUuid(tx.orgId)} and scenario_id = ${toUuid(scenarioId)}
  `);
  return row?.number ?? 0;
}

export function insertPayoutStep(
  tx: Tx,
  id: PayoutId,
  used: {
    readonly scenarioId: ScenarioId;
    readonly number: number;
    readonly step: ScenarioStep;
  },
): void {
  tx.write(
    insertInto('sandbox_payout_steps', {
      org_id: toUuid(tx.orgId),
      payout_id: toUuid(id),
      scenario_id: toUuid(used.scenarioId),
      number: used.number,
      step: json(used.step),
    }),
  );
}
