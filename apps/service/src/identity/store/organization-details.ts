import { type LabelId, type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import {
  actorColumns,
  defineColumns,
  jsonb,
  plain,
  type Row,
  updateWhere,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import type { OrganizationDetails } from '../domain/organization-details.ts';
import type {
  Verification,
  VerificationRequirement,
  VerificationStatus,
} from '../domain/verification.ts';

type StoredFields = Omit<OrganizationDetails, 'id' | 'defaultLabel' | 'verification'> & {
  readonly verificationStatus: VerificationStatus;
  readonly verificationRequirements: readonly VerificationRequirement[];
};

const fields = defineColumns<StoredFields>({
  name: plain(),
  tier: plain(),
  defaultMetadataLanguage: plain(),
  licensedTerritories: plain(),
  statementCurrency: plain(),
  contacts: jsonb(),
  verificationStatus: plain(),
  verificationRequirements: jsonb(),
  suspendedAt: plain(),
  createdAt: plain(),
  updatedAt: plain(),
});

const verificationFields = defineColumns<
  Pick<StoredFields, 'verificationStatus' | 'verificationRequirements'>
>({ verificationStatus: plain(), verificationRequirements: jsonb() });

/** The default label is a row of the catalog, which a trigger creates with the organization: there is always one. */
const names = sql`${fields.names},
  (select id from labels where labels.org_id = organizations.org_id and is_default) as label_id,
  (select labels.name from labels where labels.org_id = organizations.org_id and is_default) as label_name`;

type DetailsRow = Row & { readonly label_id: string; readonly label_name: string };

function toDetails(orgId: OrgId, row: DetailsRow): OrganizationDetails {
  const {
    verificationStatus: status,
    verificationRequirements: requirements,
    ...others
  } = fields.read(row);
  return {
    ...others,
    id: orgId,
    defaultLabel: { id: toWire('lbl', row.label_id), name: row.label_name },
    verification: { status, requirements },
  };
}

export async function findOrganizationDetails(
  db: Db,
  orgId: OrgId,
): Promise<OrganizationDetails | undefined> {
  const [row] = await db.query<DetailsRow>(
    sql`select ${names} from organizations where org_id = ${toUuid(orgId)}`,
  );
  return row && toDetails(orgId, row);
}

/** FOR NO KEY UPDATE waits for dispatches that have read the verification (`shareLockVerification`). */
export function lockOrganizationDetails(tx: Tx): Promise<OrganizationDetails | undefined> {
  tx.write(sql`select 1 from organizations where org_id = ${toUuid(tx.orgId)} for no key update`);
  // A statement of its own: it sees the default label that another transaction chose before it released the lock.
  return findOrganizationDetails(tx, tx.orgId);
}

/** Not locked: for a first look, which in most organizations is enough. */
export async function isVerified(tx: Tx): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from organizations
     where org_id = ${toUuid(tx.orgId)} and verification_status = 'verified'
  `);
  return rows.length > 0;
}

/** Not locked. Undefined if there is no such organization. */
export async function findVerification(tx: Tx): Promise<Verification | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${verificationFields.names} from organizations where org_id = ${toUuid(tx.orgId)}
  `);
  if (row === undefined) return undefined;
  const { verificationStatus: status, verificationRequirements: requirements } =
    verificationFields.read(row);
  return { status, requirements };
}

/** FOR SHARE: the organization cannot become verified before the rows that wait for it are committed. */
export async function shareLockVerification(tx: Tx): Promise<VerificationStatus | undefined> {
  const [row] = await tx.query<{ verification_status: VerificationStatus }>(
    sql`select verification_status from organizations where org_id = ${toUuid(tx.orgId)} for share`,
  );
  return row?.verification_status;
}

/** The columns that a partner's PATCH changes; the default label is another table's. */
export function updateOrganizationDetails(
  tx: Tx,
  { defaultMetadataLanguage, contacts, updatedAt }: OrganizationDetails,
): void {
  tx.write(
    updateWhere(
      'organizations',
      {
        default_metadata_language: defaultMetadataLanguage,
        contacts: json(contacts),
        updated_at: updatedAt,
        ...actorColumns(tx),
      },
      { org_id: toUuid(tx.orgId) },
    ),
  );
}

export function updateVerification(
  tx: Tx,
  { verification, updatedAt }: Pick<OrganizationDetails, 'verification' | 'updatedAt'>,
): void {
  tx.write(
    updateWhere(
      'organizations',
      {
        verification_status: verification.status,
        verification_requirements: json(verification.requirements),
        updated_at: updatedAt,
        ...actorColumns(tx),
      },
      { org_id: toUuid(tx.orgId) },
    ),
  );
}

/** FOR NO KEY UPDATE: the label cannot be deleted before it is the default; undefined if there is no such label. */
export async function lockLabelName(tx: Tx, id: LabelId): Promise<string | undefined> {
  const [row] = await tx.query<{ name: string }>(sql`
    select name from labels where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)} for no key update
  `);
  return row?.name;
}

/** The caller has locked the organization, so that no other transaction chooses a default label at the same time. */
export function setDefaultLabel(tx: Tx, id: LabelId): void {
  // Two statements: a unique index allows one default label, also within a statement.
  tx.write(sql`
    update labels set is_default = false where org_id = ${toUuid(tx.orgId)} and is_default
  `);
  tx.write(sql`
    update labels set is_default = true where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)}
  `);
}
