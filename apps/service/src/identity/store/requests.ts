/** The request log (ADR 0029). */

import { type OrgId, type RequestId, toUuid } from '../../kernel/ids.ts';
import type { Page, PagePosition, PageRequest } from '../../kernel/page.ts';
import {
  type ColumnsOf,
  defineColumns,
  idColumn,
  jsonb,
  plain,
  type Row,
} from '../../platform/db/columns.ts';
import type { Db } from '../../platform/db/database.ts';
import { allOf, type Sql, sql } from '../../platform/db/sql.ts';
import { toTextArray } from '../../platform/db/text-array.ts';
import type { OwnedEntry, RequestEntry } from '../domain/request-entry.ts';

/** Without headers and bodies. */
export type RequestSummary = Omit<
  RequestEntry,
  'requestHeaders' | 'requestBody' | 'requestBytes' | 'answerHeaders' | 'answerBody' | 'answerBytes'
>;

const summaryColumns: ColumnsOf<RequestSummary> = {
  id: idColumn('req'),
  method: plain(),
  path: plain(),
  route: plain(),
  status: plain(),
  code: plain(),
  actorType: plain(),
  actorId: plain(),
  address: plain(),
  durationMs: plain(),
};
const summaries = defineColumns<RequestSummary>(summaryColumns);
const columnsWithoutBodies: ColumnsOf<Omit<RequestEntry, 'requestBody' | 'answerBody'>> = {
  ...summaryColumns,
  requestHeaders: jsonb(),
  requestBytes: plain(),
  answerHeaders: jsonb(),
  answerBytes: plain(),
};
const withoutBodies = defineColumns(columnsWithoutBodies);
const requests = defineColumns<RequestEntry>({
  ...columnsWithoutBodies,
  requestBody: plain(),
  answerBody: plain(),
});

/**
 * A row outside the heap: rows wait for others, and the collector would copy and promote objects that wait for half a
 * second. Bodies are not in its JSON text: PostgreSQL took 1 ms to read 16 KiB of JSON within JSON.
 */
export type EncodedEntry = {
  readonly orgId: OrgId;
  /** JSON text of the other columns. */
  readonly row: Buffer;
  readonly requestBody: Buffer | null;
  readonly answerBody: Buffer | null;
};

const encodeBody = (body: string | null): Buffer | null =>
  body === null ? null : Buffer.from(body);

export const encodeEntry = ({ orgId, entry }: OwnedEntry): EncodedEntry => ({
  orgId,
  row: Buffer.from(JSON.stringify({ org_id: toUuid(orgId), ...withoutBodies.toJson(entry) })),
  requestBody: encodeBody(entry.requestBody),
  answerBody: encodeBody(entry.answerBody),
});

/** In one batch, which opens each organization before it inserts its rows. `db` is a transaction without one. */
export async function insertRequests(db: Db, entries: readonly EncodedEntry[]): Promise<void> {
  // The api does not wait for these rows, and a crash may lose them: no need to wait for the disk.
  const sent: Promise<unknown>[] = [db.query(sql`set local synchronous_commit = off`)];
  for (const [orgId, owned] of Map.groupBy(entries, (entry) => entry.orgId)) {
    sent.push(
      db.query(sql`select open_organization(${toUuid(orgId)})`),
      db.query(insertionOf(owned)),
    );
  }
  await Promise.all(sent);
}

const insertionOf = (entries: readonly EncodedEntry[]): Sql => sql`
  insert into requests (org_id, ${withoutBodies.names}, request_body, answer_body)
  select org_id, ${withoutBodies.names}, request_text, answer_text
    from rows from (unnest(${toTextArray(entries.map(({ requestBody }) => requestBody))}::text[],
                           ${toTextArray(entries.map(({ answerBody }) => answerBody))}::text[]),
                    json_populate_recordset(null::requests, ${toJsonList(entries.map(({ row }) => row))}))
         as entry (request_text, answer_text)
`;

const listBegin = Buffer.from('[');
const listEnd = Buffer.from(']');
const comma = Buffer.from(',');

const toJsonList = (texts: readonly Buffer[]): Buffer =>
  Buffer.concat([
    listBegin,
    ...texts.flatMap((text, i) => (i === 0 ? [text] : [comma, text])),
    listEnd,
  ]);

export async function findRequest(
  db: Db,
  orgId: OrgId,
  id: RequestId,
): Promise<RequestEntry | undefined> {
  const [row] = await db.query<Row>(sql`
    select ${requests.names} from requests where org_id = ${toUuid(orgId)} and id = ${toUuid(id)}
  `);
  return row && requests.read(row);
}

export type RequestFilters = {
  readonly status?: StatusFilter | undefined;
  readonly code?: string | undefined;
  readonly method?: string | undefined;
  /** How the path starts. */
  readonly path?: string | undefined;
  readonly actorId?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
};

/** Both are included: 422 to 422, or 400 to 499. */
export type StatusFilter = { readonly from: number; readonly to: number };

/** The rows that one page reads at most, if it has filters without an index. */
const scannedMax = 5_000;

type ScannedRow = Row & {
  readonly id: string;
  readonly is_match: boolean;
  /** Counts the rows that were read, from 1. */
  readonly number: number;
};

/**
 * Newest first. Time is in the id, so `since` and `until` are a range of the primary key, and errors have an index of
 * their own. Every other filter is applied to the next `scannedMax` rows: a page may then have fewer items than its
 * limit, or none, and still have a next page.
 */
export async function listRequests(
  db: Db,
  orgId: OrgId,
  filters: RequestFilters,
  page: PageRequest,
): Promise<Page<RequestSummary>> {
  const rows = await db.query<ScannedRow>(sql`
    with scanned as materialized (
      select ${summaries.names}, ${matches(filters)} as is_match
        from requests
       where ${allOf(rangeOf(orgId, filters, page.after))}
       order by id desc
       limit ${hasUnindexed(filters) ? scannedMax : page.limit + 1}
    ), numbered as (
      select *, row_number() over (order by id desc)::int as number,
             count(*) filter (where is_match) over (order by id desc rows unbounded preceding) as matches
        from scanned
    )
    select * from numbered
     where (is_match and matches <= ${page.limit + 1}) or number = ${scannedMax}
     order by id desc
  `);
  return toPage(rows, page.limit);
}

function toPage(rows: readonly ScannedRow[], limit: number): Page<RequestSummary> {
  const matching = rows.filter(({ is_match }) => is_match);
  const shown = matching.slice(0, limit);
  const positionAt = (index: number): PagePosition | undefined => {
    const row = shown[index];
    return row && { at: '', id: row.id };
  };
  const lastScanned = rows.find(({ number }) => number === scannedMax);
  const afterScan = lastScanned && { at: '', id: lastScanned.id };
  return {
    items: shown.map(summaries.read),
    next: matching.length > limit ? positionAt(limit - 1) : afterScan,
    positionAt,
  };
}

const refusedFrom = 400;

function rangeOf(
  orgId: OrgId,
  { status, code, since, until }: RequestFilters,
  after: PagePosition | undefined,
): [Sql, ...Sql[]] {
  const where: [Sql, ...Sql[]] = [sql`org_id = ${toUuid(orgId)}`];
  if (after !== undefined) where.push(sql`id < ${after.id}`);
  if (since !== undefined) where.push(sql`id >= uuid7_floor(${since})`);
  if (until !== undefined) where.push(sql`id < uuid7_floor(${until})`);
  // A literal: only with a literal can PostgreSQL use the partial index.
  const isRefused = code !== undefined || (status !== undefined && status.from >= refusedFrom);
  if (isRefused) where.push(sql`status >= 400`);
  return where;
}

const hasUnindexed = ({ status, code, method, path, actorId }: RequestFilters): boolean =>
  [status, code, method, path, actorId].some((filter) => filter !== undefined);

function matches({ status, code, method, path, actorId }: RequestFilters): Sql {
  const conditions: [Sql, ...Sql[]] = [sql`true`];
  if (status !== undefined) conditions.push(sql`status between ${status.from} and ${status.to}`);
  if (code !== undefined) conditions.push(sql`code = ${code}`);
  if (method !== undefined) conditions.push(sql`method = ${method}`);
  if (path !== undefined) conditions.push(sql`starts_with(path, ${path})`);
  if (actorId !== undefined) conditions.push(sql`actor_id = ${actorId}`);
  return allOf(conditions);
}
