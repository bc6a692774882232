/**
 * Compares the audit log with what was accepted. Partners and an operator make random changes, some of which are
 * refused and some of which cause reviews and dispatches, while api, relay, worker, Restate and PostgreSQL are killed in
 * turn. A request whose answer is lost is sent again with the same key until its answer is known. Then the log of one
 * organization is tampered with.
 *
 * The bar: one row for each accepted request and command, one for each decided submission, one for each change of a
 * release's status that was announced; every chain verifies, by `audit verify` and by the script that partners have; and
 * both find every changed, removed and added row. It fails when a change commits without its row, a refused one leaves
 * one, a row is linked twice or skipped, or a tampered row is not noticed. A trigger refuses every transaction that
 * appends an event without an audit row: then the run does not settle.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { Experiment, Lab } from '../../../../scripts/experiments/experiment.ts';
import { until } from '../../../../scripts/servers/server.ts';
import { requireAuditedEvents } from '../audited-events.ts';
import { openServiceWithEngine } from '../service-with-engine.ts';
import { databaseUrl, type TestService } from '../test-service.ts';
import { type Counts, createMutations, type Partner } from './audit-mutations.ts';
import {
  tamperKinds,
  tamperRepeatedly,
  verifyAsOperator,
  verifyAsPartner,
} from './audit-tampers.ts';
import { runConcurrently } from './client.ts';
import { type KillableProcesses, startKillableProcesses } from './killable-processes.ts';
import { seededRandom } from './random.ts';

const sizes = {
  start: { mutations: 200, killsMin: 5, tampersEach: 1 },
  small: { mutations: 10_000, killsMin: 40, tampersEach: 4 },
  full: { mutations: 50_000, killsMin: 200, tampersEach: 10 },
};
const organizations = 8;
const loopsPerOrganization = 2;
const settleLimitMs = 240_000;
const firstPort = 23_480;

export const experiment: Experiment = {
  compares:
    'audit rows, against the changes that were accepted under kill -9, and against tampering',
  bar: (size) => {
    const { mutations, killsMin, tampersEach } = sizes[size];
    return {
      changes: { atLeast: mutations },
      kills: { atLeast: killsMin },
      kinds_killed: { equals: 5 },
      refused: { atLeast: 1 },
      rows_missing: { equals: 0 },
      requests_with_several_rows: { equals: 0 },
      command_rows_missing: { equals: 0 },
      submission_rows_missing: { equals: 0 },
      status_rows_missing: { equals: 0 },
      workflow_rows: { atLeast: 1 },
      rows_without_digest: { equals: 0 },
      unlinked: { equals: 0 },
      chains_broken_for_operator: { equals: 0 },
      chains_broken_for_partner: { equals: 0 },
      lines_missing: { equals: 0 },
      tampers: { equals: tampersEach * tamperKinds.length },
      unnoticed_by_operator: { equals: 0 },
      unnoticed_by_partner: { equals: 0 },
      not_restored: { equals: 0 },
    };
  },
  run: async (lab) => {
    const { mutations, tampersEach } = sizes[lab.size];
    const random = seededRandom();
    const stack = await openServiceWithEngine(firstPort);
    const { service } = stack;
    await requireAuditedEvents(databaseUrl(service.database));
    const partners = await givenPartners(service);
    const processes = await startKillableProcesses(stack, lab.fleet, firstPort);
    const counts: Counts = { accepted: 0, refused: 0, commands: 0, submissions: 0 };
    const mutate = createMutations(service, processes, random, counts);
    const changes = () => counts.accepted + counts.commands;

    const run = { isDone: false };
    const killing = killInTurn(lab, processes, run, changes);
    await runConcurrently(partners.length, async (loop) => {
      await mutate(partners[loop]!);
      return changes() < mutations;
    });
    run.isDone = true;
    const kills = await killing;
    lab.say(`${changes()} changes, ${kills.total} kills; waiting until all is linked`);
    await untilSettled(service).catch(() => undefined);
    // From here on nothing else writes: what a workflow has left to do has neither happened nor been audited.
    await processes.close();
    await service.sequenceEvents();
    const rows = await countRows(service);
    const chains = await verifyChains(service, partners);
    const tampering = await tamperRepeatedly(service, partners[0]!, random, tampersEach);
    await stack.close();
    return {
      seed: random.seed,
      changes: changes(),
      requests: processes.counts.requests,
      lost_answers: processes.counts.broken,
      ...counts,
      kills: kills.total,
      kinds_killed: Object.keys(kills.byKind).length,
      killed: kills.byKind,
      rows_missing: counts.accepted - rows.of_requests,
      requests_with_several_rows: rows.of_requests - rows.requests,
      // Each organization got a key before.
      command_rows_missing: counts.commands - (rows.key_commands - rows.organizations),
      submission_rows_missing: rows.decided - rows.of_decisions,
      status_rows_missing: rows.status_events - rows.of_statuses,
      workflow_rows: rows.of_workflows,
      rows_without_digest: rows.without_digest,
      unlinked: rows.unlinked,
      ...chains,
      ...tampering,
    };
  },
};

/** Two loops of an organization change different resources. */
async function givenPartners(service: TestService): Promise<Partner[]> {
  const partners: Partner[] = [];
  for (const caller of await service.givenOrganizations(organizations)) {
    const [artwork, audio] = await Promise.all([
      service.givenAsset(caller, 'artwork'),
      service.givenAsset(caller, 'audio'),
    ]);
    for (let i = 0; i < loopsPerOrganization; i++) {
      partners.push({ ...caller, artwork, audio, artists: [], drafts: [] });
    }
  }
  return partners;
}

/** In step with the changes, so that kills happen during the whole run. */
async function killInTurn(
  { size, say }: Lab,
  { killAndRestart }: KillableProcesses,
  run: { readonly isDone: boolean },
  changes: () => number,
) {
  const { mutations, killsMin } = sizes[size];
  const names = Object.keys(killAndRestart);
  const byKind: Record<string, number> = {};
  let total = 0;
  while (total < killsMin) {
    await until(
      'changes for the next kill',
      () => run.isDone || changes() >= (mutations * total) / killsMin,
      600_000,
    );
    await wait(Math.random() * 200);
    const kind = names[total % names.length]!;
    await killAndRestart[kind]?.();
    byKind[kind] = (byKind[kind] ?? 0) + 1;
    if (++total % 5 === 0) say(`${total} kills, ${changes()} changes`);
  }
  return { total, byKind };
}

const untilSettled = (service: TestService) =>
  until(
    'no work is left',
    async () => {
      const [row] = await service.query(`
        select (select count(*) from audit where sequence is null)
             + (select count(*) from submissions where review_status = 'pending')
             + (select count(*) from outbox where send_at is null)
             + (select count(*) from deliveries where status = 'pending') as pending`);
      return Number(row.pending) === 0;
    },
    settleLimitMs,
    500,
  );

type RowCounts = Record<
  | 'of_requests'
  | 'requests'
  | 'key_commands'
  | 'organizations'
  | 'decided'
  | 'of_decisions'
  | 'status_events'
  | 'of_statuses'
  | 'of_workflows'
  | 'without_digest'
  | 'unlinked',
  number
>;

/** Of the audit log, and of the tables that say what happened. */
async function countRows(service: TestService): Promise<RowCounts> {
  const [row] = await service.query(`
    select (select count(*) from audit where actor_type = 'api_key' and action <> 'release.change_status')::int as of_requests,
           (select count(distinct request_id) from audit where actor_type = 'api_key')::int as requests,
           (select count(*) from audit where action = 'key.create')::int as key_commands,
           (select count(*) from organizations)::int as organizations,
           (select count(*) from submissions where review_status <> 'pending')::int as decided,
           (select count(*) from audit where action like 'submission.%')::int as of_decisions,
           (select count(*) from events where type = 'release.status.changed')::int as status_events,
           (select count(*) from audit where action in ('release.submit', 'release.change_status'))::int as of_statuses,
           (select count(*) from audit where actor_type = 'workflow')::int as of_workflows,
           (select count(*) from audit where before_digest is null and after_digest is null)::int as without_digest,
           (select count(*) from audit where sequence is null)::int as unlinked`);
  return row as RowCounts;
}

async function verifyChains(service: TestService, partners: readonly Partner[]) {
  const counts = { chains_broken_for_operator: 0, chains_broken_for_partner: 0, lines_missing: 0 };
  for (const partner of new Map(partners.map((each) => [each.orgId, each])).values()) {
    const { isIntact, lines } = await verifyAsPartner(service, partner);
    if (!isIntact) counts.chains_broken_for_partner++;
    const { json } = await partner.call('GET', '/v1/audit_log?limit=1');
    counts.lines_missing += json.data[0].sequence - lines;
    if (!(await verifyAsOperator(service, partner))) counts.chains_broken_for_operator++;
  }
  return counts;
}
