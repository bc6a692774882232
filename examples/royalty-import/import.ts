/**
 * Imports the line items of your published statements into a DuckDB file: node examples/royalty-import/import.ts royalties.duckdb
 *
 * Each batch is one transaction. A run that is killed continues after the last line item that is stored. A statement is
 * marked as complete when the number of its line items and the sum of their earnings are those of the statement, to the
 * last digit; otherwise its rows are removed and the run fails.
 */

import { DuckDBInstance } from '@duckdb/node-api';
import { Tonearm } from '@tonearm/sdk';

const [file = 'royalties.duckdb'] = process.argv.slice(2);
const batchSize = Number(process.env['BATCH_SIZE'] ?? 10_000);

const tonearm = new Tonearm({ userAgent: 'royalty-import/1.0' });
const db = await (await DuckDBInstance.create(file)).connect();

/** Amounts stay exact: they are text in JSON and DECIMAL here, never a floating point number. */
const columns = {
  id: 'VARCHAR',
  isrc: 'VARCHAR',
  title: 'VARCHAR',
  release_id: 'VARCHAR',
  track_id: 'VARCHAR',
  store_id: 'VARCHAR',
  territory: 'VARCHAR',
  use_type: 'VARCHAR',
  transaction_type: 'VARCHAR',
  usage_month: 'VARCHAR',
  accounting_month: 'VARCHAR',
  report_id: 'VARCHAR',
  play_count: 'BIGINT',
  unit_rate: 'DECIMAL(24, 10)',
  earnings: 'DECIMAL(24, 6)',
  currency: 'VARCHAR',
  source_currency: 'VARCHAR',
  source_amount: 'DECIMAL(28, 10)',
  fx_rate: 'DECIMAL(24, 10)',
  period_start: 'DATE',
  period_end: 'DATE',
};
const definitions = Object.entries(columns).map(([name, type]) => `${name} ${type}`);

await db.run(`
  create table if not exists line_items (statement_id varchar, position bigint, ${definitions.join(', ')});
  create table if not exists statements (
    id varchar primary key, period_start date, currency varchar, gross_amount decimal(24, 6),
    line_item_count bigint, is_complete boolean not null
  );`);

/** The first row, with all its values as text. */
async function first(sql: string, values: (string | number)[]) {
  const [row] = (await db.runAndReadAll(sql, values)).getRowObjectsJson();
  return row as Readonly<Record<string, string>> | undefined;
}

/** Everything that one transaction changes, or nothing. */
async function inTransaction(work: () => Promise<void>): Promise<void> {
  await db.run('begin');
  try {
    await work();
    await db.run('commit');
  } catch (error) {
    await db.run('rollback');
    throw error;
  }
}

/** JSON texts become the columns' types in DuckDB. */
const shape = JSON.stringify([
  Object.fromEntries(Object.keys(columns).map((name) => [name, 'VARCHAR'])),
]);
const casts = Object.entries(columns).map(([name, type]) => `item.${name}::${type}`);
const insertBatch = `
  insert into line_items
  select $1, $2 + row_number() over () - 1, ${casts.join(', ')}
    from (select unnest(from_json($3, '${shape}')) as item)`;

type Statement = {
  readonly id: string;
  readonly period_start: string;
  readonly currency: string;
  readonly gross_amount: string;
  readonly line_item_count: number;
};

async function importStatement(statement: Statement): Promise<number> {
  const { id, period_start, currency, gross_amount, line_item_count } = statement;
  await db.run('insert into statements values ($1, $2, $3, $4, $5, false) on conflict do nothing', [
    id,
    period_start,
    currency,
    gross_amount,
    line_item_count,
  ]);
  const last = await first(
    'select id, position::varchar as position from line_items where statement_id = $1 order by position desc limit 1',
    [id],
  );
  const begin = last === undefined ? 0 : Number(last['position']) + 1;
  let stored = begin;
  let batch: object[] = [];
  const flush = async () => {
    if (batch.length === 0) return;
    await inTransaction(
      async () => void (await db.run(insertBatch, [id, stored, JSON.stringify(batch)])),
    );
    stored += batch.length;
    batch = [];
  };
  const after = last === undefined ? {} : { after: last['id'] ?? '' };
  for await (const item of tonearm.statements.exportLineItems(id, after)) {
    batch.push(item);
    if (batch.length === batchSize) await flush();
  }
  await flush();
  await completeStatement(statement);
  return stored - begin;
}

async function completeStatement({ id, gross_amount, line_item_count }: Statement): Promise<void> {
  const sums = await first(
    `select count(*)::varchar as count, coalesce(sum(earnings), 0)::decimal(38, 6)::varchar as earnings,
            (coalesce(sum(earnings), 0) = $2::decimal(38, 6))::varchar as is_equal
       from line_items where statement_id = $1`,
    [id, gross_amount],
  );
  if (sums?.['count'] === String(line_item_count) && sums['is_equal'] === 'true') {
    await db.run('update statements set is_complete = true where id = $1', [id]);
    return;
  }
  await db.run('delete from line_items where statement_id = $1', [id]);
  throw new Error(
    `${id}: imported ${sums?.['count']} line items with ${sums?.['earnings']}, but the statement has ${line_item_count} with ${gross_amount}. Its rows were removed; run the import again.`,
  );
}

let count = 0;
let items = 0;
for await (const statement of tonearm.statements.list({ status: 'published' })) {
  const known = await first('select is_complete::varchar as done from statements where id = $1', [
    statement.id,
  ]);
  if (known?.['done'] === 'true') continue;
  items += await importStatement(statement);
  count += 1;
}
console.log(`${count} statements with ${items} line items imported into ${file}`);
db.closeSync();
