import { type OrgId, toUuid } from '../../kernel/ids.ts';
import type { Month } from '../../kernel/month.ts';
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
import type { FeeRuleId, StoredFeeRule } from '../domain/fee-rules.ts';

type FeeRuleRow = Omit<StoredFeeRule, 'orgId'> & { readonly partnerOrgId: OrgId };

const feeRules = defineColumns<FeeRuleRow>({
  id: idColumn('fee'),
  partnerOrgId: idColumn('org'),
  storeId: plain(),
  useType: plain(),
  basisPoints: plain(),
  validFrom: plain(),
  validTo: plain(),
});

function toRule(row: Row): StoredFeeRule {
  const { partnerOrgId: orgId, ...rule } = feeRules.read(row);
  return { orgId, ...rule };
}

export async function listFeeRules(db: Db, orgIds: readonly OrgId[]): Promise<StoredFeeRule[]> {
  const rows = await db.query<Row>(sql`
    select ${feeRules.names} from fee_rules where partner_org_id = any(${orgIds.map(toUuid)})
     order by partner_org_id, store_id nulls first, use_type nulls first, valid_from
  `);
  return rows.map(toRule);
}

/** FOR UPDATE: of two changes, the second one reads what the first one has written. */
export async function lockFeeRule(tx: Tx, id: FeeRuleId): Promise<StoredFeeRule | undefined> {
  const [row] = await tx.query<Row>(
    sql`select ${feeRules.names} from fee_rules where id = ${toUuid(id)} for update`,
  );
  return row && toRule(row);
}

/** The rule about the same that begins in the same month. */
export async function lockFeeRuleLike(
  tx: Tx,
  { orgId, storeId, useType, validFrom }: StoredFeeRule,
): Promise<StoredFeeRule | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${feeRules.names} from fee_rules
     where partner_org_id = ${toUuid(orgId)} and store_id is not distinct from ${storeId}
       and use_type is not distinct from ${useType} and valid_from = ${validFrom}
     for update
  `);
  return row && toRule(row);
}

export function insertFeeRule(tx: Tx, { orgId: partnerOrgId, ...rule }: StoredFeeRule): void {
  tx.write(
    insertInto('fee_rules', {
      ...feeRules.write({ ...rule, partnerOrgId }),
      updated_at: tx.realNow,
      ...actorColumns(tx),
    }),
  );
}

type Change = {
  readonly id: FeeRuleId;
  readonly basisPoints: number;
  readonly validTo: Month | null;
};

export function updateFeeRule(tx: Tx, { id, basisPoints, validTo }: Change): void {
  tx.write(sql`
    update fee_rules
       set basis_points = ${basisPoints}, valid_to = ${validTo}, updated_at = ${tx.realNow},
           actor_type = ${tx.actor.type}, actor_id = ${tx.actor.id}
     where id = ${toUuid(id)}
  `);
}
