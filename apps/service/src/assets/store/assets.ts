import { type OrgId, toUuid } from '../../kernel/ids.ts';
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
import type { Asset, AssetId, AssetStatus, AssetType, FailureCode } from '../domain/asset.ts';

const columns = defineColumns<Omit<Asset, 'failure'>>({
  id: idColumn('ast'),
  type: plain(),
  status: plain(),
  fileName: plain(),
  contentType: plain(),
  // The driver returns a bigint as text.
  sizeBytes: { read: (stored: string) => Number(stored), write: (bytes) => bytes },
  sha256: plain(),
  facts: jsonb(),
  uploadId: plain(),
  uploadParts: jsonb(),
  objectKey: plain(),
  createdAt: plain(),
  updatedAt: plain(),
});

const names = sql`${columns.names}, failure_code, failure_reason`;

type AssetRow = Row & {
  readonly failure_code: FailureCode | null;
  readonly failure_reason: string | null;
};

const toAsset = (row: AssetRow): Asset => ({
  ...columns.read(row),
  failure:
    row.failure_code === null ? null : { code: row.failure_code, reason: row.failure_reason ?? '' },
});

const toRow = (tx: Tx, asset: Asset): Row => ({
  ...columns.write(asset),
  failure_code: asset.failure?.code ?? null,
  failure_reason: asset.failure?.reason ?? null,
  ...actorColumns(tx),
});

export async function findAsset(db: Db, orgId: OrgId, id: AssetId): Promise<Asset | undefined> {
  const [row] = await db.query<AssetRow>(sql`
    select ${names} from assets where org_id = ${toUuid(orgId)} and id = ${toUuid(id)}
  `);
  return row && toAsset(row);
}

export async function findAssets(tx: Tx, ids: readonly AssetId[]): Promise<Asset[]> {
  const rows = await tx.query<AssetRow>(sql`
    select ${names} from assets
     where org_id = ${toUuid(tx.orgId)} and id = any(${ids.map(toUuid)})
  `);
  return rows.map(toAsset);
}

export async function lockAsset(tx: Tx, id: AssetId): Promise<Asset | undefined> {
  const [row] = await tx.query<AssetRow>(sql`
    select ${names} from assets where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)} for update
  `);
  return row && toAsset(row);
}

/** The newest asset of each name that has not failed. */
export async function findAssetsByName(tx: Tx, fileNames: readonly string[]): Promise<Asset[]> {
  const rows = await tx.query<AssetRow>(sql`
    select distinct on (file_name) ${names} from assets
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
export function listAssets(
  db: Db,
  orgId: OrgId,
  { type, status }: AssetFilters,
  page: PageRequest,
): Promise<Page<Asset>> {
  return listPage(
    db,
    {
      orgId,
      from: sql`assets`,
      columns: names,
      filters: [
        given(type, (value) => sql`type = ${value}`),
        given(status, (value) => sql`status = ${value}`),
      ],
      read: toAsset,
    },
    page,
  );
}

export function insertAsset(tx: Tx, asset: Asset): void {
  tx.write(insertInto('assets', { org_id: toUuid(tx.orgId), ...toRow(tx, asset) }));
}

/** Writes every column but the key and what the partner declared, which never change. */
export function updateAsset(tx: Tx, asset: Asset): void {
  const {
    id,
    type: _type,
    file_name: _fileName,
    content_type: _contentType,
    size_bytes: _sizeBytes,
    created_at: _createdAt,
    ...changes
  } = toRow(tx, asset);
  tx.write(updateWhere('assets', changes, { org_id: toUuid(tx.orgId), id }));
}

/**
 * For the column list of another slice: the duration of an audio asset in ms, null until it is measured.
 * A subquery by primary key, so that a list of tracks needs no second round trip.
 */
export const selectDurationMs = (asset: { readonly orgId: Sql; readonly id: Sql }): Sql => sql`
  (select (facts ->> 'durationMs')::float8 from assets
    where assets.org_id = ${asset.orgId} and assets.id = ${asset.id})
`;

/** For the column list of another slice: hash and facts of an audio asset as one JSON object, null until it is ready. */
export const selectAudio = (asset: { readonly orgId: Sql; readonly id: Sql }): Sql => sql`
  (select jsonb_build_object('sha256', sha256, 'facts', facts) from assets
    where assets.org_id = ${asset.orgId} and assets.id = ${asset.id} and status = 'ready')
`;

/**
 * For the FROM clause of another slice: the ids of ready audio assets that sound the same, the newest `limit` of each
 * hash. A file that was examined before its samples were hashed is found by the hash of its bytes only.
 */
export const selectSameAudio = (
  audio: { readonly orgId: Sql; readonly sha256: Sql; readonly pcmSha256: Sql },
  limit: number,
): Sql => sql`
  (select * from
    (select id from assets
      where org_id = ${audio.orgId} and sha256 = ${audio.sha256} and type = 'audio' and status = 'ready'
      order by id desc limit ${limit}) same_bytes
   union
   select * from
    (select id from assets where org_id = ${audio.orgId} and pcm_sha256 = ${audio.pcmSha256}
      order by id desc limit ${limit}) same_samples)
`;

/** When the asset that has been in `processing` the longest was completed. */
export async function findOldestProcessing(tx: Tx): Promise<Date | null> {
  const [row] = await tx.query<{ since: Date | null }>(sql`
    select min(updated_at) as since from assets
     where org_id = ${toUuid(tx.orgId)} and status = 'processing'
  `);
  return row?.since ?? null;
}
