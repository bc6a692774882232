/** Compares what runs wrote with an oracle, with the reports that went in, and with the ledger. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Id, toUuid, toWire } from '../../src/kernel/ids.ts';
import { download } from '../../src/platform/storage/transfer.ts';
import type { Json } from '../delivery-fixture.ts';
import { askRoyaltyOracle, type OracleFigures } from '../royalty-run.ts';
import type { MoneyOffice, ReceivedReport } from './money-operator.ts';
import { formatUnits } from './money-world.ts';

/** What the results of a run are: every file with its digest, by partner. */
export async function digestsOf({ stack }: MoneyOffice, id: Id<'run'>): Promise<string> {
  const rows = await stack.query(
    `select partner_org_id, currency, gross_amount, fee_amount, source_tax_amount, payee_tax_amount, net_amount,
            adjustments, holds, (select jsonb_agg(file - 'objectKey') from jsonb_array_elements(artifacts) file) as files
       from run_statements where run_id = $1 order by partner_org_id, currency`,
    [toUuid(id)],
  );
  return JSON.stringify(rows);
}

/** Everything a run could leave behind outside its own rows. */
export async function traceOf({ stack }: MoneyOffice): Promise<string> {
  const [row] = await stack.query(`
    select (select count(*) from ledger_transactions) as transactions, (select count(*) from ledger_entries) as entries,
           (select count(*) from statements) as statements, (select count(*) from statement_artifacts) as artifacts,
           (select count(*) from royalty_totals) as totals, (select count(*) from pending_nets) as pending,
           (select count(*) from adjustments) as adjustments, (select count(*) from earning_holds) as holds`);
  return JSON.stringify(row);
}

export async function countLeftovers({ stack }: MoneyOffice, id: Id<'run'>): Promise<number> {
  const [row] = await stack.query(
    `select (select count(*) from run_buckets where run_id = $1) + (select count(*) from run_statements where run_id = $1)
            + (select count(*) from run_totals where run_id = $1) + (select count(*) from report_parts where run_id = $1)
            as rows`,
    [toUuid(id)],
  );
  const files = await stack.service.storage.list(`statements/${id}/`);
  return Number(row.rows) + files.length;
}

/** Downloads the inputs and the results of a calculated run, and asks the oracle. */
export async function askOracle({ stack }: MoneyOffice, id: Id<'run'>): Promise<OracleFigures> {
  const folder = join(stack.scratch, id);
  await mkdir(folder, { recursive: true });
  let fileCount = 0;
  const fetched = async (key: string): Promise<string> => {
    const path = join(folder, `${++fileCount}.parquet`);
    await download(stack.service.storage, key, path, new AbortController().signal);
    return path;
  };
  const [{ plan }] = (await stack.query('select plan from royalty_runs where id = $1', [
    toUuid(id),
  ])) as [Json];
  const buckets: Json[] = await stack.query(
    'select number, statements, calculated, finished from run_buckets where run_id = $1 order by number',
    [toUuid(id)],
  );
  const withFile = async (part: Json, kind: 'items' | 'royalties') => ({
    ...part,
    [kind]: { ...part[kind], path: await fetched(part[kind].path) },
  });
  const run = { buckets, calculated: [] as Json[], finished: [] as Json[] };
  for (const { calculated, finished } of buckets) {
    const parts = [];
    for (const part of calculated.parts) parts.push(await withFile(part, 'items'));
    run.calculated.push({ parts });
    const ends = [];
    for (const part of finished) ends.push(await withFile(part, 'royalties'));
    run.finished.push({ parts: ends });
  }
  const parts = [];
  for (const { kind, objectKey, reportId, storeId } of plan.parts as Json[]) {
    if (kind === 'matched') parts.push({ path: await fetched(objectKey), reportId, storeId });
  }
  const statementIds = new Set(
    buckets.flatMap(({ statements }) =>
      (statements as Json[]).map(({ statementId }) => statementId),
    ),
  );
  const shares = (plan.statements as Json[])
    .filter(({ statementId }) => statementIds.has(statementId))
    .map((statement) => ({ ...statement, rowCount: 0 }));
  const withholding = (plan.withholding as Json[]).filter(({ statementId }) =>
    statementIds.has(statementId),
  );
  return askRoyaltyOracle({ ...plan, withholding, shares, parts }, run, folder);
}

/** Reports whose rows are not where they belong. */
export async function listWrongReports(
  { stack, partners }: MoneyOffice,
  received: readonly ReceivedReport[],
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const { id, expected } of received) {
    const [row] = await stack.query('select * from store_reports where id = $1', [toUuid(id)]);
    const counts = [row.rows_read, row.rows_matched, row.rows_suspense, row.rows_rejected].map(
      Number,
    );
    const { read, matched, suspense, rejected, shares } = expected;
    const found = await stack.query(
      `select partner_org_id, currency, sum(amount)::text as amount from report_shares where report_id = $1
        group by 1, 2`,
      [toUuid(id)],
    );
    const actual = found.map(({ partner_org_id, currency, amount }) => {
      const partner = partners.findIndex(({ orgId }) => toUuid(orgId) === partner_org_id);
      return `${partner} ${currency} ${amount}`;
    });
    const planned = [...shares].map(([key, amount]) => `${key} ${formatUnits(amount)}`);
    const isRight =
      counts.join() === [read, matched, suspense, rejected].join() &&
      actual.toSorted().join() === planned.toSorted().join();
    if (!isRight) wrong.push(`${id}: ${counts.join()} ${actual.toSorted().join()}`);
  }
  return wrong;
}

const wrongStatementQueries: Readonly<Record<string, string>> = {
  /** opening + net + adjustments − payouts = closing. */
  broken_identities: `select 1 from statements where status = 'published' and
    opening_balance + net_amount + adjustment_amount - payout_amount <> closing_balance`,
  broken_openings: `select 1 from (
    select opening_balance, lag(closing_balance, 1, 0) over (partition by org_id, currency order by period_start) as last
      from statements) s where opening_balance <> last`,
  broken_sums: `select 1 from statements s where status = 'published' and (gross_amount, net_amount, gross_amount, net_amount)
    is distinct from (
      (select coalesce(sum(amount), 0) from statement_artifacts where statement_id = s.id and kind = 'items'),
      (select coalesce(sum(amount), 0) from statement_artifacts where statement_id = s.id and kind = 'royalties'),
      (select coalesce(sum(gross_amount), 0) from royalty_totals where statement_id = s.id),
      (select coalesce(sum(net_amount), 0) from royalty_totals where statement_id = s.id))`,
  /** The balances at the versions that the statement closed at. */
  broken_closings: `select 1 from statements s where status = 'published' and closing_balance <> (
    select coalesce(sum(balance_after), 0) from jsonb_each_text(closing_versions) reached
      join ledger_entries e on e.org_id = s.org_id and e.currency = s.currency and e.account = reached.key
                           and e.version = reached.value::bigint)`,
  pending_left: 'select 1 from pending_nets',
};

export async function judgeStatements({ stack, partners }: MoneyOffice) {
  const figures: Record<string, number> = {};
  for (const [name, text] of Object.entries(wrongStatementQueries)) {
    figures[name] = (await stack.query(text)).length;
  }
  const [row] = await stack.query(`
    select count(*)::int as statements, count(distinct period_start)::int as months,
           count(*) filter (where closing_balance < 0)::int as negative_closings,
           count(*) filter (where held_amount > 0)::int as with_held,
           count(*) filter (where payout_amount <> 0)::int as with_payouts,
           count(*) filter (where adjustment_amount <> 0)::int as with_adjustments
      from statements where status = 'published'`);
  const { organizations } = await stack.admin(['ledger', 'verify', '--from', 'start']);
  const checked = organizations as Json[];
  return {
    ...figures,
    broken_credits: await countBrokenCredits(stack),
    ...(row as Record<string, number>),
    ledgers: checked.length,
    ledgers_missing: partners.length + 1 - checked.length,
    ledgers_broken: checked.filter(({ intact }) => intact !== true).length,
  };
}

/** Statements whose posting is not theirs to the micro-unit, or is missing or doubled. */
async function countBrokenCredits({ query }: MoneyOffice['stack']): Promise<number> {
  const statements = await query(`
    select id, net_amount as payable, fee_amount as fee_income, payee_tax_amount as withholding_payable,
           source_tax_amount - gross_amount as store_receivable
      from statements where status = 'published'`);
  const entries = await query(`
    select key, account, sum(amount)::text as amount
      from ledger_entries e join ledger_transactions t on t.org_id = e.org_id and t.id = e.transaction_id
     where key like 'statement.published:%' group by key, account`);
  const posted = new Map(entries.map(({ key, account, amount }) => [`${key} ${account}`, amount]));
  let right = 0;
  const isRight = ({ id, ...amounts }: Json): boolean =>
    Object.entries(amounts).every(([account, amount]) => {
      const found = posted.get(`statement.published:${toWire('stm', id)} ${account}`);
      if (found !== undefined) right++;
      return Number(amount) === 0 ? found === undefined : found === amount;
    });
  const wrong = statements.filter((statement) => !isRight(statement)).length;
  // A posting of no published statement.
  return wrong + entries.length - right;
}
