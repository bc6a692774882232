import { type LabelId, type OrgId, type ReleaseId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Page, PageRequest } from '../../kernel/page.ts';
import {
  actorColumns,
  defineColumns,
  idColumn,
  insertInto,
  jsonb,
  plain,
  type Row,
  updateWhere,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { given, listPage } from '../../platform/db/list-page.ts';
import { type Sql, sql } from '../../platform/db/sql.ts';
import type { Label } from '../domain/label.ts';

const labels = defineColumns<Label>({
  id: idColumn('lbl'),
  reference: plain(),
  metadata: jsonb(),
  name: plain(),
  pLineOwner: plain(),
  cLineOwner: plain(),
  defaultTerritories: plain(),
  isDefault: plain(),
  createdAt: plain(),
  updatedAt: plain(),
});

export async function findLabel(db: Db, orgId: OrgId, id: LabelId): Promise<Label | undefined> {
  const [row] = await db.query<Row>(sql`
    select ${labels.names} from labels where org_id = ${toUuid(orgId)} and id = ${toUuid(id)}
  `);
  return row && labels.read(row);
}

/** Which label a release gets: the one with this id, the one of this name, or the default label. */
export type LabelChoice = { readonly id: LabelId } | { readonly name: string } | 'default';

/** FOR KEY SHARE: the label cannot be deleted before the release that gets it is committed. */
export async function keyShareLockLabel(tx: Tx, choice: LabelChoice): Promise<Label | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${labels.names} from labels
     where org_id = ${toUuid(tx.orgId)} and ${conditionOf(choice)} for key share
  `);
  return row && labels.read(row);
}

function conditionOf(choice: LabelChoice): Sql {
  if (choice === 'default') return sql`is_default`;
  return 'id' in choice ? sql`id = ${toUuid(choice.id)}` : sql`name = ${choice.name}`;
}

/** FOR UPDATE waits for transactions that give a release this label. */
export async function lockLabel(tx: Tx, id: LabelId): Promise<Label | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${labels.names} from labels
     where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)} for update
  `);
  return row && labels.read(row);
}

export type LabelFilters = {
  readonly name?: string | undefined;
  readonly reference?: string | undefined;
};

/** Newest first by (created_at, id). */
export function listLabels(
  db: Db,
  orgId: OrgId,
  { name, reference }: LabelFilters,
  page: PageRequest,
): Promise<Page<Label>> {
  return listPage(
    db,
    {
      orgId,
      from: sql`labels`,
      columns: labels.names,
      filters: [
        given(name, (value) => sql`name = ${value}`),
        given(reference, (value) => sql`reference = ${value}`),
      ],
      read: labels.read,
    },
    page,
  );
}

type NamedLabelRow = Pick<Label, 'id' | 'name' | 'reference'>;

const named = defineColumns<NamedLabelRow>({
  id: idColumn('lbl'),
  name: plain(),
  reference: plain(),
});

/** Other labels with this name or this reference. */
export async function findConflictingLabels(
  tx: Tx,
  id: LabelId,
  { name, reference }: { readonly name?: string; readonly reference?: string | null },
): Promise<NamedLabelRow[]> {
  const rows = await tx.query<Row>(sql`
    select ${named.names} from labels
     where org_id = ${toUuid(tx.orgId)} and name = ${name ?? null} and id <> ${toUuid(id)}
    union all
    select ${named.names} from labels
     where org_id = ${toUuid(tx.orgId)} and reference = ${reference ?? null} and id <> ${toUuid(id)}
  `);
  return rows.map(named.read);
}

const toRow = (tx: Tx, label: Label): Row => ({ ...labels.write(label), ...actorColumns(tx) });

export function insertLabel(tx: Tx, label: Label): void {
  tx.write(insertInto('labels', { org_id: toUuid(tx.orgId), ...toRow(tx, label) }));
}

/** Writes every column but the key and the two that never change. */
export function updateLabel(tx: Tx, label: Label): void {
  const { id, is_default: _isDefault, created_at: _createdAt, ...changes } = toRow(tx, label);
  tx.write(updateWhere('labels', changes, { org_id: toUuid(tx.orgId), id }));
}

export function removeLabel(tx: Tx, id: LabelId): void {
  tx.write(sql`delete from labels where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)}`);
}

/** A release with this label; undefined if there is none. */
export async function findReleaseOfLabel(tx: Tx, id: LabelId): Promise<ReleaseId | undefined> {
  const [row] = await tx.query<{ id: string }>(sql`
    select id from releases
     where org_id = ${toUuid(tx.orgId)} and label_id = ${toUuid(id)}
     order by created_at desc, id desc
     limit 1
  `);
  return row && toWire('rel', row.id);
}
