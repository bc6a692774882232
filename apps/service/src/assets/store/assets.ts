import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { allOf, json, type Sql, sql } from '../../platform/db/sql.ts';
import type { Asset, AssetId, AssetStatus, AssetType, FailureCode } from '../domain/asset.ts';

const columns = sql`
  id, type, status, file_name, content_type, size_bytes, sha256, facts, failure_code, failure_reason,
  upload_id, upload_parts, object_key, created_at, updated_at
`;

type Row = {
  readonly id: string;
  readonly type: AssetType;
  readonly status: AssetStatus;
  readonly file_name: string;
  readonly content_type: string;
  /** 64 bits, so the driver leaves it as text. */
  readonly size_bytes: string;
  readonly sha256: string | null;
  readonly facts: Asset['facts'];
  readonly failure_code: FailureCode | null;
  readonly failure_reason: string | null;
  readonly upload_id: string | null;
  readonly upload_parts: Asset['uploadParts'];
  readonly object_key: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
};

const toAsset = (row: Row): Asset => ({
  id: toWire('ast', row.id),
  type: row.type,
  status: row.status,
  fileName: row.file_name,
  contentType: row.content_type,
  sizeBytes: Number(row.size_bytes),
  sha256: row.sha256,
  facts: row.facts,
  failure:
    row.failure_code === null ? null : { code: row.failure_code, reason: row.failure_reason ?? '' },
  uploadId: row.upload_id,
  uploadParts: row.upload_parts,
  objectKey: row.object_key,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export async function findAsset(db: Db, orgId: OrgId, id: AssetId): Promise<Asset | undefined> {
  const [row] = await db.query<Row>(sql`
    select ${columns} from assets where org_id = ${toUuid(orgId)} and id = ${toUuid(id)}
  `);
  return row && toAsset(row);
}

export async function findAssets(tx: Tx, ids: readonly AssetId[]): Promise<Asset[]> {
  const rows = await tx.query<Row>(sql`
    select ${columns} from assets
     where org_id = ${toUuid(tx.orgId)} and id = any(${ids.map(toUuid)})
  `);
  return rows.map(toAsset);
}

export async function lockAsset(tx: Tx, id: AssetId): Promise<Asset | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${columns} from assets where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)} for update
  `);
  return row && toAsset(row);
}

/** The newest of each name that may still be used. */
export async function findAssetsByName(tx: Tx, fileNames: readonly string[]): Promise<Asset[]> {
  const rows = await tx.query<Row>(sql`
    select distinct on (file_name) ${columns} from assets
     where org_id = ${toUuid(tx.orgId)} and file_name = any(${fileNames}) and status <> 'failed'
     order by file_name, created_at desc, id desc
  `);
  return rows.map(toAsset);
}

export type AssetFilters = {
  readonly type?: AssetType | undefined;
  readonly status?: AssetStatus | undefined;
};

/** Newest first by (created_at, id). */
export async function listAssets(
  db: Db,
  orgId: OrgId,
  { type, status }: AssetFilters,
  { limit, after }: PageRequest,
): Promise<Page<Asset>> {
  const where: [Sql, ...Sql[]] = [sql`org_id = ${toUuid(orgId)}`];
  if (type !== undefined) where.push(sql`type = ${type}`);
  if (status !== undefined) where.push(sql`status = ${status}`);
  if (after !== undefined) {
    where.push(sql`(created_at, id) < (${after.at}::timestamptz, ${after.id}::uuid)`);
  }
  const rows = await db.query<Row & { position: string }>(sql`
    select ${columns}, created_at::text as position
      from assets
     where ${allOf(where)}
     order by created_at desc, id desc
     limit ${limit + 1}
  `);
  return toPage(rows, limit, {
    item: toAsset,
    position: ({ position, id }) => ({ at: position, id }),
  });
}

export function insertAsset(tx: Tx, asset: Asset): void {
  tx.write(sql`
    insert into assets (org_id, ${columns}, actor_type, actor_id)
    values (${toUuid(tx.orgId)}, ${toUuid(asset.id)}, ${asset.type}, ${asset.status}, ${asset.fileName},
            ${asset.contentType}, ${asset.sizeBytes}, ${asset.sha256}, ${json(asset.facts)},
            ${asset.failure?.code ?? null}, ${asset.failure?.reason ?? null}, ${asset.uploadId},
            ${json(asset.uploadParts)}, ${asset.objectKey},
            ${asset.createdAt}, ${asset.updatedAt}, ${tx.actor.type}, ${tx.actor.id})
  `);
}

/** Everything that can change; what was declared cannot. */
export function updateAsset(tx: Tx, asset: Asset): void {
  tx.write(sql`
    update assets
       set status = ${asset.status}, sha256 = ${asset.sha256}, facts = ${json(asset.facts)},
           failure_code = ${asset.failure?.code ?? null},
           failure_reason = ${asset.failure?.reason ?? null}, upload_id = ${asset.uploadId},
           upload_parts = ${json(asset.uploadParts)}, object_key = ${asset.objectKey},
           updated_at = ${asset.updatedAt}, actor_type = ${tx.actor.type}, actor_id = ${tx.actor.id}
     where org_id = ${toUuid(tx.orgId)}
       and id = ${toUuid(asset.id)}
  `);
}

/** Since when the one that was completed first has been waiting for its verdict. */
export async function findOldestProcessing(tx: Tx): Promise<Date | null> {
  const [row] = await tx.query<{ since: Date | null }>(sql`
    select min(updated_at) as since from assets
     where org_id = ${toUuid(tx.orgId)} and status = 'processing'
  `);
  return row?.since ?? null;
}
