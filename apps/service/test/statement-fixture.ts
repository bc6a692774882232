/** Statements for tests and benches of reading: their rows and files, without the run that makes them. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type Id, toUuid, toWire } from '../src/kernel/ids.ts';
import { firstDayOf, lastDayOf } from '../src/kernel/month.ts';
import type { Storage } from '../src/platform/storage/storage.ts';
import { type LineItemFile, microsText, writeLineItems } from './line-item-file.ts';
import type { OrgClient, TestService } from './test-service.ts';

export type GivenStatement = {
  readonly id: Id<'stm'>;
  readonly rowCount: number;
  /** Σ earnings. */
  readonly gross: string;
  readonly objectKeys: readonly string[];
};

type StatementOptions = {
  /** How many line items each of its files has. */
  readonly parts?: readonly number[];
  readonly currency?: string;
  readonly month?: string;
  readonly createdAt?: Date;
};

type Place = Pick<TestService, 'query' | 'storage' | 'clock'>;

/** Published. */
export async function givenStatement(
  { query, storage, clock }: Place,
  { orgId }: Pick<OrgClient, 'orgId'>,
  options: StatementOptions = {},
): Promise<GivenStatement> {
  const { parts = [3], currency = 'EUR', month = '2026-10' } = options;
  const { createdAt = clock.now() } = options;
  const id = toWire('stm', randomUUID());
  const org = toUuid(orgId as Id<'org'>);
  const objectKeys = parts.map((_, i) => `test/${id}/items-${i + 1}.parquet`);
  const written: LineItemFile[] = [];
  let rowCount = 0;
  for (const [i, rows] of parts.entries()) {
    const file = writeLineItems(rowCount, rows);
    await put(storage, objectKeys[i] ?? '', file.bytes);
    written.push(file);
    rowCount += rows;
  }
  const runId = await givenRun(query, org, month);
  const gross = microsText(written.reduce((sum, { earnings }) => sum + earnings, 0n));
  await query(
    `insert into statements (org_id, id, status, currency, period_start, period_end, opening_balance, gross_amount,
                             net_amount, closing_balance, available_amount, line_item_count, opening_versions,
                             closing_versions, run_id, published_at, created_at)
     values ($1, $2, 'published', $3, $4, $5, 0, $6, $6, $6, $6, $7, '${noEntries}', '${noEntries}', $8, $9, $9)`,
    [
      org,
      toUuid(id),
      currency,
      firstDayOf(month),
      lastDayOf(month),
      gross,
      rowCount,
      runId,
      createdAt,
    ],
  );
  let firstPosition = 1;
  for (const [i, file] of written.entries()) {
    await query(
      `insert into statement_artifacts (org_id, statement_id, kind, part, object_key, size_bytes, sha256, row_count, amount,
                                        first_position)
       values ($1, $2, 'items', $3, $4, $5, $6, $7, $8, $9)`,
      [
        org,
        toUuid(id),
        i + 1,
        objectKeys[i],
        file.bytes.length,
        Buffer.from(file.sha256, 'hex'),
        file.rowCount,
        microsText(file.earnings),
        firstPosition,
      ],
    );
    firstPosition += file.rowCount;
  }
  return { id, rowCount, gross, objectKeys };
}

const noEntries = JSON.stringify({ payable: '0', payout_reserved: '0', held: '0' });

/** The closed run of a month, of which an organization has one. */
async function givenRun(query: Place['query'], org: string, month: string): Promise<string> {
  await query(
    `insert into royalty_runs (org_id, id, statement_month, fx_set_id, status, rules_version, plan, input_digest, created_by,
                               approved_by, closed_at, created_at, updated_at, actor_type, actor_id)
     values ($1, gen_random_uuid(), $2, gen_random_uuid(), 'closed', '1', '{}', sha256('plan'), 'test', 'test', now(), now(),
             now(), 'workflow', 'test')
     on conflict do nothing`,
    [org, month],
  );
  const found = await query(
    `select id from royalty_runs where org_id = $1 and statement_month = $2 and status = 'closed'`,
    [org, month],
  );
  return found[0].id;
}

/** As a run leaves it after the statement before. */
export async function givenOpenStatement(
  { query, clock }: Pick<Place, 'query' | 'clock'>,
  { orgId }: Pick<OrgClient, 'orgId'>,
  { currency = 'EUR', month = '2026-11', balance = '12.500000' } = {},
): Promise<Id<'stm'>> {
  const id = toWire('stm', randomUUID());
  await query(
    `insert into statements (org_id, id, status, currency, period_start, period_end, opening_balance, closing_balance,
                             opening_versions, created_at)
     values ($1, $2, 'open', $3, $4, $5, $6, $6, '{}', $7)`,
    [
      toUuid(orgId as Id<'org'>),
      toUuid(id),
      currency,
      firstDayOf(month),
      lastDayOf(month),
      balance,
      clock.now(),
    ],
  );
  return id;
}

async function put(storage: Storage, key: string, bytes: Buffer): Promise<void> {
  const contentType = 'application/octet-stream';
  const url = await storage.presignPut(key, {
    contentType,
    sizeBytes: bytes.length,
    expiresInSeconds: 600,
  });
  const { status } = await fetch(url, {
    method: 'PUT',
    headers: { 'content-type': contentType },
    body: new Uint8Array(bytes),
  });
  assert.equal(status, 200);
}
