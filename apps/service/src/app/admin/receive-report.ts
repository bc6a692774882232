/** The command `reports receive`: digest, upload, register, and wait for the reading. */

import { setTimeout as wait } from 'node:timers/promises';
import type { NewId } from '../../kernel/ids.ts';
import {
  digestLocalFiles,
  removeUploads,
  uploadFiles,
} from '../../royalties/commands/receive-files.ts';
import { registerReport } from '../../royalties/commands/register-report.ts';
import { presentReport } from '../../royalties/domain/present-report.ts';
import type { ReportFormat, ReportId } from '../../royalties/domain/report.ts';
import type { StoreReport } from '../../royalties/domain/store-report.ts';
import { findReport, findReportBySet } from '../../royalties/store/reports.ts';
import { openAdminStorage } from './admin-storage.ts';
import type { Outside, PreparedCommand } from './command.ts';

type Received = {
  readonly storeId: string;
  readonly format: ReportFormat;
  readonly paths: readonly string[];
  /** Until it is read. */
  readonly isWaiting: boolean;
};

const askEveryMs = 2_000;

/** The same files again upload nothing and change nothing. */
export async function receiveReport(
  newId: NewId,
  outside: Outside,
  { storeId, format, paths, isWaiting }: Received,
): Promise<PreparedCommand> {
  const storage = openAdminStorage(outside.config);
  const local = await digestLocalFiles(newId, paths);
  const { id, setDigest, files } = local;
  let report = await outside.read((db) =>
    findReportBySet(db, outside.orgId, { storeId, setDigest }),
  );
  if (report === undefined) await uploadFiles(storage, local);
  return {
    run: async (tx) => {
      if (report !== undefined && report.id !== id) return undefined;
      report = await registerReport(tx, { id, storeId, format, setDigest, files });
      const shown = presentReport(report);
      return report.id === id ? { auditedId: id, shown } : undefined;
    },
    finish: async () => {
      if (report !== undefined && report.id !== id) await removeUploads(storage, local);
      await storage.close();
      if (report === undefined) return {};
      const last = isWaiting ? await waitUntilRead(outside, report) : report;
      return { ...presentReport(last), was_received_before: report.id !== id };
    },
  };
}

async function waitUntilRead(outside: Outside, report: StoreReport): Promise<StoreReport> {
  let last = report;
  while (last.status === 'received') {
    const { progress } = presentReport(last);
    if (progress !== null) console.error(JSON.stringify(progress));
    await wait(askEveryMs);
    last = (await findAgain(outside, report.id)) ?? last;
  }
  return last;
}

const findAgain = ({ read, orgId }: Outside, id: ReportId) =>
  read((db) => findReport(db, orgId, id));
