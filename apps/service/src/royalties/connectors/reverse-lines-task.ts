/** Adds up line items as the calculation of a bucket did: the fee once per royalty record, the sales apart. */

import { toUuid } from '../../kernel/ids.ts';
import { type UseType, useTypes } from '../../kernel/use-type.ts';
import type { Task } from '../../platform/process/child-task.ts';
import { incomeTypeOf } from '../domain/calculation.ts';
import { feeFor } from '../domain/fee-rules.ts';
import type { ReportId } from '../domain/report.ts';
import type { LineTotals } from '../domain/reversal.ts';
import { text } from './duckdb-texts.ts';
import { type DuckDb, withDuckDb } from './duckdb.ts';
import { exactDivision } from './exact-division.ts';
import type { PaidLines, ReverseInput } from './reverse-lines.ts';

export const run: Task<ReverseInput, readonly (readonly LineTotals[])[]> = (input) =>
  withDuckDb(input, async (db) => {
    await db.run(exactDivision);
    const totals: (readonly LineTotals[])[] = [];
    for (const lines of input.statements) totals.push(await totalsOf(db, lines));
    return totals;
  });

async function totalsOf(db: DuckDb, lines: PaidLines): Promise<readonly LineTotals[]> {
  const { paths, reversedBefore, reports } = lines;
  // A statement without a file has fines only.
  if (paths.length === 0) return [undefined, ...reports].map(() => noTotals);
  await db.run(`create view lines as
    select m.*, m.file_index as part from read_parquet([${paths.map(text).join(', ')}]) m`);
  await loadFees(db, lines);
  const totals: LineTotals[] = [];
  for (let left = 0; left <= reports.length; left++) {
    totals.push(await totalsWithout(db, [...reversedBefore, ...reports.slice(0, left)]));
  }
  await db.run('drop view lines');
  await db.run('drop table fees');
  return totals;
}

const noTotals: LineTotals = { gross: '0', fee: '0', bases: [] };

type FeeKey = {
  readonly store_id: string;
  readonly use_type: UseType;
  readonly usage_month: string;
};

async function loadFees(db: DuckDb, { feeRules }: PaidLines): Promise<void> {
  const keys = await db.rows<FeeKey>('select distinct store_id, use_type, usage_month from lines');
  await db.load(
    'fees',
    {
      store_id: 'VARCHAR',
      use_type: 'VARCHAR',
      usage_month: 'VARCHAR',
      basis_points: 'INTEGER',
    },
    keys.map(({ store_id, use_type, usage_month }) => ({
      store_id,
      use_type,
      usage_month,
      basis_points: feeFor(feeRules, store_id, use_type, usage_month),
    })),
  );
}

const sales = useTypes.filter((useType) => incomeTypeOf(useType) === 'sale').map(text);

type BaseRow = {
  readonly territory: string;
  readonly gross: string;
  readonly fee: string;
  readonly royalty: string;
  readonly sale: string;
};

/** A track whose ISRC changed can be in two parts of a statement, and has a royalty record in each. */
async function totalsWithout(db: DuckDb, excluded: readonly ReportId[]): Promise<LineTotals> {
  const ids = excluded.map((id) => `${text(toUuid(id))}::uuid`);
  const condition = ids.length === 0 ? 'true' : `report_id not in (${ids.join(', ')})`;
  const rows = await db.rows<BaseRow>(`
    select territory, sum(gross)::varchar as gross, sum(fee)::varchar as fee,
      sum(gross - sale_gross - (fee - sale_fee))::varchar as royalty,
      sum(sale_gross - sale_fee)::varchar as sale
    from (
      select territory, gross::bigint as gross, half_even(fee_numerator, 10000) as fee,
        sale_gross::bigint as sale_gross, half_even(sale_fee_numerator, 10000) as sale_fee
      from (
        select territory, sum(micros) as gross, sum(numerator) as fee_numerator,
          coalesce(sum(micros) filter (is_sale), 0) as sale_gross,
          coalesce(sum(numerator) filter (is_sale), 0) as sale_fee_numerator
        from (
          select part, store_id, territory, usage_month, track_id, micros,
            micros::hugeint * basis_points as numerator, use_type in (${sales.join(', ')}) as is_sale
          from (
            select *, replace(earnings::varchar, '.', '')::bigint as micros
            from lines where ${condition}
          ) join fees using (store_id, use_type, usage_month)
        )
        group by part, store_id, territory, usage_month, track_id
      )
    )
    group by territory order by territory`);
  const sum = (name: 'gross' | 'fee'): string =>
    String(rows.reduce((total, row) => total + BigInt(row[name]), 0n));
  return {
    gross: sum('gross'),
    fee: sum('fee'),
    bases: rows.map(({ territory, royalty, sale }) => ({ territory, royalty, sale })),
  };
}
