/**
 * Troubles that last, each with the alert that tells of it: a handler that can never succeed, a worker killed with its
 * work and started elsewhere, a new version in its place, a worker whose clock is 40 days ahead, a full disk, S3 away,
 * Redis away. Files of one organization are examined meanwhile; another one, with which nothing is wrong, must go on
 * within seconds. In the end everything is done, nothing is left in the engine, and no alert fires.
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
/** What the engine could not bring to a worker it tries again after ten seconds at most. */
const pulseMsMax = 20_000;
/**
 * What was in its hands is missed twice, ten seconds apart, by a worker that lives long enough, then killed and asked
 * for again.
 */
const pulseCutMsMax = 60_000;

export const experiment: Experiment = {
  compares: 'what is done and who is told, under troubles that last, against what was asked for',
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
    lab.say('waiting for the rest');
    fixture.pulse.setFault('afterwards');
    const left = await settle(fixture, run.sent.length);
    const pulse = await fixture.pulse.stop();
    const alertsAtTheEnd = await untilNoAlertFires(fixture);
    const historyLost = await faults.runUpkeepAhead();
    await fixture.close();
    return {
      files: run.sent.length,
      ...left,
      ...pulse,
      alerts_missed: run.missed.length,
      missed: run.missed,
      alert_seconds: fixture.prometheus.seen,
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

async function settle(stage: PoisonFixture, files: number) {
  const begun = performance.now();
  let left: Record<string, number> = {};
  const isDone = async () => {
    left = await countLeft(stage);
    return files > 0 && Object.values(left).every((count) => count === 0);
  };
  await until('everything is done', isDone, settleLimitMs, settlePollMs).catch(() => undefined);
  return { ...left, settled_after_seconds: Math.round((performance.now() - begun) / 1_000) };
}

/** The engine's struggles are counted every half minute. */
const quietWithinMs = 45_000;

/** What still fires once the last trouble is out of every window. */
async function untilNoAlertFires({ prometheus }: PoisonFixture): Promise<string[]> {
  const isQuiet = async () => (await prometheus.firing()).size === 0;
  await until('nothing fires', isQuiet, quietWithinMs, settlePollMs).catch(() => undefined);
  return [...(await prometheus.firing())];
}
