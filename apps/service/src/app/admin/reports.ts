/** Reports of stores: receiving their files, and what is decided about them. */

import { stat } from 'node:fs/promises';
import type { Environment } from '../../kernel/environment.ts';
import type { NewId, OrgId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import { findStore } from '../../network/face.ts';
import {
  type ChangedReports,
  decideReport,
  rejectReport,
} from '../../royalties/commands/decide-report.ts';
import { requestRematch } from '../../royalties/commands/rematch-report.ts';
import { presentDetails, presentReport } from '../../royalties/domain/present-report.ts';
import { reportFormats, reportStatuses } from '../../royalties/domain/report.ts';
import { reportNotFound } from '../../royalties/domain/store-report.ts';
import { listFiles, listParts, listTotals } from '../../royalties/store/report-rows.ts';
import { findReport, listReports } from '../../royalties/store/reports.ts';
import { command, type CommandResult, type Commands, ofOwner, onlyReads } from './command.ts';
import { choice, file, id, multilineText, storeId } from './flag-types.ts';
import { oneOrMore, optional, required, toggle, UsageError } from './flag.ts';
import { receiveReport } from './receive-report.ts';
import { showSuspense } from './report-suspense.ts';

const reportsShownMax = 100;

const org = optional(id('org'), 'only in the sandbox, where a report belongs to a partner');
const report = required(id('rpt'));

export const reportCommands = (newId: NewId): Commands => ({
  'reports receive': command({
    summary:
      'upload the files of one report and read them; the same files again are the same report',
    flags: {
      store: required(storeId),
      format: required(choice(reportFormats)),
      file: oneOrMore(file()),
      wait: toggle('shows the progress until the report is read'),
      org,
    },
    noDryRun: 'it uploads the files before its transaction',
    orgOf: ofOwner,
    prepare: async ({ store, format, file: paths, wait: isWaiting, org: owner }, outside) => {
      refuseOwner(owner, outside.config.environment);
      for (const path of paths) await requireFile(path);
      // Before gigabytes are read and uploaded.
      if ((await outside.read((db) => findStore(db, store))) === undefined) {
        throw new Problem('resource_not_found', `There is no store with the id "${store}".`);
      }
      return receiveReport(newId, outside, { storeId: store, format, paths, isWaiting });
    },
  }),
  'reports list': command({
    summary: `list the newest ${reportsShownMax}`,
    flags: {
      status: optional(choice(reportStatuses, 'STATUS')),
      store: optional(storeId),
      org,
    },
    noDryRun: onlyReads,
    orgOf: ofOwner,
    run: async (tx, { status, store, org: owner }, { environment }) => {
      refuseOwner(owner, environment);
      const filters = { status, storeId: store };
      const reports = await listReports(tx, tx.orgId, filters, reportsShownMax);
      return { auditedId: tx.orgId, shown: { reports: reports.map(presentReport) } };
    },
  }),
  'reports show': command({
    summary: 'show a report with its files, totals and parts',
    flags: { report, org },
    noDryRun: onlyReads,
    orgOf: ofOwner,
    run: async (tx, flags, { environment }) => {
      refuseOwner(flags.org, environment);
      const found = await findReport(tx, tx.orgId, flags.report);
      if (found === undefined) throw reportNotFound();
      const key = { orgId: tx.orgId, id: found.id };
      const [files, totals, parts] = await Promise.all([
        listFiles(tx, key),
        listTotals(tx, key),
        listParts(tx, key),
      ]);
      const details = presentDetails({ files, totals, parts });
      return { auditedId: found.id, shown: { ...presentReport(found), ...details } };
    },
  }),
  'reports decide': command({
    summary: 'decide whether a report replaces another about the same usage, or both are paid',
    flags: { report, supersedes: optional(id('rpt')), supplements: optional(id('rpt')), org },
    exactlyOne: ['supersedes', 'supplements'],
    orgOf: ofOwner,
    run: (tx, { report: reportId, supersedes, supplements, org: owner }, { environment }) => {
      refuseOwner(owner, environment);
      return shownChanges(
        supersedes === undefined
          ? decideReport(tx, reportId, 'supplements', supplements)
          : decideReport(tx, reportId, 'supersedes', supersedes),
      );
    },
  }),
  'reports suspense': command({
    summary: 'show which rows have no owner, and why: the largest 100 amounts',
    flags: { report, org },
    noDryRun: onlyReads,
    orgOf: ofOwner,
    prepare: (flags, outside) => {
      refuseOwner(flags.org, outside.config.environment);
      return showSuspense(outside, flags.report);
    },
  }),
  'reports rematch': command({
    summary: 'match the rows in suspense again; the next run pays those that have an owner',
    flags: { report, org },
    orgOf: ofOwner,
    run: async (tx, flags, { environment }) => {
      refuseOwner(flags.org, environment);
      const shown = presentReport(await requestRematch(tx, flags.report));
      return { auditedId: flags.report, shown };
    },
  }),
  'reports reject': command({
    summary: 'reject a report before a run has taken it',
    flags: { report, reason: required(multilineText), org },
    orgOf: ofOwner,
    run: (tx, flags, { environment }) => {
      refuseOwner(flags.org, environment);
      return shownChanges(rejectReport(tx, flags.report, flags.reason));
    },
  }),
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

function refuseOwner(owner: OrgId | undefined, environment: Environment): void {
  if (environment === 'live' && owner !== undefined) {
    throw new UsageError('In live, reports belong to no organization. Remove --org.');
  }
  if (environment === 'sandbox' && owner === undefined) {
    throw new UsageError('--org is required: in the sandbox, a report belongs to a partner.');
  }
}

async function requireFile(path: string): Promise<void> {
  const info = await stat(path).catch(() => undefined);
  if (info?.isFile() !== true) throw new UsageError(`--file: there is no file ${path}.`);
}
