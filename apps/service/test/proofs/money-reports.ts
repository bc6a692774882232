/**
 * How reports of `prove money` come in: by command, or as a batch on the object store whose last file and semaphore come
 * later. Some come twice under other names, some are replaced or completed by a second report.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Id, toUuid, toWire } from '../../src/kernel/ids.ts';
import { upload } from '../../src/platform/storage/transfer.ts';
import { type BookedReport, storePaidOnReport } from './money-book.ts';
import { makeReport, type MadeReport, type ReportWish } from './money-files.ts';
import type { MoneyOffice } from './money-operator.ts';
import { storeNames } from './money-world.ts';

const formats = { plain: 'plain_csv', fiscal: 'fiscal_csv', dsr: 'dsr' } as const;

export type MonthOfReports = {
  readonly number: number;
  readonly month: string;
  /** About which no other report is. */
  readonly lateMonth: string;
  readonly rowCount: number;
  /** Reports that earlier runs have paid are replaced. */
  readonly isRestated: boolean;
};

const newCounts = () => ({
  late: 0,
  batches: 0,
  repeated: 0,
  superseding: 0,
  supplementing: 0,
  restating: 0,
  wrong: 0,
});

export async function receiveReports(office: MoneyOffice, of: MonthOfReports) {
  const { random, book } = office;
  const counts = newCounts();
  const batches: { readonly report: MadeReport; readonly wish: ReportWish }[] = [];
  const follow = async (first: BookedReport, wish: ReportWish) => {
    if (random.below(4) === 0) {
      counts.repeated++;
      if ((await register(office, first, 'again')) !== first.id) counts.wrong++;
    }
    if (random.below(3) !== 0) return;
    const second = await receive(
      office,
      makeReport(random, { ...wish, name: `${wish.name}-second` }),
    );
    // In turn.
    const isReplaced = book.reports.filter(({ name }) => name.endsWith('-second')).length % 2 === 1;
    counts[isReplaced ? 'superseding' : 'supplementing']++;
    await decide(office, second, first, isReplaced ? 'supersedes' : 'supplements');
  };
  for (const [index, store] of storeNames.entries()) {
    const isLate = random.below(4) === 0;
    if (isLate) counts.late++;
    const wish = {
      store,
      name: `${store}-${of.month}`,
      usageMonth: isLate ? of.lateMonth : of.month,
      statementMonth: of.month,
      rowCount: of.rowCount,
    };
    const report = makeReport(random, wish);
    if (index === of.number % storeNames.length) {
      await putFiles(office, report, report.files.slice(0, 1));
      batches.push({ report, wish });
    } else {
      await follow(await receive(office, report), wish);
    }
  }
  for (const { report, wish } of batches) {
    counts.batches++;
    await follow(await completeBatch(office, report), wish);
  }
  if (of.isRestated) counts.restating += await restate(office, of);
  return counts;
}

/**
 * A report that replaces those of a usage month which runs have paid. Of the store that is paid out on its reports: what a
 * store has paid for a replaced report is not in the oracle.
 */
async function restate(office: MoneyOffice, of: MonthOfReports): Promise<number> {
  const { random, book } = office;
  const store = storePaidOnReport;
  const paid = book.reports.filter(
    (report) => report.store === store && report.isIncluded && !report.isSuperseded,
  );
  const { usageMonth } = random.pick(paid).period;
  const replaced = paid.filter(({ period }) => period.usageMonth === usageMonth);
  const wish = { ...of, store, usageMonth, statementMonth: of.month };
  const report = makeReport(random, { ...wish, name: `${store}-${of.month}-restated` });
  const restated = await receive(office, report);
  for (const each of replaced) await decide(office, restated, each, 'supersedes');
  return replaced.length;
}

/** Registers the files and waits until they are read. */
async function receive(office: MoneyOffice, report: MadeReport): Promise<BookedReport> {
  const id = await register(office, report, 'first');
  return enter(office, report, id);
}

const pathsOf = ({ stack }: MoneyOffice, { name, files }: MadeReport, time: string): string[] =>
  files.map((content, i) => {
    const path = join(stack.scratch, `${name}-${time}-${i + 1}.txt`);
    writeFileSync(path, content);
    return path;
  });

/** The same files again answer the report that exists. */
async function register(office: MoneyOffice, report: MadeReport, time: string): Promise<Id<'rpt'>> {
  const flags = ['--store', office.book.storeIds[report.store], '--format', formats[report.store]];
  const files = pathsOf(office, report, time).flatMap((path) => ['--file', path]);
  return (await office.stack.admin(['reports', 'receive', ...flags, ...files])).id;
}

async function enter(
  { stack, book }: MoneyOffice,
  report: MadeReport,
  id: Id<'rpt'>,
): Promise<BookedReport> {
  await stack.waitFor(`${report.name} is read`, async () => {
    const [row] = await stack.query('select status, rejection from store_reports where id = $1', [
      toUuid(id),
    ]);
    if (row?.status === 'rejected') throw new Error(JSON.stringify(row.rejection));
    return row?.status !== 'received';
  });
  const booked = { ...report, id, isSuperseded: false, isIncluded: false, isReversed: false };
  book.reports.push(booked);
  return booked;
}

const folderOf = ({ book }: MoneyOffice, { store, name }: MadeReport): string =>
  `reports/incoming/${book.storeIds[store]}/${formats[store]}/${name}/`;

async function putFiles(
  office: MoneyOffice,
  report: MadeReport,
  files: readonly string[],
): Promise<void> {
  const { stack } = office;
  for (const content of files) {
    const name = `${report.name}-batch-${report.files.indexOf(content) + 1}.txt`;
    await put(office, `${folderOf(office, report)}${name}`, content);
  }
  await stack.runIntake();
}

async function put({ stack }: MoneyOffice, key: string, content: string): Promise<void> {
  const path = join(stack.scratch, 'object.txt');
  writeFileSync(path, content);
  await upload(stack.service.storage, path, key, new AbortController().signal);
}

/** The other files, then the semaphore. */
async function completeBatch(office: MoneyOffice, report: MadeReport): Promise<BookedReport> {
  const { stack } = office;
  await putFiles(office, report, report.files.slice(1));
  await put(office, `${folderOf(office, report)}BatchComplete`, 'x');
  let id: Id<'rpt'> | undefined;
  await stack.waitFor(`the batch ${report.name} is registered`, async () => {
    await stack.runIntake();
    const [row] = await stack.query('select report_id from report_files where name = $1', [
      `${report.name}-batch-1.txt`,
    ]);
    if (row !== undefined) id = toWire('rpt', row.report_id);
    return id !== undefined;
  });
  return enter(office, report, id!);
}

/** Both reports are about the same usage. */
async function decide(
  { stack }: MoneyOffice,
  by: BookedReport,
  other: BookedReport,
  decision: 'supersedes' | 'supplements',
): Promise<void> {
  const flags = ['--report', by.id, `--${decision}`, other.id];
  await stack.admin(['reports', 'decide', ...flags], async () => {
    const [row] = await stack.query(
      'select status from store_reports where id = $1 and $2 = any (supersedes || supplements)',
      [toUuid(by.id), toUuid(other.id)],
    );
    return row;
  });
  if (decision === 'supersedes') other.isSuperseded = true;
}
