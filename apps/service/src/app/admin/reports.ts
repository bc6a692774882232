/** Reports of stores: receiving their files, and what is decided about them. */

import { stat } from 'node:fs/promises';
import type { Environment } from '../../kernel/environment.ts';
import { type NewId, parseId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import { findStore } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  type ChangedReports,
  decideReport,
  rejectReport,
} from '../../royalties/commands/decide-report.ts';
import { requestRematch } from '../../royalties/commands/rematch-report.ts';
import { presentDetails, presentReport } from '../../royalties/domain/present-report.ts';
import { decisions } from '../../royalties/domain/report-decision.ts';
import { reportFormats, type ReportId, reportStatuses } from '../../royalties/domain/report.ts';
import { reportNotFound } from '../../royalties/domain/store-report.ts';
import { listFiles, listParts, listTotals } from '../../royalties/store/report-rows.ts';
import { findReport, listReports } from '../../royalties/store/reports.ts';
import {
  type CommandResult,
  type Commands,
  type Flags,
  oneOf,
  ownerOf,
  required,
  UsageError,
  valueSeparator,
} from './command.ts';
import { receiveReport } from './receive-report.ts';
import { showSuspense } from './report-suspense.ts';

const reportsShownMax = 100;

export const reportCommands = (newId: NewId): Commands => ({
  'reports receive': {
    orgOf: ownerOf,
    prepare: async (flags, outside) => {
      refuseOwner(flags, outside.config.environment);
      const storeId = required(flags, 'store');
      const format = oneOf(flags, 'format', reportFormats);
      const paths = required(flags, 'file').split(valueSeparator);
      for (const path of paths) await requireFile(path);
      // Before gigabytes are read and uploaded.
      if ((await outside.read((db) => findStore(db, storeId))) === undefined) {
        throw new Problem('resource_not_found', `There is no store with the id "${storeId}".`);
      }
      const isWaiting = flags['wait'] !== undefined;
      return receiveReport(newId, outside, { storeId, format, paths, isWaiting });
    },
  },
  'reports list': {
    orgOf: ownerOf,
    run: async (tx, flags, { environment }) => {
      refuseOwner(flags, environment);
      const status =
        flags['status'] === undefined ? undefined : oneOf(flags, 'status', reportStatuses);
      const filters = { status, storeId: flags['store'] };
      const reports = await listReports(tx, tx.orgId, filters, reportsShownMax);
      return { auditedId: tx.orgId, shown: { reports: reports.map(presentReport) } };
    },
  },
  'reports show': {
    orgOf: ownerOf,
    run: async (tx, flags, { environment }) => {
      refuseOwner(flags, environment);
      const id = reportId(flags, 'report');
      const report = await findReport(tx, tx.orgId, id);
      if (report === undefined) throw reportNotFound();
      const [files, totals, parts] = await Promise.all([
        listFiles(tx, { orgId: tx.orgId, id }),
        listTotals(tx, { orgId: tx.orgId, id }),
        listParts(tx, { orgId: tx.orgId, id }),
      ]);
      const details = presentDetails({ files, totals, parts });
      return { auditedId: id, shown: { ...presentReport(report), ...details } };
    },
  },
  'reports decide': {
    orgOf: ownerOf,
    run: (tx, flags, { environment }) => {
      refuseOwner(flags, environment);
      const given = decisions.filter((decision) => flags[decision] !== undefined);
      const [decision] = given;
      if (decision === undefined || given.length > 1) {
        throw new UsageError('Give either --supersedes or --supplements.');
      }
      const id = reportId(flags, 'report');
      return shownChanges(decideReport(tx, id, decision, reportId(flags, decision)));
    },
  },
  'reports suspense': {
    orgOf: ownerOf,
    prepare: (flags, outside) => {
      refuseOwner(flags, outside.config.environment);
      return showSuspense(outside, reportId(flags, 'report'));
    },
  },
  'reports rematch': {
    orgOf: ownerOf,
    run: async (tx, flags, { environment }) => {
      refuseOwner(flags, environment);
      const id = reportId(flags, 'report');
      return { auditedId: id, shown: presentReport(await requestRematch(tx, id)) };
    },
  },
  'reports reject': {
    orgOf: ownerOf,
    run: (tx: Tx, flags, { environment }) => {
      refuseOwner(flags, environment);
      return shownChanges(rejectReport(tx, reportId(flags, 'report'), required(flags, 'reason')));
    },
  },
});

/** Each changed report has its own audit row. */
async function shownChanges(changing: Promise<ChangedReports>): Promise<CommandResult> {
  const [first, ...others] = await changing;
  return {
    auditedId: first.after.id,
    before: presentReport(first.before),
    after: presentReport(first.after),
    shown: {
      ...presentReport(first.after),
      also_changed: others.map(({ after }) => presentReport(after)),
    },
    alsoChanged: others.map(({ before, after }) => ({
      auditedId: after.id,
      before: presentReport(before),
      after: presentReport(after),
    })),
  };
}

function refuseOwner({ org }: Flags, environment: Environment): void {
  if (environment === 'live' && org !== undefined) {
    throw new UsageError('In live, reports belong to no organization. Remove --org.');
  }
  if (environment === 'sandbox' && org === undefined) {
    throw new UsageError('--org is required: in the sandbox, a report belongs to a partner.');
  }
}

function reportId(flags: Flags, name: string): ReportId {
  const id = parseId('rpt', required(flags, name));
  if (id === undefined) throw new UsageError(`--${name} must be the id of a report (rpt_… id).`);
  return id;
}

async function requireFile(path: string): Promise<void> {
  const info = await stat(path).catch(() => undefined);
  if (info?.isFile() !== true) throw new UsageError(`--file: there is no file ${path}.`);
}
