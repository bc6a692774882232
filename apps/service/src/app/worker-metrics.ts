/** The gauges of a worker: the age of waiting work, and free space on its disk. */

import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { assetService } from '../assets/messages.ts';
import { findOldestProcessing } from '../assets/store/assets.ts';
import { findOldestUnappliedAt } from '../delivery/store/answers.ts';
import { findOldestRightsReview } from '../delivery/store/rights-reviews.ts';
import { workflowOwner } from '../kernel/actor.ts';
import type { Clock } from '../kernel/clock.ts';
import { systemOrgId } from '../kernel/system-organization.ts';
import { payoutService } from '../money/messages.ts';
import { readProcessingSeconds } from '../money/store/payouts.ts';
import type { Database } from '../platform/db/database.ts';
import { readPartitionDaysAhead } from '../platform/db/partitions.ts';
import { findOrganizationsWithTimers, readOverdueTimers } from '../platform/engine/backlog.ts';
import { freedInvocations, observe } from '../platform/telemetry/instruments.ts';
import { findOldestReport } from '../royalties/store/reports.ts';
import { countFailedDocuments } from '../royalties/store/run-documents.ts';
import { findUnmovedSince } from '../royalties/store/runs.ts';
import { countLateDispatchers } from '../webhooks/store/webhook-dispatchers.ts';

type WorkerMetricsDeps = {
  readonly db: Database;
  readonly clock: Clock;
  readonly scratchFolder: string;
};

/** Assets belong to organizations, which are read one after the other, at most this many per scrape. */
const organizationsMax = 50;

/** Only the reports and runs of the system organization count: in live it owns all, in the sandbox it owns no report. */
const royaltyOwner = workflowOwner(systemOrgId, 'measures');

export function observeWorker({ db, clock, scratchFolder }: WorkerMetricsDeps): void {
  const { withoutTenant } = db;
  const ageOf = (since: Date | null) => [
    { value: since === null ? 0 : Math.max(0, (clock.now().getTime() - since.getTime()) / 1_000) },
  ];
  // Prometheus sees an increase only of a counter that exists before it.
  freedInvocations().add(0);
  observe(
    'tonearm_webhooks_late',
    'Endpoints whose dispatcher has not run for a minute, counted up to 10,000.',
    async () => [{ value: await countLateDispatchers(withoutTenant, clock) }],
  );
  observe(
    'tonearm_timers_overdue_seconds',
    'How long the oldest open timer of a service has been overdue, at least.',
    async () =>
      (await readOverdueTimers(withoutTenant, clock)).map(({ service, seconds }) => ({
        value: seconds,
        attributes: { service },
      })),
  );
  observe(
    'tonearm_store_answers_age_seconds',
    'How long the oldest answer of a store has been waiting to be applied.',
    async () => ageOf(await findOldestUnappliedAt(withoutTenant)),
  );
  observe(
    'tonearm_rights_reviews_age_seconds',
    'How long the oldest rights review has been waiting for a decision.',
    async () => ageOf(await findOldestRightsReview(withoutTenant)),
  );
  observe(
    'tonearm_assets_processing_age_seconds',
    'How long the oldest completed upload has been waiting for its examination to end.',
    async () => ageOf(await findOldestProcessingOfAll(db)),
  );
  observe(
    'tonearm_payouts_processing_age_seconds',
    'How long the outcome of the oldest payment at the rail has been unknown, in business time.',
    async () => [{ value: await readProcessingSecondsOfAll(db) }],
  );
  observe(
    'tonearm_reports_received_age_seconds',
    'How long the oldest report of a store has been waiting to be read.',
    async () => ageOf(await db.transact(royaltyOwner, (tx) => findOldestReport(tx, 'received'))),
  );
  observe(
    'tonearm_reports_validated_age_seconds',
    'How long the oldest report that overlaps with another has been waiting for a decision.',
    async () => ageOf(await db.transact(royaltyOwner, (tx) => findOldestReport(tx, 'validated'))),
  );
  observe(
    'tonearm_runs_unmoved_seconds',
    'How long a royalty run that is being calculated, closed or removed has made no progress.',
    async () => ageOf(await db.transact(royaltyOwner, findUnmovedSince)),
  );
  observe(
    'tonearm_documents_failed',
    'Documents of statements that cannot be drawn, counted up to 10,000.',
    async () => [{ value: await countFailedDocuments(withoutTenant) }],
  );
  observe(
    'tonearm_partitions_ahead_days',
    'Days until some table has no partition for new rows, which then go to its default partition.',
    async () => [{ value: await readPartitionDaysAhead(withoutTenant) }],
  );
  observe(
    'tonearm_scratch_free_bytes',
    'Free space on the disk where files are examined.',
    async () => [{ value: await freeBytes(scratchFolder) }],
  );
}

async function findOldestProcessingOfAll(db: Database): Promise<Date | null> {
  const processing = { service: assetService, handler: 'process' };
  const orgIds = await findOrganizationsWithTimers(db.withoutTenant, processing, organizationsMax);
  let oldest: Date | null = null;
  for (const orgId of orgIds) {
    const owner = workflowOwner(orgId, 'measures');
    const since = await db.transact(owner, findOldestProcessing);
    if (since !== null && (oldest === null || since < oldest)) oldest = since;
  }
  return oldest;
}

/** A payout that is processing has a timer within the hour, so its organization is among the first. */
async function readProcessingSecondsOfAll(db: Database): Promise<number> {
  const asked = { service: payoutService, handler: 'ask' };
  let most = 0;
  for (const orgId of await findOrganizationsWithTimers(
    db.withoutTenant,
    asked,
    organizationsMax,
  )) {
    const owner = workflowOwner(orgId, 'measures');
    most = Math.max(most, await db.transact(owner, readProcessingSeconds));
  }
  return most;
}

/** If the folder does not exist, the disk of its parent. */
async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    if (folder === dirname(folder)) throw error;
    return freeBytes(dirname(folder));
  }
}
