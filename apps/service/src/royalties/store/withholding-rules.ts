import { toUuid } from '../../kernel/ids.ts';
import {
  actorColumns,
  defineColumns,
  idColumn,
  insertInto,
  plain,
  type Row,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import type { WithholdingRule } from '../domain/withholding.ts';

const withholdingRules = defineColumns<WithholdingRule>({
  id: idColumn('whr'),
  sourceTerritory: plain(),
  incomeType: plain(),
  payeeCountry: plain(),
  requiresForm: plain(),
  basisPoints: plain(),
  validFrom: plain(),
  validTo: plain(),
});

/** Hundreds: one for each tax treaty. */
export async function listWithholdingRules(db: Db): Promise<WithholdingRule[]> {
  const rows = await db.query<Row>(sql`
    select ${withholdingRules.names} from withholding_rules
     order by source_territory, income_type, payee_country nulls first, requires_form, valid_from
  `);
  return rows.map(withholdingRules.read);
}

/** The rule about the same that begins in the same month. FOR UPDATE, as two changes follow each other. */
export async function lockWithholdingRuleLike(
  tx: Tx,
  rule: WithholdingRule,
): Promise<WithholdingRule | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${withholdingRules.names} from withholding_rules
     where source_territory = ${rule.sourceTerritory} and income_type = ${rule.incomeType}
       and payee_country is not distinct from ${rule.payeeCountry}
       and requires_form = ${rule.requiresForm} and valid_from = ${rule.validFrom}
     for update
  `);
  return row && withholdingRules.read(row);
}

export function insertWithholdingRule(tx: Tx, rule: WithholdingRule): void {
  tx.write(
    insertInto('withholding_rules', {
      ...withholdingRules.write(rule),
      updated_at: tx.realNow,
      ...actorColumns(tx),
    }),
  );
}

export function updateWithholdingRule(tx: Tx, { id, basisPoints, validTo }: WithholdingRule): void {
  tx.write(sql`
    update withholding_rules
       set basis_points = ${basisPoints}, valid_to = ${validTo}, updated_at = ${tx.realNow},
           actor_type = ${tx.actor.type}, actor_id = ${tx.actor.id}
     where id = ${toUuid(id)}
  `);
}
