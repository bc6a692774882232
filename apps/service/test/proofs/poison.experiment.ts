/**
 * Compares what the service does during lasting faults with what was requested, and the alerts that fire with the
 * faults. The faults: a handler that cannot succeed, a worker killed during its work and started at another port, a new
 * version in its place, a worker whose clock is 40 days ahead, a full disk, S3 away, Redis away. One organization
 * uploads files during each fault; an untouched one submits a release every 700 ms (a pulse).
 *
 * The bar: every fault fires its alert; every file ends ready; no pulse is lost, and each is reviewed within 20 s, or
 * 60 s if its worker was killed (start: 60 and 110); requests without Redis succeed; at the end nothing is left in the
 * outbox and the engine, no alert fires, and no history was deleted. It fails when a fault blocks other work, stays
 * unnoticed, or leaves something behind.
 */

import type { Experiment } from '../../../../scripts/experiments/experiment.ts';
import { until } from '../../../../scripts/servers/server.ts';
import { createFaults } from './poison-faults.ts';
import { openPoisonFixture, type PoisonFixture } from './poison-fixture.ts';
import { findFilesNotReady, findLeftovers, type Leftovers } from './poison-leftovers.ts';

const sizes = {
  start: { files: 4, rounds: 1 },
  small: { files: 10, rounds: 1 },
  full: { files: 16, rounds: 3 },
};
const faultsPerRound = 5;
/** A file whose examination failed too often is examined again after two minutes. */
const filesReadyWithinMs = 300_000;
/** Stuck invocations are counted every half minute. */
const quietWithinMs = 180_000;
const pollMs = 500;
const samplesPerKind = 5;
/** The engine retries an invocation that reached no worker after ten seconds at most. */
const pulseMsMax = { start: 60_000, small: 20_000, full: 20_000 };
/**
 * The invocations of a killed worker are freed after another worker has missed its deployment twice, ten seconds apart;
 * then they are killed and requeued.
 */
const pulseCutMsMax = { start: 110_000, small: 60_000, full: 60_000 };

export const experiment: Experiment = {
  compares: 'finished work and fired alerts during lasting faults, against what was requested',
  bar: (size) => {
    const { files, rounds } = sizes[size];
    return {
      files: { equals: files * faultsPerRound * rounds },
      not_ready: { equals: 0 },
      pulses: { atLeast: 20 },
      pulses_lost: { equals: 0 },
      pulse_slowest_ms: { atMost: pulseMsMax[size] },
      pulse_cut_slowest_ms: { atMost: pulseCutMsMax[size] },
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
    }
    lab.say('all faults repaired; waiting until no work is left');
    fixture.pulse.setFault('afterwards');
    const repairedAt = performance.now();
    await untilFilesAreReady(fixture);
    // The releases of the pulse are work too: on a slow machine the engine is never without one.
    const pulse = await fixture.pulse.stop();
    const left = await untilNothingIsLeft(fixture);
    const settledAfterSeconds = Math.round((performance.now() - repairedAt) / 1_000);
    const alertsAtTheEnd = await untilNoAlertFires(fixture);
    const historyLost = await faults.runUpkeep();
    await fixture.close();
    return {
      files: run.sent.length,
      not_ready: left.notReady.length,
      overdue: left.overdue.length,
      left_in_outbox: left.inOutbox.length,
      left_in_engine: left.inEngine.length,
      samples: Object.values(left).flatMap((texts) => texts.slice(0, samplesPerKind)),
      settled_after_seconds: settledAfterSeconds,
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

async function untilFilesAreReady(fixture: PoisonFixture): Promise<void> {
  const isDone = async () => (await findFilesNotReady(fixture)).length === 0;
  await until('all files are ready', isDone, filesReadyWithinMs, pollMs).catch(() => undefined);
}

/** Returns what is left after the limit: no row and no invocation if all work is done. */
async function untilNothingIsLeft(fixture: PoisonFixture): Promise<Leftovers> {
  let left = await findLeftovers(fixture);
  const isDone = async () => {
    left = await findLeftovers(fixture);
    return Object.values(left).every((texts) => texts.length === 0);
  };
  await until('nothing is left', isDone, quietWithinMs, pollMs).catch(() => undefined);
  return left;
}

/** Returns the alerts that still fire after the last fault has left the windows of all rules. */
async function untilNoAlertFires({ prometheus }: PoisonFixture): Promise<string[]> {
  const isQuiet = async () => (await prometheus.firing()).size === 0;
  await until('no alert fires', isQuiet, quietWithinMs, pollMs).catch(() => undefined);
  return [...(await prometheus.firing())];
}
