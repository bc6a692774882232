/** Compares reports, statements and the ledger of `prove money` with the book, and with each other. */

import { type Id, toUuid, toWire } from '../../src/kernel/ids.ts';
import type { Json } from '../delivery-fixture.ts';
import type { MoneyOffice } from './money-operator.ts';
import type { RunVerdict } from './money-oracle.ts';
import { netOf, toMicros } from './money-reversals.ts';
import { formatUnits, type Row, sumOf } from './money-world.ts';

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
           (select count(*) from statements) as statements, (select count(*) from statement_artifacts where kind <> 'document') as artifacts,
           (select count(*) from royalty_totals) + (select count(*) from royalty_market_totals)
           + (select count(*) from royalty_track_totals) as totals, (select count(*) from pending_nets) as pending,
           (select count(*) from adjustments) as adjustments, (select count(*) from earning_holds) as holds`);
  return JSON.stringify(row);
}

export async function countLeftovers({ stack }: MoneyOffice, id: Id<'run'>): Promise<number> {
  const [row] = await stack.query(
    `select (select count(*) from run_buckets where run_id = $1) + (select count(*) from run_statements where run_id = $1)
            + (select count(*) from run_totals where run_id = $1) + (select count(*) from report_parts where run_id = $1)
            + (select count(*) from run_market_totals where run_id = $1)
            + (select count(*) from run_track_totals where run_id = $1)
            as rows`,
    [toUuid(id)],
  );
  const files = await stack.service.storage.list(`statements/${id}/`);
  return Number(row.rows) + files.length;
}

/** Reports whose rows are not where they belong. */
export async function listWrongReports({ stack, book }: MoneyOffice): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const { id, rows } of book.reports) {
    const [report] = await stack.query(
      'select rows_read, rows_matched, rows_suspense, rows_rejected from store_reports where id = $1',
      [toUuid(id)],
    );
    const counts = Object.values(report).map(Number);
    const found = await stack.query(
      `select partner_org_id, currency, sum(amount)::text as amount from report_shares where report_id = $1
        group by 1, 2`,
      [toUuid(id)],
    );
    const actual = found.map(({ partner_org_id, currency, amount }) => {
      const partner = book.partners.findIndex(({ orgId }) => toUuid(orgId) === partner_org_id);
      return `${partner} ${currency} ${amount}`;
    });
    const isRight =
      counts.join() === countsOf(rows).join() &&
      actual.toSorted().join() === sharesOf(rows).toSorted().join();
    if (!isRight) wrong.push(`${id}: ${counts.join()} ${actual.toSorted().join()}`);
  }
  return wrong;
}

/** Read, matched, in suspense, rejected. */
function countsOf(rows: readonly Row[]): readonly number[] {
  const count = (...kinds: readonly string[]) => rows.filter((r) => kinds.includes(r.kind)).length;
  return [rows.length, count('matched', 'fine'), count('suspense'), count('rejected')];
}

/** By partner and currency; fines are not in it. */
function sharesOf(rows: readonly Row[]): readonly string[] {
  const matched = rows.filter(({ kind }) => kind === 'matched');
  const keyOf = ({ owner, currency }: Row): string => `${owner?.partner} ${currency}`;
  return [...Map.groupBy(matched, keyOf)].map(([key, own]) => `${key} ${formatUnits(sumOf(own))}`);
}

/** Enters what the run must have credited, and counts statements that close with another balance than the book. */
export async function enterClosing(
  { stack, book }: MoneyOffice,
  run: Id<'run'>,
  { statements, payable, corrections, inputs }: RunVerdict,
): Promise<number> {
  const rows = await stack.query(
    'select org_id, id, closing_balance from statements where run_id = $1',
    [toUuid(run)],
  );
  let wrong = 0;
  for (const [number, { orgId }] of book.partners.entries()) {
    const closed = rows.find(({ org_id }) => org_id === toUuid(orgId));
    const { amounts = [], adjustments = [] } =
      statements[closed === undefined ? '' : toWire('stm', closed.id)] ?? {};
    const credits = [amounts.at(-1) ?? '0', ...adjustments.map(([, gross]) => gross ?? '0')];
    const corrected = corrections.filter(({ org }) => org === toUuid(orgId)).map(netOf);
    book.balances[number]! += [...credits.map(toMicros), ...corrected].reduce((a, b) => a + b, 0n);
    if (closed !== undefined && toMicros(closed.closing_balance) !== book.balances[number]) wrong++;
  }
  for (const report of book.reports) {
    if (payable.includes(toUuid(report.id))) report.isIncluded = true;
    if (report.isSuperseded && report.isIncluded) report.isReversed = true;
  }
  const reports = book.reports.filter(({ id }) => payable.includes(toUuid(id)));
  book.closedRuns.push({ inputs, reports });
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
  broken_totals: ['market', 'track', 'label']
    .map(
      (grain) => `select 1 from statements s where status = 'published' and
        (gross_amount, fee_amount, source_tax_amount, payee_tax_amount, net_amount) <> (
          select coalesce(sum(gross_amount), 0), coalesce(sum(fee_amount), 0), coalesce(sum(source_tax_amount), 0),
                 coalesce(sum(payee_tax_amount), 0), coalesce(sum(net_amount), 0)
            from royalty_${grain}_totals where statement_id = s.id)`,
    )
    .join(' union all '),
  /** The balances at the versions that the statement closed at. */
  broken_closings: `select 1 from statements s where status = 'published' and closing_balance <> (
    select coalesce(sum(balance_after), 0) from jsonb_each_text(closing_versions) reached
      join ledger_entries e on e.org_id = s.org_id and e.currency = s.currency and e.account = reached.key
                           and e.version = reached.value::bigint)`,
  pending_left: 'select 1 from pending_nets',
};

export async function judgeStatements({ stack, book }: MoneyOffice) {
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
    ledgers_missing: book.partners.length + 1 - checked.length,
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
