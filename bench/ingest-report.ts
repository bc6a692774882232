/**
 * Writes the files of a DSR message, in a process of its own. Rows are made by DuckDB from hashes, so that the same size
 * has the same rows. Ten tracks are a release; the largest organization has every other release, half of the rows.
 */

import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Task } from '../apps/service/src/platform/process/child-task.ts';
import { text } from '../apps/service/src/royalties/connectors/duckdb-texts.ts';
import { type DuckDb, withDuckDb } from '../apps/service/src/royalties/connectors/duckdb.ts';
import { header, sale, summary } from '../apps/service/test/dsr-builder.ts';

export type ReportSize = {
  readonly folder: string;
  readonly rows: number;
  readonly tracks: number;
};

export type WrittenReport = {
  readonly paths: readonly string[];
  /** Lines before the first row, in each file. */
  readonly headLines: number;
  readonly summaries: readonly { readonly id: string; readonly territory: string }[];
  /** In euros. */
  readonly amount: string;
};

/** DSR files have at most 4 GB. */
const rowsPerFile = 10_000_000;

const territories =
  'US GB DE FR JP SE BR MX IT ES NL CA AU IN KR PL TR AR CL CO DK NO FI BE AT CH IE PT NZ ZA'.split(
    ' ',
  );
const models = ['SubscriptionModel', 'AdvertisementSupportedModel'];
const summaries = territories.flatMap((territory, i) =>
  models.map((model, j) => ({ id: String(1 + i * models.length + j), territory, model })),
);

export const run: Task<ReportSize, WrittenReport> = (size) =>
  withDuckDb({ threads: 2, memoryMb: 3_000, folder: size.folder }, async (db) => {
    const { folder, rows } = size;
    const fileCount = Math.ceil(rows / rowsPerFile);
    const totals = await sumRows(db, size);
    const paths: string[] = [];
    for (let file = 0; file < fileCount; file++) {
      const path = join(folder, `report-${file + 1}.tsv`);
      const first = file * rowsPerFile;
      const end = Math.min(rows, first + rowsPerFile);
      await db.run(`copy (select concat_ws('\t', ${cells.join(', ')})
        from (${rowsOf(size, first, end)}))
        to ${text(`${path}.rows`)} (format csv, header false, quote '', escape '', delimiter '\x01')`);
      const head = [
        header({ FileNumber: String(file + 1), NumberOfFiles: String(fileCount) }),
        ...summaryLines(totals),
      ];
      const footer = `SRFO\t${head.length + end - first + 1}\t${summaries.length}\n`;
      await writeFileAround(`${head.join('\n')}\n`, `${path}.rows`, footer, path);
      paths.push(path);
    }
    const [sum] = await db.rows<{ amount: string }>(
      `select sum(amount)::varchar as amount from totals`,
    );
    return { paths, headLines: summaries.length + 1, summaries, amount: sum?.amount ?? '' };
  });

const rowsOf = ({ tracks }: ReportSize, first: number, end: number): string => `
  select i, (hash(i) % ${tracks})::bigint as t, (1 + hash(i + 7919) % ${summaries.length})::integer as s,
         (1 + hash(i + 104729) % 500)::integer as units,
         ((1 + hash(i + 104729) % 500)::integer * 0.003781::decimal(18, 6))::decimal(18, 6) as amount
    from range(${first}, ${end}) r(i)`;

/** Cells that differ between rows; the others are those of `dsr-builder.ts`. */
const expressions: Readonly<Record<string, string>> = {
  SalesTransactionId: 'i::varchar',
  ReleaseICPN: '(100000000000 + t // 10)::varchar',
  DspReleaseId: `'r' || (t // 10)`,
  ReleaseTitle: `'Release ' || (t // 10)`,
  ReleaseDisplayArtistName: `'Artist ' || (t // 100)`,
  ResourceISRC: `'QZBEN' || lpad(t::varchar, 7, '0')`,
  DspResourceId: `'t' || t`,
  ResourceTitle: `'Track ' || t`,
  ResourceDisplayArtistName: `'Artist ' || (t // 100)`,
  SummaryRecordId: 's::varchar',
  TotalUsages: 'units::varchar',
  NetUsage: 'units::varchar',
  AllocatedRevenueInCurrencyOfAccounting: 'amount::varchar',
  AllocatedNetRevenueInCurrencyOfAccounting: 'amount::varchar',
};

const marks = Object.fromEntries(Object.keys(expressions).map((name) => [name, `=${name}`]));
const cells = sale('', marks)
  .split('\t')
  .map((cell) => (cell.startsWith('=') ? (expressions[cell.slice(1)] ?? '') : text(cell)));

async function sumRows(db: DuckDb, size: ReportSize): Promise<ReadonlyMap<string, string>> {
  await db.run(`create table totals as
    select s, sum(amount) as amount from (${rowsOf(size, 0, size.rows)}) group by s`);
  const rows = await db.rows<{ id: string; amount: string }>(
    'select s::varchar as id, amount::varchar as amount from totals',
  );
  return new Map(rows.map(({ id, amount }) => [id, amount]));
}

const summaryLines = (totals: ReadonlyMap<string, string>): string[] =>
  summaries.map(({ id, territory, model }) =>
    summary(totals.get(id) ?? '0', {
      SummaryRecordId: id,
      Territory: territory,
      CommercialModel: model,
    }),
  );

async function writeFileAround(
  head: string,
  body: string,
  footer: string,
  path: string,
): Promise<void> {
  const bytes = async function* () {
    yield head;
    yield* createReadStream(body, { highWaterMark: 1024 * 1024 });
    yield footer;
  };
  await pipeline(Readable.from(bytes()), createWriteStream(path));
  await rm(body);
}
