/** Messages to the engine: which handler of the royalties slice runs, on which key. */

import type { OrgId } from '../kernel/ids.ts';
import { entityRefOf, laneKeyOf } from '../platform/engine/lanes.ts';
import type { EngineMessage } from '../platform/engine/outbox.ts';
import type { ReportId } from './domain/report.ts';
import type { RunId } from './domain/run-plan.ts';

export const reportService = 'store-reports';

/** How many reports of an organization are read at once by all workers together. Each worker reads one at a time. */
const reportLanes = 2;

export const readReportMessage = (orgId: OrgId, id: ReportId): EngineMessage => ({
  service: reportService,
  key: laneKeyOf(`reports-${orgId}`, id, reportLanes),
  handler: 'read',
  entityRef: entityRefOf(orgId, id),
});

export const rematchReportMessage = (orgId: OrgId, id: ReportId): EngineMessage => ({
  ...readReportMessage(orgId, id),
  handler: 'rematch',
});

/** In the lane of its reading: a reading that runs ends before. */
export const removeReportFilesMessage = (orgId: OrgId, id: ReportId): EngineMessage => ({
  ...readReportMessage(orgId, id),
  handler: 'removeFiles',
});

/** Looks for complete batches of files, on a schedule. */
export const reportIntakeService = 'report-intake';

export const runService = 'royalty-runs';

/** calculate: one unit of work, then the next. The others: until it is done. */
export type RunHandler =
  | 'calculate'
  | 'announce'
  | 'close'
  | 'document'
  | 'discard'
  | 'removeFiles';

export const wakeRun = (orgId: OrgId, id: RunId, handler: RunHandler): EngineMessage => ({
  service: runService,
  key: entityRefOf(orgId, id),
  handler,
});
