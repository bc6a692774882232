/** For tests of runs: organizations, matched reports with their files on the object store, and an operator. */

import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Id, toUuid, toWire } from '../src/kernel/ids.ts';
import { systemOrgId } from '../src/kernel/system-organization.ts';
import { upload } from '../src/platform/storage/transfer.ts';
import { withDuckDb } from '../src/royalties/connectors/duckdb.ts';
import type { Json } from './delivery-fixture.ts';
import { openTestService, type OrgClient } from './test-service.ts';
import { openWorkerDriver } from './worker-driver.ts';

export type RunFixture = Awaited<ReturnType<typeof openRunFixture>>;

export type UsageLine = {
  readonly org: OrgClient;
  readonly isrc: string;
  readonly amount: string;
  readonly plays?: number;
  readonly territory?: string;
  readonly month?: string;
  readonly useType?: 'ad_supported_stream' | 'subscription_stream' | 'download';
  /** If you omit it, the month of the usage. */
  readonly accountingMonth?: string;
  /** The id of a release of the catalogue. */
  readonly releaseId?: string;
};

export type OtherLine = {
  readonly org: OrgClient | null;
  readonly type: 'penalty' | 'non_track_income' | 'chargeback';
  readonly amount: string;
};

type Report = {
  /** A store that is paid on the report, unless it is named. */
  readonly storeId?: string;
  readonly currency?: string;
  readonly lines: readonly UsageLine[];
  readonly others?: readonly OtherLine[];
  readonly suspense?: string;
  readonly supersedes?: readonly string[];
};

const uuidOf = (id: string): string => toUuid(id as Id<string>);
const uuidOfIsrc = (isrc: string): string =>
  createHash('sha256')
    .update(isrc)
    .digest('hex')
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

const sumOf = (lines: readonly { readonly amount: string }[]): string =>
  lines.reduce((sum, { amount }) => sum + Number(amount), 0).toFixed(10);

export async function openRunFixture(now = '2026-11-16T09:00:00.000Z') {
  const service = await openTestService({ now, connections: 20 });
  const { runUntilIdle, handle } = openWorkerDriver(service);
  const ownStoreId = `runs-${randomUUID().slice(0, 8)}`;
  await service.query(
    `insert into stores select (jsonb_populate_record(store, jsonb_build_object('store_id', $1::text, 'pay_on', 'report'))).*
       from stores store limit 1`,
    [ownStoreId],
  );

  const writePart = async (reportId: string, kind: string, statement: string, rows: number) => {
    const folder = await mkdtemp(join(tmpdir(), 'tonearm-run-'));
    try {
      const path = join(folder, 'part.parquet');
      await withDuckDb({ threads: 1, memoryMb: 256, folder }, (db) =>
        db.run(`copy (${statement}) to '${path}' (format parquet, compression zstd)`),
      );
      const key = `reports/${reportId}/${kind}-1.parquet`;
      await upload(service.storage, path, key, new AbortController().signal);
      const bytes = await readFile(path);
      const sha256 = createHash('sha256').update(bytes).digest();
      await service.query(
        `insert into report_parts (org_id, report_id, kind, number, object_key, size_bytes, sha256, row_count)
         values ($1, $2, $3, 1, $4, $5, $6, $7)`,
        [uuidOf(systemOrgId), uuidOf(reportId), kind, key, bytes.length, sha256, rows],
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  };

  const givenReport = async (report: Report): Promise<string> => {
    const { currency = 'EUR', lines, others = [], suspense = '0', supersedes = [] } = report;
    const { storeId = ownStoreId } = report;
    const id = toWire('rpt', randomUUID());
    const own = uuidOf(systemOrgId);
    const count = lines.length + others.length;
    await service.query(
      `insert into store_reports (org_id, id, store_id, format, status, set_digest, period_start, period_end, rows_read,
                                  rows_matched, supersedes, created_at, updated_at, actor_type, actor_id)
       values ($1, $2, $3, 'plain_csv', 'matched', sha256($4), '2026-10-01', '2026-10-31', $5, $5, $6, now(), now(),
               'workflow', 'test')`,
      [own, uuidOf(id), storeId, Buffer.from(id), count, supersedes.map(uuidOf)],
    );
    await service.query(
      `insert into report_totals (org_id, report_id, currency, matched_amount, suspense_amount, rejected_amount, other_amount)
       values ($1, $2, $3, $4, $5, 0, $6)`,
      [own, uuidOf(id), currency, sumOf(lines), suspense, sumOf(others)],
    );
    const byOrg = Map.groupBy(lines, ({ org }) => org.orgId);
    for (const [orgId, ofOrg] of byOrg) {
      await service.query(
        `insert into report_shares (org_id, report_id, part_number, partner_org_id, currency, row_count, amount)
         values ($1, $2, 1, $3, $4, $5, $6)`,
        [own, uuidOf(id), uuidOf(orgId), currency, ofOrg.length, sumOf(ofOrg)],
      );
    }
    if (lines.length > 0)
      await writePart(id, 'matched', matchedRows(lines, currency), lines.length);
    if (others.length > 0) await writePart(id, 'other', otherRows(others, currency), others.length);
    return id;
  };

  const admin = (...argv: string[]) => service.admin(...argv) as Promise<Json>;
  const rates = ['--rate', 'GBP/EUR=1.15', '--rate', 'EUR/USD=1.08'];
  const setOf = ['--name', `set ${ownStoreId}`, '--as-of', '2026-10-31'];
  const fxSet = await admin('fx-rate-sets', 'create', ...setOf, ...rates);

  return {
    service,
    runUntilIdle,
    handle,
    admin,
    givenReport,
    /** Its statements are in euros. */
    givenPartner: async (): Promise<OrgClient> => {
      const partner = await service.givenOrganization();
      await service.query(`update organizations set statement_currency = 'EUR' where org_id = $1`, [
        uuidOf(partner.orgId),
      ]);
      return partner;
    },
    create: (month: string) => admin('runs', 'create', '--month', month, '--fx-set', fxSet.id),
    run: (verb: string, id: string) => admin('runs', verb, '--run', id),
    /** From the creation to the closing, with the calculation. */
    closeMonth: async (month: string): Promise<Json> => {
      const { id } = await admin('runs', 'create', '--month', month, '--fx-set', fxSet.id);
      await runUntilIdle();
      await admin('runs', 'approve', '--run', id);
      await runUntilIdle();
      await admin('runs', 'close', '--run', id);
      await runUntilIdle();
      return admin('runs', 'show', '--run', id);
    },
    statementsOf: ({ orgId }: OrgClient): Promise<Json[]> =>
      service.query(
        `select *, period_start::text as start from statements where org_id = $1 order by currency, period_start`,
        [uuidOf(orgId)],
      ),
    close: () => service.close(),
  };
}

const matchedRows = (lines: readonly UsageLine[], currency: string): string =>
  lines
    .map((line) => {
      const { org, isrc, amount, plays = 10, territory = 'DE', month = '2026-10' } = line;
      const { accountingMonth = month, releaseId } = line;
      const release = releaseId === undefined ? uuidOfIsrc(`release ${isrc}`) : uuidOf(releaseId);
      return `select '${uuidOf(org.orgId)}'::uuid as org_id, ${Number(isrc.slice(-5)) % 1_000}::smallint as slice,
        '${release}'::uuid as release_id, '${uuidOfIsrc(isrc)}'::uuid as track_id, '${isrc}' as isrc, 'Title' as title,
        '${territory}' as territory, '${line.useType ?? 'subscription_stream'}' as use_type,
        '${amount.startsWith('-') ? 'return' : 'usage'}' as transaction_type, '${month}' as usage_month,
        '${accountingMonth}' as accounting_month, '${month}-01'::date as period_start, '${month}-28'::date as period_end,
        '${currency}' as currency, ${plays}::bigint as play_count, ${amount}::decimal(28, 10) as amount,
        false as allocated`;
    })
    .join(' union all ');

const otherRows = (others: readonly OtherLine[], currency: string): string =>
  others
    .map(
      ({ org, type, amount }) =>
        `select ${org === null ? 'null' : `'${uuidOf(org.orgId)}'`}::uuid as org_id, '${type}' as type,
          null::varchar as isrc, 'DE' as territory, '2026-10' as usage_month, '${currency}' as currency,
          ${amount}::decimal(28, 10) as amount, 'Reported by the store' as reason`,
    )
    .join(' union all ');
