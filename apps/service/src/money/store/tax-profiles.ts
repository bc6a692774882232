import { type OrgId, toUuid } from '../../kernel/ids.ts';
import {
  actorColumns,
  defineColumns,
  insertInto,
  plain,
  type Row,
  updateWhere,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import type { TaxProfile } from '../domain/tax-profile.ts';

const profiles = defineColumns<TaxProfile>({
  residence: plain(),
  form: plain(),
  tinLastFour: plain(),
  sealedTin: plain(),
  signedOn: plain(),
  expiresOn: plain(),
  createdAt: plain(),
  updatedAt: plain(),
});

export async function findTaxProfile(db: Db, orgId: OrgId): Promise<TaxProfile | undefined> {
  const [row] = await db.query<Row>(sql`
    select ${profiles.names} from tax_profiles where org_id = ${toUuid(orgId)}
  `);
  return row && profiles.read(row);
}

/** FOR UPDATE: two changes of one profile follow each other. */
export async function lockTaxProfile(tx: Tx): Promise<TaxProfile | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${profiles.names} from tax_profiles where org_id = ${toUuid(tx.orgId)} for update
  `);
  return row && profiles.read(row);
}

export function insertTaxProfile(tx: Tx, profile: TaxProfile): void {
  tx.write(
    insertInto('tax_profiles', {
      org_id: toUuid(tx.orgId),
      ...profiles.write(profile),
      ...actorColumns(tx),
    }),
  );
}

export function updateTaxProfile(tx: Tx, profile: TaxProfile): void {
  const { created_at: _createdAt, ...changes } = profiles.write(profile);
  tx.write(
    updateWhere('tax_profiles', { ...changes, ...actorColumns(tx) }, { org_id: toUuid(tx.orgId) }),
  );
}
