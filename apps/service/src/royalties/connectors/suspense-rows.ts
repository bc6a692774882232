/** The rows of a suspense part as the tables that matching reads: as numbers, with the texts that these stand for. */

import { text } from './duckdb-texts.ts';
import type { DuckDb } from './duckdb.ts';
import { encodeContexts, placeId } from './match-tables.ts';

const contextColumns = `currency, territory, use_type, usage_month, accounting_month, period_start, period_end, usage_start,
  usage_end, other_type, other_reason`;

export async function loadSuspense(db: DuckDb, path: string): Promise<void> {
  await db.run(`
    create table suspended as
    select * exclude (file_row_number), file_row_number as row_id,
           (dense_rank() over (order by ${contextColumns}) - 1)::integer as context_id,
           (dense_rank() over (order by isrc, product_code, title) - 1)::integer as entity_id
      from read_parquet(${text(path)}, file_row_number = true)`);
  await db.run(`
    create table read_contexts as
    select *, null::varchar as rejection, ${placeId}
      from (select distinct context_id, ${contextColumns} from suspended)`);
  await encodeContexts(db);
  await db.run(`
    create table entities as
    select distinct entity_id, isrc, product_code as product, title from suspended`);
  await db.run(
    'create view rows as select row_id, entity_id, context_id, play_count as units, amount from suspended',
  );
}
