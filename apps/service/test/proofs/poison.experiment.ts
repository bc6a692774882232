/**
 * Compares what the service does during lasting faults with what was requested, and the alerts that fire with the
 * faults. The faults: a handler that cannot succeed, a worker killed during its work and started at another port, a new
 * version in its place, a worker whose clock is 40 days ahead, a full disk, S3 away, Redis away. One organization
 * uploads files during each fault; an untouched one submits a release every 700 ms (a pulse).
 *
 * The bar: every fault fires its alert; every file ends ready; no pulse is lost, and each is reviewed within 20 s, or
 * 60 s if its worker was killed; requests without Redis succeed; at the end nothing is left in the outbox and the
 * engine, no alert fires, and no history was deleted. It fails when a fault blocks other work, stays unnoticed, or
 * leaves something behind.
 */

import type { Experiment } from '../../../../scripts/experiments/experiment.ts';
import { until } from '../../../../scripts/servers/server.ts';
import { queryEngine } from '../../src/platform/engine/admin.ts';
import { createFaults } from './poison-faults.ts';
import { openPoisonFixture, type PoisonFixture } from './poison-fixture.ts';

const sizes = {
  start: { files: 4, rounds: 1 },
  small: { files: 10, rounds: 1 },
  full: { files: 16, rounds: 3 },
};
const faultsPerRound = 5;
const settleLimitMs = 150_000;
const settlePollMs = 500;
/** The engine retries an invocation that reached no worker after ten seconds at most. */
const pulseMsMax = 20_000;
/**
 * The invocations of a killed worker are freed after another worker has missed its deployment twice, ten seconds apart;
 * then they are killed and requeued.
 */
const pulseCutMsMax = 60_000;

export const experiment: Experiment = {
  compares: 'finished work and fired alerts during lasting faults, against what was requested',
  bar: (size) => {
    const { files, rounds } = sizes[size];
    return {
      files: { equals: files * faultsPerRound * rounds },
      not_ready: { equals: 0 },
      pulses: { atLeast: 20 },
      pulses_lost: { equals: 0 },
      pulse_slowest_ms: { atMost: pulseMsMax },
      pulse_cut_slowest_ms: { atMost: pulseCutMsMax },
      alerts_missed: { equals: 0 },
      freed: { atLeast: 2 * rounds },
      disk_was_full: { equals: rounds },
      requests_failed: { equals: 0 },
      overdue: { equals: 0 },
      left_in_outbox: { equals: 0 },
      left_in_engine: { equals: 0 },
      alerts_at_the_end: { equals: 0 },
      history_lost: { equals: 0 },
    };
  },
  run: async (lab) => {
    const fixture = await openPoisonFixture(lab);
    const { files, rounds } = sizes[lab.size];
    const { run, ...faults } = createFaults(lab, fixture, files);
    for (let round = 0; round < rounds; round++) {
      await Promise.all([faults.poisonHandlers(), faults.removeRedis()]);
      await faults.killAndMove();
      await faults.removeStorage();
      await Promise.all([faults.fillDisk(), faults.startAhead()]);
      await faults.awaitFreed();
    }
    lab.say('all faults repaired; waiting until no work is left');
    fixture.pulse.setFault('afterwards');
    const left = await settle(fixture, run.sent.length);
    const pulse = await fixture.pulse.stop();
    const alertsAtTheEnd = await untilNoAlertFires(fixture);
    const historyLost = await faults.runUpkeep();
    await fixture.close();
    return {
      files: run.sent.length,
      ...left,
      ...pulse,
      alerts_missed: run.missed.length,
      missed: run.missed,
      alert_seconds: fixture.prometheus.secondsToFire,
      freed: fixture.countFreedInvocations(),
      disk_was_full: run.diskWasFull,
      requests_failed: run.requestsFailed,
      alerts_at_the_end: alertsAtTheEnd.length,
      firing: alertsAtTheEnd,
      history_lost: historyLost,
    };
  },
};

async function countLeft({ serviceWithEngine: { service, urls } }: PoisonFixture) {
  const [[row], [engine]] = await Promise.all([
    service.query(`
      select (select count(*)::int from assets where status <> 'ready' and content_type = 'audio/wav') as not_ready,
             (select count(*)::int from timers
               where state in ('waiting', 'firing') and due_at < now() - interval '5 seconds') as overdue,
             (select count(*)::int from outbox) as left_in_outbox`),
    queryEngine<{ n: number }>(
      urls.adminUrl,
      `select count(*) as n from sys_invocation where status not in ('completed', 'scheduled')
          and target_service_name <> 'canary'`,
    ),
  ]);
  return { ...row, left_in_engine: engine?.n ?? 0 } as Record<string, number>;
}

async function settle(fixture: PoisonFixture, files: number) {
  const begun = performance.now();
  let left: Record<string, number> = {};
  const isDone = async () => {
    left = await countLeft(fixture);
    return files > 0 && Object.values(left).every((count) => count === 0);
  };
  await until('everything is done', isDone, settleLimitMs, settlePollMs).catch(() => undefined);
  return { ...left, settled_after_seconds: Math.round((performance.now() - begun) / 1_000) };
}

/** Stuck invocations are counted every half minute. */
const quietWithinMs = 45_000;

/** Returns the alerts that still fire after the last fault has left the windows of all rules. */
async function untilNoAlertFires({ prometheus }: PoisonFixture): Promise<string[]> {
  const isQuiet = async () => (await prometheus.firing()).size === 0;
  await until('no alert fires', isQuiet, quietWithinMs, settlePollMs).catch(() => undefined);
  return [...(await prometheus.firing())];
}
