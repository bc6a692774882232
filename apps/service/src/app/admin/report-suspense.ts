/** The command `reports suspense`: which rows have no owner, and why. */

import { summarizeSuspense } from '../../royalties/connectors/summarize-suspense.ts';
import { suspensePartOf } from '../../royalties/domain/rematch.ts';
import type { ReportId } from '../../royalties/domain/report.ts';
import { reportNotFound } from '../../royalties/domain/store-report.ts';
import { listParts } from '../../royalties/store/report-rows.ts';
import { findReport } from '../../royalties/store/reports.ts';
import { openAdminStorage } from './admin-storage.ts';
import type { Outside, PreparedCommand } from './command.ts';

export async function showSuspense(outside: Outside, id: ReportId): Promise<PreparedCommand> {
  const { orgId } = outside;
  const [report, parts] = await outside.read(async (db) => [
    await findReport(db, orgId, id),
    await listParts(db, { orgId, id }),
  ]);
  if (report === undefined) throw reportNotFound();
  const part = suspensePartOf(report, parts);
  const storage = openAdminStorage(outside.config);
  const groups = part === undefined ? [] : await summarizeSuspense(storage, part.objectKey);
  await storage.close();
  const shown = { id, rows: report.rowsSuspense, object_key: part?.objectKey ?? null, groups };
  return {
    run: async () => ({ auditedId: id, shown: { id } }),
    finish: async () => shown,
  };
}
